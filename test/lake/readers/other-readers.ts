import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const {
  CATALOGUE_LAKE_PYTHON,
  CATALOGUE_REQUIRE_LAKE,
  CATALOGUE_LAKE_JARS = '',
  PYSPARK_PYTHON: spark = 'python3',
} = process.env

/** A Python with deltalake, pyiceberg, polars, pyarrow, duckdb, duckdb-extension-delta, duckdb-extension-avro and duckdb-extension-iceberg. */
export const python = CATALOGUE_LAKE_PYTHON ?? ''
/** Without the readers their tests are left out, but with CATALOGUE_REQUIRE_LAKE=1, as in CI. */
export const skipsReaders = python === '' && CATALOGUE_REQUIRE_LAKE !== '1'

/** Whether there are the jars for Spark, and a pyspark that they are for. */
export const skipsSpark =
  skipsReaders || !['delta-spark', 'iceberg-spark'].every((jar) => CATALOGUE_LAKE_JARS.includes(jar))

/** Changes a table of a lake by Spark, which is that of `PYSPARK_PYTHON`. Returns the ids and names that Spark reads before. */
export function changeBySpark(format: string, how: string, table: string): (string | null)[][] {
  const command = process.env['PYSPARK_PYTHON'] ?? 'python3'
  const text = execFileSync(command, [join(import.meta.dirname, 'change-lake-by-spark.py'), format, how, table], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; name?: string })
  return rows
    .map(({ id, name = null }) => [id, name])
    .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

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
  const answers = ask(python, 'read-lake.py', asked)
  return tables.flatMap(({ lake }, at): object[] => {
    const expected = answers[at * 2]?.['pyarrow']
    const got = answers[at * 2 + 1] ?? {}
    const readers = Object.keys(got)
    return readers.length < 3 ? [{ lake, readers }] : listOthers(lake, expected, got)
  })
}

/** The same of Spark, whose start takes half a minute. */
export function findDisagreeingWithSpark(tables: readonly ComparedTable[]): object[] {
  const files = tables.map(({ file, columns }) => ({ path: file, columns }))
  const expected = ask(python, 'read-lake.py', files)
  const lakes = tables.map(({ lake, columns }) => ({ path: lake, columns }))
  const answers = ask(spark, 'read-lake-by-spark.py', lakes)
  return tables.flatMap(({ lake }, at) => listOthers(lake, expected[at]?.['pyarrow'], answers[at] ?? {}))
}

interface Answer {
  readonly rows: number
  readonly digest: string
}

function ask(command: string, script: string, asked: readonly object[]): Readonly<Record<string, Answer>>[] {
  const found = execFileSync(command, [join(import.meta.dirname, script)], {
    input: JSON.stringify(asked),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
  })
  return JSON.parse(found) as Record<string, Answer>[]
}

function listOthers(lake: string, expected: Answer | undefined, answers: Readonly<Record<string, Answer>>): object[] {
  return Object.entries(answers).flatMap(([reader, got]) =>
    got.rows === expected?.rows && got.digest === expected.digest ? [] : [{ lake, reader, expected, got }],
  )
}
