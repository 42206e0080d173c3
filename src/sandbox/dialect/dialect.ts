import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { type EndpointName, endpoints } from '../../service/endpoints/endpoints.ts'
import { contracts, type ContractName } from '../../contracts/contracts.ts'
import type { Collection } from '../collections/collection.ts'
import { memoize } from '../data/memoize.ts'
import type { JsonObject } from '../data/record-writer.ts'
import type { ProductDays } from '../days/product-days.ts'
import { documentedShapes, looseShapes, type AnswerShapes } from './answer-shapes.ts'
import { createRecordLoosener, createSeeds } from './loosen-record.ts'
import { openKeysOf } from './open-keys.ts'
import { isObject } from '../../records/json/json-values.ts'

/** `documented`: as the specification says. `loose`: as seen in answers if the specification is silent. */
export type DialectName = 'documented' | 'loose'

export const dialectNames = ['documented', 'loose'] as const satisfies readonly DialectName[]

/** The form of everything that the sandbox sends. Filters and sortings always use documented values. */
export interface Dialect {
  readonly shapes: AnswerShapes
  readonly toSent: (name: EndpointName, collection: Collection) => Collection
  readonly toSentDays: (days: ProductDays) => ProductDays
  readonly toSentUser: (user: JsonObject) => JsonObject
}

export function createDialect(name: DialectName, seed: number): Dialect {
  return name === 'loose' ? createLooseDialect(seed) : documented
}

const documented: Dialect = {
  shapes: documentedShapes,
  toSent: (_name, collection) => collection,
  toSentDays: (days) => days,
  toSentUser: (user) => user,
}

function createLooseDialect(seed: number): Dialect {
  const looseners = memoize((name: ContractName) => createRecordLoosener(contracts[name], seed))
  const toProduct = looseners('v4/product')
  const seedOf = createSeeds(contracts['v4/product'], seed)
  return {
    shapes: looseShapes,
    toSent(name, collection) {
      const endpoint: Endpoint = endpoints[name]
      const { contract } = endpoint
      const loosen = contract === 'raw' ? loosenSynthetic(name) : looseners(contract)
      const open = openKeysOf(endpoint, seedOf)
      return {
        ...collection,
        filters: { ...open.filters, ...collection.filters },
        sortings: { ...open.sortings, ...collection.sortings },
        openKeys: new Set([...Object.keys(open.filters), ...Object.keys(open.sortings)]),
        readText: (number) => loosenText(collection.readText(number).toString(), loosen),
      }
    },
    toSentDays: (days) => withRecords(days, toProduct),
    toSentUser: loosenSynthetic('v4/users/query'),
  }
}

function loosenText(text: string, loosen: (record: JsonObject) => JsonObject): Buffer {
  return Buffer.from(JSON.stringify(loosen(JSON.parse(text) as JsonObject)))
}

function withRecords(days: ProductDays, toSent: (record: JsonObject) => JsonObject): ProductDays {
  const orNull = (record: JsonObject | null): JsonObject | null => (record === null ? null : toSent(record))
  return {
    get day() {
      return days.day
    },
    advance: days.advance,
    collectionOf: days.collectionOf,
    *changes(day) {
      for (const change of days.changes(day)) {
        const { day: at, id, kind, at: second } = change
        yield {
          day: at,
          id,
          kind,
          at: second,
          get before() {
            return orNull(change.before)
          },
          get after() {
            return orNull(change.after)
          },
        }
      }
    },
    *productsOn(day) {
      for (const record of days.productsOn(day)) yield toSent(record)
    },
  }
}

type LoosenRecord = (record: JsonObject) => JsonObject

function loosenSynthetic(name: EndpointName): LoosenRecord {
  return looseRecords[name] ?? ((record) => record)
}

const toCoded: LoosenRecord = ({ id, name }) => ({ code: id, name: { en: name } })
const toFieldCode: LoosenRecord = ({ name, type, description }) => ({ code: name, type, label: { en: description } })

const looseRecords: { readonly [Name in EndpointName]?: LoosenRecord } = {
  'v4/users/query': toNamedUser,
  'v4/products/get-fields': toFieldCode,
  'v4/media/get-fields': toFieldCode,
  'v4/corrections/types': toCoded,
  'v3/corrections/types/all': toCoded,
}

function toNamedUser({ id, profile, organization, meta }: JsonObject): JsonObject {
  return { id, name: isObject(profile) ? profile['name'] : null, organization, meta }
}
