import { formatTable, withCommas } from './format-markdown.ts'
import { tunedDuckDb, typedDuckDb } from '../sides/rival-sides.ts'
import { webAssembly } from '../sides/tool-side.ts'
import type { ScenarioSummary, SideSummary } from './summarize-runs.ts'

/** The short table of the README: times of a few scenarios. */
export function formatReadme(scenarios: readonly ScenarioSummary[]): string {
  const head = ['', 'this tool', 'WebAssembly', 'DuckDB, tuned by hand', 'DuckDB, as typed', 'polars']
  const rivals = [webAssembly, tunedDuckDb, typedDuckDb, 'polars']
  const shown = ['parquet', 'parquet-4x', 'csv-4x', 'all-fields-4x']
  return formatTable(
    head,
    toRows(scenarios, shown, (sides) => toTimes(sides, rivals)),
  )
}

/** The table of bench/README.md: times and peak memory of all scenarios with a rival. */
export function formatFigures(scenarios: readonly ScenarioSummary[]): string {
  const head = [
    '',
    'this tool',
    'WebAssembly',
    'DuckDB, tuned by hand',
    'DuckDB, as typed',
    'polars',
    'plain chain',
    'peak memory of each',
  ]
  const rivals = [webAssembly, tunedDuckDb, typedDuckDb, 'polars', 'plain chain']
  const shown = Object.keys(labels)
  return formatTable(
    head,
    toRows(scenarios, shown, (sides) => [...toTimes(sides, rivals), formatPeaks(sides, rivals)]),
  )
}

const labels: Record<string, string> = {
  parquet: '51 columns to one Parquet file, zstd',
  'parquet-4x': '51 columns to one Parquet file, zstd',
  csv: '51 columns to one CSV file',
  'csv-4x': '51 columns to one CSV file',
  'all-fields': 'every documented field to Parquet',
  'all-fields-4x': 'every documented field to Parquet',
  'three-formats': 'every documented field to Parquet, CSV and NDJSON in one pass',
  archives: '51 columns to one Parquet file, zstd, from 20 gz files',
  'start-up': 'from start to finish, to Parquet',
}

/** A row for each of the shown scenarios that was measured. */
function toRows(
  scenarios: readonly ScenarioSummary[],
  shown: readonly string[],
  toCells: (sides: readonly SideSummary[]) => string[],
): string[][] {
  return shown.flatMap((name) => {
    const sides = scenarios.find((scenario) => scenario.name === name)?.sides ?? []
    const [first] = sides
    return first === undefined ? [] : [[`${labels[name]}, ${formatSize(first)}`, ...toCells(sides)]]
  })
}

function toTimes(sides: readonly SideSummary[], rivals: readonly string[]): string[] {
  return ordered(sides, rivals).map(formatTime)
}

function formatPeaks(sides: readonly SideSummary[], rivals: readonly string[]): string {
  const peaks = ordered(sides, rivals).flatMap((side) =>
    side === undefined ? [] : [withCommas(Math.round(side.peakMb))],
  )
  return `${joinWords(peaks)} MB`
}

/** The first side, then the rivals; undefined where one takes no part. */
function ordered(sides: readonly SideSummary[], rivals: readonly string[]): (SideSummary | undefined)[] {
  return [sides[0], ...rivals.map((rival) => sides.find(({ name }) => name === rival))]
}

/** The ratio is the speed of the first side, this tool, beside it: above 1 this tool is the faster one. */
function formatTime(side: SideSummary | undefined): string {
  if (side === undefined) return ''
  const seconds = `${side.seconds.toFixed(2)} s`
  return side.first === null ? seconds : `${seconds} (${side.first.speed.median.toFixed(2)} ×)`
}

function formatSize({ inputMb, records }: SideSummary): string {
  if (inputMb < 10) return `${records} records`
  return inputMb < 1000 ? `${Math.floor(inputMb)} MB` : `${(inputMb / 1000).toFixed(1)} GB`
}

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
