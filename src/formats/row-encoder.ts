import type { Column, EncodeRows } from '../records/flatten/column.ts'
import { createCsvEncoder, type CsvDialect } from './csv.ts'
import { createNdjsonEncoder } from './ndjson.ts'
import { createRecordBatchEncoder } from './parquet/format-record-batch.ts'

export type RowFormat =
  | { readonly format: 'csv'; readonly dialect: CsvDialect }
  | { readonly format: 'ndjson' }
  | { readonly format: 'parquet' }

/** What makes pieces of a file of rows: lines of CSV without a header, lines of NDJSON, for Parquet a record batch. */
export function createRowEncoder(format: RowFormat, columns: readonly Column[]): EncodeRows {
  switch (format.format) {
    case 'csv':
      return createCsvEncoder(columns, format.dialect)
    case 'ndjson':
      return createNdjsonEncoder(columns)
    case 'parquet':
      return createRecordBatchEncoder(columns)
  }
}
