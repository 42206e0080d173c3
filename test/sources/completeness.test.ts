import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CompletenessTracker, joinCompleteness } from '../../src/sources/completeness.ts'
import type { LineIndex } from '../../src/records/block-outcome.ts'
import { toRuns } from '../records/list-indexes.ts'
import { cases } from '../depth.ts'
import type { Completeness } from '../../src/manifest/manifest.ts'

interface Stream {
  readonly indexes: readonly LineIndex[]
  /** No more than there are lines: the first state them, and the others the last one. */
  readonly totals: readonly number[]
  readonly isCut: boolean
}

/** Streams that are nearly whole: permuted, with lines left out, repeated, unreadable or beyond the total. */
const nearlyWhole = fc
  .record({
    total: fc.nat({ max: 12 }),
    isShuffled: fc.boolean(),
    faults: fc.array(fc.tuple(fc.constantFrom('drop', 'repeat', 'blind', 'add'), fc.nat({ max: 12 })), {
      maxLength: 4,
    }),
    isCut: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    totals: fc.constantFrom<(total: number) => number[]>(
      (total) => [total],
      () => [],
      (total) => [total, total + 1],
    ),
    seed: fc.infiniteStream(fc.nat()),
  })
  .map(({ total, isShuffled, faults, isCut, totals, seed }): Stream => {
    let indexes: LineIndex[] = Array.from({ length: total }, (_, index) => index)
    for (const [fault, at] of faults) {
      if (fault === 'drop') indexes.splice(at, 1)
      if (fault === 'repeat' && indexes[at] !== undefined) indexes.splice(at, 0, indexes[at])
      if (fault === 'blind' && at < indexes.length) indexes[at] = 'unreadable'
      if (fault === 'add') indexes.push(at + total)
    }
    if (isShuffled) {
      const keyed = indexes.map((index) => ({ index, key: seed.next().value as number }))
      indexes = keyed.toSorted((a, b) => a.key - b.key).map(({ index }) => index)
    }
    return { indexes, totals: totals(total).slice(0, indexes.length), isCut }
  })
const anything: fc.Arbitrary<Stream> = fc
  .record({
    indexes: fc.array(fc.oneof(fc.nat({ max: 8 }), fc.constantFrom(null, 'unreadable' as const)), { maxLength: 12 }),
    totals: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }),
    isCut: fc.constant(false),
  })
  .map((stream) => ({ ...stream, totals: stream.totals.slice(0, stream.indexes.length) }))

describe('the completeness of a stream', () => {
  test('the completeness of a stream agrees with a set of its indexes', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyWhole, anything), (stream) => {
        const { status } = track(stream)
        expect(status).toBe(judgeNaively(stream))
      }),
      { numRuns: cases(3000) },
    )
  })

  test('the completeness of a stream does not depend on how the lines fall into blocks', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyWhole, anything), fc.integer({ min: 1, max: 5 }), (stream, size) => {
        const tracker = new CompletenessTracker()
        const totals = stream.indexes.flatMap((_, at) => stream.totals[at] ?? stream.totals.slice(-1))
        for (let at = 0; at < stream.indexes.length || at === 0; at += size) {
          const isLast = at + size >= stream.indexes.length
          tracker.add({
            indexes: toRuns(stream.indexes.slice(at, at + size), totals.slice(at, at + size)),
            isCut: isLast && stream.isCut,
          })
        }
        expect(tracker.finish()).toEqual(track(stream))
      }),
      { numRuns: cases(1000) },
    )
  })

  test('the completeness of a stream names every fault', () => {
    expect(reasonsOf([0, 1, 4, 9], [10])).toEqual(['6 records are missing, index 2 to 3, 5 to 8'])
    expect(reasonsOf([1, 3, 5, 7, 9], [10])).toEqual(['5 records are missing, index 0, 2, 4, …'])
    expect(reasonsOf([0], [2])).toEqual(['1 record is missing, index 1'])
    expect(reasonsOf([0, 1, 1, 0], [2])).toEqual(['2 indexes came twice, index 1 first'])
    expect(reasonsOf([0, 1, 2], [2])).toEqual(['index 2 is beyond the total of 2'])
    expect(reasonsOf([0, 1, null], [2, 3, 2])).toEqual(['the total changed: 2, then 3, then 2'])
    expect(reasonsOf([0, 1], [2], true)).toEqual(['the last line is cut off'])
    expect(reasonsOf([0, 1], [3000])).toEqual(['2,998 records are missing, index 2 to 2999'])
    expect(reasonsOf([null, null], [3])).toEqual(['the total is 3, but there are 2 lines'])
    expect(reasonsOf([0, null, 1], [2])).toEqual(['1 line carries no index'])
    expect(reasonsOf([null, null], [2])).toEqual(['the lines carry no index'])
    expect(reasonsOf([0, 1], [])).toEqual(['nothing states a total'])
    expect(reasonsOf([], [])).toEqual([
      'there is no line, and an empty result looks the same as a download that failed',
    ])
    expect(reasonsOf([0, 1], [2])).toEqual([])
  })

  test('the completeness of a stream counts an unreadable line as an index missing at its position, and no other', () => {
    expect(track({ indexes: [0, 'unreadable', 2], totals: [3], isCut: false }).status).toBe('proven')
    expect(track({ indexes: [0, 'unreadable'], totals: [2], isCut: false }).status).toBe('proven')
    expect(track({ indexes: ['unreadable', 1], totals: [2], isCut: false }).status).toBe('proven')
    expect(reasonsOf([0, 'unreadable', 3], [4])).toEqual(['2 records are missing, index 1 to 2'])
    expect(reasonsOf(['unreadable', 0, 2], [3])).toEqual(['1 record is missing, index 1'])
  })
})

