import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSheet } from '../../../src/sources/workbook/read-workbook.ts'
import { convertInLibreOffice, skipsLibreOffice } from '../../formats/libre-office.ts'

const skipsPython =
  process.env.CATALOGUE_REQUIRE_SPREADSHEETS !== '1' && spawnSync('python3', ['-c', 'import openpyxl']).status !== 0

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workbook-lists-'))
})
afterAll(() => rm(folder, { recursive: true }))

const expected = [
  ['CNK code', 'EAN', 'price', 'changed', 'name'],
  ['123456', '05413000000017', '12.5', '2026-01-02', 'thé & café'],
  ['0123457', '5413000000024', '', '2026-01-02T13:45:10', 'two\nlines'],
  ['0012345', '', '-0.07', '', ' x '],
]

/** As a person would enter it: numbers, texts, a format with zeros, days and times. */
const program = `
import sys, datetime, openpyxl
book = openpyxl.Workbook()
sheet = book.active
sheet.append(['CNK code', 'EAN', 'price', 'changed', 'name'])
sheet.append([123456, '05413000000017', 12.5, datetime.date(2026, 1, 2), 'th\\u00e9 & caf\\u00e9'])
sheet.append(['0123457', 5413000000024, None, datetime.datetime(2026, 1, 2, 13, 45, 10), 'two\\nlines'])
sheet.append([12345, None, -0.07, None, ' x '])
sheet['A4'].number_format = '0000000'
book.create_sheet('other').append(['nothing'])
book.save(sys.argv[1])
`

test.skipIf(skipsPython)('a list that openpyxl has written is read as it was entered', async () => {
  const path = join(folder, 'list.xlsx')
  execFileSync('python3', ['-c', program, path])
  const { name, rows } = readSheet(await readFile(path))
  expect(name).toBe('Sheet')
  expect(rows.map(({ cells }) => Array.from({ length: 5 }, (_, at) => cells[at] ?? ''))).toEqual(expected)
})

test.skipIf(skipsPython || skipsLibreOffice)(
  'a list that LibreOffice has saved is read as it was entered',
  async () => {
    const path = join(folder, 'entered.xlsx')
    execFileSync('python3', ['-c', program, path])
    const ods = await convertInLibreOffice(path, { locale: 'nl-BE', to: 'ods', folder })
    const saved = await convertInLibreOffice(ods, { locale: 'nl-BE', to: 'xlsx', folder: join(folder, '.') })
    const { rows } = readSheet(await readFile(saved))
    expect(rows.map(({ cells }) => Array.from({ length: 5 }, (_, at) => cells[at] ?? ''))).toEqual(expected)
  },
)

test.skipIf(skipsLibreOffice)('a CSV list that LibreOffice saves as a workbook is read as it was entered', async () => {
  const path = join(folder, 'plain.csv')
  await writeFile(path, 'cnk;naam\n0123456;thé\n123457;"a;b"\n')
  // Column 1 as text (2), column 2 as it is.
  const filter = 'CSV:59,34,76,1,1/2/2/1'
  const saved = await convertInLibreOffice(path, { locale: 'nl-BE', to: 'xlsx', folder, filter })
  expect(readSheet(await readFile(saved)).rows.map(({ cells }) => cells)).toEqual([
    ['cnk', 'naam'],
    ['0123456', 'thé'],
    ['123457', 'a;b'],
  ])
})
