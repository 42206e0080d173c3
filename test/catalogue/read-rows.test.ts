import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue, contracts, type ReadReport, runPipeline, service } from '../../src/index.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { readRows, type RejectedLine, type TableRow } from '../../src/streams.ts'

const export40 = Buffer.concat([...generateLines({ contract: 'v4/product', records: 40, seed: 7 })])
const wrong = '{"meta":{"total":40,"index":40},"result":{"id":"M0","photos":[{"displayOrder":"first"}]}}\n'
let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-rows-'))
  file = join(folder, 'export.ndjson')
  await writeFile(file, export40)
})

afterAll(() => rm(folder, { recursive: true }))

/** The rows of the documented stage. */
async function readByStage(options: { table: string }): Promise<TableRow[]> {
  const rows: TableRow[] = []
  const stage = readRows({ contract: contracts['v4/product'], ...options, onReject: () => undefined })
  await pipeline(createReadStream(file), stage, async (read: AsyncIterable<TableRow>) => {
    for await (const row of read) rows.push(row)
  })
  return rows
}

function listOpen(): Promise<string[]> {
  const open = readdir('/proc/self/fd').then((names) => Promise.all(names.map((name) => readFileLink(name))))
  return open.then((paths) => paths.filter((path) => path.startsWith(folder)))
}

async function readFileLink(name: string): Promise<string> {
  const { readlink } = await import('node:fs/promises')
  return readlink(`/proc/self/fd/${name}`).catch(() => '')
}

describe('rows of a catalogue', () => {
  test.each(['products', 'product_photos', 'product_photo_organizations'])(
    'the rows of %s are those of the stage readRows, from every kind of source',
    async (table) => {
      const expected = await readByStage({ table })
      expect(expected.length).toBeGreaterThan(5)
      const gzip = join(folder, 'export.gz')
      await writeFile(gzip, gzipSync(export40))
      const sources = [
        file,
        [file],
        gzip,
        createReadStream(file, { highWaterMark: 100 }),
        Readable.toWeb(createReadStream(gzip)),
        new Response(export40).body as NonNullable<Response['body']>,
        (async function* () {
          yield export40.toString().slice(0, 5000)
          yield export40.subarray(Buffer.from(export40.toString().slice(0, 5000)).length)
        })(),
      ]
      for (const source of sources) {
        const rows = catalogue('v4/product')
          .from(source as string)
          .rows(table)
        expect(await rows.toArray()).toEqual(expected)
      }
    },
  )

  test('where keeps the rows that the same conditions of a config keep, and the report tells of the others', async () => {
    const products = catalogue('v4/product').from(file)
    const rows = await products.where({ status: 'active' }).rows('product_photos').toArray()
    const run = await runPipeline(
      {
        name: 'same',
        source: { files: file, contract: 'v4/product' },
        where: { status: 'active' },
        tables: { product_photos: { each: 'photos[]' } },
        outputs: [{ format: 'ndjson', path: 'out/{table}.ndjson' }],
      },
      { outDir: folder },
    )
    const report = products.report()
    expect(report).toEqual({
      sources: run.sources,
      ledger: run.ledger,
      completeness: run.completeness,
      drift: run.drift,
      tables: run.tables,
      filteredBy: run.filteredBy,
      rejects: { count: 0 },
    } satisfies ReadReport)
    expect(report.ledger.filtered).toBeGreaterThan(0)
    expect(rows).toHaveLength(run.tables[0]?.rows ?? 0)
  })

  test('columns and locales choose what a row holds, and values are those of the library', async () => {
    const [row] = await catalogue('v4/product')
      .from(file)
      .rows('products', { columns: ['id', 'cnk', 'publicPrice', 'name', 'meta.updatedAt'], locales: ['nl'] })
      .toArray()
    expect(Object.keys(row ?? {})).toEqual(['id', 'cnk', 'public_price', 'name_nl', 'meta_updated_at'])
    expect(row?.['meta_updated_at']).toBeInstanceOf(Date)
  })

  test('the rows of an endpoint come with the verdict of its answers, in windows too', async () => {
    const sandbox = await startSandbox({ products: 30, rateLimit: false, images: false })
    try {
      const { baseUrl, keyId, keySecret } = sandbox
      const source = { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret } as const
      for (const partition of [undefined, { by: 'createdAt', windows: 3 } as const]) {
        const products = catalogue('v4/product').from(service({ ...source, ...(partition && { partition }) }))
        const rows = await products.rows('products', { columns: ['id'] }).toArray()
        expect(rows).toHaveLength(30)
        expect(products.report()).toMatchObject({ completeness: { status: 'proven' }, ledger: { accepted: 30 } })
      }
    } finally {
      await sandbox.close()
    }
  })
})

