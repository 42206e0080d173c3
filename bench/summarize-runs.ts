import type { Measurement } from './measure-process.ts'
import type { ScenarioRuns, SideRuns } from './run-scenario.ts'

/** One side's figures: medians of its runs, and the most memory that any of them took. MB are 1,000,000 bytes. */
export interface SideSummary {
  readonly seconds: number
  readonly mbPerSecond: number
  readonly recordsPerSecond: number
  readonly cpuSeconds: number
  readonly peakMb: number
  readonly outputMb: number
  readonly runs: readonly Measurement[]
}

/** How a figure of one side compares with the other's in each pair of runs. */
export interface Ratio {
  readonly median: number
  readonly least: number
  readonly most: number
}

export interface ScenarioSummary {
  readonly number: number
  readonly title: string
  readonly records: number
  readonly inputMb: number
  readonly tool: SideSummary
  readonly duckdb: SideSummary | null
  /** How many times this tool is as fast as DuckDB: DuckDB's time divided by ours, pair by pair. */
  readonly speed: Ratio | null
  /** Our cpu time divided by DuckDB's, pair by pair: what a busy machine blurs least. */
  readonly cpu: Ratio | null
  /** Our peak memory divided by DuckDB's, pair by pair. */
  readonly memory: Ratio | null
  readonly memoryMark: { readonly maxMb: number; readonly passed: boolean } | null
  readonly checks: readonly string[]
  readonly loadBefore: number
  readonly loadAfter: number
}

export function summarizeRuns({ scenario, inputBytes, tool, duckdb, checks, load }: ScenarioRuns): ScenarioSummary {
  const { number, title, records, maxPeakBytes } = scenario
  const toSide = (side: SideRuns) => summarizeSide(side, inputBytes, records)
  const peakBytes = Math.max(...tool.runs.map((run) => run.peakBytes))
  return {
    number,
    title,
    records,
    inputMb: round(inputBytes / 1e6, 1),
    tool: toSide(tool),
    duckdb: duckdb === null ? null : toSide(duckdb),
    speed: duckdb === null ? null : toRatio(tool, duckdb, (ours, theirs) => theirs.wallMs / ours.wallMs),
    cpu: duckdb === null ? null : toRatio(tool, duckdb, (ours, theirs) => ours.cpuMs / theirs.cpuMs),
    memory: duckdb === null ? null : toRatio(tool, duckdb, (ours, theirs) => ours.peakBytes / theirs.peakBytes),
    memoryMark: maxPeakBytes === null ? null : { maxMb: maxPeakBytes / 1e6, passed: peakBytes < maxPeakBytes },
    checks,
    loadBefore: load[0],
    loadAfter: load[1],
  }
}

function summarizeSide({ runs, outputBytes }: SideRuns, inputBytes: number, records: number): SideSummary {
  const seconds = median(runs.map(({ wallMs }) => wallMs)) / 1000
  return {
    seconds: round(seconds, 3),
    mbPerSecond: round(inputBytes / 1e6 / seconds, 1),
    recordsPerSecond: Math.round(records / seconds),
    cpuSeconds: round(median(runs.map(({ cpuMs }) => cpuMs)) / 1000, 3),
    peakMb: round(Math.max(...runs.map(({ peakBytes }) => peakBytes)) / 1e6, 1),
    outputMb: round(outputBytes / 1e6, 1),
    runs: runs.map(({ wallMs, cpuMs, peakBytes }) => ({
      wallMs: Math.round(wallMs),
      cpuMs: Math.round(cpuMs),
      peakBytes,
    })),
  }
}

function toRatio(tool: SideRuns, duckdb: SideRuns, compare: (ours: Measurement, theirs: Measurement) => number): Ratio {
  const ratios = tool.runs.flatMap((ours, run) => {
    const theirs = duckdb.runs[run]
    return theirs === undefined ? [] : [compare(ours, theirs)]
  })
  return {
    median: round(median(ratios), 2),
    least: round(Math.min(...ratios), 2),
    most: round(Math.max(...ratios), 2),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
