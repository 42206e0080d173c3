import type { Measurement } from '../measure-process.ts'
import { median, toRatio, type Ratio } from '../ratio.ts'
import type { ScenarioRuns } from '../run-scenario.ts'
import type { SideRuns } from '../sides/side.ts'

export interface ScenarioSummary {
  readonly name: string
  readonly title: string
  readonly sides: readonly SideSummary[]
  readonly marks: readonly MarkSummary[]
  readonly checks: readonly string[]
  readonly loadBefore: number
  readonly loadAfter: number
}

/** One side's figures: medians of its runs, and the most memory that any of them took. MB are 1,000,000 bytes. */
export interface SideSummary {
  readonly name: string
  readonly records: number
  readonly inputMb: number
  readonly outputMb: number
  readonly seconds: number
  readonly mbPerSecond: number
  readonly recordsPerSecond: number
  readonly cpuSeconds: number
  readonly peakMb: number
  /** How the first side of the scenario compares with this one; null for itself. */
  readonly first: FirstRatios | null
  readonly runs: readonly Measurement[]
}

/** Pair by pair of runs. */
export interface FirstRatios {
  /** How many times the first side is as fast, in MB/s. */
  readonly speed: Ratio
  /** The cpu time of the first side for a MB divided by that of the other: what a busy machine blurs least. */
  readonly cpu: Ratio
  /** The peak memory of the first side divided by that of the other. */
  readonly memory: Ratio
}

export interface MarkSummary {
  readonly title: string
  readonly got: string
  readonly passed: boolean
}

export function summarizeRuns({ scenario, sides, checks, load }: ScenarioRuns): ScenarioSummary {
  const sideOf = (name: string): SideRuns => {
    const found = sides.find(({ side }) => side.name === name)
    if (found === undefined) throw new Error(`${scenario.name}: expected a side "${name}"`)
    return found
  }
  return {
    name: scenario.name,
    title: scenario.title,
    sides: sides.map((side) => summarizeSide(side, sides[0] ?? side)),
    marks: scenario.marks.map((mark) => ({ title: mark.title, ...mark.measure(sideOf) })),
    checks,
    loadBefore: load[0],
    loadAfter: load[1],
  }
}

function summarizeSide(runsOfSide: SideRuns, first: SideRuns): SideSummary {
  const { side, runs, inputBytes, outputBytes } = runsOfSide
  const seconds = median(runs.map(({ wallMs }) => wallMs)) / 1000
  return {
    name: side.name,
    records: side.records,
    inputMb: round(inputBytes / 1e6, 1),
    outputMb: round(outputBytes / 1e6, 1),
    seconds: round(seconds, 3),
    mbPerSecond: round(inputBytes / 1e6 / seconds, 1),
    recordsPerSecond: Math.round(side.records / seconds),
    cpuSeconds: round(median(runs.map(({ cpuMs }) => cpuMs)) / 1000, 3),
    peakMb: round(Math.max(...runs.map(({ peakBytes }) => peakBytes)) / 1e6, 1),
    first: first === runsOfSide ? null : compareWithFirst(first, runsOfSide),
    runs: runs.map(({ wallMs, cpuMs, peakBytes }) => ({
      wallMs: Math.round(wallMs),
      cpuMs: Math.round(cpuMs),
      peakBytes,
    })),
  }
}

function compareWithFirst(first: SideRuns, other: SideRuns): FirstRatios {
  const size = first.inputBytes / other.inputBytes
  return {
    speed: toRatio(first, other, (ours, theirs) => (theirs.wallMs / ours.wallMs) * size),
    cpu: toRatio(first, other, (ours, theirs) => ours.cpuMs / theirs.cpuMs / size),
    memory: toRatio(first, other, (ours, theirs) => ours.peakBytes / theirs.peakBytes),
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
