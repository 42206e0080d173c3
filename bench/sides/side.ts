import type { Measurement } from '../measure-process.ts'
import type { BenchInput, InputSize } from '../input/bench-input.ts'

/** One of those that are measured in turn: a command, whose process does the scenario's work once. */
export interface Side extends InputSize {
  readonly name: string
  /** Works into an empty directory, which exists. Throws where the work failed. */
  run(input: BenchInput, directory: string): Promise<SideRun>
}

export interface SideRun {
  readonly measurement: Measurement
  readonly output: SideOutput
}

export interface SideOutput {
  /** The file it wrote, or the directory where there are several. */
  readonly path: string
  readonly bytes: number
  /** Files by name, where it wrote several: what must be the same in two runs of it. */
  readonly files: readonly OutputFile[]
}

export interface OutputFile {
  readonly name: string
  readonly rows: number
  readonly sha256: string
}

/** The runs of one side, in order: run 1 of the first side was followed by run 1 of the second. */
export interface SideRuns {
  readonly side: Side
  readonly inputBytes: number
  readonly outputBytes: number
  readonly runs: readonly Measurement[]
}
