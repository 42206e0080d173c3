import type { Column } from '../../records/flatten/column.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'

/** The meaning of a table and of its columns, by name. Plain data. */
export interface TableMeaning {
  readonly description: string
  readonly columns: Readonly<Record<string, string>>
}

/**
 * `COMMENT ON` for what a load creates: a table with its columns, or columns that it adds. Null where nothing is said. What is
 * there already keeps the comments that it has, which may be others', as may be the table.
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
