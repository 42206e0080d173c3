import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Cell, Row } from '../../src/records/flatten/column.ts'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../src/formats/csv.ts'
import type { CsvDialect } from '../../src/manifest/manifest.ts'
import { cases } from '../depth.ts'
import { hostileText, rows as arbitraryRows } from './arbitrary-cells.ts'
import { column } from './every-type.ts'
import { queryDuckDb } from './query-duckdb.ts'
import { withScratchFile } from '../storage/scratch-file.ts'

const columns = [
  column('id', 'integer'),
  column('text', 'text'),
  column('whole', 'integer'),
  column('float', 'float'),
  column('flag', 'boolean'),
  column('at', 'timestamp'),
  column('day', 'date'),
  column('amount', { kind: 'decimal', precision: 38, scale: 4 }),
]
const types = ['BIGINT', 'VARCHAR', 'BIGINT', 'DOUBLE', 'BOOLEAN', 'TIMESTAMP', 'DATE', 'DECIMAL(38,4)']

it.each<Partial<CsvDialect>>([
  {},
  { quoteAll: true, lineBreak: 'crlf', bom: true },
  { delimiter: ';', quote: '`' },
  { delimiter: '\t' },
  { delimiter: ';', decimalSeparator: ',' },
  { decimalSeparator: ',', quoteAll: true },
])('DuckDB reads back what was written with %o', async (options) => {
  const dialect = { ...defaultCsvDialect, ...options }
  const rows = fc
    .sample(arbitraryRows(columns.slice(1), hostileText([])), { numRuns: cases(100), seed: 1 })
    .flat()
    .map((row, index) => [index, ...row])
  const read = await readInDuckDb(rows, dialect)
  expect(rows.length).toBeGreaterThan(cases(300, 50))
  expect(read).toEqual(rows.map((row) => row.map(toExpected)))
})

function readInDuckDb(rows: readonly Row[], dialect: CsvDialect): Promise<unknown[][]> {
  const bytes = Buffer.concat([formatCsvHeader(columns, dialect), createCsvEncoder(columns, dialect)(rows)])
  const names = columns.map(({ name }, index) => `'${name}': '${types[index]}'`).join(', ')
  const options = [
    'header = true',
    'auto_detect = false',
    'allow_quoted_nulls = false',
    `delim = '${dialect.delimiter}'`,
    `quote = '${dialect.quote}'`,
    `escape = '${dialect.quote}'`,
    `decimal_separator = '${dialect.decimalSeparator}'`,
    `new_line = '${dialect.lineBreak === 'crlf' ? '\\r\\n' : '\\n'}'`,
    `columns = {${names}}`,
  ]
  const shown = 'id::INT, text, whole, float, flag, epoch_ms("at"), day - DATE \'1970-01-01\', amount'
  return withScratchFile(bytes, (path) =>
    queryDuckDb(`SELECT ${shown} FROM read_csv('${path}', ${options.join(', ')}) ORDER BY 1`),
  )
}

/** DuckDB shows 64 bits and decimals as text. A zero has no sign in the file. */
function toExpected(cell: Cell, index: number): unknown {
  if (cell === null) return null
  const kind = columns[index]?.type.kind
  if (kind === 'decimal') return formatTenThousandths(BigInt(String(cell)))
  if (Object.is(cell, -0)) return 0
  return index > 0 && (kind === 'integer' || kind === 'timestamp' || kind === 'date') ? String(cell) : cell
}

function formatTenThousandths(unscaled: bigint): string {
  const size = unscaled < 0n ? -unscaled : unscaled
  return `${unscaled < 0n ? '-' : ''}${size / 10_000n}.${String(size % 10_000n).padStart(4, '0')}`
}
