import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import type { RecordKeys } from '../collections/collection.ts'
import { codes, dateTime, terms, type FilterKey } from '../collections/filter-keys.ts'
import { idsOf, objectsOf, timeOf } from '../collections/record-values.ts'
import { byCode } from '../collections/sort-keys.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { marketFieldsOf } from './extra-members.ts'

/** Filters and sortings that the specification does not list but consumers send. */
export function openKeysOf(endpoint: Endpoint, seedOf: (id: unknown) => number): RecordKeys {
  if (endpoint.contract === 'v4/product') return toProductKeys(seedOf)
  return endpoint.read === 'paged' && endpoint.openKeys ? listKeys : none
}

const none: RecordKeys = { filters: {}, sortings: {} }

/** Keys of lists that are documented by name only. */
const listKeys: RecordKeys = {
  filters: {
    type: terms((record) => record['type']),
    createdAt: dateTime((record) => timeOf(record, 'createdAt')),
    updatedSince: dateTime((record) => timeOf(record, 'updatedAt')),
  },
  sortings: {},
}

/** Codes of other markets, and media of products. */
function toProductKeys(seedOf: (id: unknown) => number): RecordKeys {
  const readCode = (record: JsonObject, name: string) => marketFieldsOf(seedOf(record['id']))[name]
  const filters = marketCodes.map((name): [string, FilterKey] => [name, codes((record) => readCode(record, name))])
  return {
    filters: {
      ...Object.fromEntries(filters),
      media: terms((record) => ['photos', 'frontals', 'links'].flatMap((list) => idsOf(objectsOf(record[list])))),
    },
    sortings: { artgId: byCode((record) => readCode(record, 'artgId')) },
  }
}

const marketCodes = ['cipOrAcl7', 'cip13', 'acl13', 'pzn', 'artgId', 'upc12', 'snomedCode'] as const
