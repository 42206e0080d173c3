import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RunFolder } from '../../engine/run-folder.ts'
import { openInLibreOffice, skipsLibreOffice } from '../../formats/libre-office.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { compareRuns } from './runs/publish-run.ts'
import { changeProducts, generateProducts, toStream, type TestProduct } from './seed-changes.ts'

let folder: RunFolder
beforeAll(async () => {
  folder = await RunFolder.create()
})
afterAll(() => folder.remove())

const brands = [{ id: 7, name: { fr: 'Chêne', en: 'Oak' } }]
const week = [
  { id: 'M1', cnk: '0012345', name: { nl: 'een', fr: 'un' }, publicPrice: 820, brands, status: 'active' },
  { id: 'M2', cnk: '0054321', name: { fr: 'deux' }, publicPrice: 0, brands: [], status: 'active', photos: [{ id: 1 }] },
  { id: 'M3', cnk: '0000003', name: { nl: 'drie' }, publicPrice: 500, status: 'active', weight: 5 },
  { id: 'M4', cnk: '0000004', name: { nl: '=4' }, publicPrice: 400, status: 'active' },
]
const nextWeek = [
  { ...week[0], publicPrice: 790, name: { nl: 'één', fr: 'un' } },
  { ...week[1], publicPrice: 1250, photos: [{ id: 1, formats: { large: 'https://example.com/1.jpg' } }] },
  { ...week[2], cnk: null, status: 'replaced', replacement: 'M5', publicPrice: 'on request', weight: 6 },
  { id: 'M5', cnk: '0000005', name: { nl: 'vijf' }, publicPrice: 510, status: 'active' },
]

/** What a reader of the two weeks sees, by sheet; of a replaced product the last known code. */
const sheets: Readonly<Record<string, unknown[][]>> = {
  new: [['M5', '0000005', 'vijf', null]],
  gone: [['M4', '0000004', '=4', null]],
  prices: [
    ['M1', '0012345', 'één', 'Chêne', 'publicPrice', 820, 790, -30, -3.66, 'down'],
    ['M2', '0054321', 'deux', null, 'publicPrice', 0, 1250, null, null, 'new price'],
  ],
  texts: [['M1', '0012345', 'één', 'Chêne', 'name.nl', null, 'een', 'één']],
  images: [['M2', '0054321', 'deux', null, 'photos[].formats.large', '1', null, 'https://example.com/1.jpg']],
  others: [
    ['M3', '0000003', 'drie', null, 'status', null, 'active', 'replaced'],
    ['M3', '0000003', 'drie', null, 'replacement', null, null, 'M5'],
    ['M3', '0000003', 'drie', null, 'cnk', null, '0000003', null],
    ['M3', '0000003', 'drie', null, 'publicPrice', null, '500', 'on request'],
    ['M3', '0000003', 'drie', null, 'weight', null, '5', '6'],
  ],
}

const values = ['id', 'cnk', 'name', 'brands[0].name']
const headers: Readonly<Record<string, string[]>> = {
  new: values,
  gone: values,
  prices: [...values, 'field', 'old', 'new', 'amount', 'percent', 'change'],
  texts: [...values, 'field', 'element', 'old', 'new'],
  images: [...values, 'field', 'element', 'old', 'new'],
  others: [...values, 'field', 'element', 'old', 'new'],
}

describe('a workbook of differences', () => {
  let workbook: string
  beforeAll(async () => {
    workbook = join(folder.path, 'changes.xlsx')
    const old = await folder.write('week.ndjson', toStream(week))
    const next = await folder.write('next-week.ndjson', toStream(nextWeek))
    await compareRuns(old, next, { to: workbook, contract: 'v4/product' })
  })

  test.skipIf(skipsLibreOffice)(
    'opens in LibreOffice with Belgian settings: a sheet for each kind, codes with their zeros, prices as numbers',
    { timeout: 60_000 },
    async () => {
      const opened = await openInLibreOffice(workbook, { locale: 'nl-BE' })
      expect([...opened.keys()]).toEqual(Object.keys(sheets))
      for (const [name, rows] of opened) {
        const [header = [], ...below] = rows
        expect(header.map(({ value }) => value)).toEqual(headers[name])
        const width = header.length
        const cells = below.map((row) => Array.from({ length: width }, (_, at) => toPlain(row[at])))
        expect([name, ...sortRows(cells)]).toEqual([name, ...sortRows(sheets[name] ?? [])])
      }
    },
  )

  test.skipIf(process.env['CATALOGUE_REQUIRE_SPREADSHEETS'] !== '1')(
    'is read by openpyxl with a frozen bold header, and text where a code or a formula could be a number',
    { timeout: 60_000 },
    async () => {
      const script = join(import.meta.dirname, '../../formats/xlsx/read-workbook.py')
      const { stdout } = await promisify(execFile)('python3', [script, workbook, ...Object.keys(sheets)])
      const { openpyxl } = JSON.parse(stdout) as {
        openpyxl: Record<string, { frozen: string; bold: boolean; rows: unknown[][] }>
      }
      for (const name of Object.keys(sheets)) expect(openpyxl[name]).toMatchObject({ frozen: 'A2', bold: true })
      expect(openpyxl['gone']?.rows[1]).toEqual([
        ['str', 'M4'],
        ['str', '0000004'],
        ['str', '=4'],
        ['NoneType', null],
      ])
    },
  )
})

