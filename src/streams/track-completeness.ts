import { CompletenessTracker } from '../sources/completeness.ts'
import { CatalogueError } from '../errors.ts'
import type { ParsedRecord } from './parse-records.ts'
import { aFunction, misuse, oneOf, type OptionKinds, requireOptions } from '../check-options.ts'
import { Stage } from './stage.ts'
import type { Completeness } from '../manifest/manifest.ts'

export interface TrackCompletenessOptions {
  readonly onEnd?: ((completeness: Completeness) => void | Promise<void>) | undefined
  /** With `require`, the default, an incomplete stream ends with SOURCE_INCOMPLETE; with `report` it passes. */
  readonly completeness?: 'require' | 'report' | undefined
}

/**
 * Passes parsed records on and judges by their indexes and totals whether the stream is whole. Put it directly behind
 * `parseRecords`: lines that are rejected later were delivered as well. The lines of `readService` bring their verdict.
 */
export function trackCompleteness(options: TrackCompletenessOptions = {}): Stage<ParsedRecord, ParsedRecord> {
  requireOptions('trackCompleteness', options, completenessOptions)
  const tracker = new CompletenessTracker()
  return new Stage({
    take(item) {
      const { kind, index, total, rawLine } = item
      if (kind !== 'record' && kind !== 'invalid')
        throw misuse('trackCompleteness', 'the records that parseRecords gives', item)
      tracker.add({
        indexes: [{ first: kind === 'invalid' ? (index ?? 'unreadable') : index, total, count: 1 }],
        isCut: kind === 'invalid' && !rawLine.terminated,
      })
      return [item]
    },
    async end(given) {
      await judgeCompleteness(tracker, options, given)
      return []
    },
  })
}

export const completenessOptions: OptionKinds<TrackCompletenessOptions> = {
  onEnd: aFunction,
  completeness: oneOf('require', 'report'),
}

/**
 * Hands over the verdict, which is `given` if the source has one of its own. Throws SOURCE_INCOMPLETE if a whole stream is
 * required.
 */
export async function judgeCompleteness(
  tracker: CompletenessTracker,
  { onEnd, completeness = 'require' }: TrackCompletenessOptions,
  given: Completeness | null,
): Promise<void> {
  const verdict = given ?? tracker.finish()
  await onEnd?.(verdict)
  if (verdict.status !== 'incomplete' || completeness === 'report') return
  const message = `expected every record of the stream once, got this: ${verdict.reasons.join('; ')}`
  throw new CatalogueError('SOURCE_INCOMPLETE', message)
}
