import { keysOfConfig, type OptionKinds, requireOptions } from '../check-options.ts'
import { checkShape } from '../config/check-shape.ts'
import type { OutputConfig } from '../config/schemas/output-schema.ts'
import { pipelineShape } from '../config/schemas/pipeline-schema.ts'
import { CatalogueError } from '../errors.ts'
import { createCsvEncoder, formatCsvHeader } from '../formats/csv.ts'
import type { CsvDialect } from '../manifest/manifest.ts'
import { createNdjsonEncoder } from '../formats/ndjson.ts'
import { formatSuggestion } from '../text/choices.ts'
import { checkDialect } from '../plan/outputs/check-dialect.ts'
import { formatConfigPath } from '../plan/plan-pipeline.ts'
import type { Column, Row } from '../records/flatten/column.ts'
import { type ColumnChoice, columnChoices } from './column-choice.ts'
import { RowCells } from './row-cells.ts'
import { Stage } from './stage.ts'

/** The dialect as in a pipeline config. */
export interface ToCsvOptions extends Partial<CsvDialect> {
  /**
   * The columns in order, by name or as `columnsOf` gives them. Without them the first row names them, and there is no
   * header without a row.
   */
  readonly columns?: readonly ColumnChoice[] | undefined
}

/**
 * Rows → CSV (RFC 4180). Null, undefined and a missing key are an empty cell, empty text is `""`. A row with a key that
 * is no column ends the stream with OUTPUT_FAILED, as does a value that CSV can't hold.
 */
export function toCsv<RowObject extends object>(options: ToCsvOptions = {}): Stage<RowObject, Buffer> {
  requireOptions('toCsv', options, csvOptions)
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

export const dialectOptions: OptionKinds<CsvDialect> = keysOfConfig(
  'delimiter',
  'quote',
  'quoteAll',
  'bom',
  'lineBreak',
  'escapeFormulas',
  'header',
  'listSeparator',
  'decimalSeparator',
)
const csvOptions: OptionKinds<ToCsvOptions> = { columns: columnChoices, ...dialectOptions }

export interface ToNdjsonOptions {
  /** The columns in order, by name or as `columnsOf` gives them. Without them the first row names them. */
  readonly columns?: readonly ColumnChoice[] | undefined
}

/**
 * Rows → lines of JSON objects with every column in order, null included. Integers keep all their digits, Dates are ISO
 * 8601 text. A row with a key that is no column ends the stream with OUTPUT_FAILED.
 */
export function toNdjson<RowObject extends object>(options: ToNdjsonOptions = {}): Stage<RowObject, Buffer> {
  requireOptions<ToNdjsonOptions>('toNdjson', options, { columns: columnChoices })
  const format = { name: 'ndjson', formatHeader: () => new Uint8Array(), createEncoder: createNdjsonEncoder }
  return encodeRows<RowObject>(format, options.columns)
}

interface RowFormat {
  readonly name: string
  readonly formatHeader: (columns: readonly Column[]) => Uint8Array
  readonly createEncoder: (columns: readonly Column[]) => (rows: readonly Row[]) => Uint8Array
}

/** Rows → the bytes of a format that is written row by row. Encodes several rows at once, which is many times cheaper. */
function encodeRows<RowObject extends object>(
  format: RowFormat,
  columns: readonly ColumnChoice[] | undefined,
): Stage<RowObject, Buffer> {
  const rowCells = new RowCells(format.name, columns)
  const batch = new RowBatch(format)
  let hasHeader = false

  function* begin(known: readonly Column[] | null): Generator<Buffer> {
    if (hasHeader || known === null) return
    hasHeader = true
    yield* toBytes(format.formatHeader(known))
  }

  return new Stage({
    bytes: 'given',
    *take(row) {
      const cells = rowCells.next(row)
      yield* begin(rowCells.columns)
      yield* batch.add(cells, rowCells.columns ?? [])
    },
    *end() {
      yield* begin(rowCells.columns)
      yield* batch.flush()
    },
  })
}

class RowBatch {
  readonly #format: RowFormat
  #columns: readonly Column[] = []
  #encode: (rows: readonly Row[]) => Uint8Array = () => new Uint8Array()
  #rows: Row[] = []
  #characters = 0

  constructor(format: RowFormat) {
    this.#format = format
  }

  *add(row: Row, columns: readonly Column[]): Generator<Buffer> {
    if (columns !== this.#columns) {
      yield* this.flush()
      this.#columns = columns
      this.#encode = this.#format.createEncoder(columns)
    }
    this.#rows.push(row)
    for (const cell of row) this.#characters += typeof cell === 'string' ? cell.length : guessedCharacters
    if (this.#characters >= batchCharacters) yield* this.flush()
  }

  *flush(): Generator<Buffer> {
    const rows = this.#rows
    this.#rows = []
    this.#characters = 0
    if (rows.length > 0) yield* toBytes(this.#encode(rows))
  }
}

function toBytes({ buffer, byteOffset, byteLength }: Uint8Array): readonly Buffer[] {
  return byteLength === 0 ? [] : [Buffer.from(buffer, byteOffset, byteLength)]
}

const batchCharacters = 64 * 1024
const guessedCharacters = 8

/**
 * The options of an output with their defaults, by the rules of the pipeline config. Throws CONFIG_INVALID with every
 * problem.
 */
export function checkOutputOptions<Format extends OutputConfig['format']>(
  stage: string,
  options: { readonly format: Format },
): Extract<OutputConfig, { format: Format }> {
  const shape = checkShape(pipelineShape.outputs, [options], [])
  const [output] = shape.value ?? []
  const problems = output === undefined ? shape.problems : checkDialect(output, [0])
  if (output !== undefined && problems.length === 0) return output as Extract<OutputConfig, { format: Format }>
  const lines = problems.map(
    ({ path, message, suggestion }) => `${formatConfigPath(path.slice(1))}: ${message}${formatSuggestion(suggestion)}`,
  )
  throw new CatalogueError('CONFIG_INVALID', `${stage}: ${lines.join('\n')}`)
}
