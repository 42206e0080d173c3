import type { RequiredContext } from '../../run-context.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { Source, SourceNotes } from '../../sources/source.ts'
import { Delivery } from './delivery.ts'
import type { LandingFiles } from './landing-files.ts'
import type { RunProgress } from '../run/transform.ts'
import type { Completeness } from '../../manifest/manifest.ts'

export interface LandedLines {
  readonly lines: number
  readonly bytes: number
  readonly completeness: Completeness
  readonly notes: SourceNotes
}

interface LandOptions extends RequiredContext<'signal'> {
  readonly onProgress: ((progress: RunProgress) => void) | undefined
}

/**
 * Writes the lines of an endpoint's source to a landing file, block by block, with one block in flight. Throws errors
 * of the source, INTERRUPTED when `signal` aborts, and SOURCE_FAILED for a line too long to be kept whole.
 */
export async function landLines(
  name: string,
  { maxLineBytes }: RecordsPlan,
  sources: readonly Source[],
  files: LandingFiles,
  { signal, onProgress }: LandOptions,
): Promise<LandedLines> {
  const delivery = new Delivery(sources, maxLineBytes, signal)
  for await (const { bytes } of delivery.blocks(signal)) {
    await files.write(bytes)
    onProgress?.({ pipeline: name, lines: delivery.lines, bytes: delivery.bytes, total: delivery.total })
  }
  if (signal.aborted) throw delivery.interruption('fetch')
  const { lines, bytes } = delivery
  return { lines, bytes, completeness: delivery.completeness(), notes: delivery.notes() }
}
