import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { toRows } from '../loads/databases/load-model.ts'
import { keyed, LakeRig, product } from './lake-rig.ts'
import { query, readDelta, selectRows } from './readers/read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const first = [product('A', 'a', ['x']), product('B')]
const second = [product('A', 'a2'), product('B')]

interface Case {
  readonly what: string
  readonly actions: (metaData: {
    readonly schemaString: string
    readonly configuration: Record<string, string>
  }) => object[]
  readonly message: string
}

const cases: readonly Case[] = [
  {
    what: 'that a catalog manages',
    actions: () => [
      {
        protocol: {
          minReaderVersion: 3,
          minWriterVersion: 7,
          readerFeatures: ['catalogManaged'],
          writerFeatures: ['catalogManaged'],
        },
      },
    ],
    message:
      'expected a table that loads may write to, got one whose commits a catalog manages, which files alone do not show',
  },
  {
    what: 'with a feature that is not known',
    actions: () => [
      { protocol: { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ['appendOnly', 'rowTracking'] } },
    ],
    message: 'got one with features "rowTracking", which this version of catalogue-etl does not know',
  },
  {
    what: 'of another pipeline',
    actions: (metaData) => [{ metaData: { ...metaData, configuration: { 'catalogue-etl.pipeline': 'other' } } }],
    message: 'expected a table of pipeline "nightly", got one of pipeline "other"',
  },
  {
    what: 'that catalogue-etl has not made',
    actions: (metaData) => [{ metaData: { ...metaData, configuration: {} } }],
    message: 'expected a table of pipeline "nightly", got one that catalogue-etl has not made',
  },
  {
    what: 'with a constraint',
    actions: (metaData) => [
      {
        metaData: {
          ...metaData,
          configuration: { ...metaData.configuration, 'delta.constraints.named': 'name IS NOT NULL' },
        },
      },
    ],
    message: 'got one with `delta.constraints.named`, which loads do not keep to',
  },
  {
    what: 'to which rows may only be added',
    actions: (metaData) => [
      { metaData: { ...metaData, configuration: { ...metaData.configuration, 'delta.appendOnly': 'true' } } },
    ],
    message: 'got one with `delta.appendOnly`, which loads do not keep to',
  },
  {
    what: 'for which somebody else has turned on a change feed',
    actions: (metaData) => [
      {
        metaData: {
          ...metaData,
          configuration: { ...metaData.configuration, 'delta.enableChangeDataFeed': 'true' },
        },
      },
    ],
    message: 'got one with `delta.enableChangeDataFeed`, which loads do not keep to',
  },
  {
    what: 'with a column that may not be null',
    actions: (metaData) => [
      {
        metaData: {
          ...metaData,
          schemaString: metaData.schemaString.replace(
            '"name":"name","type":"string","nullable":true',
            '"name":"name","type":"string","nullable":false',
          ),
        },
      },
    ],
    message: 'got one whose column "name" has `NOT NULL`, which loads do not keep to',
  },
  {
    what: 'with a column that is generated',
    actions: (metaData) => [
      {
        metaData: {
          ...metaData,
          schemaString: metaData.schemaString.replace(
            '"metadata":{',
            '"metadata":{"delta.generationExpression":"upper(name)",',
          ),
        },
      },
    ],
    message: 'got one whose column "id" has `delta.generationExpression`, which loads do not keep to',
  },
  {
    what: 'with another schema than the loads left',
    actions: (metaData) => [
      { metaData: { ...metaData, schemaString: metaData.schemaString.replace('"name":"name"', '"name":"title"') } },
    ],
    message: 'expected the columns that the last load left, got others since version 1, by somebody else',
  },
]

describe.each(cases)('a table $what', ({ what, actions, message }) => {
  test(`a load refuses a table ${what}, and leaves the lake as it was`, async () => {
    rig = await LakeRig.create()
    await rig.night(first)
    const { commits } = await readDelta(rig.table())
    const metaData = commits[0]?.find((action) => action.metaData)?.metaData as unknown as Parameters<
      Case['actions']
    >[0]
    await rig.commit(actions(metaData))
    const error = await rig.fail(second)
    expect(error.code).toBe('TARGET_MISMATCH')
    expect(error.message).toContain(message)
    expect(error.fix).not.toBe('')
    await rm(rig.logFile(1))
    await rig.night(second)
  })
})

test('a log with a gap is refused, and read again once it is whole', async () => {
  rig = await LakeRig.create()
  await rig.night(first)
  await rig.night(second)
  const text = await readFile(rig.logFile(0), 'utf8')
  await rm(rig.logFile(0))
  const error = await rig.fail(first)
  expect(error.message).toBe(`${rig.table()}: expected a log with every version up to 1, got none of version 0`)
  await writeFile(rig.logFile(0), text)
  await rig.night(first)
})

test('a commit that is no JSON is refused', async () => {
  rig = await LakeRig.create()
  await rig.night(first)
  await writeFile(rig.logFile(1), '{"add":')
  const error = await rig.fail(second)
  expect(error.message).toContain('expected the log of a Delta table, got version 1 with lines that are no actions')
})

test.each(['merge', 'snapshot'] as const)(
  'a load of mode %s writes a table anew whose data file is gone',
  async (mode) => {
    rig = await LakeRig.create(mode)
    await rig.night(first)
    const [file] = (await readDelta(rig.table())).files
    await rm(file?.path ?? '')
    await rig.night(second)
    expect(await rig.versions()).toEqual([1, 1, 1])
  },
)

