import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../formats/csv.ts'
import type { MissingReport } from '../../manifest/manifest.ts'
import type { ListLine, MatchedList } from '../../plan/source/source-ids-plan.ts'
import type { Column, Row } from '../../records/flatten/column.ts'
import type { LineResult, MissingKind } from './match-list.ts'

export { matchList } from './match-list.ts'

export interface FormattedMissing {
  readonly rows: number
  readonly pieces: readonly Uint8Array[]
  readonly counts: Omit<MissingReport, 'path' | 'rows' | 'bytes' | 'sha256'>
}

/** Formats a CSV of the lines of a list that have no product, each with one reason. */
export function formatListMissing(list: MatchedList, results: readonly LineResult[]): FormattedMissing {
  const missing = results.filter(({ kind }) => kind !== 'found' && kind !== 'unread')
  const rows = createCsvEncoder(columns, defaultCsvDialect)(missing.map((each) => toRow(list, each)))
  const pieces = [formatCsvHeader(columns, defaultCsvDialect), rows]
  return { rows: missing.length, pieces, counts: toCounts(results) }
}

const columns: readonly Column[] = [
  { name: 'line', type: { kind: 'integer' }, list: false },
  { name: 'written', type: { kind: 'text' }, list: false },
  { name: 'asked', type: { kind: 'text' }, list: false },
  { name: 'reason', type: { kind: 'text' }, list: false },
  { name: 'kind', type: { kind: 'text' }, list: false },
  { name: 'products', type: { kind: 'text' }, list: true },
]

const kinds: Readonly<Record<MissingKind, string>> = {
  notFound: 'not found',
  wrongCheckDigit: 'wrong check digit',
  filtered: 'left out by a condition',
  inactive: 'inactive',
  replaced: 'replaced',
  ambiguous: 'ambiguous',
  duplicate: 'repeated id',
  rejected: 'rejected',
  bad: 'no code',
  empty: 'empty',
  unread: 'not read',
}

function toRow({ keys }: MatchedList, { line, kind, text, products }: LineResult): Row {
  const fields = keys.map(({ field }) => field)
  const written = joinCodes(fields, line, ({ written: cell }) => cell)
  const asked = joinCodes(fields, line, ({ code }) => (code === null ? '' : String(code)))
  return [line.line, written, asked, text, kind === 'found' ? null : kinds[kind], products.length > 0 ? products : null]
}

/** Of a list with one key its code, of several `cnk 0012345, ean 5412345678908`. Null if there is none. */
function joinCodes(
  fields: readonly string[],
  { codes }: ListLine,
  show: (code: ListLine['codes'][number]) => string,
): string | null {
  const shown = codes.map((code, at) => ({ field: fields[at], text: show(code) })).filter(({ text }) => text !== '')
  if (shown.length === 0) return null
  return shown.map(({ field, text }) => (fields.length === 1 ? text : `${field} ${text}`)).join(', ')
}

function toCounts(results: readonly LineResult[]): FormattedMissing['counts'] {
  const count = (wanted: LineResult['kind']): number => results.filter(({ kind }) => kind === wanted).length
  const more = (
    ['filtered', 'duplicate', 'rejected', 'wrongCheckDigit', 'inactive', 'replaced', 'ambiguous', 'empty'] as const
  )
    .map((kind) => [kind, count(kind)] as const)
    .filter(([, of]) => of > 0)
  const isRead = count('unread') === 0
  const counts = { notFound: count('notFound'), bad: count('bad'), ...(isRead && { found: count('found') }) }
  return { ...counts, ...Object.fromEntries(more), lines: results.length }
}
