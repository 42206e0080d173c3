import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { profilePipeline } from '../../../src/inspect/profile/profile-pipeline.ts'
import { verifyPipeline } from '../../../src/inspect/verify/verify-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'
import { checkText } from '../../plan/check-text.ts'
import { type CatalogServer, startCatalog } from './start-catalog.ts'

let folder: StateFolder
let server: CatalogServer
beforeEach(async () => {
  folder = await StateFolder.create()
  server = await startCatalog()
})
afterEach(async () => {
  await server.close()
  await folder.close()
})

const token = 'secret-token-of-catalog'

test('tables of a catalog may be the only outputs: the manifest has their versions and snapshots, and no file has the token', async () => {
  server.settings.token = token
  const outputs: NonNullable<PipelineConfig['outputs']> = [
    { format: 'iceberg', catalog: { url: server.url, token }, namespace: 'catalogue' },
  ]
  const config = { outputs, manifest: { path: 'out/_manifest.json' } }
  const first = await folder.run(config)
  const snapshot = (name: string) => String(server.metadataOf(`catalogue.${name}`)['current-snapshot-id'])
  expect(first.databases).toMatchObject([
    {
      target: `${server.url}, catalogue.{table}`,
      format: 'iceberg',
      catalog: server.url,
      mode: 'merge',
      tables: [
        { name: 'products', version: 1, snapshot: snapshot('products') },
        { name: 'photos', version: 1, snapshot: snapshot('photos') },
      ],
    },
  ])
  folder.sandbox.advance()
  const second = await folder.run(config)
  expect(second.state.kind).toBe('delta')
  expect(second.databases?.[0]?.tables[0]).toMatchObject({ version: 2, snapshot: snapshot('products') })
  const again = await folder.run(config)
  expect(again.databases?.[0]?.tables.map(({ rowsWritten }) => rowsWritten)).toEqual([0, 0])
  const plan = planPipeline(folder.config(config), { outDir: folder.path, env: {} })
  expect(await verifyPipeline(plan, { env: {} })).toMatchObject({ ok: true })
  const { tables } = await profilePipeline(plan, { env: {} })
  expect(tables[0]).toMatchObject({ name: 'products', rows: 61 })
  server.drop('catalogue.photos')
  expect((await verifyPipeline(plan, { env: {} })).differences).toMatchObject([{ kind: 'missing', got: 'no table' }])
  const texts = (await readdir(folder.path, { recursive: true })).filter((name) => /\.(?:json|html)$/.test(name))
  const contents = await Promise.all(texts.map((name) => readFile(join(folder.path, name), 'utf8')))
  expect(contents.length).toBeGreaterThan(2)
  expect(contents.join('\n')).not.toContain(token)
  expect(JSON.stringify(plan)).not.toContain(token)
})

const begun = `name: products
source: { files: data/*.ndjson, contract: v4/product }
outputs:
  - `
const access = { CATALOG: 'https://catalog.example.com/api', TOKEN: 'secret-1' }

test.each([
  ["{ format: iceberg, catalog: { url: '${CATALOG}', token: '${TOKEN}' }, namespace: shop.catalogue }", []],
  [
    "{ format: iceberg, catalog: { url: '${CATALOG}' }, namespace: catalogue, path: 'lake/{table}' }",
    ['path: expected none beside a catalog, which says where tables are'],
  ],
  [
    "{ format: iceberg, catalog: { url: '${CATALOG}' } }",
    ['catalog: expected the namespace of its tables beside it, got none'],
  ],
  ['{ format: iceberg, namespace: catalogue }', ['namespace: expected a catalog that it is in, got none']],
  [
    '{ format: iceberg, catalog: { url: catalog.example.com }, namespace: catalogue }',
    ['catalog.url: expected an address such as https://catalog.example.com/api, got "catalog.example.com"'],
  ],
  [
    '{ format: iceberg, catalog: { url: https://catalog.example.com/api/v1 }, namespace: catalogue }',
    [
      'catalog.url: expected an address such as https://catalog.example.com/api, which ends before /v1, got "https://catalog.example.com/api/v1"',
    ],
  ],
  [
    '{ format: iceberg, catalog: { url: https://ana:secret@catalog.example.com }, namespace: catalogue }',
    [
      'catalog.url: expected an address such as https://catalog.example.com/api, got one with a user or a password: `token` or `credential` have them',
    ],
  ],
  [
    "{ format: iceberg, catalog: { url: '${CATALOG}', token: '${TOKEN}', credential: 'etl:x' }, namespace: catalogue }",
    ['catalog.credential: expected a token or a credential, got both'],
  ],
  [
    "{ format: delta, catalog: { url: '${CATALOG}' }, namespace: catalogue }",
    ['unknown key "catalog"', 'unknown key "namespace"'],
  ],
])('a config with the output %s has the problems %j', (output, problems) => {
  const found = checkText(`${begun}${output}\n`, { env: access }).map((line) => line.replace(/^\d+:\d+ /, ''))
  expect(found.map((line) => line.slice(0, problems[0]?.startsWith('unknown') ? 20 : undefined).trim())).toEqual(
    problems.map((line) => line.slice(0, problems[0]?.startsWith('unknown') ? 20 : undefined).trim()),
  )
})

test('a credential is a client id and its secret, which no problem shows', () => {
  const text = `${begun}{ format: iceberg, catalog: { url: '\${CATALOG}', credential: only-a-secret }, namespace: catalogue }\n`
  const problems = checkText(text, { env: access })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('id:secret of a client')
  expect(problems[0]).not.toContain('only-a-secret')
})

test('check needs no variables of a catalog, and a run does', async () => {
  const text = `${begun}{ format: iceberg, catalog: { url: '\${CATALOG}', token: '\${TOKEN}' }, namespace: catalogue }\n`
  expect(checkText(text)).toEqual([])
  expect(checkText(text, { needsDatabases: true })).toEqual([
    expect.stringContaining('CATALOG') as string,
    expect.stringContaining('TOKEN') as string,
  ])
})
