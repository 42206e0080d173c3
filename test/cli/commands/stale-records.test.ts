import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

beforeAll(async () => {
  folder = await RunFolder.create()
})
afterAll(() => folder.remove())

test('a record whose newest version is rejected counts as stale in the report of a run, its metrics and its state', async () => {
  const good = '{"id": "A", "publicPrice": 1}\n{"id": "B"}\n'
  const input = await folder.write('input.ndjson', good)
  const config = await folder.write(
    'products.yaml',
    `name: products
source: { files: "${input}", contract: v4/product }
rejects: { limit: 1 }
tables: { products: { columns: [id, publicPrice] } }
outputs: [{ format: ndjson, mode: merge }]
`,
  )
  const metrics = folder.at('catalogue.prom')
  const run = () => runInMemory(['run', config, '--out', folder.out, '--metrics', metrics])
  expect((await run()).stderr).not.toContain('stale')
  expect(await readFile(metrics, 'utf8')).toContain('catalogue_etl_published_stale{pipeline="products"} 0\n')
  await folder.write('input.ndjson', good.replace('1}', '"no price"}'))
  const { exitCode, stderr } = await run()
  expect(exitCode).toBe(0)
  const text = 'the newest version of 1 record was rejected: older rows stay; the next run reads everything\n'
  expect(stderr.replaceAll(/\n +/g, ' ')).toContain(`! ${text.trim()}`)
  expect(await readFile(metrics, 'utf8')).toContain('catalogue_etl_published_stale{pipeline="products"} 1\n')
  expect((await runInMemory(['state', 'show', config, '--out', folder.out])).stdout).toContain(`stale     ${text}`)
  expect(await readFile(`${folder.out}/products/products.ndjson`, 'utf8')).toContain('{"id":"A","public_price":1}')
})
