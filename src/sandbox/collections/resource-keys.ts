import type { correctionFilters, mediaFilters, newsFilters } from '../../service/endpoints/filters.ts'
import { isObject } from '../../records/json/json-values.ts'
import { baseTime } from '../data/dates.ts'
import { referenceSizes } from '../data/delivery-profile.ts'
import { createIdentity } from '../data/identity.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { syntheticUserCount, toUserId } from '../data/synthetic-records.ts'
import type { RecordKeys } from './collection.ts'
import {
  dateTime,
  flag,
  identities,
  periods,
  terms,
  toPeriod,
  words,
  type FilterKey,
  type Period,
} from './filter-keys.ts'
import { idsOf, listOf, numberOf, objectsOf, syntheticValue, timeOf } from './record-values.ts'
import { byNumber, byText } from './sort-keys.ts'

export const mediaKeys = {
  filters: {
    id: identities(createIdentity('media')),
    published: flag((record) => record['published']),
    organization: terms((record) => idsOf(record['organizations'])),
    targetGroup: terms((record) => record['targetGroups']),
    type: terms((record) => record['type']),
    photoType: terms((record) => record['photoType']),
    linkType: terms((record) => record['linkType']),
    visibleSides: terms((record) => record['visibleSides']),
    createdAt: dateTime((record) => timeOf(record, 'createdAt')),
    touchedAt: dateTime((record) => timeOf(record, 'updatedAt')),
    updatedSince: dateTime((record) => timeOf(record, 'updatedAt')),
    product: terms((record) => record['products']),
    available: availability(),
    locale: terms((record) => record['locales']),
  } satisfies Readonly<Record<keyof ReturnType<typeof mediaFilters>, FilterKey>>,
  sortings: {
    id: 'naturalOrder',
    createdAt: byNumber((record) => timeOf(record, 'createdAt')),
    touchedAt: byNumber((record) => timeOf(record, 'updatedAt')),
  },
} satisfies RecordKeys

/** Filters and sortings of news items (specification: POST /v4/updates/query). */
export const newsKeys = {
  filters: {
    id: identities(createIdentity('news_item')),
    organization: terms((record) => record['organization']),
    newsType: terms((record) => record['type']),
    createdAt: dateTime((record) => timeOf(record, 'createdAt')),
    updatedSince: dateTime((record) => timeOf(record, 'updatedAt')),
    locale: terms((record) => objectsOf(record['content']).flatMap((part) => listOf(part['locales']))),
    product: terms((record) => record['products']),
    publicCategory: terms((record) => record['categories']),
    brand: terms((record) => record['brands']),
    // Synthetic: records do not show it.
    targetGroup: terms(
      (record) => [['public'], ['pharmacist'], ['public', 'pharmacist']][syntheticValue(record, 'group', 3)],
    ),
  } satisfies Readonly<Record<keyof ReturnType<typeof newsFilters>, FilterKey>>,
  sortings: {
    id: 'naturalOrder',
    createdAt: byNumber((record) => timeOf(record, 'createdAt')),
    // Synthetic: records do not show it.
    sortOrder: byNumber((record) => syntheticValue(record, 'sortOrder', 100)),
  },
} satisfies RecordKeys

/** Filters and sortings of corrections (specification: POST /v4/corrections/query). */
export const correctionKeys = {
  filters: {
    id: identities(createIdentity('correction')),
    product: terms((record) => record['product']),
    status: terms((record) => toFilterStatus(record['status'])),
    // Synthetic: records do not show it.
    organization: terms(toOrganization),
    search: words((record) => record['text']),
    locale: terms((record) => record['locale']),
    type: terms((record) => record['type']),
    // Synthetic: records do not show it.
    createdBy: terms((record) => toUserId(syntheticValue(record, 'createdBy', syntheticUserCount))),
    createdAt: dateTime((record) => timeOf(record, 'createdAt')),
  } satisfies Readonly<Record<keyof ReturnType<typeof correctionFilters> | 'id', FilterKey>>,
  sortings: {
    id: 'naturalOrder',
    touchedAt: byNumber((record) => timeOf(record, 'updatedAt')),
  },
} satisfies RecordKeys

const listFilters = {
  id: terms((record) => record['id']),
  search: words((record) => record['name']),
}

/** Keys of active ingredients and of lists with undocumented filters, if ids are whole numbers. */
export const numberedListKeys = {
  filters: listFilters,
  sortings: { id: byNumber((record) => numberOf(record['id'])) },
} satisfies RecordKeys

/** Keys of the same lists if ids are codes. */
export const codedListKeys = {
  filters: listFilters,
  sortings: { id: byText((record) => record['id']) },
} satisfies RecordKeys

/**
 * Matches availability. A date-time or range matches records available at some time in it. True and false refer to the
 * end of the generated data, to be independent of today. Records without a period are always available.
 */
function availability(): FilterKey {
  const { toTest: toRangeTest, ...period } = periods(readPeriods)
  return {
    ...period,
    toTest(parameter) {
      if (typeof parameter !== 'boolean') return toRangeTest(parameter)
      const isAvailable = toRangeTest({ from: baseTime, until: baseTime })
      return (projected) => isAvailable(projected) === parameter
    },
  }
}

function readPeriods({ available }: JsonObject): readonly Period[] {
  return [isObject(available) ? toPeriod(available['from'], available['until']) : toPeriod(undefined, undefined)]
}

/**
 * The filter lists `handled`, results `solved` and `closed`; their relation is not documented. Here `handled` is
 * either.
 */
function toFilterStatus(status: unknown): unknown {
  return status === 'solved' || status === 'closed' ? 'handled' : status
}

function toOrganization(record: JsonObject): unknown {
  return createIdentity('organization')(syntheticValue(record, 'organization', referenceSizes['organization'] ?? 1))
}
