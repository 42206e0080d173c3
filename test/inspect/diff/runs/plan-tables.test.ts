import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import type { DatabaseTarget } from '../../../../src/loads/databases/database-output.ts'
import { planPipeline } from '../../../../src/plan/plan-pipeline.ts'
import { RunFolder } from '../../../engine/run-folder.ts'
import { startDatabase, type TestDatabase, testedFormats } from '../../../loads/databases/targets.ts'
import { changeProducts, generateProducts, toStream } from '../seed-changes.ts'
import { everyType, typedProducts } from './every-type.ts'
import { compareRuns, publishRun, tables } from './publish-run.ts'

let folder: RunFolder
beforeAll(async () => {
  folder = await RunFolder.create()
})
afterAll(() => folder.remove())

const products = generateProducts(60, 5)
const changed = changeProducts(products, 5)

type Output = NonNullable<PipelineConfig['outputs']>[number]

/** Loads the records one behind the other, and compares a published run with what the config has then. */
async function compareConfig(name: string, old: string, loads: readonly object[][], changes: Partial<PipelineConfig>) {
  const outDir = join(folder.path, name)
  const config = {
    name: 'products',
    locales: ['nl', 'fr'],
    tables,
    manifest: { path: 'out/_manifest.json' },
    ...changes,
    source: { files: join(folder.path, `${name}.ndjson`), contract: 'v4/product' },
  } satisfies PipelineConfig
  for (const records of loads) {
    await folder.write(`${name}.ndjson`, toStream(records))
    await folder.run(config, { outDir })
  }
  const plans = new Map([[`${name}.yaml`, planPipeline(config, { env: {}, outDir })]])
  return compareRuns(old, `${name}.yaml`, { plans })
}

function toOutput(target: DatabaseTarget, changes: object): Output {
  const place = target.format === 'duckdb' ? { path: target.path } : { url: target.url.text }
  const schema = target.format === 'mariadb' ? {} : { schema: target.schema }
  return { format: target.format, ...place, ...schema, ...changes } as Output
}

describe.each(testedFormats)('a config whose tables are in %s', (format) => {
  let database: TestDatabase
  let expected: Awaited<ReturnType<typeof compareRuns>>['report']
  beforeAll(async () => {
    database = await startDatabase(format)
    const next = await publishRun(folder, `${format}-later`, changed, 'parquet')
    expected = (await compareRuns(await publishRun(folder, `${format}-files`, products, 'parquet'), next)).report
  }, 60_000)
  afterAll(() => database.stop())
  // Configs take no spaces in names of schemas.
  const createTarget = () => {
    const target = database.createTarget()
    return target.format === 'postgres' ? { ...target, schema: target.schema.replace(' ', '_') } : target
  }

  test.each([{ mode: 'snapshot' }, { mode: 'merge', removed: 'mark' }, { mode: 'history' }])(
    'is compared with a published run by its current rows: $mode',
    async (changes) => {
      const outputs = [toOutput(createTarget(), changes)]
      const old = join(folder.path, `${format}-files`)
      const maxRemoved = '100%'
      const name = `${format}-${changes.mode}`
      const { report, warnings } = await compareConfig(name, old, [products, changed], { outputs, maxRemoved })
      expect(report).toEqual({ ...expected, old: { ...report.old, kind: 'run' }, new: { ...report.new, kind: 'run' } })
      expect(report.tables.map(({ changed: rows }) => rows)).not.toContain(0)
      expect(warnings).toEqual([])
    },
  )

  test('has the values of Parquet in columns of every type, and more rows than a page', async () => {
    const outputs = [toOutput(createTarget(), {})]
    const others = Array.from({ length: 6000 }, (_, at) => ({ id: `P${at}`, ean: ['1', '2'].slice(at % 2) }))
    const records = [...typedProducts, ...others]
    const old = await publishRun(folder, `${format}-types`, records, 'parquet', everyType)
    const { report } = await compareConfig(`${format}-typed`, old, [records], { ...everyType, outputs })
    expect(report.tables.flatMap(({ fields }) => fields)).toEqual([])
    expect(report).toMatchObject({ equal: true, tables: [{ unchanged: 6003 }, { unchanged: 9003 }] })
  })

  test('is asked for if its folder is named in its place, and lacks what it has not loaded', async () => {
    const target = createTarget()
    const outputs = [toOutput(target, {})]
    const old = join(folder.path, `${format}-files`)
    const name = `${format}-folder`
    await compareConfig(name, old, [products], { outputs })
    await expect(compareRuns(old, join(folder.path, name))).rejects.toMatchObject({
      code: 'USAGE',
      fix: expect.stringContaining('Name the config') as string,
    })
    await database.query(target, `DROP TABLE "${target.schema}"."products"`)
    const gone = compareConfig(name, old, [], { outputs })
    await expect(gone).rejects.toMatchObject({ code: expect.stringMatching(/^SOURCE_/) as string })
  })
})

test('two configs are compared by what each published last, in files too', async () => {
  const old = await publishRun(folder, 'config-files', products, 'parquet')
  await cp(old, join(folder.path, 'config-copy'), { recursive: true })
  const outputs: PipelineConfig['outputs'] = [{ format: 'csv', path: 'out/{table}.csv', mode: 'history' }]
  const { report } = await compareConfig('config-csv', join(folder.path, 'config-copy'), [changed, products], {
    outputs,
    maxRemoved: '100%',
  })
  expect(report).toMatchObject({ equal: true, new: { path: 'config-csv.yaml', kind: 'run' } })
})
