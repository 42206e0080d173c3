import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runPipeline } from '../../../src/index.ts'
import { stateFormat } from '../../../src/manifest/upgrade-manifest.ts'

const states = new URL('../../../fixtures/states/', import.meta.url)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earlier-states-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test.each(Array.from({ length: stateFormat - 1 }, (_, at) => `${at + 1}`))(
  'a run goes on from a state of format %s, in files and in a DuckDB file, with the rows that the version of then would have',
  async (format) => {
    await bring(format)
    const { state, databases } = await night()
    const changes = { new: 2, changed: 1, touched: 0, unchanged: 1, removed: 1 }
    expect([state?.changes, ...(databases ?? []).map((each) => each.changes)]).toEqual([changes, changes, changes])
    await expectRows()
    const again = await night()
    expect(again.state?.changes).toMatchObject({ new: 0, changed: 0, unchanged: 4, removed: 0 })
    await expectRows()
  },
)

/** The folder `out` of two nights: A, B, C, and then A changed, C gone, D new. */
async function bring(format: string): Promise<void> {
  await cp(new URL(`${format}/`, states), folder, { recursive: true })
  const path = join(folder, '_manifest.json')
  // The paths of then, below the working directory.
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"out/', `"${folder}/`))
  const gzipped = join(folder, 'warehouse.duckdb.gz')
  await writeFile(join(folder, 'warehouse.duckdb'), gunzipSync(await readFile(gzipped)))
  await rm(gzipped)
}

/** The third night, with the config of then: B changed, C back, D gone, E new. */
async function night() {
  const products = [
    ['A', 2, 'frontal'],
    ['B', 3, 'frontal'],
    ['C', 3, 'back'],
    ['E', 3, 'back'],
  ].map(([id, updatedAt, photoType]) => ({ id, status: 'active', photos: [{ id: 1, photoType }], meta: { updatedAt } }))
  const input = join(folder, 'input.ndjson')
  await writeFile(input, products.map((product) => `${JSON.stringify(product)}\n`).join(''))
  return runPipeline(
    {
      name: 'nightly',
      source: { files: input, contract: 'v4/product' },
      maxRemoved: '100%',
      tables: {
        products: { columns: ['id', 'status', 'meta.updatedAt'] },
        photos: { each: 'photos[]', columns: ['photoType'] },
      },
      outputs: [
        { format: 'ndjson', path: 'out/merge/{table}.ndjson', mode: 'merge', removed: 'mark' },
        { format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history' },
        { format: 'ndjson', path: 'out/append/{table}.ndjson', mode: 'append' },
        { format: 'duckdb', path: 'out/warehouse.duckdb', schema: 'merged', mode: 'merge' },
        { format: 'duckdb', path: 'out/warehouse.duckdb', schema: 'versions', mode: 'history' },
      ],
      manifest: { path: 'out/_manifest.json' },
    },
    { outDir: folder, env: {}, workers: 0 },
  )
}

async function expectRows(): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'warehouse.duckdb'), {
    access_mode: 'READ_ONLY',
    threads: '1',
  })
  const connection = await instance.connect()
  const read = async (select: string) => {
    const rows = (await connection.runAndReadAll(select)).getRows()
    return rows.map((row) => row.filter((value) => value !== null).join(' '))
  }
  const versions = (from: string) =>
    read(
      `SELECT product_id, photo_type, ${time('valid_from')}, ${time('valid_to')} FROM ${from} ORDER BY 1, valid_from`,
    )
  try {
    const expected = [
      'A packshot 1 2',
      'A frontal 2',
      'B packshot 1 3',
      'B frontal 3',
      'C packshot 1 run',
      'C back run',
      'D back 2 run',
      'E back 3',
    ]
    expect(await versions('versions.photos')).toEqual(expected)
    expect(await versions(`'${folder}/history/photos.parquet'`)).toEqual(expected)
    const current = ['A frontal', 'B frontal', 'C back', 'E back']
    expect(await read('SELECT product_id, photo_type FROM merged.photos ORDER BY 1')).toEqual(current)
    const merged = `FROM read_json('${folder}/merge/photos.ndjson') ORDER BY 1`
    expect(
      await read(`SELECT product_id, photo_type, CASE WHEN _removed_at IS NOT NULL THEN 'gone' END ${merged}`),
    ).toEqual([...current, 'D back gone'].toSorted())
    const added = `FROM read_json('${folder}/append/run_date=*/photos-*.ndjson') ORDER BY 1, 2 DESC`
    expect(await read(`SELECT product_id, photo_type ${added}`)).toEqual([
      'A packshot',
      'A frontal',
      'B packshot',
      'B frontal',
      'C packshot',
      'C back',
      'D back',
      'E back',
    ])
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function time(name: string): string {
  return `CASE WHEN epoch(${name}) > 1e9 THEN 'run' ELSE epoch(${name})::INTEGER::VARCHAR END`
}
