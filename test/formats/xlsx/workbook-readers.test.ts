import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typeOf } from '../../../src/types/column-types.ts'
import type { Cell, Column, Row } from '../../../src/records/flatten/column.ts'
import type { FilledScalar, Scalar } from '../../../src/types/column-type-definition.ts'
import { hostileText } from '../arbitrary-cells.ts'
import { column } from '../every-type.ts'
import { convertInLibreOffice, skipsLibreOffice } from '../libre-office.ts'
import { writeWorkbook } from './write-workbook.ts'

const skipsPython =
  process.env.CATALOGUE_REQUIRE_SPREADSHEETS !== '1' &&
  spawnSync('python3', ['-c', 'import openpyxl, polars, fastexcel']).status !== 0

const columns = [
  column('cnk', 'text'),
  column('price', { kind: 'decimal', precision: 12, scale: 2 }),
  column('stock', 'integer'),
  column('weight', 'float'),
  column('active', 'boolean'),
  column('changed', 'timestamp'),
  column('day', 'date'),
  column('names', 'text', true),
  column('raw', 'json'),
]
const rows: Row[] = [
  ['0497929', 4000, 7, 0.354, true, Date.UTC(2026, 0, 2, 3, 4, 5), 20455, ['a', 'b|c'], '{"a":[1]}'],
  ['=1+1', -5, -12, 0.00012, false, Date.UTC(2024, 1, 29, 23, 59, 59), -25508, [], '"=1"'],
  ['1E5', 99, 999_999_999_999_999, -40.5, true, Date.UTC(1999, 11, 31), 0, [null], '[]'],
  ['12-05', 1_000_000, 0, 12, false, Date.UTC(2038, 0, 19, 3, 14, 8), 30000, ['é'], 'null'],
]
/** Values that programs would round or show wrongly, and nulls. */
const odd: Row[] = [
  ['', 999_999_999_999_999, 1_000_000_000_000_000, 0, null, Date.UTC(1900, 1, 28), -25509, null, null],
  [null, null, 2n ** 63n - 1n, 5e-324, null, -62135596800000, -719162, null, null],
]
const texts = [
  ...fc.sample(hostileText(['\0', '\u0001', '\uFEFF', '_x0041_', '_x000D_', '\uFFFE', '&amp;', ']]>', '  ']), {
    numRuns: 300,
    seed: 1,
  }),
  ' leading and trailing ',
  'two\nlines',
  '-1',
  '+32 2 123',
  '@home',
  'TRUE',
  '2026-01-02',
  '01/02/2026',
  '12:30',
  '1.234,56',
  '50%',
  '€ 5',
]

let folder: string
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workbook-'))
  path = join(folder, 'desk.xlsx')
  await writeWorkbook(path, [
    { name: 'products', columns, pieces: [rows] },
    { name: 'odd', columns, pieces: [odd] },
    {
      name: 'texts',
      columns: [column('text', 'text'), column('end', 'integer')],
      pieces: texts.map((text) => [[text, 1]]),
    },
    { name: 'empty', columns, pieces: [] },
  ])
})
afterAll(() => rm(folder, { recursive: true }))