interface OfficeCell {
  readonly type: string
  readonly value: string
}

function toPlain(cell: OfficeCell | undefined): unknown {
  if (cell === undefined || cell.type === 'empty') return null
  return cell.type === 'number' ? Number(cell.value) : cell.value
}

function sortRows(rows: readonly unknown[][]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted()
}

describe('values beside each difference', () => {
  const products = generateProducts(60, 3).map((product, at) => ({ ...product, cnk: String(at).padStart(7, '0') }))
  const changed = changeProducts(products, 3)
  const asked = ['cnk', 'name.nl', 'ean', 'id']

  /** The value of the new record, or else of the old one. */
  function expectedOf(id: string): string {
    const find = (all: readonly TestProduct[]) => all.find((each) => each.id === id)
    const [old, next] = [find(products), find(changed)]
    const cnk = next?.['cnk'] ?? old?.['cnk'] ?? null
    const ean = next?.ean ?? old?.ean
    return JSON.stringify([cnk, next?.name['nl'] ?? old?.name['nl'] ?? null, ean?.join('|')])
  }

  async function readBeside(path: string): Promise<number> {
    const read = path.endsWith('.csv') ? `read_csv('${path}', all_varchar = true)` : `'${path}'`
    const rows = (await queryDuckDb(`SELECT id, cnk, "name.nl", ean FROM ${read}`)) as string[][]
    for (const [id = '', ...found] of rows) expect(JSON.stringify(found)).toBe(expectedOf(id))
    return rows.length
  }

  test('are those of the new record, or the last known ones, in every format, with amount and percent of each price', async () => {
    const old = await folder.write('products.ndjson', toStream(products))
    const next = await folder.write('changed.ndjson', toStream(changed))
    for (const ending of ['csv', 'parquet', 'ndjson']) {
      const to = join(folder.path, `differences.${ending}`)
      const { report } = await compareRuns(old, next, { to, with: asked })
      expect(await readBeside(to)).toBe(report.to?.rows)
    }
    const prices = (await queryDuckDb(
      `SELECT old::BIGINT::INT, new::BIGINT::INT, amount::INT, percent::DOUBLE FROM '${join(folder.path, 'differences.parquet')}' WHERE field = 'publicPrice' AND amount IS NOT NULL`,
    )) as number[][]
    expect(prices.length).toBeGreaterThan(0)
    for (const [before = 0, after = 0, amount, percent = 0] of prices) {
      expect(amount).toBe(after - before)
      expect(Math.abs(percent - ((after - before) / before) * 100)).toBeLessThan(0.0051)
    }
  })

  test('come from the table of records of a run, also beside differences of its child tables', async () => {
    const tables = {
      products: {
        columns: ['id', 'cnk', 'name', 'ean', { from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' as const }],
      },
      product_photos: { each: 'photos[]', columns: ['id', 'formats.large'] },
    }
    const outputs = [{ format: 'parquet' as const, path: '{table}.parquet' }]
    const publish = async (name: string, all: readonly TestProduct[]) => {
      const files = await folder.write(`${name}-run.ndjson`, toStream(all))
      const outDir = join(folder.path, name)
      await folder.run({ locales: ['nl', 'fr'], tables, outputs, source: { files } }, { outDir })
      return outDir
    }
    const [old, next] = [await publish('old', products), await publish('new', changed)]
    const to = join(folder.path, 'runs.parquet')
    const { report } = await compareRuns(old, next, { to, with: asked })
    const read = `SELECT id, cnk, "name.nl", ean FROM '${to}'`
    const rows = (await queryDuckDb(read)) as string[][]
    expect(rows.length).toBe(report.to?.rows)
    for (const [id = '', cnk, name, ean] of rows)
      expect(JSON.stringify([cnk, name, (JSON.parse(ean ?? '[]') as string[]).join('|')])).toBe(
        sortEans(expectedOf(id)),
      )
    const fields = (await queryDuckDb(
      `SELECT DISTINCT split_part(field, '.', 1) FROM '${to}' ORDER BY 1`,
    )) as string[][]
    expect(fields.flat()).toEqual(['product_photos', 'products'])
    const workbook = join(folder.path, 'runs.xlsx')
    await compareRuns(old, next, { to: workbook })
    expect((await readFile(workbook)).subarray(0, 2).toString()).toBe('PK')
  })

  test('that no record has are refused, with the nearest name, and need a file', async () => {
    const old = await folder.write('one.ndjson', toStream(products))
    const next = await folder.write('other.ndjson', toStream(changed))
    const to = join(folder.path, 'refused.csv')
    await expect(compareRuns(old, next, { to, with: ['cnkk'] })).rejects.toThrow(
      /--with cnkk: expected a field .*did you mean "cnk"/s,
    )
    await expect(compareRuns(old, next, { to, with: ['brands'] })).rejects.toThrow(/--with brands: expected a field/)
    await expect(compareRuns(old, next, { with: ['cnk'] })).rejects.toThrow(
      '--with: expected a file for the differences',
    )
  })
})

function sortEans(text: string): string {
  const [cnk, name, ean] = JSON.parse(text) as [string, string, string]
  return JSON.stringify([cnk, name, ean.split('|').toSorted().join('|')])
}
