import type { mediaFilters } from '../../api/filters.ts'
import type { JsonObject } from './columns.ts'
import { flag, identities, moment, periods, terms, toPeriod, type FilterKey, type Period } from './filter-keys.ts'
import { createIdentity } from '../data/identity.ts'
import { baseTime } from '../data/dates.ts'
import { idsOf, isObject, timeOf } from './record-values.ts'
import { byNumber, type SortKey } from './sort-keys.ts'

/** Every filter key of media in the endpoint table. */
export const mediaKeys: Readonly<Record<keyof ReturnType<typeof mediaFilters>, FilterKey>> = {
  id: identities(createIdentity('media')),
  published: flag((record) => record['published']),
  organization: terms((record) => idsOf(record['organizations'])),
  targetGroup: terms((record) => record['targetGroups']),
  type: terms((record) => record['type']),
  photoType: terms((record) => record['photoType']),
  linkType: terms((record) => record['linkType']),
  visibleSides: terms((record) => record['visibleSides']),
  createdAt: moment((record) => timeOf(record, 'createdAt')),
  updatedSince: moment((record) => timeOf(record, 'updatedAt')),
  product: terms((record) => record['products']),
  available: availability(),
  locale: terms((record) => record['locales']),
}

export const mediaSortings: Readonly<Record<string, SortKey>> = {
  id: 'naturalOrder',
  createdAt: byNumber((record) => timeOf(record, 'createdAt')),
  touchedAt: byNumber((record) => timeOf(record, 'updatedAt')),
}

/**
 * A moment or range: available at some time in it; true or false: available at the moment that generated data ends at,
 * or not, so that the answer does not change with the day. What gives no period is always available.
 */
function availability(): FilterKey {
  const { toTest: toRangeTest, ...period } = periods(readPeriods)
  return {
    ...period,
    toTest(parameter) {
      if (typeof parameter !== 'boolean') return toRangeTest(parameter)
      const isAvailable = toRangeTest({ from: baseTime, until: baseTime })
      return (kept) => isAvailable(kept) === parameter
    },
  }
}

function readPeriods({ available }: JsonObject): readonly Period[] {
  return [isObject(available) ? toPeriod(available['from'], available['until']) : toPeriod(undefined, undefined)]
}
