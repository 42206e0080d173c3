import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LakeOutputPlan } from '../../../src/lake/lake-plan.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import { column } from '../../formats/every-type.ts'
import { toRows } from '../../loads/databases/load-model.ts'
import { isFull } from '../../depth.ts'
import { keyed, LakeRig, product } from '../lake-rig.ts'
import { fieldsOf } from '../readers/read-iceberg.ts'
import { type CatalogServer, type Metadata, startCatalog } from './start-catalog.ts'

let server: CatalogServer
let rig: LakeRig
beforeEach(async () => (server = await startCatalog()))
afterEach(async () => {
  await rig.remove()
  await server.close()
})

const modes = ['merge', 'history', 'append', 'snapshot'] as const
const first = [product('A', 'a', ['x']), product('B')]
const second = [product('A', 'a2', ['x', 'y']), product('C')]
const third = [product('A', 'a3'), product('B'), product('D')]
const commitPath = 'transactions/commit'
const listCommits = () => server.requests.filter((each) => /^POST .*(?:\/tables\/.+|transactions\/commit)$/.test(each))
const listFiles = async () => {
  const all = await readdir(server.folder, { recursive: true })
  return all.filter((name) => /\.(?:parquet|avro)$/.test(name)).toSorted()
}

/** Makes a snapshot by hand, with the rows of one that is there. */
async function addSnapshot(operation: string, from: (metadata: Metadata) => Metadata['snapshots'][0] | undefined) {
  const metadata = server.metadataOf('catalogue.products')
  const last = metadata.snapshots.at(-1)
  const id = 9_007_199_254_740_993n + BigInt(metadata.snapshots.length)
  const snapshot = {
    ...from(metadata),
    'snapshot-id': id,
    'parent-snapshot-id': last?.['snapshot-id'],
    'sequence-number': Number(metadata['last-sequence-number']) + 1,
    'timestamp-ms': Date.now(),
    summary: { operation },
  }
  const ref = { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': id }
  await server.update('catalogue.products', [{ action: 'add-snapshot', snapshot }, ref])
}
const rearrange = () => addSnapshot('replace', ({ snapshots }) => snapshots.at(-1))

test.each(modes)('tables in a catalog have the rows of the model after each load of mode %s', async (mode) => {
  rig = await LakeRig.createInCatalog(mode, { url: server.url })
  for (const records of [first, second, second, first]) await rig.night(records)
  expect(await rig.versions()).toEqual([3, 3, 4])
  expect(rig.warnings).toEqual([])
})

test.each(['merge', 'history'] as const)(
  'lists of deleted rows go with the commits to a catalog in mode %s',
  async (mode) => {
    rig = await LakeRig.createInCatalog(mode, { url: server.url }, 'vectors')
    const many = Array.from({ length: 40 }, (_, at) => product(`P${at}`))
    await rig.night(many)
    await rig.night([...many.slice(1), product('A', 'a', ['x'])])
    await rig.night([...many.slice(0, -1), product('A', 'a2', ['y'])])
    const { snapshots } = server.metadataOf('catalogue.products')
    expect(
      snapshots.some(({ summary }) => Number((summary as Record<string, string>)['added-position-deletes']) > 0),
    ).toBe(true)
  },
)

test('all tables of a load and its state are committed in one transaction', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  expect(listCommits()).toEqual(['POST /v1/transactions/commit'])
  const { 'table-changes': changes } = JSON.parse(
    server.bodies.at(server.requests.indexOf(listCommits()[0] ?? '')) ?? '',
  ) as {
    'table-changes': { identifier: { name: string }; requirements: { type: string }[] }[]
  }
  expect(changes.map(({ identifier }) => identifier.name)).toEqual([
    'products',
    'product_photos',
    '_catalogue_etl_nightly',
  ])
  expect(changes[0]?.requirements.map(({ type }) => type)).toEqual([
    'assert-table-uuid',
    'assert-ref-snapshot-id',
    'assert-current-schema-id',
    'assert-last-assigned-field-id',
  ])
})

test('a catalog without transactions gets a commit of each table, and of the state at last', async () => {
  server.settings.hasTransactions = false
  rig = await LakeRig.createInCatalog('append', { url: server.url })
  await rig.night(first)
  expect(listCommits()).toEqual(
    ['products', 'product_photos', '_catalogue_etl_nightly'].map(
      (name) => `POST /v1/namespaces/catalogue/tables/${name}`,
    ),
  )
  server.faults.push({ where: 'POST /v1/namespaces/catalogue/tables/product_photos', how: 403 })
  expect((await rig.fail(second)).outputs).toContain('up to "products", may hold this run already')
  await rig.night(second)
  expect(await rig.versions()).toEqual([3, 2, 2])
})

