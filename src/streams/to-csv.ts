import { createCsvEncoder, formatCsvHeader, type CsvDialect } from '../formats/csv.ts'
import { checkOutputOptions } from './check-output-options.ts'
import { encodeRows } from './encode-rows.ts'
import type { ColumnChoice } from './row-cells.ts'
import type { Stage } from './stage.ts'

/** The dialect as in a pipeline config. */
export interface ToCsvOptions extends Partial<CsvDialect> {
  /**
   * The columns in their order, by name or as `columnsOf` gives them. Without them the first row names them, and there
   * is no header where there is no row.
   */
  readonly columns?: readonly ColumnChoice[] | undefined
}

/**
 * Rows → CSV (RFC 4180). Null, undefined and a missing key are nothing at all, empty text is `""`. A row with a key that
 * is no column ends the stream with OUTPUT_FAILED, as does a value that no CSV can hold.
 */
export function toCsv<RowObject extends object>(options: ToCsvOptions = {}): Stage<RowObject, Buffer> {
  const { columns, ...written } = options
  const dialect = checkOutputOptions('toCsv', { ...written, format: 'csv' })
  return encodeRows<RowObject>(
    {
      name: 'csv',
      formatHeader: (known) => formatCsvHeader(known, dialect),
      createEncoder: (known) => createCsvEncoder(known, dialect),
    },
    columns,
  )
}
