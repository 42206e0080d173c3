import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contracts, ownContracts, type Contract } from '../../../src/contracts/contracts.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { toExpectedDrift } from '../run/expected-drift.ts'
import { toExpectedTables, type PlainCell } from './expected-tables.ts'
import { openReaders, type TableReaders } from './read-tables.ts'
import { RunFolder } from '../run-folder.ts'

const locales = ['nl', 'fr', 'en_AU']
const formats = ['csv', 'ndjson', 'parquet'] as const
let readers: TableReaders
let folder: RunFolder

beforeAll(async () => {
  readers = await openReaders()
})
afterAll(() => readers.close())
beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

describe('every cell of every table reads back as it was delivered', { timeout: 60_000 }, () => {
  test.each(ownContracts.filter((name) => name !== 'raw'))(
    'every cell of every table reads back as it was delivered: %s',
    async (name) => {
      const contract: Contract = contracts[name]
      const lines = Buffer.concat([...generateLines({ contract: name, records: 500, seed: 11 })])
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line, at) => (at % 10 === 0 ? repeatKeys(line) : line))
      const records = lines.map((line) => (JSON.parse(line) as { result: unknown }).result)
      await folder.write('input.ndjson', `${lines.join('\n')}\n`)
      const outputs = formats.map((format) => ({ format, path: `out/{table}.${format}` }))
      const report = await folder.runDefaultTables({ locales, outputs, source: { contract: name } })

      expect(report.ledger).toMatchObject({ lines: 500, accepted: 500 })
      expect(report.completeness).toEqual({ status: 'proven', reasons: [], total: 500 })
      expect(report.drift).toEqual(toExpectedDrift(contract, records, locales, lines))
      const expected = toExpectedTables(contract, records, locales)
      expect(report.tables.map((table) => table.name)).toEqual([...expected.keys()])
      for (const [table, { columns, rows }] of expected) {
        const isFilled = columns.map((_, at) => rows.some((row) => row[at] !== null))
        expect(columns.filter(({ name: column }, at) => !isFilled[at] && !column.endsWith('_en_au'))).toEqual([])
        for (const file of report.files.filter((each) => each.table === table)) {
          expect(file.columns.map((column) => ({ name: column.name, type: column.type }))).toEqual(columns)
          expect(file.rows).toBe(rows.length)
        }
        const path = (format: string): string => join(folder.out, `${table}.${format}`)
        expect(await readers.ndjsonByHand(path('ndjson'), columns)).toEqual(rows)
        expect(await readers.parquetWithDuckDb(path('parquet'), columns)).toEqual(rows)
        expect(await readers.parquetWithHyparquet(path('parquet'), columns)).toEqual(rows)
        expect(await readers.parquetWithPolars(path('parquet'), columns)).toEqual(rows)
        expect(await readers.csvWithDuckDb(path('csv'), columns)).toEqual(rows.map((row) => row.map(inCsv)))
      }
    },
  )
})

/** The id comes twice, and so does a field that the contract does not list. */
function repeatKeys(line: string): string {
  return line.replace(/"result":\{("id":[^,}]+)/, (_, id: string) => `"result":{${id},"new":1,"new":2,${id}`)
}

/** CSV can't distinguish null elements from empty ones, nor a list of one of them from no element. */
function inCsv(cell: PlainCell): PlainCell {
  if (cell === null || typeof cell === 'string') return cell
  const elements = cell.map((element) => (element === '' ? null : element))
  return elements.length === 1 && elements[0] === null ? [] : elements
}
