import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { formatDdl } from '../../../src/describe/ddl/format-ddl.ts'
import { runPlan } from '../../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { RunFolder } from '../../cli/run-folder.ts'
import { isDeep, isFull } from '../../depth.ts'
import {
  skipsPython,
  startPython,
  startWarehouse,
  warehouses,
  type WarehouseName,
} from './warehouses/start-warehouse.ts'
import { readCells, withEmptyLists } from './warehouses/warehouse.ts'

type Format = 'parquet' | 'csv' | 'ndjson'

/** What a warehouse loads, by what its dialect takes and its engine here can read. */
const formats: Readonly<Record<WarehouseName, readonly Format[]>> = {
  duckdb: ['parquet', 'csv', 'ndjson'],
  postgres: ['csv', 'ndjson'],
  mariadb: ['ndjson'],
  clickhouse: ['parquet', 'csv', 'ndjson'],
  // fakesnow loads JSON only into a column of its own, and takes empty texts of CSV for NULL.
  snowflake: ['parquet'],
  spark: ['parquet', 'csv', 'ndjson'],
}

const tables = {
  products: {
    columns: [
      'id',
      'name',
      'status',
      'meta.updatedAt',
      { column: 'day', from: 'meta.updatedAt', as: 'date' },
      { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
      { column: 'weight', from: 'weightWithUnit.value' },
      { column: 'prescribed', from: 'prescription' },
      { column: 'atc', from: 'atcCategory', as: 'json' },
    ],
  },
  product_photos: { each: 'photos[]', columns: ['id', 'locales'] },
} as const

/** Texts that one reader or another takes for something else. */
const names = [
  'NULL',
  '\\N',
  ' spaces ',
  '"quotes" and \'others\'',
  'back\\slash \\" \\n',
  'two\nlines\r\nand\ttab',
  'a|b,c;d',
  'é 😀 \u2028 \u0001',
  'null',
  '-- no; comment;',
]

describe('statements of ddl in real warehouses', () => {
  let folder: RunFolder
  let files: string
  beforeAll(async () => {
    folder = await RunFolder.create()
    files = await folder.generate('data.ndjson', 'v4/product', 100)
    const generated = await readFile(files, 'utf8')
    const [first = ''] = generated.split('\n')
    const { result, meta } = JSON.parse(first) as { result: object; meta: object }
    const lines = names.map((name, at) => {
      const price = at === 0 ? 999_999_999_999 : at
      const weight = at === 0 ? 1e300 : 0.1 + at / 3
      const own = { id: `E${at}`, name: { nl: name, fr: '', en: null }, publicPrice: price, photos: [] }
      return JSON.stringify({ meta, result: { ...result, ...own, weightWithUnit: { value: weight, unit: 'kg' } } })
    })
    files = await folder.write('data.ndjson', `${generated.trimEnd()}\n${lines.join('\n')}\n`)
  })
  afterAll(() => folder.remove())

  function planOf(format: Format) {
    const source = { files, contract: 'v4/product' } as const
    const outputs = [{ format, path: folder.at(`${format}/{table}.${format}`) }]
    const config = { name: 'catalogue', source, completeness: 'report', tables, outputs }
    return planPipeline(config as unknown as PipelineConfig, { env: {} })
  }

  async function publish(format: Format) {
    const plan = planOf(format)
    await runPlan(plan)
    return plan
  }

  for (const { name, isSkipped } of warehouses) {
    // Python needs seconds to load an engine, and Spark minutes.
    const isQuick = name === 'duckdb' || name === 'postgres'
    test.skipIf(isSkipped || !(isQuick || (name === 'spark' ? isFull : isDeep)))(
      `${name} loads every cell that a run published`,
      async () => {
        const duckdb = await startWarehouse('duckdb')
        const warehouse = name === 'duckdb' ? duckdb : await startWarehouse(name)
        const { tables: planned } = (await publish('parquet')).records
        for (const format of formats[name]) {
          await warehouse.run(formatDdl(await publish(format), name))
          for (const table of planned) {
            // In CSV a list is one text.
            const columns = table.columns.filter(({ list }) => !list || format !== 'csv')
            const published = `'${folder.at(`parquet/${table.name}.parquet`)}'`
            await duckdb.run(`CREATE OR REPLACE VIEW published AS FROM ${published}`)
            const cells = await readCells(duckdb, 'published', columns)
            const expected = name === 'clickhouse' ? cells.map(withEmptyLists(columns)).toSorted() : cells
            expect([format, await readCells(warehouse, table.name, columns)]).toEqual([format, expected])
            await warehouse.run(`DROP TABLE ${warehouse.quoteName(table.name)};`)
          }
        }
        await warehouse.stop()
        if (name !== 'duckdb') await duckdb.stop()
      },
      600_000,
    )
  }

  test.skipIf(skipsPython || !isDeep).each(['bigquery', 'redshift'] as const)(
    'a parser of SQL for %s knows every statement',
    async (name) => {
      const parser = await startPython(name)
      for (const format of ['parquet', 'csv', 'ndjson'] as const) {
        await parser.run(formatDdl(planOf(format), name))
      }
      await expect(parser.run('MERGE THIS;\n')).rejects.toThrow(/pars|expect|statement/i)
      await parser.stop()
    },
    120_000,
  )
})
