import { CatalogueError } from '../errors.ts'
import { type Issue, type RawText, toReject } from '../records/reject.ts'
import type { RecordPlace } from './parse-records.ts'

/** A line that became no record or no row: with `source`, what a line of a run's rejects file holds, in its order. */
export type RejectedLine = {
  /** 1-based. */
  readonly line: number
  readonly byteOffset: number
  readonly index: number | null
  readonly id: string | null
  readonly issues: readonly Issue[]
} & RawText

/** Gets every reject, in order. The stream waits for its promise. */
export type OnReject = (reject: RejectedLine) => void | Promise<void>

/** Hands the line to `onReject`; throws TOO_MANY_REJECTS where there is none, because no line may vanish. */
export function rejectLine(
  { line, index, rawLine }: RecordPlace,
  delivered: unknown,
  issues: readonly Issue[],
  onReject: OnReject | undefined,
): void | Promise<void> {
  const { byteOffset, id, raw } = toReject(rawLine, 0, index, delivered, issues)
  if (onReject !== undefined) return onReject({ line, byteOffset, index, id, issues, ...raw })
  const [first] = issues
  const where = [`line ${line}`, ...(id === null ? [] : [`id "${id}"`]), ...(first?.path ? [first.path] : [])].join(
    ', ',
  )
  const reason = `${first?.message ?? 'expected a record'} (${first?.code ?? 'rejected'})`
  throw new CatalogueError('TOO_MANY_REJECTS', `${where}: ${reason}; there is no onReject that would take the line`)
}
