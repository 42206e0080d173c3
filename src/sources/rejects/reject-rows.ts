import { toPlainText } from '../../records/correct-line.ts'
import type { Column, Row } from '../../records/flatten/column.ts'
import { findValue } from '../../records/json/find-value.ts'
import type { RejectsFileLine } from '../../records/reject.ts'
import { chooseIssues, type RejectFilter, toExcerpt } from './reject-groups.ts'
import { toRawLineText } from './read-rejects.ts'

export const rejectColumns: readonly Column[] = ['source', 'line', 'id', 'code', 'path', 'message', 'value'].map(
  (name) => ({ name, type: { kind: 'text' }, list: false }),
)

/** The columns of a table of corrections, and what helps to fill in the last but one. */
export const correctionColumns: readonly Column[] = [
  'id',
  'path',
  'value',
  'corrected',
  'expected',
  'source',
  'line',
].map((name) => ({ name, type: { kind: 'text' }, list: false }))

/** A row for each value that a correction can replace: of a record with an id, at a path. */
export function toCorrectionRows(reject: RejectsFileLine, filter: RejectFilter): Row[] {
  const { source, line, id } = reject
  if (id === null || !('raw' in reject)) return []
  return chooseIssues(reject, filter).flatMap(({ path, message }) => {
    const found = path === '' ? null : findValue(reject.raw, path)
    if (found === null || !found.isWhole) return []
    return [[id, path, toPlainText(reject.raw.slice(found.start, found.end)), '', message, source, String(line)]]
  })
}

export function toRejectRows(reject: RejectsFileLine, filter: RejectFilter): Row[] {
  const { source, line, id } = reject
  const raw = toRawLineText(reject)
  return chooseIssues(reject, filter).map((issue) => {
    const { value, isCut } = toExcerpt(raw, issue)
    const shown = isCut.value ? `${value}…` : toShownText(value)
    return [source, String(line), id, issue.code, issue.path, issue.message, shown]
  })
}

/** Text without quotes and escapes; other values as JSON. */
function toShownText(json: string): string {
  try {
    const text = toPlainText(json)
    return text.isWellFormed() ? text : json
  } catch {
    return json
  }
}
