import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** A Python with deltalake, polars, pyarrow, and duckdb with its extension for Delta. */
export const python = process.env['CATALOGUE_LAKE_PYTHON']

export interface ComparedTable {
  readonly lake: string
  /** A Parquet file with the rows that it has to have. */
  readonly file: string
  readonly columns: readonly string[]
}

/** What engines read that is not what the files have: none if no Python is named. */
export function findDisagreeing(tables: readonly ComparedTable[]): object[] {
  if (python === undefined) return []
  const asked = tables.flatMap(({ file, lake, columns }) => [file, lake].map((path) => ({ path, columns })))
  const input = JSON.stringify(asked)
  const found = execFileSync(python, [join(import.meta.dirname, 'read-lake.py')], { input, encoding: 'utf8' })
  const answers = JSON.parse(found) as Record<string, { rows: number; digest: string }>[]
  return tables.flatMap(({ lake }, at): object[] => {
    const expected = answers[at * 2]?.['pyarrow']
    const readers = Object.entries(answers[at * 2 + 1] ?? {})
    const others = readers.filter(([, { rows, digest }]) => rows !== expected?.rows || digest !== expected.digest)
    return readers.length < 3 ? [{ lake, readers }] : others.map(([reader, got]) => ({ lake, reader, expected, got }))
  })
}
