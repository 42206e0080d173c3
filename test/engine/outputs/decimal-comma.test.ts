import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runPipeline, type PipelineConfig } from '../../../src/index.ts'
import { RunFolder } from '../../cli/run-folder.ts'

/** The columns with fractions; `text` holds the same digits as text. */
const fractions = new Set(['price', 'weight', 'sizes'])
const ways = { plain: {}, merged: { mode: 'merge' }, parted: { partitionBy: ['status'] }, quoted: { quoteAll: true } }

let folder: RunFolder
beforeAll(async () => {
  folder = await RunFolder.create()
  const files = await folder.generate('data.ndjson', 'v4/product', 300)
  for (const [name, dialect] of Object.entries({ point: {}, comma: { delimiter: ';', decimalSeparator: ',' } })) {
    const outputs = Object.entries(ways).map(([way, options]) => ({
      format: 'csv',
      path: folder.at(`out/${name}/${way}/products.csv`),
      ...options,
      ...dialect,
    }))
    const config = {
      name,
      source: { files, contract: 'v4/product' },
      tables: {
        products: {
          columns: [
            'id',
            'status',
            { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
            { column: 'weight', from: 'weightWithUnit.value' },
            { column: 'sizes', from: 'photos[].displayOrder', as: 'decimal(9,3)' },
            { column: 'text', from: 'weightWithUnit.value', as: 'text' },
            { column: 'whole', from: 'weightWithUnit', as: 'json' },
            'meta.updatedAt',
          ],
        },
      },
      outputs,
    } as unknown as PipelineConfig
    await runPipeline(config)
  }
})
afterAll(() => folder.remove())

test.each(Object.keys(ways))('a %s CSV output uses the comma only in fractions', async (way) => {
  const [points, commas] = [await readAll('point', way, ','), await readAll('comma', way, ';')]
  expect(points.length).toBeGreaterThan(100)
  expect(commas).toEqual(points.map(withCommas))
  expect(commas.some(({ price }) => /^\d+,\d\d$/.test(price ?? ''))).toBe(true)
  expect(commas.some(({ weight }) => /^\d+,\d+$/.test(weight ?? ''))).toBe(true)
})

function withCommas(row: Record<string, string>): Record<string, string> {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    fractions.has(name) ? value.replaceAll('.', ',') : value,
  ])
  return Object.fromEntries(cells) as Record<string, string>
}

/** The rows of all files of one output, in the order of their paths. */
async function readAll(name: string, way: string, delimiter: string): Promise<Record<string, string>[]> {
  const from = folder.at(`out/${name}/${way}`)
  const paths = (await readdir(from, { recursive: true })).filter((path) => path.endsWith('.csv')).toSorted()
  const texts = await Promise.all(paths.map((path) => readFile(join(from, path), 'utf8')))
  return texts.flatMap((text) => parse<Record<string, string>>(text, { delimiter, columns: true }))
}
