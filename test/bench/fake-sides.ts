import type { Measurement } from '../../bench/measure-process.ts'
import type { Side, SideOutput, SideRuns } from '../../bench/sides/side.ts'

const output: SideOutput = { path: 'out', bytes: 500_000, files: [] }

/** A side whose runs take these times, in order, and nothing else; `onRun` is called with each. */
export function fakeSide(
  name: string,
  wallMs: readonly number[],
  onRun: (name: string) => void = () => undefined,
): Side {
  const times = wallMs[Symbol.iterator]()
  return {
    name,
    records: 100,
    run: async () => {
      onRun(name)
      return { measurement: measured({ wallMs: times.next().value ?? 0 }), output }
    },
  }
}

/** The runs of a side that read 1 MB. */
export function runsOf(name: string, runs: readonly Partial<Measurement>[], inputBytes = 1_000_000): SideRuns {
  return { side: fakeSide(name, []), inputBytes, outputBytes: 500_000, runs: runs.map(measured) }
}

function measured(run: Partial<Measurement>): Measurement {
  return { wallMs: 1000, cpuMs: 1000, peakBytes: 100_000_000, ...run }
}