const withWrong = () => Readable.from([export40, wrong])

describe('what is wrong with records', () => {
  test('a rejected line ends the reading unless somebody takes it', async () => {
    const reading = catalogue('v4/product').from(withWrong()).rows('products').toArray()
    await expect(reading).rejects.toMatchObject({
      code: 'TOO_MANY_REJECTS',
      message: expect.stringMatching(/^line 41, id "M0", photos\[0\]\.displayOrder: expected a whole number/) as string,
    })
  })

  test('onReject gets lines as the rejects file has them, and a limit judges at the end', async () => {
    const rejects: Omit<RejectedLine, 'byteOffset'>[] = []
    const products = catalogue('v4/product').from(withWrong(), { completeness: 'report' })
    const rows = await products.rows('products', { onReject: (reject) => void rejects.push(reject) }).toArray()
    expect(rows).toHaveLength(40)
    expect(rejects).toMatchObject([{ source: '<stream>', line: 41, index: 40, id: 'M0', raw: wrong.trim() }])
    expect(products.report().rejects).toMatchObject({ count: 1, wrongValues: { records: 1 } })
    const limited = (limit: string | number) =>
      catalogue('v4/product')
        .from(withWrong(), { completeness: 'report', rejects: { limit } })
        .rows('products')
        .toArray()
    expect(await limited('5%')).toHaveLength(40)
    await expect(limited('1%')).rejects.toMatchObject({ code: 'TOO_MANY_REJECTS' })
    const kept = catalogue('v4/product').from(withWrong(), { completeness: 'report', invalidValues: null })
    expect(await kept.rows('products').toArray()).toHaveLength(41)
  })

  test('a source that is cut off ends iteration with SOURCE_INCOMPLETE behind its rows, and the report says why', async () => {
    const lines = export40.toString().split('\n')
    const cut = catalogue('v4/product').from(Readable.from([lines.slice(0, 30).join('\n'), '\n']))
    const rows: unknown[] = []
    const reading = cut.rows('products').forEach((row) => rows.push(row))
    await expect(reading).rejects.toMatchObject({ code: 'SOURCE_INCOMPLETE' })
    expect(rows).toHaveLength(30)
    expect(cut.report().completeness).toMatchObject({ status: 'incomplete', total: 40 })
  })

  test('a report before and during a reading says that it did not end', async () => {
    const products = catalogue('v4/product').from(file)
    expect(products.report().completeness.reasons).toEqual(['it was not read to its end'])
    for await (const row of products.rows('products')) {
      expect(row['id']).toBeTypeOf('string')
      break
    }
    expect(products.report()).toMatchObject({ completeness: { status: 'unprovable' }, ledger: { accepted: 40 } })
  })
})

const rows = () =>
  catalogue('v4/product')
    .from(file)
    .rows('products', { columns: ['id'] })

