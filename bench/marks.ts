import { median, toRatio, type Ratio } from './ratio.ts'
import type { SideRuns } from './sides/side.ts'

/** A requirement on the speed or memory of a scenario, judged by its runs. */
export interface Mark {
  readonly title: string
  measure(sideOf: (name: string) => SideRuns): { readonly got: string; readonly passed: boolean }
}

/** `side` is at least this many times as fast as `other`: the median over the pairs of runs. */
export function speedMark(side: string, other: string, least: number): Mark {
  return {
    title: `${side}: at least ${least} × the speed of ${other}`,
    measure(sideOf) {
      const ratio = toRatio(sideOf(side), sideOf(other), (ours, theirs) => theirs.wallMs / ours.wallMs)
      return { got: `${formatRatio(ratio)} ×`, passed: ratio.median >= least }
    },
  }
}

/** `side` takes less than this many times what the slowest of `others` takes. */
export function slowestMark(side: string, others: readonly string[], below: number): Mark {
  return {
    title: `${side}: less than ${below} × the time of the slowest alone`,
    measure(sideOf) {
      const slowest = others.map(sideOf).reduce((left, right) => (toWallMs(right) > toWallMs(left) ? right : left))
      const ratio = toRatio(sideOf(side), slowest, (ours, theirs) => ours.wallMs / theirs.wallMs)
      return { got: `${formatRatio(ratio)} × ${slowest.side.name}`, passed: ratio.median < below }
    },
  }
}

/** `side` takes at most this many times what `other` takes: the median over the pairs of runs. */
export function dearerMark(side: string, other: string, most: number): Mark {
  return {
    title: `${side}: at most ${most} × the time of ${other}`,
    measure(sideOf) {
      const ratio = toRatio(sideOf(side), sideOf(other), (ours, theirs) => ours.wallMs / theirs.wallMs)
      return { got: `${formatRatio(ratio)} ×`, passed: ratio.median <= most }
    },
  }
}

/** No run of these sides has more than so much memory. MB are 1,000,000 bytes. */
export function peakMark(sides: readonly string[], mostMb: number): Mark {
  return {
    title: `${sides.join(', ')}: at most ${mostMb} MB of memory`,
    measure(sideOf) {
      const peaks = sides.map((name) => toPeakMb(sideOf(name)))
      return { got: peaks.map((peak) => `${peak.toFixed(0)} MB`).join(', '), passed: Math.max(...peaks) <= mostMb }
    },
  }
}

/** The peaks of both sides, the highest of all runs, differ by at most this share of that of `small`. */
export function flatMark(small: string, large: string, mostShare: number): Mark {
  return {
    title: `${large}: the memory of ${small}, within ${mostShare * 100} %`,
    measure(sideOf) {
      const share = toPeakMb(sideOf(large)) / toPeakMb(sideOf(small)) - 1
      return {
        got: `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)} %`,
        passed: Math.abs(share) <= mostShare,
      }
    },
  }
}

export function throughputMark(side: string, leastMbPerSecond: number): Mark {
  return {
    title: `${side}: at least ${leastMbPerSecond} MB/s`,
    measure(sideOf) {
      const runs = sideOf(side)
      const mbPerSecond = runs.inputBytes / 1e3 / toWallMs(runs)
      return { got: `${mbPerSecond.toFixed(0)} MB/s`, passed: mbPerSecond >= leastMbPerSecond }
    },
  }
}

export function timeMark(side: string, mostSeconds: number): Mark {
  return {
    title: `${side}: at most ${mostSeconds} s`,
    measure(sideOf) {
      const seconds = toWallMs(sideOf(side)) / 1000
      return { got: `${seconds.toFixed(2)} s`, passed: seconds <= mostSeconds }
    },
  }
}

function toWallMs({ runs }: SideRuns): number {
  return median(runs.map(({ wallMs }) => wallMs))
}

function toPeakMb({ runs }: SideRuns): number {
  return Math.max(...runs.map(({ peakBytes }) => peakBytes)) / 1e6
}

function formatRatio({ median: middle, least, most }: Ratio): string {
  return `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
}