test('a table gets its place, and the ids of its columns, from the catalog', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  const { metadata, files } = await rig.readInCatalog()
  expect(fieldsOf(metadata).map(({ id }) => id)).toEqual([101, 102, 103, 104])
  expect(metadata.location).toMatch(/\/products-[0-9a-f]{8}$/)
  expect(files[0]?.path).toContain(`${metadata.location.slice('file://'.length)}/data/`)
  expect(metadata.properties).toMatchObject({ 'catalogue-etl.pipeline': 'nightly' })
})

test('a table whose columns are what they were before has its schema of then, and a column that comes again has a new id', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  const [products, photos] = rig.plan.tables as [KeyedTable, KeyedTable]
  const more: LakeOutputPlan = {
    ...rig.plan,
    tables: [
      keyed(products, [...products.columns, column('price', { kind: 'decimal', precision: 12, scale: 2 })]),
      photos,
    ],
  }
  const rows = toRows(first)
  const priced = [rows[0]?.map((row) => [...row, 1250]) ?? [], ...rows.slice(1)]
  await rig.load(rig.nextLoad({ configHash: 'config-2' }), priced, { plan: more })
  await rig.load(rig.nextLoad({ configHash: 'config-3' }), rows)
  await rig.load(rig.nextLoad({ configHash: 'config-4' }), priced, { plan: more })
  const { metadata } = await rig.readInCatalog()
  expect(metadata.schemas.map((schema) => schema['schema-id'])).toEqual([0, 1, 2])
  expect([metadata['current-schema-id'], metadata['last-column-id']]).toEqual([2, 107])
  expect(metadata.snapshots.map((each) => (each as { 'schema-id'?: number })['schema-id'])).toEqual([0, 1, 0, 2])
})

test.each([
  { how: 'lost', takesEffect: true, posts: 2 },
  { how: 500, takesEffect: true, posts: 2 },
  { how: 'lost', takesEffect: false, posts: 3 },
  { how: 503, takesEffect: false, posts: 3 },
] as const)(
  'a commit that a catalog answers with $how counts once, if it took effect ($takesEffect) or not',
  async ({ how, takesEffect, posts }) => {
    rig = await LakeRig.createInCatalog('append', { url: server.url })
    await rig.night(first)
    server.faults.push({ where: commitPath, how, takesEffect })
    await rig.night(second)
    expect(await rig.versions()).toEqual([2, 2, 2])
    expect(listCommits()).toHaveLength(posts)
  },
)

test('a commit that a catalog never answers fails as one of unknown outcome, and keeps its data files', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  const before = await listFiles()
  server.faults.push({ where: commitPath, how: 503, times: Infinity })
  const error = await rig.fail(second)
  expect([error.code, error.outputs]).toEqual(['TARGET_FAILED', undefined])
  expect(error.message).toContain('the commit ended without an answer, and its outcome is unknown')
  expect((await listFiles()).length).toBeGreaterThan(before.length)
  server.faults.length = 0
  await rig.compare()
  await rig.night(second)
}, 60_000)

test('a commit that a catalog refuses changes no table, and its files are removed', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  const before = await listFiles()
  server.faults.push({ where: commitPath, how: 403 })
  const error = await rig.fail(second)
  expect([error.code, error.outputs]).toEqual(['TARGET_REFUSED', undefined])
  expect(await listFiles()).toEqual(before)
  await rig.compare()
  await rig.night(second)
})

test('a catalog that makes only a part of a transaction is found out, and the next load brings all tables together', async () => {
  rig = await LakeRig.createInCatalog('history', { url: server.url })
  await rig.night(first)
  server.settings.isTorn = true
  const error = await rig.fail(second)
  expect([error.code, error.message]).toEqual([
    'TARGET_FAILED',
    expect.stringContaining('the catalog has made a part of it') as string,
  ])
  server.settings.isTorn = false
  await rig.night(third)
  expect(await rig.versions()).toEqual([3, 2, 2])
})

test('a load that another engine overtakes plans only the table anew that changed, on its newer version', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  let times = 1
  server.onCommit = async () => {
    if (times-- > 0) await rearrange()
  }
  const before = await listFiles()
  await rig.night(second)
  expect(await rig.versions()).toEqual([3, 2, 2])
  const added = (await listFiles()).filter((name) => name.endsWith('.parquet') && !before.includes(name))
  expect(added).toHaveLength(3)
})