describe('the end of a reading', () => {
  test.runIf(process.platform === 'linux')('files are closed however an iteration ends', async () => {
    for await (const _ of rows()) break
    const thrown = (async () => {
      for await (const _ of rows()) throw new Error('own')
    })()
    await expect(thrown).rejects.toThrow('own')
    await expect(
      rows().forEach(() => {
        throw new Error('own')
      }),
    ).rejects.toThrow('own')
    const reader = rows().toWeb().getReader()
    await reader.read()
    await reader.cancel()
    const aborted = AbortSignal.abort()
    await expect(rows().forEach(() => undefined, { signal: aborted })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await rows().map(String).batches(7).toArray()
    expect(await listOpen()).toEqual([])
  })

  test('forEach has as many calls under way as it may, and waits for them when one fails', async () => {
    const underWay = { now: 0, most: 0, ended: 0 }
    const take = async (row: { id?: unknown }): Promise<void> => {
      underWay.most = Math.max(underWay.most, ++underWay.now)
      await setTimeout(5)
      underWay.now--
      underWay.ended++
      if (underWay.ended === 20) throw new Error(`at ${String(row.id)}`)
    }
    await expect(rows().forEach(take, { concurrency: 4 })).rejects.toThrow(/^at M/)
    expect(underWay).toMatchObject({ now: 0, most: 4 })
    expect(underWay.ended).toBeLessThan(28)
  })

  test('a stream that stalls is left when its reader is cancelled, and destroyed', async () => {
    const stalled = new Readable({ read: () => undefined })
    stalled.push(export40)
    const stream = catalogue('v4/product')
      .from(stalled)
      .rows('products')
      .map((row) => row['id'])
      .toWeb()
    const reader = stream.getReader()
    const pending = reader.read().catch(() => 'ended')
    await setTimeout(20)
    await reader.cancel()
    await pending
    expect(stalled.destroyed).toBe(true)
  })

  test('a signal of the source ends every reading of it with INTERRUPTED', async () => {
    const controller = new AbortController()
    const reading = catalogue('v4/product')
      .from(new Readable({ read: () => undefined }), { signal: controller.signal })
      .rows('products')
      .toArray()
    await setTimeout(20)
    controller.abort()
    await expect(reading).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})

test.each([
  ['an unknown contract', () => catalogue('v4/produkt' as 'v4/product')],
  ['a contract of nobody', () => catalogue({ ...contracts['v4/product'] })],
  ['no source', () => catalogue('v4/product').from(undefined as unknown as string)],
  ['a source that is no stream', () => catalogue('v4/product').from({} as unknown as string)],
  ['standard input by its sign', () => catalogue('v4/product').from('-')],
  [
    'an unknown option',
    () =>
      catalogue('v4/product')
        .from(file, { invalidValue: null } as object)
        .rows('products'),
  ],
  [
    'an unknown policy',
    () =>
      catalogue('v4/product')
        .from(file, { invalidValues: 'drop' as 'null' })
        .rows('products'),
  ],
  [
    'an unknown table',
    () =>
      catalogue('v4/product')
        .from(file)
        .rows('product_photo' as string),
  ],
  [
    'no table',
    () =>
      catalogue('v4/product')
        .from(file)
        .rows(undefined as unknown as string),
  ],
  [
    'an unknown column',
    () =>
      catalogue('v4/product')
        .from(file)
        .rows('products', { columns: [['cnkk'].join()] }),
  ],
  [
    'an unknown option of rows',
    () =>
      catalogue('v4/product')
        .from(file)
        .rows('products', { colums: ['id'] } as object),
  ],
  [
    'an onReject that is no function',
    () =>
      catalogue('v4/product')
        .from(file)
        .rows('products', { onReject: 1 as never }),
  ],
  [
    'an unknown condition',
    () =>
      catalogue('v4/product')
        .from(file)
        .where({ state: 'active' } as Record<string, string>)
        .rows('products'),
  ],
  ['a condition twice', () => catalogue('v4/product').from(file).where({ status: 'a' }).where({ status: 'b' })],
  ['no batch size', () => catalogue('v4/product').from(file).rows('products').batches(0)],
  [
    'a map that is no function',
    () =>
      catalogue('v4/product')
        .from(file)
        .rows('products')
        .map(undefined as never),
  ],
  ['no options of a service', () => service(null as never)],
])('%s is refused at once by a CatalogueError', (_, use) => {
  expect(use).toThrow(
    expect.objectContaining({
      name: 'CatalogueError',
      code: expect.stringMatching(/USAGE|CONFIG_INVALID/) as string,
    }) as Error,
  )
})

test('a stream is read once, and says so', async () => {
  const products = catalogue('v4/product').from(createReadStream(file))
  await products.rows('products', { columns: ['id'] }).toArray()
  await expect(products.rows('products').toArray()).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('a stream that was read already') as string,
  })
  const values = catalogue('v4/product').from(Readable.from([{ id: 1 }]))
  await expect(values.rows('products').toArray()).rejects.toMatchObject({ code: 'USAGE' })
})
