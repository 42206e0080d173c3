import { describeTables, type ColumnDescription, type TableDescription } from '../plan/records/describe-tables.ts'
import { labelOf } from '../records/flatten/column.ts'
import type { RecordsPlan } from '../plan/records/records-plan.ts'
import { formatColumnType } from '../types/column-types.ts'
import { describeWithNotes } from './describe-with-notes.ts'

export function toMarkdown(name: string, records: RecordsPlan): string {
  return [`# ${name}`, '', ...describeTables(records).flatMap((table) => formatTable(table, records.locales))].join(
    '\n',
  )
}

function formatTable(
  { name, description, columns, key, parent }: TableDescription,
  locales: readonly string[],
): string[] {
  const keys = [
    ...(key.length === 0 ? [] : [`Key: ${key.map(quote).join(', ')}.`]),
    ...(parent === null ? [] : [`${quote(parent.column)} is ${quote(`${parent.table}.${parent.from}`)}.`]),
  ]
  const rows = columns.map((column) => formatRow(column, locales))
  return [
    `## ${name}`,
    '',
    [description, ...keys].join(' '),
    '',
    '| Column | Type | From | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ]
}

function formatRow(column: ColumnDescription, locales: readonly string[]): string {
  const { name, from } = column
  const type = column.nullable ? formatColumnType(column) : `${formatColumnType(column)}, never empty`
  const cells = [quote(name), type, from === '' ? '' : quote(from), formatMeaning(column, locales)]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

/** `**Prijs**: what it is` */
function formatMeaning(column: ColumnDescription, locales: readonly string[]): string {
  const title = labelOf(column, locales)
  const meaning = describeWithNotes(column)
  if (title === undefined) return meaning
  return meaning === '' ? `**${title}**` : `**${title}**: ${meaning}`
}

function quote(text: string): string {
  return `\`${text}\``
}
