import { describe, expect, test } from 'vitest'
import { judgeVolume } from '../../../src/kernel/rules/judge-volume.ts'
import type { PastRun } from '../../../src/manifest/manifest.ts'

const times = { startedAt: '2026-01-01T02:00:00.000Z', finishedAt: '2026-01-01T02:00:09.000Z', durationMs: 9000 }
const broken = [{ table: 'products', rule: 'volume', severity: 'warn', count: 0 }] as const

function published(records: number, changes: Partial<PastRun> = {}): PastRun {
  return { run: 'a', version: '0.1.0', kind: 'full', ...times, outcome: 'published', exitCode: 0, records, ...changes }
}

function judge(
  records: number | null,
  past: readonly PastRun[],
  changes: Partial<Parameters<typeof judgeVolume>[0]> = {},
) {
  const rule = { percent: 20, severity: 'error' as const, ...changes }
  return judgeVolume(rule, { records, kind: 'full', table: 'products' }, past)
}

const week = [1010, 900, 1000, 1200, 990, 1005, 995].map((records) => published(records))

describe('the rule on the number of records', () => {
  test.each([
    [800, 'kept'],
    [799, 'broken'],
    [1200, 'kept'],
    [1201, 'broken'],
  ])('20%% around a median of 1,000 holds from 800 to 1,200, both included: %i is %s', (records, result) => {
    expect(judge(records, week)).toMatchObject({
      rule: 'volume',
      table: 'products',
      severity: 'error',
      result,
      expected: '800 to 1,200 records (±20% of 1,000, the median of the last 7 published runs)',
    })
  })

  test.each([
    [11_076, 'kept'],
    [11_077, 'kept'],
    [11_078, 'broken'],
    [10_923, 'kept'],
    [10_922, 'broken'],
  ])('the bounds are exact where floating point is not: 0.7%% of 11,000 is 77: %i is %s', (records, result) => {
    const past = [11_000, 11_000, 11_000].map((each) => published(each))
    expect(judge(records, past, { percent: 0.7 }).result).toBe(result)
  })

  test('the median of an even number of runs is between the two in the middle', () => {
    const past = [10, 11, 10, 11].map((each) => published(each))
    expect(judge(12, past)).toMatchObject({ result: 'kept', expected: expect.stringContaining('±20% of 10.5') })
    expect(judge(13, past)).toMatchObject({ result: 'broken', found: '13 records' })
    expect(judge(9, past).expected).toContain('9 to 12 records')
  })

  test('one record is counted as one, and a median of none allows none', () => {
    const past = [0, 0, 0].map((each) => published(each))
    expect(judge(0, past).result).toBe('kept')
    expect(judge(1, past)).toMatchObject({ result: 'broken', found: '1 record' })
  })

  test('only the last seven published runs count; failed ones and samples never', () => {
    const far = [9, 9, 9, 9, 9, 9, 9, 9, 9].map((records) => published(records))
    const failed = published(1, { outcome: 'SOURCE_FAILED', exitCode: 4 })
    const sample = published(1, { kind: 'sample' })
    const past = [...far, ...week.flatMap((run) => [run, failed, sample])]
    expect(judge(1000, past).expected).toContain('±20% of 1,000, the median of the last 7')
  })

  test('there is no verdict with fewer than three published runs, for a sample, a backfill and an unknown number', () => {
    expect(judge(1, week.slice(0, 2))).toMatchObject({
      result: 'unjudged',
      found: expect.stringContaining('2 published runs before it'),
    })
    expect(judge(1, week.slice(0, 3)).result).toBe('broken')
    expect(judge(null, week).result).toBe('unjudged')
    const rule = { percent: 20, severity: 'error' } as const
    for (const kind of ['sample', 'backfill'] as const)
      expect(judgeVolume(rule, { records: 1, kind, table: 'products' }, week)).toMatchObject({
        result: 'unjudged',
        found: `a ${kind}`,
      })
  })

  test('a published run that broke the rule is accepted: later runs are compared with it, at once', () => {
    const accepted = published(5000, { rules: { kept: 0, unjudged: 0, broken } })
    expect(judge(5000, [...week, accepted])).toMatchObject({
      result: 'kept',
      expected: '4,000 to 6,000 records (±20% of 5,000, in the last published run)',
    })
    expect(judge(1000, [...week, accepted]).result).toBe('broken')
    expect(judge(5100, [...week, accepted, published(5200)]).expected).toContain('5,100, the median of the last 2')
  })

  test('with severity warn, which publishes every number, one odd night does not move the median', () => {
    const odd = published(5000, { rules: { kept: 0, unjudged: 0, broken } })
    expect(judge(1000, [...week, odd], { severity: 'warn' }).result).toBe('kept')
    expect(judge(5000, [...week, odd], { severity: 'warn' }).result).toBe('broken')
  })

  test('a failed run that broke the rule accepts nothing', () => {
    const refused = published(5000, { outcome: 'RULE_BROKEN', exitCode: 3, rules: { kept: 0, unjudged: 0, broken } })
    expect(judge(5000, [...week, refused]).result).toBe('broken')
  })

  test('runs are compared with the records that the last backfill left', () => {
    expect(
      judge(3010, [...week, published(2000, { kind: 'backfill' }), published(3000, { kind: 'backfill' })]),
    ).toMatchObject({
      result: 'kept',
      expected: expect.stringContaining('3,000'),
    })
  })
})
