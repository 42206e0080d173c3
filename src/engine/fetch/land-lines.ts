import type { RequiredContext } from '../../run-context.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import type { Block } from '../../records/block.ts'
import { scanLines } from '../../service/scan-lines.ts'
import type { Completeness } from '../../sources/completeness.ts'
import type { Source, SourceNotes } from '../../sources/source.ts'
import type { LandingFiles } from './landing-files.ts'
import type { RunProgress } from '../run/transform.ts'
import { stopOnAbort } from '../reading/stop-on-abort.ts'

/** The result of landing every line. */
export interface LandedLines {
  readonly lines: number
  /** Before compression. */
  readonly bytes: number
  readonly completeness: Completeness
  readonly notes: SourceNotes
}

interface LandOptions extends RequiredContext<'signal'> {
  readonly onProgress: ((progress: RunProgress) => void) | undefined
}

/**
 * Writes the lines of the one source of an endpoint to a landing file, block by block, each before the next is taken.
 * Throws what the source throws, INTERRUPTED once `signal` aborts, and SOURCE_FAILED for a line that is too long to be
 * kept whole.
 */
export async function landLines(
  { name, records: { maxLineBytes } }: Pick<PipelinePlan, 'name' | 'records'>,
  [source]: readonly Source[],
  files: LandingFiles,
  { signal, onProgress }: LandOptions,
): Promise<LandedLines> {
  const reading = source?.read(signal)
  if (source === undefined || reading?.completeness === undefined || reading.notes === undefined) {
    throw new TypeError('expected a source of the service, which judges by its answers')
  }
  let lines = 0
  let bytes = 0
  for await (const block of stopOnAbort(reading.blocks, signal)) {
    const { count, tooLong } = measureLines(block, maxLineBytes)
    if (tooLong !== null) throw lineTooLong(source, lines + tooLong + 1, maxLineBytes)
    await files.write(block.bytes)
    lines += count
    bytes += block.bytes.length
    onProgress?.({ pipeline: name, lines, bytes, total: findTotal(block, maxLineBytes) })
  }
  if (signal.aborted)
    throw new CatalogueError('INTERRUPTED', `${source.name}: the fetch was asked to stop after line ${lines}`)
  return { lines, bytes, completeness: reading.completeness(), notes: reading.notes() }
}

/** Counts the lines of a block, and finds the first one, from 0, that is too long. */
function measureLines({ bytes }: Block, maxLineBytes: number): { count: number; tooLong: number | null } {
  let count = 0
  let tooLong: number | null = null
  for (let start = 0; start < bytes.length; count++) {
    const end = findLineEnd(bytes, start)
    if (end - start > maxLineBytes) tooLong ??= count
    start = end + 1
  }
  return { count, tooLong }
}

/** As the first line of a block states it: enough to show how far a fetch has come. */
function findTotal({ bytes }: Block, maxLineBytes: number): number | null {
  return scanLines(bytes.subarray(0, findLineEnd(bytes, 0)), maxLineBytes)[0]?.total ?? null
}

/** The position of the line break, or the end without one. */
function findLineEnd(bytes: Buffer, start: number): number {
  const found = bytes.indexOf(0x0a, start)
  return found < 0 ? bytes.length : found
}

/** The source keeps only the beginning of such a line, which must not pass for the line itself. */
function lineTooLong({ name }: Source, line: number, maxLineBytes: number): CatalogueError {
  const expected = `expected at most ${maxLineBytes} bytes (source.maxLineBytes)`
  return new CatalogueError('SOURCE_FAILED', `${name}, line ${line}: ${expected}, got more: raise it to land them all`)
}
