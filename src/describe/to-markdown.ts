import { describeTables, type ColumnDescription, type TableDescription } from '../plan/records/describe-tables.ts'
import type { RecordsPlan } from '../plan/records/records-plan.ts'
import { formatColumnType } from '../types/column-types.ts'
import { describeWithNotes } from './describe-with-notes.ts'

export function toMarkdown(name: string, records: RecordsPlan): string {
  return [`# ${name}`, '', ...describeTables(records).flatMap(formatTable)].join('\n')
}

function formatTable({ name, description, columns, key, parent }: TableDescription): string[] {
  const keys = [
    ...(key.length === 0 ? [] : [`Key: ${key.map(quote).join(', ')}.`]),
    ...(parent === null ? [] : [`${quote(parent.column)} is ${quote(`${parent.table}.${parent.from}`)}.`]),
  ]
  const rows = columns.map((column) => formatRow(column))
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

function formatRow(column: ColumnDescription): string {
  const { name, from } = column
  const type = column.nullable ? formatColumnType(column) : `${formatColumnType(column)}, never empty`
  const cells = [quote(name), type, from === '' ? '' : quote(from), describeWithNotes(column)]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

function quote(text: string): string {
  return `\`${text}\``
}
