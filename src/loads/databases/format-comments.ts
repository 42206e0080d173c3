import type { Column } from '../../records/flatten/column.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'

export interface TableMeaning {
  readonly description: string
  readonly columns: Readonly<Record<string, string>>
}

/**
 * `COMMENT ON` for a new table with its columns, or for new columns; null if there is no comment. Existing tables and
 * columns keep their comments, which may be others'.
 */
export function formatComments(
  table: string,
  { description, columns }: TableMeaning,
  created: { readonly columns: readonly Pick<Column, 'name'>[]; readonly isNew: boolean },
): string | null {
  const ofTable = created.isNew ? [`COMMENT ON TABLE ${table} IS ${quoteText(description)}`] : []
  const ofColumns = created.columns.flatMap(({ name }) => {
    const meaning = Object.hasOwn(columns, name) ? columns[name] : undefined
    return meaning ? [`COMMENT ON COLUMN ${table}.${quoteName(name)} IS ${quoteText(meaning)}`] : []
  })
  const statements = [...ofTable, ...ofColumns]
  return statements.length === 0 ? null : statements.join(';\n')
}
