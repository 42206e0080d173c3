import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import { RunFolder } from '../../../engine/run-folder.ts'
import { generateProducts } from '../seed-changes.ts'
import { compareRuns, publishRun } from './publish-run.ts'

let folder: RunFolder
beforeAll(async () => {
  folder = await RunFolder.create()
})
afterAll(() => folder.remove())

describe('files of published runs', () => {
  const products = generateProducts(40, 1)

  test('in a copy are never replaced by those of a later run', async () => {
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

  test('published elsewhere are compared if they match the manifest', async () => {
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
  ] as const)('in CSV with another %s are refused if the manifest does not state it', async (name, dialect) => {
    const tables = { t: { columns: ['id', { from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' }, 'name'] } }
    const named = products.map((product) => ({ ...product, name: { nl: 'with "quotes", and a comma' } }))
    const folderOf = (side: string) => `${name.replaceAll(' ', '-')}-${side}`
    const outputs = [{ format: 'csv' as const, path: '{table}.csv', ...dialect }]
    const config = { tables, locales: ['nl'] } as Partial<PipelineConfig>
    const old = await publishRun(folder, folderOf('old'), named, 'csv', config)
    const next = await publishRun(folder, folderOf('new'), named, 'csv', { ...config, outputs })
    const path = join(next, '_manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8')) as { files: { dialect?: object }[] }
    expect(manifest.files.map((file) => file.dialect)).toEqual([dialect])
    delete manifest.files[0]?.dialect
    await writeFile(path, JSON.stringify(manifest))
    await expect(compareRuns(old, next)).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      message: expect.stringContaining(
        `${join(next, 't.csv')}: expected CSV as its manifest says, or as runs write it by default, got: `,
      ),
      fix: expect.stringContaining('Run the pipeline again'),
    })
  })

  test('in CSV are read in the dialect of the manifest, and one of several outputs of a table is compared', async () => {
    const columns = ['id', 'name', 'ean', { column: 'eur', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' }]
    const config = { tables: { products: { columns } } } as Partial<PipelineConfig>
    const parquet = await publishRun(folder, 'usual', products, 'parquet', config)
    const excel = { delimiter: ';', decimalSeparator: ',', quoteAll: true, bom: true, lineBreak: 'crlf' } as const
    const bare = { header: false, quote: "'", listSeparator: '/', escapeFormulas: true } as const
    for (const [name, dialect] of Object.entries({ excel, bare })) {
      const outputs: PipelineConfig['outputs'] = [
        { format: 'csv', path: '{table}.csv', ...dialect },
        { format: 'csv', path: 'more/{table}.csv' },
      ]
      const written = await publishRun(folder, name, products, 'csv', { ...config, outputs })
      const { report, warnings } = await compareRuns(parquet, written)
      expect({ name, warnings, tables: report.tables }).toMatchObject({
        warnings: [],
        tables: [{ new: 0, removed: 0, changed: 0, unchanged: 40 }],
      })
    }
  })

  test('in subfolders are listed if only the parent folder is given', async () => {
    const run = await publishRun(folder, 'several/one', products, 'csv')
    await expect(compareRuns(join(folder.path, 'several'), run)).rejects.toMatchObject({
      code: 'USAGE',
      message: `${join(folder.path, 'several')}: expected an export, a landing or a published run, got a folder with a published run in it`,
      fix: `Name one of its folders: ${run}.`,
    })
  })
})