test.skipIf(skipsPython)('openpyxl and polars read a workbook with its types', { timeout: 120_000 }, async () => {
  const { openpyxl, polars } = await readByPython(path, ['products'])
  const { products, odd: oddSheet, texts: textSheet, empty } = openpyxl
  expect(Object.keys(openpyxl)).toEqual(['products', 'odd', 'texts', 'empty'])
  expect(products).toMatchObject({ frozen: 'A2', filter: 'A1:I5', bold: true })
  expect(empty?.rows).toEqual([columns.map(({ name }) => ['str', name])])
  const [header, ...cells] = products?.rows ?? []
  expect(header).toEqual(columns.map(({ name }) => ['str', name]))
  expect(cells[0]).toEqual([
    ['str', '0497929'],
    ['float', 40],
    ['int', 7],
    ['float', 0.354],
    ['bool', true],
    ['datetime', '2026-01-02T03:04:05'],
    ['datetime', '2026-01-02T00:00:00'],
    ['str', 'a|b\\|c'],
    ['str', '{"a":[1]}'],
  ])
  expect(cells.map((row) => row[0])).toEqual(rows.map(([text]) => ['str', text]))
  expect(cells.map((row) => row[6]?.[1])).toEqual(
    ['2026-01-02', '1900-03-01', '1970-01-01', '2052-02-20'].map((day) => `${day}T00:00:00`),
  )
  expect(oddSheet?.rows.slice(1).map((row) => row.slice(1, 7))).toEqual([
    [
      ['float', 9999999999999.99],
      ['str', '1000000000000000'],
      ['int', 0],
      ['NoneType', null],
      ['str', '1900-02-28T00:00:00Z'],
      ['str', '1900-02-28'],
    ],
    [
      ['NoneType', null],
      ['str', '9223372036854775807'],
      ['str', '5e-324'],
      ['NoneType', null],
      ['str', '0001-01-01T00:00:00Z'],
      ['str', '0001-01-01'],
    ],
  ])
  expect(textSheet?.rows.slice(1).map(([cell]) => cell?.[1] ?? '')).toEqual(texts.map(toShown))
  expect(polars['products']?.types.slice(0, 7)).toEqual([
    'String',
    'Float64',
    'Int64',
    'Float64',
    'Boolean',
    "Datetime(time_unit='ms', time_zone=None)",
    'Date',
  ])
  expect(polars['products']?.rows.map(([cnk, price]) => [cnk, price])).toEqual([
    ['0497929', 40],
    ['=1+1', -0.05],
    ['1E5', 0.99],
    ['12-05', 10_000],
  ])
})

test.skipIf(skipsLibreOffice).for(['nl-BE', 'en-US'])(
  'LibreOffice with the settings %s reads every cell of a workbook as it was written',
  { timeout: 120_000 },
  async (locale) => {
    const to = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1'
    const office = await mkdtemp(join(folder, 'office-'))
    await convertInLibreOffice(path, { locale, to, folder: office })
    const read = async (sheet: string) =>
      parse(await readFile(join(office, `desk-${sheet}.csv`), 'utf8'), { relax_column_count: true })
    const [header, ...products] = await read('products')
    expect(header).toEqual(columns.map(({ name }) => name))
    expect(products.map((cells) => cells.map(toPlain))).toEqual(
      rows.map((row) => row.map((cell, at) => toExpected(columns[at] as Column, cell))),
    )
    expect((await read('texts')).slice(1).map(([text]) => toLines(text))).toEqual(texts.map((text) => toLines(text)))
  },
)

interface Sheet {
  readonly frozen: string
  readonly filter: string
  readonly bold: boolean
  readonly rows: [type: string, value: unknown][][]
}

async function readByPython(file: string, names: readonly string[]) {
  const script = join(import.meta.dirname, 'read-workbook.py')
  const { stdout } = await promisify(execFile)('python3', [script, file, ...names], { maxBuffer: 2 ** 28 })
  return JSON.parse(stdout) as {
    openpyxl: Record<string, Sheet>
    polars: Record<string, { types: string[]; rows: unknown[][] }>
  }
}

/** Half pairs of surrogates become U+FFFD. */
function toShown(text: string): string {
  return text.toWellFormed()
}

/** Without what the settings of a country change. */
function toPlain(text: string): string {
  return (
    { WAAR: 'true', ONWAAR: 'false', TRUE: 'true', FALSE: 'false' }[text] ?? text.replace(/^(-?\d+),(\d+)$/, '$1.$2')
  )
}

function toExpected({ type, list }: Column, cell: Cell): string {
  if (list) return (cell as readonly Scalar[]).map((each) => String(each ?? '').replace('|', '\\|')).join('|')
  const text = typeOf(type).format(cell as FilledScalar)
  if (type.kind === 'timestamp') return text.replace('T', ' ').replace('Z', '')
  return type.kind === 'decimal' || type.kind === 'float' ? String(Number(text)) : text
}

/** LibreOffice makes line feeds of carriage returns in cells of several lines. */
function toLines(text = ''): string {
  return toShown(text).replaceAll('\r', '\n')
}
