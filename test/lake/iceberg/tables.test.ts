import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseManifest, parseManifestList } from '../../../src/lake/iceberg/manifests.ts'
import { parseMetadata, type Snapshot, type TableMetadata } from '../../../src/lake/iceberg/table-metadata.ts'
import { formatExactJson } from '../../../src/lake/iceberg/exact-json.ts'
import type { LakeOutputPlan } from '../../../src/lake/lake-plan.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import { column } from '../../formats/every-type.ts'
import { toRows } from '../../loads/databases/load-model.ts'
import { LakeRig, product } from '../lake-rig.ts'
import { fieldsOf, type IcebergTable } from '../readers/read-iceberg.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const modes = ['merge', 'history', 'append', 'snapshot'] as const
const first = [product('A', 'a', ['x']), product('B')]
const second = [product('A', 'a2', ['x', 'y']), product('C')]

test('a version of a table has the snapshots, schemas and logs that format version 2 asks for', async () => {
  rig = await LakeRig.create('merge', null, 'iceberg')
  await rig.night(first)
  await rig.night(second)
  const { metadata, version, files } = await readTable()
  expect(version).toBe(2)
  expect(metadata).toMatchObject({
    'format-version': 2,
    location: `file://${rig.table()}`,
    'last-sequence-number': 2,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    'metadata-log': [{ 'metadata-file': `file://${rig.table()}/metadata/v1.metadata.json` }],
    properties: { 'catalogue-etl.pipeline': 'nightly' },
  })
  expect(metadata.snapshots.map(({ summary }) => summary)).toMatchObject([
    { operation: 'append', 'added-records': '2', 'total-records': '2', 'catalogue-etl.load': '1' },
    {
      operation: 'overwrite',
      'added-records': '2',
      'deleted-records': '2',
      'total-records': '2',
      'total-data-files': '1',
    },
  ])
  expect(metadata.snapshots[1]?.['parent-snapshot-id']).toBe(metadata.snapshots[0]?.['snapshot-id'])
  expect(metadata['snapshot-log']).toHaveLength(2)
  expect(files).toHaveLength(1)
  expect(await readFile(join(rig.table(), 'metadata/version-hint.text'), 'utf8')).toBe('2')
})

test('ids of columns stay, elements of lists come behind all columns, and a new column gets a new id in a new schema', async () => {
  rig = await LakeRig.create('append', null, 'iceberg')
  await rig.night(first)
  const before = (await readTable()).metadata
  expect(fieldsOf(before).map(({ id, name, type }) => [id, name, type])).toEqual([
    [1, 'id', 'string'],
    [2, 'name', 'string'],
    [3, 'updated_at', 'timestamptz'],
    [4, 'photos', { type: 'list', 'element-id': 7, element: 'string', 'element-required': false }],
    [5, 'run_date', 'date'],
    [6, 'run_id', 'string'],
  ])
  const [products, photos] = rig.plan.tables as [KeyedTable, KeyedTable]
  const columns = [
    ...products.columns.filter(({ name }) => name !== 'name'),
    column('tags', 'text', true),
    column('price', { kind: 'decimal', precision: 12, scale: 2 }),
  ]
  const plan: LakeOutputPlan = { ...rig.plan, tables: [{ ...products, columns }, photos] }
  const rows = toRows([product('A', 'a'), product('D')])
  const priced = rows[0]?.map(([id = null, , at = null, some = null]) => [id, at, some, ['t'], 1250]) ?? []
  await rig.load(rig.nextLoad({ configHash: 'config-2' }), [priced, ...rows.slice(1)], { plan })
  const { metadata, files } = await readTable()
  expect(metadata.schemas.map((schema) => schema['schema-id'])).toEqual([0, 1])
  expect(fieldsOf(metadata).map(({ id, name }) => [id, name])).toEqual([
    [1, 'id'],
    [3, 'updated_at'],
    [4, 'photos'],
    [8, 'tags'],
    [9, 'price'],
    [2, 'name'],
    [5, 'run_date'],
    [6, 'run_id'],
  ])
  expect(metadata['last-column-id']).toBe(10)
  expect(files).toHaveLength(2)
})

