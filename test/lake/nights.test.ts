import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/pipeline-schema.ts'
import { depth, isDeep } from '../depth.ts'
import { StateFolder } from '../loads/state/state-folder.ts'
import { type ComparedTable, findDisagreeing } from './other-readers.ts'
import { query, readDelta } from './read-delta.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

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

async function compareAll(isRead: boolean): Promise<void> {
  const compared: ComparedTable[] = []
  for (const mode of ['merge', 'history']) {
    for (const table of ['products', 'product_photos', 'product_leaflets', 'product_frontals']) {
      const lake = join(folder.path, `${mode}-lake`, table)
      const { columns } = await readDelta(lake)
      const file = join(folder.path, mode, `${table}.parquet`)
      compared.push({ file, lake, columns: columns.filter((name) => !volatile.has(name)) })
    }
  }
  for (const each of compared) await compare(each)
  expect(isRead ? findDisagreeing(compared) : []).toEqual([])
}

async function compare({ file, lake, columns }: ComparedTable): Promise<void> {
  const { files } = await readDelta(lake)
  const select = (paths: readonly string[]) => {
    const from = `read_parquet([${paths.map((path) => `'${path}'`).join(', ')}])`
    const rows = `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM ${from}`
    return query(`SELECT CAST(to_json(t) AS VARCHAR) FROM (${rows}) t ORDER BY ALL`)
  }
  expect(files.length === 0 ? [] : await select(files.map(({ path }) => path))).toEqual(await select([file]))
}
