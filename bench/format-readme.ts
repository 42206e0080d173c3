import { formatTable, withCommas } from './format-markdown.ts'
import { tunedDuckDb, typedDuckDb } from './rival-sides.ts'
import type { ScenarioSummary, SideSummary } from './summarize-runs.ts'

/** The table of the README: a row for each scenario that it shows, a column for each rival. */
export function formatReadme(scenarios: readonly ScenarioSummary[]): string {
  const rows = shownScenarios.flatMap(([name, label]) => {
    const scenario = scenarios.find((other) => other.name === name)
    return scenario === undefined ? [] : [toRow(label, scenario.sides)]
  })
  return formatTable(head, rows)
}

const shownScenarios = [
  ['parquet', '51 columns to one Parquet file, zstd'],
  ['parquet-4x', '51 columns to one Parquet file, zstd'],
  ['csv', '51 columns to one CSV file'],
  ['csv-4x', '51 columns to one CSV file'],
  ['all-fields', 'every documented field to Parquet'],
  ['all-fields-4x', 'every documented field to Parquet'],
  ['three-formats', 'every documented field to Parquet, CSV and NDJSON in one pass'],
  ['start-up', 'from start to finish, to Parquet'],
] as const

const rivals = [tunedDuckDb, typedDuckDb, 'polars', 'plain chain']
const head = [
  '',
  'this tool',
  'DuckDB, tuned by hand',
  'DuckDB, as typed',
  'polars',
  'plain script',
  'peak memory of each',
]

function toRow(label: string, [first, ...others]: readonly SideSummary[]): string[] {
  if (first === undefined) return [label]
  const shown = rivals.map((rival) => others.find(({ name }) => name === rival))
  const peaks = [first, ...shown].flatMap((side) => (side === undefined ? [] : [withCommas(Math.round(side.peakMb))]))
  return [`${label}, ${formatSize(first)}`, formatSeconds(first), ...shown.map(formatRival), `${joinWords(peaks)} MB`]
}

/** The ratio is the speed of the first side, this tool, beside it: above 1 it is the faster one. */
function formatRival(side: SideSummary | undefined): string {
  if (side === undefined) return ''
  return side.first === null ? formatSeconds(side) : `${formatSeconds(side)} (${side.first.speed.median.toFixed(2)} ×)`
}

function formatSeconds({ seconds }: SideSummary): string {
  return `${seconds.toFixed(2)} s`
}

function formatSize({ inputMb, records }: SideSummary): string {
  if (inputMb < 10) return `${records} records`
  return inputMb < 1000 ? `${Math.floor(inputMb)} MB` : `${(inputMb / 1000).toFixed(1)} GB`
}

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
