import { copyTo, csv, parquet, selectColumns, selectCsvColumns, selectRecords } from './duckdb-statements.ts'
import { scriptSide } from './script-side.ts'
import type { Side } from './side.ts'

/** DuckDB, polars and the plain chain, each writing the 51 columns. */
export function rivalSides(records: number, format: 'parquet' | 'csv'): readonly Side[] {
  const copyColumns = (input: string, output: string) =>
    format === 'csv' ? copyTo(output, csv, selectCsvColumns(input)) : copyTo(output, parquet, selectColumns(input))
  return [
    duckDbSide(records, format, copyColumns),
    scriptSide({ name: 'polars', records, script: 'rivals/run-polars.mjs', format, env: polarsEnv }),
    plainChainSide(records, format),
  ]
}

export function plainChainSide(records: number, format: 'parquet' | 'csv'): Side {
  return scriptSide({ name: 'plain chain', records, script: 'rivals/run-plain-chain.mjs', format })
}

/** DuckDB, writing the records as they are. */
export function duckDbRecordsSide(records: number): Side {
  return duckDbSide(records, 'parquet', (input, output) => copyTo(output, parquet, selectRecords(input)))
}

function duckDbSide(
  records: number,
  format: 'parquet' | 'csv',
  toStatement: (input: string, output: string) => string,
): Side {
  return scriptSide({
    name: 'DuckDB',
    records,
    script: 'rivals/run-duckdb.mjs',
    format,
    toArgs: (input, output) => [toStatement(input, output)],
  })
}

/** Its default of 100,000 rows a morsel leaves all of these to one thread: 2,000 made it twice as fast. */
const polarsEnv = { POLARS_MAX_THREADS: '2', POLARS_IDEAL_MORSEL_SIZE: '2000' }
