import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/pipeline-schema.ts'
import { depth, isDeep } from '../depth.ts'
import { StateFolder } from '../loads/state/state-folder.ts'
import { type ComparedTable, findDisagreeing } from './other-readers.ts'
import { query, readDelta } from './read-delta.ts'
import { readIceberg } from './read-iceberg.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

/** Columns that a touched record may have other values in, which a lake leaves as they are. */
const volatile = new Set(['meta_updated_at', 'meta_embed_url', 'meta_public_page_url'])

type ReadTable = typeof readDelta | typeof readIceberg

const lakes = [
  { format: 'delta', read: readDelta },
  { format: 'iceberg', read: readIceberg },
] as const

const timeout = isDeep ? 900_000 : 120_000

test.each(lakes)(
  'tables of $format hold the rows of the merged Parquet files after every night, and other engines read the same',
  { timeout },
  async ({ format, read }) => {
    const outputs: NonNullable<PipelineConfig['outputs']> = [
      { format: 'parquet', path: 'out/merge/{table}.parquet', mode: 'merge' },
      { format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history' },
      { format, path: 'out/merge-lake/{table}', mode: 'merge' },
      { format, path: 'out/history-lake/{table}', mode: 'history' },
    ]
    for (let night = 0; night < depth.nights; night++) {
      const { state, databases = [] } = await folder.run({ outputs, tables: undefined })
      // Everything is read again after a week.
      expect(state.kind).toBe(night % 7 === 0 ? 'full' : 'delta')
      expect(databases.map(({ changes }) => changes)).toEqual([state.changes, state.changes])
      await compareAll(read, night % 5 === 2)
      folder.sandbox.advance()
    }
  },
)

async function compareAll(read: ReadTable, isRead: boolean): Promise<void> {
  const compared: ComparedTable[] = []
  for (const mode of ['merge', 'history']) {
    for (const table of ['products', 'product_photos', 'product_leaflets', 'product_frontals']) {
      const lake = join(folder.path, `${mode}-lake`, table)
      const { columns } = await read(lake)
      const file = join(folder.path, mode, `${table}.parquet`)
      compared.push({ file, lake, columns: columns.filter((name) => !volatile.has(name)) })
    }
  }
  for (const each of compared) await compare(read, each)
  expect(isRead ? findDisagreeing(compared) : []).toEqual([])
}

async function compare(read: ReadTable, { file, lake, columns }: ComparedTable): Promise<void> {
  const { files } = await read(lake)
  const select = (paths: readonly string[]) => {
    const from = `read_parquet([${paths.map((path) => `'${path}'`).join(', ')}])`
    const rows = `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM ${from}`
    return query(`SELECT CAST(to_json(t) AS VARCHAR) FROM (${rows}) t ORDER BY ALL`)
  }
  expect(files.length === 0 ? [] : await select(files.map(({ path }) => path))).toEqual(await select([file]))
}
