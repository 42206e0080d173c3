import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { StateFolder } from './state-folder.ts'

const outputs: NonNullable<PipelineConfig['outputs']> = [
  { format: 'ndjson', path: 'out/{table}.ndjson' },
  { format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history', rowsPerFile: 40 },
  { format: 'csv', path: 'out/new/{table}.csv', mode: 'append' },
]
let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

describe('a run that finds nothing new', () => {
  test.each(['delta', 'full'])(
    'a run that finds nothing new in a %s load writes no file of data or state, and lists those there are',
    async (kind) => {
      const first = await folder.run({ outputs })
      const before = await readInodes()
      const later = folder.sandbox.now() + (kind === 'full' ? 8 * 86_400_000 : 0)
      const { state, files } = await folder.run({ outputs }, { now: () => later })
      expect(state.kind).toBe(kind)
      expect(state.changes).toMatchObject({ new: 0, changed: 0, touched: 0, removed: 0 })
      expect(await readInodes()).toEqual(before)
      expect(files).toEqual(first.files)
      expect(state.tables).toEqual(first.state.tables)
      folder.sandbox.advance()
      expect((await folder.run({ outputs })).state.changes?.new).toBeGreaterThan(0)
      const there = new Set<unknown>(folder.expectedRows().map(({ id }) => id))
      expect((await folder.rows()).filter(({ id }) => there.has(id))).toEqual(folder.expectedRows())
    },
  )

  test('a run without changes rewrites an output that is missing or has another path now', async () => {
    // Without a path it would go with the first output, and leave the history behind.
    const manifest = { path: 'out/_manifest.json' }
    await folder.run({ outputs, manifest })
    const text = await readFile(join(folder.path, 'products.ndjson'))
    await rm(join(folder.path, 'products.ndjson'))
    await folder.run({ outputs, manifest })
    expect(await readFile(join(folder.path, 'products.ndjson'))).toEqual(text)
    const [, ...others] = outputs
    await folder.run({ outputs: [{ format: 'ndjson', path: 'out/there/{table}.ndjson' }, ...others], manifest })
    expect(await readFile(join(folder.path, 'there/products.ndjson'))).toEqual(text)
  })
})

test('a file of an appended output that is gone is reported by the next run, which does not bring it back', async () => {
  const manifest = { path: 'out/_manifest.json' }
  const { files } = await folder.run({ outputs, manifest })
  const [gone = ''] = files.filter(({ mode }) => mode === 'append').map(({ path }) => path)
  await rm(gone)
  const warnings: string[] = []
  const next = await folder.run({ outputs, manifest }, { onWarning: (message) => warnings.push(message) })
  expect(next.notes?.[0]).toMatch(
    /new\/products\.csv: expected the 1 files that earlier runs added, got all but 1, .*run_date=/,
  )
  expect(warnings[0]).toBe(next.notes?.[0])
  expect(next.files).toEqual(files)
})

/** The inode of every file but the manifest and the rejects: another inode is another file. */
async function readInodes(): Promise<[string, number][]> {
  const ofRun = ['_manifest', '_rejects', '_profile', '_report']
  const names = (await folder.files()).filter((name) => !ofRun.some((beginning) => name.startsWith(beginning)))
  return Promise.all(names.map(async (name) => [name, (await stat(join(folder.path, name))).ino] as [string, number]))
}
