import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTime } from '../../src/records/conditions/time-span.ts'
import { compileConversion } from '../../src/types/column-types.ts'
import { cases } from '../depth.ts'
import { queryDuckDb } from '../formats/query-duckdb.ts'
import { readZoneChanges } from './time-zone-file.ts'

const zones = [
  'Europe/Brussels',
  'Europe/London',
  'Europe/Lisbon',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Juneau',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Asia/Manila',
  'Africa/Cairo',
  'Africa/Monrovia',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'UTC',
]
const daySeconds = 86_400

describe('the day of a date-time in a time zone', () => {
  test.each([
    [1330556400, 'Europe/Brussels', '2012-03-01'],
    [1330556399, 'Europe/Brussels', '2012-02-29'],
    [1330556400, 'UTC', '2012-02-29'],
    // Clocks go forward at 2 and back at 3.
    [1711843199, 'Europe/Brussels', '2024-03-31'],
    [1711836000, 'Europe/Brussels', '2024-03-30'],
    [1729987200, 'Europe/Brussels', '2024-10-27'],
    [1729983599, 'Europe/Brussels', '2024-10-27'],
    [1730069999, 'Europe/Brussels', '2024-10-27'],
    [1730070000, 'Europe/Brussels', '2024-10-28'],
    // Local mean time: 17 minutes and 30 seconds ahead.
    [-3786826650, 'Europe/Brussels', '1850-01-01'],
    [-3786826651, 'Europe/Brussels', '1849-12-31'],
    // Samoa left out a day.
    [1325239199, 'Pacific/Apia', '2011-12-29'],
    [1325239200, 'Pacific/Apia', '2011-12-31'],
  ])('the day of date-time %i in %s is %s', (seconds, zone, day) => {
    expect(toDay(zone, seconds)).toBe(day)
  })

  test.skipIf(readZoneChanges('Europe/Brussels') === null)(
    'the day of a date-time in a time zone is that of the tz database around every change of clocks, and around the midnights of those days',
    () => {
      for (const zone of zones) {
        const convert = compileConversion('timestamp', { kind: 'date' }, 0, zone)
        const different = (readZoneChanges(zone) ?? []).flatMap(({ at, before, after }) => {
          const midnight = Math.ceil((at + after) / daySeconds) * daySeconds - after
          const moments = [
            [at - 1, before],
            [at, after],
            [Math.max(at, midnight - 1), after],
            [midnight, after],
          ] as const
          return moments.filter(([moment, offset]) => convert(moment) !== Math.floor((moment + offset) / daySeconds))
        })
        expect({ zone, different }).toEqual({ zone, different: [] })
      }
    },
  )

  test('the day of a date-time in a time zone is that of DuckDB for any date-time of the years 2 to 9998', async () => {
    const [first, last] = [Date.UTC(2, 0) / 1000 - 1900 * 365.25 * daySeconds, Date.UTC(9998, 11, 30) / 1000]
    const moment = fc.oneof(
      fc.integer({ min: Math.ceil(first), max: last }),
      fc.integer({ min: Date.UTC(1880, 0) / 1000, max: Date.UTC(2037, 0) / 1000 }),
    )
    for (const [index, zone] of zones.entries()) {
      const moments = fc.sample(moment, { numRuns: cases(2000), seed: index })
      const sql = `SELECT epoch(timezone('${zone}', to_timestamp(unnest([${moments.join()}])))::DATE)::BIGINT`
      const expected = (await queryDuckDb(sql)).map(([seconds]) => Number(seconds) / daySeconds)
      const convert = compileConversion('timestamp', { kind: 'date' }, 0, zone)
      expect({ zone, days: moments.map(convert) }).toEqual({ zone, days: expected })
    }
  })

  test('the day of a date-time in a time zone is rejected where it is outside of the years 1 to 9999 there, though the date-time is not in UTC', () => {
    const [first, last] = [-62_135_596_800, 253_402_300_799]
    expect([toDay('UTC', first), toDay('America/New_York', first)]).toEqual(['0001-01-01', undefined])
    expect([toDay('UTC', last), toDay('Europe/Brussels', last)]).toEqual(['9999-12-31', undefined])
    expect(toDay('Europe/Brussels', first)).toBe('0001-01-01')
    expect(toDay('America/New_York', last)).toBe('9999-12-31')
  })

  test('the day of a date-time in a time zone of a text is that of its date-time, and a text that is a day is that day', () => {
    const convert = compileConversion('text', { kind: 'date' }, 0, 'America/New_York')
    const days = ['2026-01-02', '2026-01-02T04:59:59.999Z', '2026-01-02T05:00:00Z'].map((text) =>
      formatDay(convert(text)),
    )
    expect(days).toEqual(['2026-01-02', '2026-01-01', '2026-01-02'])
  })
})

describe('a day of a condition', () => {
  test.each([
    ['2025-06-10', 'UTC', '2025-06-10T00:00:00.000Z', 24],
    ['2025-06-10', 'Europe/Brussels', '2025-06-09T22:00:00.000Z', 24],
    ['2025-03-30', 'Europe/Brussels', '2025-03-29T23:00:00.000Z', 23],
    ['2025-10-26', 'Europe/Brussels', '2025-10-25T22:00:00.000Z', 25],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', 23],
  ])('the day %s in %s begins at %s and has %i hours', (text, zone, start, hours) => {
    const { from = Number.NaN, until = Number.NaN } = readTime(text, zone) ?? {}
    expect([new Date(from).toISOString(), (until + 1 - from) / 3_600_000]).toEqual([start, hours])
  })

  test('the days of a condition begin where the day of a date-time changes, in every zone', () => {
    const days = fc.sample(fc.integer({ min: -25_000, max: 40_000 }), { numRuns: cases(300, 12), seed: 25 })
    for (const zone of zones) {
      const convert = compileConversion('timestamp', { kind: 'date' }, 0, zone)
      const wrong = days.filter((day) => {
        const { from = Number.NaN, until = Number.NaN } = readTime(formatDay(day) ?? '', zone) ?? {}
        const [before, first, last, after] = [from - 1000, from, until - 999, until + 1].map((ms) => convert(ms / 1000))
        return before !== day - 1 || first !== day || last !== day || after !== day + 1
      })
      expect({ zone, wrong }).toEqual({ zone, wrong: [] })
    }
  })

  test('a date and time of a condition is that moment, and no other text is a time', () => {
    const { from, until } = readTime('2025-06-10T08:00:00.500+02:00', 'Europe/Brussels') ?? {}
    expect([from, until]).toEqual([Date.parse('2025-06-10T06:00:00.500Z'), from])
    expect(['2025-02-30', '2025-06', 'today', '2025-06-10T08:00'].map((text) => readTime(text, 'UTC'))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

function toDay(zone: string, seconds: number): string | undefined {
  return formatDay(compileConversion('timestamp', { kind: 'date' }, 0, zone)(seconds))
}

function formatDay(day: unknown): string | undefined {
  return typeof day === 'number' ? new Date(day * 86_400_000).toISOString().slice(0, 10) : undefined
}
