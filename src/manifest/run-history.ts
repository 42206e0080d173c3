import type { Manifest, PastRun } from './manifest.ts'
import { parsedOnce } from './read-manifest.ts'
import { tryJson } from './try-json.ts'

/** The lines of `_runs.ndjson`, and the runs that are read of them, the newest last. */
export interface RunLines {
  /** As they were written, without those that are no runs. */
  readonly lines: readonly string[]
  readonly runs: readonly PastRun[]
  /** How many lines among those that were read are no runs. */
  readonly damaged: number
}

/** Reads as many of the last lines as pages and rules need. Older ones are kept without a look. */
export async function parseRunLines(text: string): Promise<RunLines> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return { lines, runs: [], damaged: 0 }
  // Loaded late: first runs have no history.
  const { readableRun } = await import('./runs-schema.ts')
  const [read, runs]: [string[], PastRun[]] = [[], []]
  let next = lines.length
  let levels = 0
  for (; next > 0 && (runs.length < shownRuns || levels < comparedRuns); next--) {
    const line = lines[next - 1] ?? ''
    const { data } = readableRun.safeParse(tryJson(line), parsedOnce)
    if (data === undefined) continue
    read.push(line)
    runs.push(data)
    if (isLevel(data)) levels++
  }
  const damaged = lines.length - next - read.length
  return { lines: [...lines.slice(0, next), ...read.toReversed()], runs: runs.toReversed(), damaged }
}

/** The text of the history with another run. */
export function appendRun(lines: readonly string[], run: PastRun): string {
  const kept = [...lines.slice(1 - mostRuns), JSON.stringify(run)]
  return kept.map((line) => `${line}\n`).join('')
}

const mostRuns = 400

/** How many runs a page shows. */
export const shownRuns = 60

/** How many runs `expectVolume` compares with. */
export const comparedRuns = 7

/** True for a published run of which the number of records is known; samples don't count. */
export function isLevel(run: PastRun): run is PastRun & { readonly records: number } {
  return run.outcome === 'published' && run.kind !== 'sample' && run.records !== undefined
}

/** The runs up to that of a manifest; none if the history lacks it. */
export function listRunsUntil(
  runs: readonly PastRun[],
  { runId, startedAt }: Pick<Manifest, 'runId' | 'startedAt'>,
): readonly PastRun[] {
  const at = runs.findLastIndex((run) => run.runId === runId && run.startedAt === startedAt)
  return runs.slice(0, at + 1)
}