test('columns have descriptions, and bounds, counts and sequence numbers are in the manifests', async () => {
  rig = await LakeRig.create('append', null, 'iceberg')
  const meanings = [
    { description: 'One row a product.', columns: { name: 'Its name' } },
    { description: '', columns: {} },
  ]
  const plan = { ...rig.plan, meanings }
  await rig.load(rig.nextLoad(), toRows([product('A', null, [], 1_000), product('Z', 'é', [], 2_000)]), { plan })
  await rig.load(rig.nextLoad({ runId: 'again' }), toRows([product('A', 'b')]), { plan })
  const { metadata, files } = await readTable()
  expect(metadata.properties['comment']).toBe('One row a product.')
  expect(fieldsOf(metadata)[1]).toMatchObject({ name: 'name', doc: 'Its name' })
  expect(files.map(({ sequence, rows }) => `${sequence}: ${rows}`).toSorted()).toEqual(['1: 2', '2: 1'])
  const list = parseManifestList(await readFile(pathOf(metadata.snapshots[0]?.['manifest-list'])))
  const [entry] = parseManifest(await readFile(pathOf(list[0]?.manifest_path)), list[0]!)
  const { null_value_counts, lower_bounds, upper_bounds } = entry!.data_file
  expect(null_value_counts?.slice(0, 3)).toEqual([
    { key: 1, value: 0n },
    { key: 2, value: 1n },
    { key: 3, value: 0n },
  ])
  const boundsOf = (all: typeof lower_bounds) => all?.slice(0, 3).map(({ key, value }) => [key, value.toString('hex')])
  expect(boundsOf(lower_bounds)).toEqual([
    [1, '41'],
    [2, 'c3a9'],
    [3, '40420f0000000000'],
  ])
  expect(boundsOf(upper_bounds)).toEqual([
    [1, '5a'],
    [2, 'c3a9'],
    [3, '80841e0000000000'],
  ])
})

test('a load in which nothing changed makes no version of a table', async () => {
  rig = await LakeRig.create('merge', null, 'iceberg')
  await rig.night(first)
  await rig.night(first)
  expect(await rig.versions()).toEqual([1, 1, 2])
})

test('many versions keep few manifests, and read the same', async () => {
  rig = await LakeRig.create('append', null, 'iceberg')
  const nights = Array.from({ length: 17 }, (_, night) => [product('A', `a${night}`)])
  for (const records of nights.slice(1)) {
    await rig.load(rig.nextLoad(), toRows(records))
    rig.remember(records)
  }
  await rig.night(nights[0] ?? [])
  const { metadata, files } = await readTable()
  expect(files).toHaveLength(17)
  const list = parseManifestList(await readFile(pathOf(metadata.snapshots.at(-1)?.['manifest-list'])))
  expect(list.length).toBeLessThan(8)
  expect(new Set(files.map(({ sequence }) => sequence)).size).toBe(17)
}, 120_000)

test.each(modes)(
  'a table of mode %s is as the loads left it again after another program rolled it back',
  async (mode) => {
    rig = await LakeRig.create(mode, null, 'iceberg')
    await rig.night(first)
    await rig.night(second)
    await change((metadata) => setCurrent(metadata, metadata.snapshots[0]))
    await rig.night(first)
    // Another number of rows is in the report.
    expect(rig.warnings).toHaveLength(mode === 'merge' || mode === 'snapshot' ? 1 : 0)
    const { files, metadata } = await readTable()
    // A file that was gone for a while is not listed again, as an engine may remove it for good.
    const former = await listPaths(metadata.snapshots[1]?.['manifest-list'])
    const again = files.filter(({ path }) => former.includes(path)).length
    expect(again).toBe(mode === 'append' ? 1 : 0)
  },
)

