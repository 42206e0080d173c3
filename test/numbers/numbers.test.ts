import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import * as fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCsvEncoder, defaultCsvDialect } from '../../src/formats/csv.ts'
import { cases } from '../depth.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { planRecords, processAll } from '../records/plan-records.ts'
import { isSameFloat, readFloat } from './exact-decimal.ts'
import { meetsExpected, numberKinds, scaledFloat, toKeptFloat, type NumberKind } from './number-kinds.ts'

const digits = (max: number) => fc.string({ unit: fc.nat({ max: 9 }).map(String), minLength: 1, maxLength: max })
const whole = fc.oneof(
  fc.integer({ min: -100, max: 100 }).map(String),
  digits(20).map((text) => text.replace(/^0+(?=.)/, '')),
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }).map(String),
  fc
    .tuple(fc.nat({ max: 70 }), fc.bigInt({ min: -3n, max: 3n }))
    .map(([power, by]) => String(2n ** BigInt(power) + by)),
  fc.integer({ min: -62_135_597_000, max: 253_402_301_000 }).map(String),
  fc.constantFrom('0', '-0', '9'.repeat(308), '9'.repeat(309), `1${'0'.repeat(400)}`, '9007199254740993'),
)
const written = fc
  .tuple(whole, fc.option(digits(20), { freq: 2 }), fc.option(fc.integer({ min: -420, max: 420 }), { freq: 4 }))
  .map(
    ([start, fraction, power]) =>
      `${start}${fraction === null ? '' : `.${fraction}`}${power === null ? '' : `e${power}`}`,
  )
const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const token = fc.oneof(
  whole,
  written,
  double.map((number) => JSON.stringify(number)),
  fc.tuple(double, fc.integer({ min: 1, max: 21 })).map(([number, count]) => number.toPrecision(count)),
  fc
    .tuple(fc.nat({ max: 10 ** 7 }), fc.constantFrom(1, 2, 3))
    .map(([number, count]) => (number / 10 ** count).toFixed(count)),
  fc.constantFrom('21.0', '6.00', '2.1e1', '0.1', '1e400', '1e-400', '0.1000000000000000055511151231257827', '5e-324'),
  fc.constantFrom('0.10000000000000001', '1.00000000000000001', '0.30000000000000004', '1e23', '4.9E-324', '-1e+20'),
  fc.constantFrom('1081128559118956.2', '1081128559118956.3', '2000000000000000.4', '-1081128559118956.2'),
)

const kinds: readonly NumberKind[] = [...numberKinds, scaledFloat]
const delivered = fc.array(fc.tuple(fc.constantFrom(...kinds), token), { minLength: 1, maxLength: 300 })
type Delivered = readonly (readonly [NumberKind, string])[]

let folder: RunFolder
beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

const names = ['id', ...kinds.map(({ column }) => column.column)]

describe('a number in every output', () => {
  test(
    'a number is what was delivered, digit for digit, or its line is rejected, as read back from CSV, NDJSON and Parquet',
    { timeout: 120_000 },
    async () => {
      const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
      const connection = await instance.connect()
      const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as (string | null)[][]
      const property = async (tokens: Delivered): Promise<void> => {
        await folder.write('input.ndjson', tokens.map(toLine).join(''))
        await folder.run({
          tables: { products: { columns: ['id', ...columnsOf(kinds)] } },
          outputs: (['csv', 'ndjson', 'parquet'] as const).map((format) => ({ format, path: `out/{table}.${format}` })),
          rejects: { limit: '100%' },
          maxRemoved: '100%',
        })
        const path = (format: string) => join(folder.out, `products.${format}`)
        const texts = `columns = {${names.map((name) => `'${name}': 'VARCHAR'`).join(', ')}}`
        const select = names.map((name) =>
          name === 'time' ? `strftime(time, '%Y-%m-%dT%H:%M:%SZ')` : `CAST(${name} AS VARCHAR)`,
        )
        const csv = `read_csv('${path('csv')}', header = true, auto_detect = false, ${texts})`
        const parquet = `read_parquet('${path('parquet')}')`
        expect(listDifferences(tokens, await query(`SELECT * FROM ${csv}`))).toEqual([])
        expect(listDifferences(tokens, await query(`SELECT ${select.join(', ')} FROM ${parquet}`))).toEqual([])
        expect(listDifferences(tokens, readNdjson(await readFile(path('ndjson'), 'utf8')))).toEqual([])
        expect(await listOtherFloats(tokens, path('parquet'))).toEqual([])
      }
      await expect(fc.assert(fc.asyncProperty(delivered, property), { numRuns: cases(40, 8) })).resolves.toBeUndefined()
      instance.closeSync()
    },
  )

  test('a number is what was delivered, digit for digit, or its line is rejected, as the reference path writes it to CSV', () => {
    const plan = planRecords({ tables: { products: { columns: ['id', ...columnsOf(kinds)] } } })
    const encode = createCsvEncoder(plan.tables[0]!.columns, defaultCsvDialect)
    const property = fc.property(delivered, (tokens) => {
      const rows = processAll(plan, tokens.map(toLine).join('')).flatMap((outcome) => outcome.rows[0] ?? [])
      const lines = Buffer.from(encode(rows)).toString().split('\n').slice(0, -1)
      const cells = lines.map((line) => line.split(',').map((cell) => (cell === '' ? null : cell)))
      expect(listDifferences(tokens, cells)).toEqual([])
    })
    expect(() => fc.assert(property, { numRuns: cases(80, 20) })).not.toThrow()
  })
})

function columnsOf(all: readonly NumberKind[]) {
  return all.map(({ column }) => column as { column: string; from: string })
}

/** The scaled column reads the field of another: a line has both cells. */
function toLine([{ field }, text]: readonly [NumberKind, string], index: number): string {
  return `{"id":"P${index}","${field}":${text}}\n`
}

/** The tokens whose line, or whose cell, is not what it has to be. */
function listDifferences(tokens: Delivered, rows: readonly (readonly (string | null)[])[]): object[] {
  const cells = new Map(rows.map(([id, ...row]) => [id, row]))
  return tokens.flatMap(([{ field }, text], index): object[] => {
    const row = cells.get(`P${index}`)
    const expected = kinds.map((kind) => (kind.field === field ? kind.expect(text) : undefined))
    const isRejected = expected.includes(null)
    if (row === undefined || isRejected)
      return isRejected && row === undefined ? [] : [{ field, text, isRejected, row }]
    return expected.flatMap((value, at) => {
      const cell = row[at] ?? null
      const isMet = value ? cell !== null && meetsExpected(value, cell) : cell === null
      return isMet ? [] : [{ field, text, cell }]
    })
  })
}

/** The cells as they are written: JSON.parse would round them. */
function readNdjson(text: string): (string | null)[][] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => names.map((name) => new RegExp(`"${name}":"?([^",}]*)`).exec(line)?.[1] ?? null))
    .map((row) => row.map((cell) => (cell === 'null' ? null : cell)))
}

/** The tokens whose float another reader of Parquet gives with other bits. */
async function listOtherFloats(tokens: Delivered, path: string): Promise<object[]> {
  const bytes = new Uint8Array(await readFile(path))
  const rows = await parquetReadObjects({ file: bytes.buffer, compressors })
  return rows.flatMap(({ id, float }) => {
    const [kind, text = ''] = tokens[Number((id as string).slice(1))] ?? []
    const expected = kind?.field === 'vat' ? toKeptFloat(text) : null
    const isMet = expected === null ? float === null : isSameFloat(readFloat(float as number), expected)
    return isMet ? [] : [{ text, float }]
  })
}
