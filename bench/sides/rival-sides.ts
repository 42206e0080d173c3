import {
  copyToCsv,
  copyToParquet,
  selectColumns,
  selectCsvColumns,
  selectRecords,
  type DuckDbReading,
} from './duckdb-statements.ts'
import type { InputSize } from '../input/bench-input.ts'
import { scriptSide } from './script-side.ts'
import type { Side } from './side.ts'

export const tunedDuckDb = 'DuckDB, tuned'
export const typedDuckDb = 'DuckDB, as typed'

/** DuckDB in both ways and polars, each writing the 51 columns. */
export function engineSides(records: number, format: 'parquet' | 'csv'): readonly Side[] {
  return [
    ...duckDbSides({ records }, format, format === 'csv' ? copyColumnsToCsv : copyColumnsToParquet),
    scriptSide({ name: 'polars', records, script: 'rivals/run-polars.mjs', format, env: polarsEnv }),
  ]
}

export function plainChainSide(records: number, format: 'parquet' | 'csv'): Side {
  return scriptSide({ name: 'plain chain', records, script: 'rivals/run-plain-chain.mjs', format })
}

/** DuckDB in both ways, writing the records as they are. */
export function duckDbRecordsSides(records: number): readonly Side[] {
  return duckDbSides({ records }, 'parquet', copyRecords)
}

/** DuckDB in both ways, writing the 51 columns of gz files. polars for Node is built without gzip. */
export function archiveSides(size: InputSize): readonly Side[] {
  return duckDbSides(size, 'parquet', copyColumnsToParquet)
}

type ToStatement = (input: string, output: string, reading: DuckDbReading) => string

const copyColumnsToParquet: ToStatement = (input, output, reading) =>
  copyToParquet(output, selectColumns(input, reading), reading)

const copyColumnsToCsv: ToStatement = (input, output, reading) => copyToCsv(output, selectCsvColumns(input, reading))

const copyRecords: ToStatement = (input, output, reading) =>
  copyToParquet(output, selectRecords(input, reading), reading)

function duckDbSides(size: InputSize, format: 'parquet' | 'csv', toStatement: ToStatement): readonly Side[] {
  const side = (name: string, reading: DuckDbReading) =>
    scriptSide({
      name,
      ...size,
      script: 'rivals/run-duckdb.mjs',
      format,
      toArgs: (input, output) => [toStatement(input, output, reading)],
    })
  return [side(tunedDuckDb, 'tuned'), side(typedDuckDb, 'as typed')]
}

/** Its default of 100,000 rows a morsel leaves all of these to one thread: 2,000 made it twice as fast. */
const polarsEnv = { POLARS_MAX_THREADS: '2', POLARS_IDEAL_MORSEL_SIZE: '2000' }
