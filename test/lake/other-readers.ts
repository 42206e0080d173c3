import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const { CATALOGUE_LAKE_PYTHON, CATALOGUE_REQUIRE_LAKE } = process.env

/** A Python with deltalake, pyiceberg, polars, pyarrow, duckdb, duckdb-extension-delta, duckdb-extension-avro and duckdb-extension-iceberg. */
export const python = CATALOGUE_LAKE_PYTHON ?? ''
/** Without the readers their tests are left out, but with CATALOGUE_REQUIRE_LAKE=1, as in CI. */
export const skipsReaders = python === '' && CATALOGUE_REQUIRE_LAKE !== '1'

export interface ComparedTable {
  readonly lake: string
  /** A Parquet file with the rows that it has to have. */
  readonly file: string
  readonly columns: readonly string[]
}

/** What engines read that is not what the files have: none without the readers. */
export function findDisagreeing(tables: readonly ComparedTable[]): object[] {
  if (skipsReaders) return []
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