test.each([
  { mode: 'history', format: 'delta' },
  { mode: 'append', format: 'delta' },
  { mode: 'history', format: 'iceberg' },
  { mode: 'append', format: 'iceberg' },
] as const)(
  'a load of mode $mode refuses a table of $format whose data file is gone, as no load brings its rows again',
  async ({ mode, format }) => {
    rig = await LakeRig.create(mode, null, format)
    await rig.night(first)
    const [file] = (await rig.read()).files
    await rm(file?.path ?? '')
    const error = await rig.fail(second)
    expect(error.code).toBe('TARGET_MISMATCH')
    expect(error.message).toContain(`but a data file is gone, ${file?.path}`)
  },
)

test('a history that was put back to an older version is refused, a merge is written anew', async () => {
  for (const mode of ['history', 'merge'] as const) {
    rig = await LakeRig.create(mode)
    await rig.night(first)
    await rig.night(second)
    await rm(rig.logFile(1))
    if (mode === 'merge') {
      await rig.night(first)
      continue
    }
    const error = await rig.fail(first)
    expect(error.message).toContain(
      'it is at version 0, and the last load left version 1: an older table was put in its place',
    )
    await rig.remove()
  }
})

test('a lake that was loaded in another mode is refused', async () => {
  rig = await LakeRig.create('history')
  await rig.night(first)
  const error = await rig.fail(second, { plan: { ...rig.plan, mode: 'merge' } })
  expect(error.message).toContain(
    'these tables were loaded with `mode: history` (pipeline "nightly"); this config says `merge`',
  )
})

test('a column of another type than the table has is refused', async () => {
  rig = await LakeRig.create('merge')
  await rig.night(first)
  const [products, photos] = rig.plan.tables as [(typeof rig.plan.tables)[0], (typeof rig.plan.tables)[0]]
  const columns = products.columns.map((column) =>
    column.name === 'name' ? { ...column, type: { kind: 'integer' } as const } : column,
  )
  const error = await rig.fail([], { plan: { ...rig.plan, tables: [keyed(products, columns), photos] } })
  expect(error.message).toBe(`${rig.table()}: column "name": expected string, as the table has it, got long`)
})

test('a load that removes too many records commits nothing', async () => {
  rig = await LakeRig.create()
  await rig.night(first)
  const load = rig.nextLoad({ maxRemoved: { kind: 'count', count: 0 } })
  await expect(rig.load(load, toRows([product('A')]))).rejects.toMatchObject({
    code: 'REMOVED_TOO_MANY',
    message: expect.stringContaining(join(rig.folder, '{table}')) as string,
  })
  expect(await rig.versions()).toEqual([0, 0, 0])
  await rig.compare()
})

test('a damaged checkpoint is not needed as long as the log is whole, and ends the load if it is not', async () => {
  rig = await LakeRig.create()
  for (let night = 0; night < 12; night++) await rig.night(night % 2 === 0 ? first : second)
  expect(rig.warnings).toEqual([])
  const checkpoint = rig.logFile(10).replace('.json', '.checkpoint.parquet')
  const bytes = await readFile(checkpoint)
  await writeFile(checkpoint, 'PAR1 and nothing more')
  await rig.night(first)
  expect(rig.warnings).toContainEqual(expect.stringContaining("the checkpoint can't be read"))
  await rm(rig.logFile(3))
  const error = await rig.fail(second)
  expect(error.message).toMatch(/every version up to 12, got none of version 3|a checkpoint that can't be read/)
  await writeFile(checkpoint, bytes)
  await rig.load(rig.nextLoad(), toRows(second))
  const text = await readFile(rig.logFile(13), 'utf8')
  expect(text).toContain('"operation":"MERGE"')
})

const state = () => rig.table('_catalogue_etl')

describe.each(['delta', 'iceberg'] as const)('a lake of %s whose state is not that of its tables', (format) => {
  const third = [product('A', 'a3'), product('B')]

  test.each(['history', 'append'] as const)(
    'mode %s is refused if the state is gone, or an earlier one',
    async (mode) => {
      rig = await LakeRig.create(mode, null, format)
      await rig.night(first)
      await cp(state(), `${state()}-before`, { recursive: true })
      await rig.night(second)
      await rig.night(third)
      await rm(state(), { recursive: true })
      const gone = await rig.fail(second)
      expect([gone.code, gone.message]).toEqual([
        'TARGET_MISMATCH',
        expect.stringContaining('but it has load 3, and the state of the lake is gone'),
      ])
      await rename(`${state()}-before`, state())
      const earlier = await rig.fail(second)
      expect([earlier.code, earlier.message]).toEqual([
        'TARGET_MISMATCH',
        expect.stringContaining('but it has load 3, and the state of the lake is that of load 1'),
      ])
    },
  )

  test('a merge is brought up to date by a full load', async () => {
    rig = await LakeRig.create('merge', null, format)
    await rig.night(first)
    await rig.night(second)
    await rm(state(), { recursive: true })
    await rig.load(rig.nextLoad(), toRows(third))
    const { files } = await rig.read()
    expect(await query(`SELECT id, name FROM (${selectRows(files)}) ORDER BY id`)).toEqual([
      ['A', 'a3'],
      ['B', 'B'],
    ])
  })
})

test.each([
  { there: 'delta', format: 'iceberg', got: 'Delta, whose folder _delta_log is there' },
  { there: 'iceberg', format: 'delta', got: 'Iceberg, whose folder metadata is there' },
] as const)('a folder in which a table of $there is takes none of $format', async ({ there, format, got }) => {
  rig = await LakeRig.create('merge', null, there)
  await rig.night(first)
  const plan = { ...rig.plan, target: { ...rig.plan.target, format } }
  await expect(rig.load(rig.nextLoad(), toRows(second), { plan })).rejects.toThrow(
    `expected no table yet, got one of ${got}`,
  )
})
