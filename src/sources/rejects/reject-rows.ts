import type { Column, Row } from '../../records/flatten/column.ts'
import type { RejectsFileLine } from '../../records/reject.ts'
import { chooseIssues, type RejectFilter, toExcerpt } from './reject-groups.ts'
import { toRawLineText } from './read-rejects.ts'

export const rejectColumns: readonly Column[] = ['source', 'line', 'id', 'code', 'path', 'message', 'value'].map(
  (name) => ({ name, type: { kind: 'text' }, list: false }),
)

export function toRejectRows(reject: RejectsFileLine, filter: RejectFilter): Row[] {
  const { source, line, id } = reject
  const raw = toRawLineText(reject)
  return chooseIssues(reject, filter).map((issue) => {
    const { value, isCut } = toExcerpt(raw, issue)
    const shown = isCut.value ? `${value}…` : toPlainText(value)
    return [source, String(line), id, issue.code, issue.path, issue.message, shown]
  })
}

/** Text without quotes and escapes; other values as JSON. */
function toPlainText(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' && value.isWellFormed() ? value : json
  } catch {
    return json
  }
}
