import type { correctionFilters, newsFilters } from '../../api/filters.ts'
import type { JsonObject } from './columns.ts'
import { identities, moment, terms, words, type FilterKey } from './filter-keys.ts'
import { referenceSizes } from '../data/delivery-profile.ts'
import { createIdentity } from '../data/identity.ts'
import { syntheticUserCount, toUserId } from '../data/synthetic-records.ts'
import { listOf, syntheticValue, objectsOf, timeOf } from './record-values.ts'
import { byNumber, type SortKey } from './sort-keys.ts'

/** Every filter key of news items (specification: POST /v4/updates/query). */
export const newsKeys: Readonly<Record<keyof ReturnType<typeof newsFilters>, FilterKey>> = {
  id: identities(createIdentity('news_item')),
  organization: terms((record) => record['organization']),
  newsType: terms((record) => record['type']),
  createdAt: moment((record) => timeOf(record, 'createdAt')),
  updatedSince: moment((record) => timeOf(record, 'updatedAt')),
  locale: terms((record) => objectsOf(record['content']).flatMap((part) => listOf(part['locales']))),
  product: terms((record) => record['products']),
  publicCategory: terms((record) => record['categories']),
  brand: terms((record) => record['brands']),
  // Made up: records do not show it.
  targetGroup: terms(
    (record) => [['public'], ['pharmacist'], ['public', 'pharmacist']][syntheticValue(record, 'group', 3)],
  ),
}

export const newsSortings: Readonly<Record<string, SortKey>> = {
  id: 'naturalOrder',
  createdAt: byNumber((record) => timeOf(record, 'createdAt')),
  // Made up: records do not show it.
  sortOrder: byNumber((record) => syntheticValue(record, 'sortOrder', 100)),
}

/** Every filter key of corrections (specification: POST /v4/corrections/query). */
export const correctionKeys: Readonly<Record<keyof ReturnType<typeof correctionFilters> | 'id', FilterKey>> = {
  id: identities(createIdentity('correction')),
  product: terms((record) => record['product']),
  status: terms((record) => toFilterStatus(record['status'])),
  // Made up: records do not show it.
  organization: terms(toOrganization),
  search: words((record) => record['text']),
  locale: terms((record) => record['locale']),
  type: terms((record) => record['type']),
  // Made up: records do not show it.
  createdBy: terms((record) => toUserId(syntheticValue(record, 'createdBy', syntheticUserCount))),
  createdAt: moment((record) => timeOf(record, 'createdAt')),
}

export const correctionSortings: Readonly<Record<string, SortKey>> = {
  id: 'naturalOrder',
  touchedAt: byNumber((record) => timeOf(record, 'updatedAt')),
}

/** The filter lists handled where results list solved and closed; how they relate is not shown: handled is either. */
function toFilterStatus(status: unknown): unknown {
  return status === 'solved' || status === 'closed' ? 'handled' : status
}

function toOrganization(record: JsonObject): unknown {
  return createIdentity('organization')(syntheticValue(record, 'organization', referenceSizes['organization'] ?? 1))
}
