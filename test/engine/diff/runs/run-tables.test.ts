import { cp, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../../src/config/pipeline-schema.ts'
import { RunFolder } from '../../run-folder.ts'
import { generateProducts } from '../seed-changes.ts'
import { compareRuns, publishRun } from './publish-run.ts'

let folder: RunFolder
beforeAll(async () => {
  folder = await RunFolder.create()
})
afterAll(() => folder.remove())

describe('files of published runs', () => {
  const products = generateProducts(40, 1)

  test('that were copied are never taken from the place of a later run', async () => {
    const copy = join(folder.path, 'later-copy')
    const next = await publishRun(folder, 'later', products, 'csv')
    await cp(next, copy, { recursive: true })
    // As many bytes as before.
    await publishRun(
      folder,
      'later',
      products.map((product) => ({ ...product, status: 'astive' })),
      'csv',
    )
    await truncate(join(copy, 'products.csv'), 100)
    await expect(compareRuns(copy, next)).rejects.toMatchObject({
      code: 'SOURCE_CHANGED',
      message: expect.stringContaining(`${join(copy, 'products.csv')}: expected the file of`),
    })
    await rm(join(copy, 'products.csv'))
    await expect(compareRuns(copy, next)).rejects.toMatchObject({
      code: 'SOURCE_CHANGED',
      message: expect.stringMatching(/later-copy.products.csv: expected the file of \d+ bytes .*, got no file/),
    })
  })

  test('that published elsewhere are compared while their files are those of the manifest', async () => {
    const outputs = [{ format: 'csv' as const, path: join(folder.path, 'elsewhere', '{table}.csv') }]
    const manifest = { path: join(folder.path, 'apart', '_manifest.json') }
    await publishRun(folder, 'apart', products, 'csv', { outputs, manifest })
    const next = join(folder.path, 'apart')
    const copy = join(folder.path, 'apart-copy')
    await cp(next, copy, { recursive: true })
    expect((await compareRuns(copy, next)).report.equal).toBe(true)
    const renamed = products.map((product) => ({ ...product, status: 'astive' }))
    await publishRun(folder, 'apart', renamed, 'csv', { outputs, manifest })
    await expect(compareRuns(copy, next)).rejects.toMatchObject({
      code: 'SOURCE_CHANGED',
      message: expect.stringMatching(/products.csv: expected the file that .*apart-copy.* lists, got another/),
    })
  })

  test.each([
    ['delimiter', { delimiter: ';' }],
    ['quote', { quote: "'" }],
    ['header', { header: false }],
    ['decimal separator', { delimiter: ';', decimalSeparator: ',' }],
  ] as const)('of CSV with another %s are refused', async (name, dialect) => {
    const tables = { t: { columns: ['id', { from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' }, 'name'] } }
    const named = products.map((product) => ({ ...product, name: { nl: 'with "quotes", and a comma' } }))
    const folderOf = (side: string) => `${name.replaceAll(' ', '-')}-${side}`
    const outputs = [{ format: 'csv' as const, path: '{table}.csv', ...dialect }]
    const config = { tables, locales: ['nl'] } as Partial<PipelineConfig>
    const old = await publishRun(folder, folderOf('old'), named, 'csv', config)
    const next = await publishRun(folder, folderOf('new'), named, 'csv', { ...config, outputs })
    await expect(compareRuns(old, next)).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      message: expect.stringContaining(`${join(next, 't.csv')}: expected CSV as runs write it by default, got: `),
      fix: expect.stringContaining('Publish Parquet or NDJSON'),
    })
  })
})
