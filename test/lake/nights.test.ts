import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/pipeline-schema.ts'
import { depth, isDeep } from '../depth.ts'
import { StateFolder } from '../loads/state/state-folder.ts'
import { query, readDelta } from './read-delta.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

/** A Python with deltalake, polars, pyarrow, and duckdb with its extension for Delta. */
const python = process.env['CATALOGUE_LAKE_PYTHON']

/** Columns that a touched record may have other values in, which a lake leaves as they are. */
const volatile = new Set(['meta_updated_at', 'meta_embed_url', 'meta_public_page_url'])

const timeout = isDeep ? 600_000 : 60_000

test(
  'Delta tables hold the rows of the merged Parquet files after every night, and other engines read the same',
  { timeout },
  async () => {
    const outputs: NonNullable<PipelineConfig['outputs']> = [
      { format: 'parquet', path: 'out/merge/{table}.parquet', mode: 'merge' },
      { format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history' },
      { format: 'delta', path: 'out/merge-lake/{table}', mode: 'merge' },
      { format: 'delta', path: 'out/history-lake/{table}', mode: 'history' },
    ]
    for (let night = 0; night < depth.nights; night++) {
      const { state, databases = [] } = await folder.run({ outputs, tables: undefined })
      // Everything is read again after a week.
      expect(state.kind).toBe(night % 7 === 0 ? 'full' : 'delta')
      expect(databases.map(({ changes }) => changes)).toEqual([state.changes, state.changes])
      await compareAll(night % 5 === 2)
      folder.sandbox.advance()
    }
  },
)

interface Compared {
  readonly file: string
  readonly lake: string
  readonly columns: readonly string[]
}

async function compareAll(isRead: boolean): Promise<void> {
  const compared: Compared[] = []
  for (const mode of ['merge', 'history']) {
    for (const table of ['products', 'product_photos', 'product_leaflets', 'product_frontals']) {
      const lake = join(folder.path, `${mode}-lake`, table)
      const { columns } = await readDelta(lake)
      const file = join(folder.path, mode, `${table}.parquet`)
      compared.push({ file, lake, columns: columns.filter((name) => !volatile.has(name)) })
    }
  }
  for (const each of compared) await compare(each)
  if (python === undefined || !isRead) return
  const asked = compared.flatMap(({ file, lake, columns }) => [file, lake].map((path) => ({ path, columns })))
  const input = JSON.stringify(asked)
  const found = execFileSync(python, [join(import.meta.dirname, 'read-lake.py')], { input, encoding: 'utf8' })
  const tables = JSON.parse(found) as Record<string, unknown>[]
  for (const [at, { pyarrow }] of tables.entries()) {
    if (pyarrow === undefined) continue
    expect(tables[at + 1], asked[at + 1]?.path).toEqual({ deltalake: pyarrow, polars: pyarrow, duckdb: pyarrow })
  }
}

async function compare({ file, lake, columns }: Compared): Promise<void> {
  const { files } = await readDelta(lake)
  const select = (paths: readonly string[]) => {
    const from = `read_parquet([${paths.map((path) => `'${path}'`).join(', ')}])`
    const rows = `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM ${from}`
    return query(`SELECT CAST(to_json(t) AS VARCHAR) FROM (${rows}) t ORDER BY ALL`)
  }
  expect(files.length === 0 ? [] : await select(files.map(({ path }) => path))).toEqual(await select([file]))
}
