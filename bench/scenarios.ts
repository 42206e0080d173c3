import { compareCsv, compareNested, compareParquet } from './compare-outputs.ts'
import { copyTo, csv, parquet, selectColumns, selectCsvColumns, selectRecords } from './duckdb-statements.ts'

/** One thing to measure. */
export interface Scenario {
  readonly number: number
  readonly title: string
  /** How many products it reads. */
  readonly records: number
  /** A pipeline config beside this file, and what `--set` changes in it. */
  readonly config: string
  readonly settings: readonly string[]
  readonly rival: Rival | null
  /** The mark for the peak memory of this tool. */
  readonly maxPeakBytes: number | null
}

/** What DuckDB does on the same input. */
export interface Rival {
  readonly extension: 'parquet' | 'csv'
  toStatement(input: string, output: string): string
  /** Says what agrees between this tool's files in `pipelineDir` and DuckDB's `output`; throws where they do not. */
  compare(pipelineDir: string, output: string, input: string): Promise<string>
}

/** Three scenarios on a stream of `products` beside DuckDB, and one of memory on a longer stream. */
export function toScenarios(products: number, longStream: number): readonly Scenario[] {
  return [
    {
      number: 1,
      title: '51 columns of the root table to one Parquet file, zstd',
      records: products,
      config: 'columns-51.yaml',
      settings: [],
      rival: {
        extension: 'parquet',
        toStatement: (input, output) => copyTo(output, parquet, selectColumns(input)),
        compare: (dir, output) => compareParquet(`${dir}/products.parquet`, output),
      },
      maxPeakBytes: null,
    },
    {
      number: 2,
      title: '51 columns of the root table to one CSV file',
      records: products,
      config: 'columns-51.yaml',
      settings: ['outputs=[{ format: csv }]'],
      rival: {
        extension: 'csv',
        toStatement: (input, output) => copyTo(output, csv, selectCsvColumns(input)),
        compare: (dir, output, input) => compareCsv(`${dir}/products.csv`, output, selectCsvColumns(input)),
      },
      maxPeakBytes: null,
    },
    {
      number: 3,
      title: 'all documented fields to Parquet, zstd: flat tables here, one file of nested records there',
      records: products,
      config: 'all-fields.yaml',
      settings: ['outputs=[{ format: parquet }]'],
      rival: {
        extension: 'parquet',
        toStatement: (input, output) => copyTo(output, parquet, selectRecords(input)),
        compare: compareNested,
      },
      maxPeakBytes: null,
    },
    {
      number: 4,
      title: 'all documented fields to Parquet, CSV and NDJSON in one pass',
      records: longStream,
      config: 'all-fields.yaml',
      settings: [],
      rival: null,
      maxPeakBytes: 500e6,
    },
  ]
}
