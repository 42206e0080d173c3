import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isFull } from '../../depth.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

const columns = Array.from({ length: 1000 }, (_, at) => ({ column: `c${at}`, from: 'vat' }))

describe('very short records', () => {
  test('very short records of a wide table become the rows of several blocks', async () => {
    await folder.write('input.ndjson', listRecords(1000))
    const blocks: number[] = []
    const report = await folder.run(
      {
        tables: { products: { columns: ['id', ...columns] } },
        outputs: [{ format: 'ndjson', path: 'out/{table}.ndjson' }],
      },
      { workers: 0, onProgress: ({ lines }) => blocks.push(lines) },
    )
    expect(report.ledger.accepted).toBe(1000)
    expect(blocks).toEqual([261, 522, 783, 1000])
    const lines = (await folder.readOut('products.ndjson')).split('\n').slice(0, -1)
    expect(lines.map((line) => Object.values(JSON.parse(line) as object))).toEqual(
      Array.from({ length: 1000 }, (_, at) => [`${at}`, ...columns.map(() => 0.5)]),
    )
  })

  test.runIf(isFull)(
    'very short records of all columns in ten locales give the same result with any number of workers',
    async () => {
      await folder.write('input.ndjson', listRecords(450_000))
      const locales = ['nl', 'fr', 'de', 'en', 'nl-BE', 'es', 'it', 'pt', 'fr-BE', 'de-BE']
      const hashes: string[] = []
      for (const workers of [0, 8, 64]) {
        await folder.run({ locales, tables: { products: { columns: 'all' } } }, { workers })
        const bytes = await readFile(join(folder.out, 'products.csv'))
        hashes.push(createHash('sha256').update(bytes).digest('hex'))
      }
      expect(new Set(hashes).size).toBe(1)
    },
  )

  test.each(['last', 'reject'] as const)(
    'very short records that repeat an id are found in every reading with duplicates: %s',
    async (duplicates) => {
      const records = listRecords(3000).split('\n').slice(0, -1)
      await folder.write('input.ndjson', `${[...records, ...records.slice(100, 1500)].join('\n')}\n`)
      const report = await folder.run(
        { tables: { products: { columns: ['id', ...columns.slice(0, 300)] } }, duplicates, rejects: { limit: '50%' } },
        { workers: 0 },
      )
      expect(report.ledger).toMatchObject({ lines: 4400, accepted: 3000 })
    },
  )
})

describe('records with too many short elements for the memory of several threads', () => {
  const tables = { products: { columns: ['id'] }, photos: { each: 'photos[]', columns: 'all' as const } }

  test('records with many short elements are encoded correctly, one block at a time', async () => {
    const records = [1, 90_000, 2, 80_000, 3].map((photos, at) => toRecord(at, photos))
    await folder.write('input.ndjson', records.map((record) => `${record}\n`).join(''))
    const report = await folder.run({ tables }, { workers: 0 })
    expect(report.ledger.accepted).toBe(5)
    const rows = (await folder.readOut('photos.csv')).split('\n').slice(1, -1)
    expect(rows.length).toBe(170_006)
    expect(rows.filter((row) => row.startsWith('3,')).length).toBe(80_000)
  })

  test('a record whose rows take too much memory ends the run with a clear error, and nothing is published', async () => {
    await folder.write('input.ndjson', `${toRecord(0, 1)}\n${toRecord(1, 1_400_000)}\n`)
    const error = await folder.fail({ tables }, { workers: 0 })
    expect(error).toMatchObject({
      code: 'SOURCE_FAILED',
      title: 'A record is too large for memory',
      message: 'the lines from byte 0 on: expected a line, and its rows in a table, of at most 256 MiB, got more',
      outputs: 'Nothing was saved; the earlier outputs are as they were.',
    })
    expect(error?.fix).toContain('source.maxLineBytes')
  })
})

function listRecords(count: number): string {
  return Array.from({ length: count }, (_, at) => `{"id":"${at}","vat":0.5}\n`).join('')
}

function toRecord(id: number, photos: number): string {
  return `{"id":"${id}","photos":[${Array.from({ length: photos }, () => '{}').join(',')}]}`
}
