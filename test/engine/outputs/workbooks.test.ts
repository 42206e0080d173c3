import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { verifyPipeline } from '../../../src/inspect/verify/verify-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import { startS3 } from '../../storage/s3/start-s3.ts'
import { readZip } from '../../formats/xlsx/read-zip.ts'
import { RunFolder, toStream } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

const tables: PipelineConfig['tables'] = { products: {}, product_photos: { each: 'photos[]' } }
const outputs: PipelineConfig['outputs'] = [{ format: 'xlsx', path: 'out/desk.xlsx' }]

test('a workbook has the same bytes for any number of workers', async () => {
  const input = Buffer.concat([...generateLines({ contract: 'v4/product', records: 3000, seed: 7 })])
  await folder.write('input.ndjson', Buffer.concat([input, Buffer.from('garbage\n')]))
  const hashes = []
  for (const [name, options] of Object.entries({ none: { workers: 0 }, three: { workers: 3 } })) {
    const { files } = await folder.run({ tables, outputs }, { ...options, outDir: join(folder.path, name) })
    hashes.push(...files.map(({ sha256 }) => sha256))
  }
  expect(new Set(hashes).size).toBe(1)
})

test('the manifest lists each table of a workbook with its sheet, and verify finds the file as it was published', async () => {
  await folder.write('input.ndjson', toStream(['A', 'B']))
  const { files } = await folder.run({ tables, outputs })
  expect(files.map(({ table, rows, sheets, path }) => ({ table, rows, sheets, path }))).toEqual([
    { table: 'products', rows: 2, sheets: [{ name: 'products', rows: 2 }], path: join(folder.out, 'desk.xlsx') },
    {
      table: 'product_photos',
      rows: 0,
      sheets: [{ name: 'product_photos', rows: 0 }],
      path: join(folder.out, 'desk.xlsx'),
    },
  ])
  expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(1)
  const parts = readZip(await readFile(join(folder.out, 'desk.xlsx')))
  expect([...parts.keys()]).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
    'xl/worksheets/sheet2.xml',
  ])
  const source = { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' } as const
  const plan = planPipeline({ name: 'products', tables, outputs, source }, { outDir: folder.out })
  expect(await verifyPipeline(plan)).toMatchObject({ ok: true, differences: [] })
})

test('each table has its own workbook if the path has {table}, and no other file is left', async () => {
  await folder.write('input.ndjson', toStream(['A']))
  await folder.run({ tables, outputs: [{ format: 'xlsx', path: 'out/{table}.xlsx', tables: ['products'] }] })
  const names = Object.keys(await folder.snapshot(folder.out))
  expect(names.filter((name) => !name.startsWith('_'))).toEqual(['products.xlsx'])
})

test('a run that fails leaves no part of a workbook', async () => {
  await folder.write('input.ndjson', 'garbage\n')
  expect((await folder.fail({ tables, outputs }))?.code).toBe('TOO_MANY_REJECTS')
  expect(Object.keys(await folder.snapshot(folder.out))).toEqual(['_rejects.ndjson'])
})

test('texts longer than a cell are cut and counted by column', async () => {
  const long = '😀'.repeat(16_384)
  await folder.write('input.ndjson', toStream(['A', 'B']).replace('"A"', JSON.stringify(long)))
  const { files } = await folder.run({ outputs })
  expect(files[0]?.cutTexts).toEqual({ id: 1 })
  const sheet = readZip(await readFile(join(folder.out, 'desk.xlsx'))).get('xl/worksheets/sheet1.xml')
  expect(sheet).toContain(`<t>${'😀'.repeat(16_383)}</t>`)
})

test('a workbook is written into a bucket, and verify finds it there', async () => {
  const s3 = await startS3()
  try {
    await folder.write('input.ndjson', toStream(['A', 'B']))
    const source = { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' } as const
    const path = `s3://warehouse/run-${process.pid}/desk.xlsx`
    const config = { name: 'products', tables, outputs: [{ format: 'xlsx', path }], source } satisfies PipelineConfig
    const { files } = await runPipeline(config, { env: { ...s3.env, ...forcedWorkers } })
    expect(new Set(files.map((file) => file.path)).size).toBe(1)
    const plan = planPipeline(config, { env: s3.env })
    expect(await verifyPipeline(plan, { env: s3.env })).toMatchObject({ ok: true, differences: [] })
    expect(await s3.openUploads()).toEqual([])
  } finally {
    await s3.close()
  }
})
