import type { Measurement } from './measure-process.ts'

/** How a figure of one side compares with the other's in each pair of runs. */
export interface Ratio {
  readonly median: number
  readonly least: number
  readonly most: number
}

interface Runs {
  readonly runs: readonly Measurement[]
}

/** Run 1 of one with run 1 of the other, and so on: what else the machine did meets both alike. */
export function toRatio(side: Runs, other: Runs, compare: (ours: Measurement, theirs: Measurement) => number): Ratio {
  const ratios = side.runs.flatMap((ours, run) => {
    const theirs = other.runs[run]
    return theirs === undefined ? [] : [compare(ours, theirs)]
  })
  return {
    median: roundRatio(median(ratios)),
    least: roundRatio(Math.min(...ratios)),
    most: roundRatio(Math.max(...ratios)),
  }
}

/** The middle one, or the mean of the two in the middle; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
}

/** To three digits: start-ups of a few milliseconds and of many seconds are compared alike. */
function roundRatio(value: number): number {
  return Number(value.toFixed(3))
}