test.skipIf(!isFull)(
  'a commit that always comes second fails, and nothing of it stays',
  async () => {
    rig = await LakeRig.createInCatalog('merge', { url: server.url })
    await rig.night(first)
    const before = await listFiles()
    server.onCommit = rearrange
    const error = await rig.fail(second)
    expect([error.code, error.message]).toEqual([
      'TARGET_FAILED',
      expect.stringContaining('expected to come first with a commit, but others did 10 times') as string,
    ])
    server.onCommit = null
    expect((await listFiles()).filter((name) => name.endsWith('.avro'))).toEqual(
      before.filter((name) => name.endsWith('.avro')),
    )
    await rig.compare()
  },
  60_000,
)

test('of two loads of one pipeline at the same time the later one fails, and the catalog holds the other', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  const slow = await rig.begin(rig.nextLoad(), third)
  await rig.night(second)
  await expect(slow.commit()).rejects.toMatchObject({ code: 'LOCKED' })
  await slow.discard()
  await rig.compare()
})

test.each(modes)(
  'a table of mode %s that others rolled back, or whose rows they changed, gets its rows again',
  async (mode) => {
    rig = await LakeRig.createInCatalog(mode, { url: server.url })
    await rig.night(first)
    await rig.night(second)
    const [begun] = server.metadataOf('catalogue.products').snapshots
    const ref = {
      action: 'set-snapshot-ref',
      'ref-name': 'main',
      type: 'branch',
      'snapshot-id': begun?.['snapshot-id'],
    }
    await server.update('catalogue.products', [ref])
    await rig.night(third)
    await addSnapshot('overwrite', ({ snapshots }) => snapshots[0])
    await rig.night(first)
    expect(server.metadataOf('catalogue.products').snapshots).toHaveLength(5)
  },
)

test('snapshots that others rearranged and expired do no harm, as far as metadata files tell of them', async () => {
  rig = await LakeRig.createInCatalog('history', { url: server.url })
  await rig.night(first)
  const expire = async () => {
    const { snapshots } = server.metadataOf('catalogue.products')
    const ids = snapshots.slice(0, -1).map((each) => each['snapshot-id'])
    await server.update('catalogue.products', [{ action: 'remove-snapshots', 'snapshot-ids': ids }])
  }
  await rearrange()
  await expire()
  await rig.night(second)
  await rearrange()
  await rearrange()
  await expire()
  await rig.night(third)
  expect(rig.warnings).toEqual([])
})

test('a column that others added is refused', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  const { schemas } = server.metadataOf('catalogue.products') as unknown as { schemas: { fields: object[] }[] }
  const fields = [...(schemas[0]?.fields ?? []), { id: 200, name: 'own', required: false, type: 'string' }]
  const schema = { type: 'struct', fields }
  const current = { action: 'set-current-schema', 'schema-id': -1 }
  await server.update('catalogue.products', [{ action: 'add-schema', schema }, current])
  const error = await rig.fail(second)
  expect([error.code, error.message]).toEqual([
    'TARGET_MISMATCH',
    expect.stringContaining('expected the columns that the last load left') as string,
  ])
})

test('a table that was dropped is made anew by a full load, and a history is not', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  server.drop('catalogue.products')
  await rig.night(second)
  await rig.remove()
  server.drop('catalogue.products')
  server.drop('catalogue.product_photos')
  server.drop('catalogue._catalogue_etl_nightly')
  rig = await LakeRig.createInCatalog('history', { url: server.url })
  await rig.night(first)
  server.drop('catalogue.products')
  expect((await rig.fail(second)).code).toBe('TARGET_MISMATCH')
})

test('tables of another pipeline, and of somebody else, are refused', async () => {
  rig = await LakeRig.createInCatalog('merge', { url: server.url })
  await rig.night(first)
  const other = { ...rig.plan, pipeline: 'other' }
  await expect(rig.load(rig.nextLoad(), toRows(first), { plan: other })).rejects.toMatchObject({
    code: 'TARGET_MISMATCH',
    message: expect.stringContaining('got one of pipeline "nightly"') as string,
  })
})

test('a killed first load leaves tables without rows, which the next one fills', async () => {
  rig = await LakeRig.createInCatalog('append', { url: server.url })
  const begun = await rig.begin(rig.nextLoad(), second)
  await begun.discard()
  expect((await rig.readInCatalog()).files).toEqual([])
  await rig.night(first)
  expect((await listFiles()).filter((name) => name.endsWith('.parquet'))).toHaveLength(3)
})
