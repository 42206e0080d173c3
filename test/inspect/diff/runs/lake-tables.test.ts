import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CatalogueError } from '../../../../src/errors.ts'
import { RunFolder } from '../../../engine/run-folder.ts'
import { forcedWorkers } from '../../../forced-workers.ts'
import { startS3, type S3Server } from '../../../storage/s3/start-s3.ts'
import { changeProducts, generateProducts, toStream } from '../seed-changes.ts'
import { compareRuns, publishRun, tables } from './publish-run.ts'

let folder: RunFolder
let server: S3Server
beforeAll(async () => {
  folder = await RunFolder.create()
  server = await startS3()
})
afterAll(async () => {
  await server.close()
  await folder.remove()
})

const products = generateProducts(60, 5)
const changed = changeProducts(products, 5)

/** Loads the products twice into one lake, and keeps the manifest of the first run in another folder. */
async function loadTwice(name: string, format: 'delta' | 'iceberg', lake: string) {
  const env = { ...forcedWorkers, ...server.env }
  const outDir = join(folder.path, name)
  const outputs = [{ format, path: `${lake}/{table}`, mode: 'snapshot' } as const]
  const manifest = { path: join(outDir, '_manifest.json') }
  for (const records of [products, changed]) {
    const files = await folder.write(`${name}.ndjson`, toStream(records))
    await folder.run({ locales: ['nl', 'fr'], tables, outputs, manifest, source: { files } }, { outDir, env })
    if (records === products) await cp(outDir, `${outDir}-before`, { recursive: true })
  }
  return { old: `${outDir}-before`, next: outDir, env }
}

async function failureOf(promise: Promise<unknown>): Promise<CatalogueError> {
  return promise.then(
    () => Promise.reject(new Error('expected an error')),
    (thrown: unknown) => thrown as CatalogueError,
  )
}

describe.each(['delta', 'iceberg'] as const)('runs into a lake of %s', (format) => {
  const lakeOf = (name: string) => join(folder.path, `lakes/${format}-${name}`)

  test('are compared at the versions of their manifests, as their files would be', async () => {
    const { report: expected } = await compareRuns(
      await publishRun(folder, `${format}-files`, products, 'parquet'),
      await publishRun(folder, `${format}-files-later`, changed, 'parquet'),
    )
    const { old, next } = await loadTwice(`${format}-runs`, format, lakeOf('runs'))
    const { report, warnings } = await compareRuns(old, next)
    expect(report).toEqual({ ...expected, old: { ...report.old, kind: 'run' }, new: { ...report.new, kind: 'run' } })
    expect(report.tables.map(({ changed: rows }) => rows)).not.toContain(0)
    expect(warnings).toEqual([])
    // Files and tables of lakes may stand beside each other.
    const { report: mixed } = await compareRuns(join(folder.path, `${format}-files`), old)
    expect(mixed.equal).toBe(true)
  })

  test('are compared in a bucket, and their tables by their versions', async () => {
    const { old, next, env } = await loadTwice(`${format}-bucket`, format, `s3://warehouse/${format}`)
    const { report } = await compareRuns(old, next, { env })
    expect(report.tables.map(({ name }) => name)).toEqual(['products', 'product_photos', 'eans'])
    const [first] = report.tables
    const start = format === 'delta' ? 0 : 1
    const table = `s3://warehouse/${format}/products`
    const { report: ofTable } = await compareRuns(`${table}@${start}`, table, { env })
    expect(ofTable).toMatchObject({
      old: { path: `${table}@${start}`, kind: 'table', time: null },
      new: { path: `${table}@${start + 1}` },
      ignored: report.ignored,
    })
    expect(ofTable.tables).toEqual([first])
    const { report: same } = await compareRuns(`${table}@v${start}`, `${table}@${start}`, { env })
    expect(same.equal).toBe(true)
  })

  test('are not compared if a version, or a file of it, is gone', async () => {
    const { old, next } = await loadTwice(`${format}-gone`, format, lakeOf('gone'))
    const table = lakeOf('gone/products')
    const later = await failureOf(compareRuns(`${table}@1`, `${table}@7`))
    expect(later.code).toBe('SOURCE_NOT_FOUND')
    expect(later.message).toMatch(/products: expected version 7 with its files, but the newest is \d$/)
    for (const name of await readdir(table, { recursive: true }))
      if (name.endsWith('.parquet')) await rm(join(table, name))
    const gone = await failureOf(compareRuns(old, next))
    expect(gone.code).toBe('SOURCE_NOT_FOUND')
    expect(gone.message).toMatch(
      /products: expected version \d with its files, but \S+\.parquet is not as it was written$/,
    )
    await rm(lakeOf('gone'), { recursive: true })
    const nothing = await failureOf(compareRuns(old, next))
    expect(nothing.message).toBe(`${table}: expected a table of a lake, got nothing there`)
  })
})
