import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../src/formats/csv.ts'
import type { Row } from '../../src/records/flatten/column.ts'
import { column } from './every-type.ts'
import { openInLibreOffice, skipsLibreOffice, type OfficeCell } from './libre-office.ts'

const columns = [
  column('price', { kind: 'decimal', precision: 12, scale: 2 }),
  column('weight', 'float'),
  column('text', 'text'),
  column('vat', 'integer'),
  column('day', 'date'),
]
const rows: Row[] = [
  [4000, 0.1, 'Été; "large"', 21, 20455],
  [-123456, 1.5e-7, 'M1,5', -6, 0],
  [5n, 1e21, null, 9007199254740991, null],
]

test.skipIf(skipsLibreOffice)(
  'LibreOffice with Belgian settings opens CSV with a decimal comma and shows the right numbers',
  { timeout: 120_000 },
  async () => {
    const dialect = { ...defaultCsvDialect, delimiter: ';', decimalSeparator: ',', bom: true } as const
    const bytes = Buffer.concat([formatCsvHeader(columns, dialect), createCsvEncoder(columns, dialect)(rows)])
    const [header, ...cells] = await openWith('nl-BE', bytes)
    expect(header?.map(({ value }) => value)).toEqual(['price', 'weight', 'text', 'vat', 'day'])
    expect(cells.map((row) => row.slice(0, 2).map(toNumber))).toEqual([
      [40, 0.1],
      [-1234.56, 1.5e-7],
      [0.05, 1e21],
    ])
    expect(cells.map((row) => row[2])).toEqual([text('Été; "large"'), text('M1,5'), { type: 'empty', value: '' }])
    expect(cells.map((row) => toNumber(row[3]))).toEqual([21, -6, 9007199254740991])
    expect(cells.map((row) => row[4]?.value ?? null)).toEqual(['2026-01-02', '1970-01-01', null])
  },
)

test.skipIf(skipsLibreOffice)(
  'LibreOffice with Belgian settings takes numbers with a decimal point for text, which is why decimalSeparator exists',
  { timeout: 120_000 },
  async () => {
    const dialect = { ...defaultCsvDialect, delimiter: ';' }
    const bytes = Buffer.concat([formatCsvHeader(columns, dialect), createCsvEncoder(columns, dialect)(rows)])
    const [, first] = await openWith('nl-BE', bytes)
    expect(first?.[0]).toEqual(text('40.00'))
  },
)

/** Semicolons, double quotes, UTF-8, from the first line, numbers as the settings of the country have them. */
const filter = 'CSV:59,34,76,1,,0,false,true'

async function openWith(locale: string, bytes: Uint8Array): Promise<OfficeCell[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'sheet-'))
  try {
    await writeFile(join(folder, 'products.csv'), bytes)
    const sheets = await openInLibreOffice(join(folder, 'products.csv'), { locale, filter })
    return sheets.get('products') ?? []
  } finally {
    await rm(folder, { recursive: true })
  }
}

function toNumber(cell: OfficeCell | undefined): number | undefined {
  return cell?.type === 'number' ? Number(cell.value) : undefined
}

function text(value: string): OfficeCell {
  return { type: 'text', value }
}
