import { CatalogueError } from '../errors.ts'
import { toReject, type Issue, type RawText, type Reject, type RejectsFileLine } from '../records/reject.ts'
import type { RecordPlace } from './parse-records.ts'

/**
 * A line that became no record or no row. It has the members of a line of the rejects file in order, without `source`.
 */
export type RejectedLine = Pick<RejectsFileLine, 'line' | 'index' | 'id' | 'issues'> & {
  readonly byteOffset: number
} & RawText

/** Gets every reject, in order. The stream waits for its promise. */
export type OnReject = (reject: RejectedLine) => void | Promise<void>

export function rejectLine(
  { line, index, rawLine }: RecordPlace,
  delivered: unknown,
  issues: readonly Issue[],
  onReject: OnReject | undefined,
): void | Promise<void> {
  return handReject(toReject(rawLine, 0, index, delivered, issues), line, onReject)
}

/** Hands a reject to `onReject`. Throws TOO_MANY_REJECTS without one, because no line may vanish. */
export function handReject(
  { byteOffset, index, id, issues, raw }: Reject,
  line: number,
  onReject: OnReject | undefined,
): void | Promise<void> {
  if (onReject !== undefined) return onReject({ line, byteOffset, index, id, issues, ...raw })
  const [first] = issues
  const parts = [`line ${line}`, ...(id === null ? [] : [`id "${id}"`]), ...(first?.path ? [first.path] : [])]
  const reason = `${first?.message ?? 'expected a record'} (${first?.code ?? 'rejected'})`
  const message = `${parts.join(', ')}: ${reason}; there is no onReject that would take the line`
  throw new CatalogueError('TOO_MANY_REJECTS', message)
}

export function nothingAfter(rejected: void | Promise<void>): readonly [] | Promise<readonly []> {
  return rejected === undefined ? [] : Promise.resolve(rejected).then(() => [])
}