test('a snapshot of the same rows by another program, and its properties, do no harm', async () => {
  rig = await LakeRig.create('merge', null, 'iceberg')
  await rig.night(first)
  await change((metadata) => {
    const newest = metadata.snapshots.at(-1)!
    // As an id that no number holds exactly.
    const compacted = {
      ...newest,
      'snapshot-id': 2n ** 62n + 1n,
      'parent-snapshot-id': newest['snapshot-id'],
      'sequence-number': 2n,
      summary: { operation: 'replace' },
    }
    const added = { ...metadata, snapshots: [...metadata.snapshots, compacted], 'last-sequence-number': 2n }
    return setCurrent({ ...added, properties: { ...added.properties, owner: 'them' } }, compacted)
  })
  await rig.night(first)
  expect(rig.warnings).toEqual([])
  await rig.night(second)
  const { metadata } = await readTable()
  expect(metadata.properties['owner']).toBe('them')
  expect(metadata.snapshots.map((each) => each['snapshot-id'])[1]).toBe('4611686018427387905')
  expect(metadata.snapshots[2]?.['parent-snapshot-id']).toBe('4611686018427387905')
})

test('a load plans again if another program commits while it does', async () => {
  rig = await LakeRig.create('merge', null, 'iceberg')
  await rig.night(first)
  await rig.night(second, () => change((metadata) => ({ ...metadata, properties: { ...metadata.properties, x: 'y' } })))
  expect(await rig.versions()).toEqual([3, 2, 2])
})

test('a version of another load of the pipeline, which runs at the same time, ends the load', async () => {
  rig = await LakeRig.create('merge', null, 'iceberg')
  await rig.night(first)
  const meanwhile = async () => void (await rig.load(rig.nextLoad({ runId: 'other' }), toRows(second)))
  expect(await rig.fail([product('A', 'a3')], { meanwhile })).toMatchObject({ code: 'LOCKED' })
})

test.each<{ what: string; edit: (metadata: TableMetadata) => TableMetadata; message: string }>([
  {
    what: 'of another pipeline',
    edit: (metadata) => ({ ...metadata, properties: { ...metadata.properties, 'catalogue-etl.pipeline': 'other' } }),
    message: 'one of pipeline "other"',
  },
  {
    what: 'of somebody else',
    edit: (metadata) => ({ ...metadata, properties: {} }),
    message: 'one that catalogue-etl has not made',
  },
  {
    what: 'of a newer format version',
    edit: (metadata) => ({ ...metadata, 'format-version': 3 }),
    message: 'one of format version 3',
  },
  {
    what: 'with partitions',
    edit: (metadata) => ({ ...metadata, 'partition-specs': [{ 'spec-id': 0, fields: [{ name: 'day' }] }] }),
    message: 'one that is partitioned',
  },
  {
    what: 'with a required column',
    edit: (metadata) => ({ ...metadata, schemas: metadata.schemas.map(requireFirst) }),
    message: 'one whose column "id" is required',
  },
  {
    what: 'with compressed metadata',
    edit: (metadata) => ({
      ...metadata,
      properties: { ...metadata.properties, 'write.metadata.compression-codec': 'gzip' },
    }),
    message: 'one with `write.metadata.compression-codec` = gzip',
  },
  {
    what: 'that was moved',
    edit: (metadata) => ({ ...metadata, location: 'file:///elsewhere/products' }),
    message: 'expected files in its folder, got "file:///elsewhere/products/metadata"',
  },
  {
    what: 'with another column than the loads left',
    edit: (metadata) => ({
      ...metadata,
      schemas: [
        ...metadata.schemas,
        { ...metadata.schemas[0]!, 'schema-id': 1, fields: metadata.schemas[0]!.fields.slice(1) },
      ],
      'current-schema-id': 1,
    }),
    message: 'expected the columns that the last load left, got others since version 2, by somebody else',
  },
])('a table $what is refused before anything is written', async ({ edit, message }) => {
  rig = await LakeRig.create('merge', null, 'iceberg')
  await rig.night(first)
  await change(edit)
  const error = await rig.fail(second)
  expect(error).toMatchObject({ code: 'TARGET_MISMATCH' })
  expect(error.message).toContain(message)
  expect(await readFile(join(rig.table(), 'metadata/version-hint.text'), 'utf8')).toBe('1')
})

