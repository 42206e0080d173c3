import { expect, it } from 'vitest'
import { formatMarkdown } from '../../bench/results/format-markdown.ts'
import { formatFigures, formatReadme } from '../../bench/results/format-readme.ts'
import { formatSummary } from '../../bench/results/format-summary.ts'
import { speedMark } from '../../bench/marks.ts'
import { summarizeRuns } from '../../bench/results/summarize-runs.ts'
import { runsOf } from './fake-sides.ts'

const ours = runsOf('this tool', [
  { wallMs: 100, cpuMs: 150, peakBytes: 50e6 },
  { wallMs: 300, cpuMs: 150, peakBytes: 60e6 },
  { wallMs: 200, cpuMs: 150, peakBytes: 55e6 },
])
const theirs = runsOf('DuckDB', [{ wallMs: 400 }, { wallMs: 600 }, { wallMs: 800 }])
const summary = summarizeRuns({
  scenario: {
    name: 'csv',
    title: '51 columns to CSV',
    sides: [ours.side, theirs.side],
    marks: [speedMark('this tool', 'DuckDB', 2.5)],
  },
  sides: [ours, theirs],
  checks: ['this tool and DuckDB: 100 rows agree'],
  load: [0.5, 1],
})

it('the runs of a side are summarized by their medians and the highest of their peaks', () => {
  expect(summary.sides[0]).toMatchObject({
    seconds: 0.2,
    mbPerSecond: 5,
    recordsPerSecond: 500,
    cpuSeconds: 0.15,
    peakMb: 60,
    inputMb: 1,
    outputMb: 0.5,
    first: null,
  })
})

it('a summary compares the first side with each other one, pair by pair', () => {
  expect(summary.sides[1]?.first?.speed).toEqual({ median: 4, least: 2, most: 4 })
  expect(summary.sides[1]?.first?.cpu.median).toBe(0.15)
  expect(summary.sides[1]?.first?.memory).toEqual({ median: 0.55, least: 0.5, most: 0.6 })
})

it('a summary compares sides that read more or less by their throughput', () => {
  const long = runsOf('long', [{ wallMs: 400 }], 4_000_000)
  const short = runsOf('short', [{ wallMs: 100 }])
  const { sides } = summarizeRuns({
    scenario: { name: 'memory', title: 'memory', sides: [short.side, long.side], marks: [] },
    sides: [short, long],
    checks: [],
    load: [0, 0],
  })
  expect(sides[1]?.first?.speed.median).toBe(1)
})

it('the text of a summary has a line for each side, mark and check', () => {
  const text = formatSummary(summary)
  expect(text).toMatch(/^csv: 51 columns to CSV$/m)
  expect(text).toMatch(/medians of 3 runs, load 0.5 to 1$/m)
  expect(text).toMatch(/^ {3}this tool +0\.20 s +5 +500 +0\.15 s +60 MB +0\.5 MB$/m)
  expect(text).toMatch(/^ {3}DuckDB .* 4\.00 × +0\.15 × +0\.55 ×$/m)
  expect(text).toMatch(/^ {3}pass: this tool: at least 2\.5 × the speed of DuckDB: 4\.00 \(2\.00 to 4\.00\) ×$/m)
  expect(text).toContain('this tool and DuckDB: 100 rows agree')
})

it('the Markdown of a summary has a row for each side and each mark, in tables that hold together', () => {
  const lines = formatMarkdown([summary]).split('\n').filter(Boolean)
  const widths = lines.map((line) => line.split('|').length)
  expect(widths).toEqual([10, 10, 10, 10, 6, 6, 6])
  expect(lines[2]).toBe('| 51 columns to CSV | this tool | 0.20 s | 5 | 500 | 0.15 s | 60 MB |  |')
  expect(lines.at(-1)).toBe('| csv | this tool: at least 2.5 × the speed of DuckDB | 4.00 (2.00 to 4.00) × | yes |')
})

it('the summary tables of both READMEs have a column for each rival, and say how the first side compares', () => {
  const sides = [
    ours,
    runsOf('DuckDB, tuned', [{ wallMs: 150 }, { wallMs: 250 }, { wallMs: 200 }]),
    runsOf('DuckDB, as typed', [{ wallMs: 400 }, { wallMs: 600 }, { wallMs: 800 }]),
  ].map((side) => ({ ...side, inputBytes: 1_886_000_000 }))
  const scenario = {
    name: 'csv-4x' as const,
    title: 'the same',
    sides: sides.map(({ side }) => side),
    marks: [],
  }
  const summaries = [summarizeRuns({ scenario, sides, checks: [], load: [0, 0] })]
  const [figures, readme] = [formatFigures, formatReadme].map((format) => format(summaries).trimEnd().split('\n'))
  expect(figures!.map((line) => line.split('|').length)).toEqual([10, 10, 10])
  expect(figures![2]).toBe(
    '| 51 columns to one CSV file, 1.9 GB | 0.20 s |  | 0.20 s (1.00 ×) | 0.60 s (4.00 ×) |  |  | 60, 100 and 100 MB |',
  )
  expect(readme!.map((line) => line.split('|').length)).toEqual([8, 8, 8])
  expect(readme![2]).toBe('| 51 columns to one CSV file, 1.9 GB | 0.20 s |  | 0.20 s (1.00 ×) | 0.60 s (4.00 ×) |  |')
})
