import { describe, expect, it } from 'vitest'
import { flatMark, peakMark, slowestMark, speedMark, throughputMark, timeMark, type Mark } from '../../bench/marks.ts'
import type { Measurement } from '../../bench/measure-process.ts'
import { scenarioNames, toScenarios } from '../../bench/scenarios.ts'
import { runsOf } from './fake-sides.ts'

/** Measures a mark over sides with one run each. */
function measure(mark: Mark, runs: Readonly<Record<string, Partial<Measurement>>>) {
  return mark.measure((name) => runsOf(name, [runs[name] ?? {}]))
}

const withPeaks = (name: string) => runsOf(name, [{ peakBytes: 300e6 }, { peakBytes: name === 'long' ? 401e6 : 200e6 }])
const withTimes = (name: string) => runsOf(name, [{ wallMs: 10 }, { wallMs: 400 }, { wallMs: 9000 }], 40_000_000)

describe('a mark', () => {
  it('a mark of speed asks for a number of times the speed of the other', () => {
    const mark = speedMark('ours', 'theirs', 1.8)
    expect(measure(mark, { ours: { wallMs: 1000 }, theirs: { wallMs: 1800 } }).passed).toBe(true)
    expect(measure(mark, { ours: { wallMs: 1000 }, theirs: { wallMs: 1790 } })).toEqual({
      got: '1.79 (1.79 to 1.79) ×',
      passed: false,
    })
  })

  it('a mark of several in one pass compares with the slowest alone', () => {
    const mark = slowestMark('all', ['csv', 'parquet'], 1.7)
    const alone = { csv: { wallMs: 500 }, parquet: { wallMs: 1000 } }
    expect(measure(mark, { all: { wallMs: 1600 }, ...alone })).toEqual({
      got: '1.60 (1.60 to 1.60) × parquet',
      passed: true,
    })
    expect(measure(mark, { all: { wallMs: 1700 }, ...alone }).passed).toBe(false)
  })

  it('a mark of memory counts the highest run of any side', () => {
    expect(peakMark(['short', 'long'], 400).measure(withPeaks)).toEqual({ got: '300 MB, 401 MB', passed: false })
    expect(peakMark(['short'], 400).measure(withPeaks).passed).toBe(true)
  })

  it('a mark of flat memory fails on growth and on shrinkage', () => {
    const mark = flatMark('short', 'long', 0.15)
    const long = (peakBytes: number) => measure(mark, { short: { peakBytes: 100e6 }, long: { peakBytes } })
    expect(long(114e6)).toEqual({ got: '+14.0 %', passed: true })
    expect(long(116e6).passed).toBe(false)
    expect(long(84e6)).toEqual({ got: '-16.0 %', passed: false })
  })

  it('a mark of throughput and of time looks at the median run', () => {
    expect(throughputMark('streams', 80).measure(withTimes)).toEqual({ got: '100 MB/s', passed: true })
    expect(timeMark('ours', 0.5).measure(withTimes)).toEqual({ got: '0.40 s', passed: true })
    expect(timeMark('ours', 0.3).measure(withTimes).passed).toBe(false)
  })
})

describe('the scenarios', () => {
  const scenarios = toScenarios(
    { records: 1000, judged: true },
    { cli: 'dist/cli.js', library: 'dist/bundle/streams.js' },
  )

  it('the scenarios of a benchmark are those that --only names', () => {
    expect(scenarios.map(({ name }) => name)).toEqual(scenarioNames)
  })

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'the marks of scenario %s name its sides',
    (_, scenario) => {
      const names = scenario.sides.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      const sideOf = (name: string) => {
        expect(names).toContain(name)
        return runsOf(name, [{}])
      }
      expect(scenario.marks.length).toBeGreaterThan(0)
      for (const mark of scenario.marks) mark.measure(sideOf)
    },
  )
})