describe('a reported total of 10000, above which the service does not count', () => {
  test('a reported total of 10000 proves nothing, even where as many lines came', () => {
    expect(track({ indexes: upTo(10_000), totals: [10_000], isCut: false })).toEqual({
      status: 'unprovable',
      reasons: ['the total is 10,000, above which the service does not count'],
      total: 10_000,
    })
  })

  test('a reported total of 10000 may be exceeded by the lines', () => {
    expect(track({ indexes: upTo(10_001), totals: [10_000], isCut: false }).status).toBe('unprovable')
  })

  test('a reported total of 10000 shows missing lines where there are fewer', () => {
    expect(reasonsOf(upTo(9999), [10_000])).toEqual(['1 record is missing, index 9999'])
  })
})

describe('the completeness of a document', () => {
  test.each([
    { meta: { total: 3, offset: 0 }, records: 3, status: 'proven' },
    { meta: { total: 0, offset: 0 }, records: 0, status: 'proven' },
    { meta: { total: 3, offset: 0 }, records: 0, status: 'incomplete' },
    { meta: { total: 5, offset: 0 }, records: 3, status: 'incomplete' },
    { meta: { total: 5, offset: 2 }, records: 3, status: 'incomplete' },
    { meta: { total: 2, offset: 0 }, records: 3, status: 'incomplete' },
    { meta: { total: null, offset: 0 }, records: 3, status: 'unprovable' },
    { meta: { total: null, offset: 0 }, records: 0, status: 'unprovable' },
  ])('the completeness of a document of $records records and $meta is $status', ({ meta, records, status }) => {
    const tracker = new CompletenessTracker()
    tracker.addDocument(meta, records)
    expect(tracker.finish().status).toBe(status)
  })

  test('the completeness of all pages of a query together is proven, in any order', () => {
    const tracker = new CompletenessTracker()
    tracker.addDocument({ total: 25, offset: 20 }, 5)
    tracker.addDocument({ total: 25, offset: 0 }, 10)
    tracker.addDocument({ total: 25, offset: 10 }, 10)
    expect(tracker.finish().status).toBe('proven')
  })
})

describe('the completeness of several streams', () => {
  const proven: Completeness = { status: 'proven', reasons: [], total: 2 }
  const unprovable: Completeness = { status: 'unprovable', reasons: ['no index'], total: null }
  const incomplete: Completeness = { status: 'incomplete', reasons: ['gap', 'repeat'], total: 5 }

  test('the completeness of several streams is the worst of them, with every reason and its stream', () => {
    expect(joinCompleteness([])).toEqual({ status: 'unprovable', reasons: [], total: 0 })
    expect(join(proven, proven)).toEqual({ status: 'proven', reasons: [], total: 4 })
    expect(join(proven, unprovable)).toEqual({ status: 'unprovable', reasons: ['b: no index'], total: null })
    expect(join(incomplete, unprovable)).toEqual({
      status: 'incomplete',
      reasons: ['a: gap', 'a: repeat', 'b: no index'],
      total: null,
    })
    expect(join(incomplete)).toEqual(incomplete)
  })
})

function track(stream: Stream): Completeness {
  const tracker = new CompletenessTracker()
  tracker.add({ indexes: toRuns(stream.indexes, stream.totals), isCut: stream.isCut })
  return tracker.finish()
}

function reasonsOf(indexes: readonly LineIndex[], totals: readonly number[], isCut = false): readonly string[] {
  return track({ indexes, totals, isCut }).reasons
}

/** The definition, with a set: no memory is spared and nothing is clever. */
function judgeNaively({ indexes, totals, isCut }: Stream): Completeness['status'] {
  const seen = new Set<number>()
  const [total] = totals
  let isRepeated = false
  let unread = 0
  let previous = -1
  let pending = 0
  const standIn = (next: number): void => {
    const missing = Array.from({ length: Math.max(0, next - previous - 1) }, (_, at) => previous + 1 + at)
    if (missing.length <= pending) {
      for (const index of missing) {
        if (!seen.has(index)) unread--
        seen.add(index)
      }
    }
    pending = 0
  }
  for (const index of indexes) {
    if (typeof index !== 'number') {
      if (index === 'unreadable') pending++
      unread++
    } else {
      standIn(index)
      isRepeated ||= seen.has(index)
      seen.add(index)
      previous = index
    }
  }
  if (total !== undefined && previous >= 0) standIn(total)
  const end = Math.max(total ?? 0, ...[...seen].map((index) => index + 1))
  const isWhole = seen.size === 0 ? total === undefined || indexes.length === total : seen.size === end
  const isBeyond = total !== undefined && [...seen].some((index) => index >= total)
  const isChanged = totals.some((each, at) => at > 0 && each !== totals[at - 1])
  if (isCut || isChanged || isRepeated || isBeyond || !isWhole) return 'incomplete'
  return seen.size === 0 || unread > 0 || total === undefined ? 'unprovable' : 'proven'
}

function upTo(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

function join(...streams: Completeness[]): Completeness {
  return joinCompleteness(streams.map((completeness, at) => ({ name: 'ab'.charAt(at), completeness })))
}