test('metadata that is missing or damaged is said, and a table of a catalog is refused', async () => {
  rig = await LakeRig.create('history', null, 'iceberg')
  await rig.night(first)
  await rig.night(second)
  const newest = join(rig.table(), 'metadata/v2.metadata.json')
  const text = await readFile(newest)
  await writeFile(newest, '{"format-version":2}')
  expect((await rig.fail(first)).message).toContain("got version 2 with metadata that can't be read")
  await rm(newest)
  expect((await rig.fail(first)).message).toContain('it is at version 1, and the last load left version 2')
  await writeFile(newest, text)
  const foreign = join(rig.table(), 'metadata/00001-5f0e.metadata.json')
  await writeFile(foreign, text)
  expect((await rig.fail(first)).message).toContain(
    'got 00001-5f0e.metadata.json, as a catalog or compressed metadata has it',
  )
  await rm(foreign)
  const { metadata } = await readTable()
  const list = pathOf(metadata.snapshots[1]?.['manifest-list'])
  const bytes = await readFile(list)
  await writeFile(list, bytes.subarray(0, bytes.length - 20))
  expect((await rig.fail(first)).message).toContain("got version 2 with manifests that can't be read")
  await rm(list)
  expect((await rig.fail(first)).message).toContain('got version 2 without its manifests or delete files')
  await writeFile(list, bytes)
  await rig.night(first)
})

test('versions with a gap are refused, and read again once they are whole', async () => {
  rig = await LakeRig.create('merge', null, 'iceberg')
  await rig.night(first)
  for (const owner of ['them', 'others'])
    await change((metadata) => ({ ...metadata, properties: { ...metadata.properties, owner } }))
  const text = await readFile(metadataPath(2))
  await rm(metadataPath(2))
  const error = await rig.fail(second)
  expect(error).toMatchObject({ code: 'TARGET_MISMATCH' })
  expect(error.message).toMatch(/every version up to 3, got none of version 2$/)
  await writeFile(metadataPath(2), text)
  await rig.night(second)
})

test('a merged table whose data file is gone is written anew by a full load', async () => {
  rig = await LakeRig.create('merge', null, 'iceberg')
  await rig.night(first)
  const gone = (await readTable()).files[0]?.path ?? ''
  await rm(gone)
  await rig.night(second)
  const { files } = await readTable()
  expect(files.map(({ path }) => path)).not.toContain(gone)
})

function readTable(): Promise<IcebergTable> {
  return rig.read() as Promise<IcebergTable>
}

/** Commits by hand, as another program does. */
async function change(edit: (metadata: TableMetadata) => TableMetadata): Promise<void> {
  const { version } = await readTable()
  const metadata = parseMetadata(await readFile(metadataPath(version), 'utf8'))
  await writeFile(metadataPath(version + 1), formatExactJson(edit(metadata)), { flag: 'wx' })
}

function metadataPath(version: number): string {
  return join(rig.table(), `metadata/v${version}.metadata.json`)
}

function setCurrent(metadata: TableMetadata, snapshot: Snapshot | undefined): TableMetadata {
  const id = snapshot?.['snapshot-id'] ?? 0n
  const logged = { 'timestamp-ms': metadata['last-updated-ms'], 'snapshot-id': id }
  return {
    ...metadata,
    'current-snapshot-id': id,
    refs: { main: { 'snapshot-id': id, type: 'branch' } },
    'snapshot-log': [...metadata['snapshot-log'], logged],
  }
}

function requireFirst(schema: TableMetadata['schemas'][number]): TableMetadata['schemas'][number] {
  const [id, ...others] = schema.fields
  return { ...schema, fields: [{ ...id!, required: true }, ...others] }
}

function pathOf(location = ''): string {
  return location.replace(/^file:\/\//, '')
}

async function listPaths(location = ''): Promise<string[]> {
  const paths: string[] = []
  for (const file of parseManifestList(await readFile(pathOf(location)))) {
    const entries = parseManifest(await readFile(pathOf(file.manifest_path)), file)
    paths.push(...entries.filter(({ status }) => status !== 2).map(({ data_file }) => pathOf(data_file.file_path)))
  }
  return paths
}
