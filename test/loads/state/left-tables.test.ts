import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { someOf } from '../../depth.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { resetState } from '../../../src/engine/run/reset-state.ts'
import type { RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { runPipeline, type RunReport } from '../../../src/index.ts'
import { startS3 } from '../../storage/s3/start-s3.ts'
import { StateFolder } from './state-folder.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>
type Mode = 'snapshot' | 'merge' | 'history' | 'append'
/** Photo types by product, with the second of their last change. */
type Products = Readonly<Record<string, readonly [updatedAt: number, photoType: string] | 'broken'>>

let folder: StateFolder
const tables = {
  products: { columns: ['id', 'meta.updatedAt'] },
  photos: { each: 'photos[]', columns: ['photoType'] },
}
const onlyProducts = { products: tables.products }

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

function ofMode(mode: Mode | undefined, format: 'ndjson' | 'parquet' = 'ndjson', more = {}): Outputs {
  return [{ format, path: `out/{table}.${format}`, ...(mode && { mode }), ...more }]
}

async function night(
  products: Products,
  changes: Partial<PipelineConfig>,
  options: RunOptions = {},
): Promise<RunReport> {
  const files = join(folder.path, 'input.ndjson')
  const lines = Object.entries(products).map(([id, of]) =>
    of === 'broken'
      ? { id, photos: 'none', meta: { updatedAt: 9 } }
      : { id, photos: [{ id: 1, photoType: of[1] }], meta: { updatedAt: of[0] } },
  )
  await writeFile(files, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const config: PipelineConfig = {
    name: 'nightly',
    source: { files, contract: 'v4/product' },
    maxRemoved: '100%',
    rejects: { limit: '100%' },
    tables,
    manifest: { path: 'out/_manifest.json' },
    ...changes,
  }
  return runPipeline(config, { outDir: folder.path, env: {}, workers: 0, ...options })
}

async function failure(...run: Parameters<typeof night>): Promise<unknown> {
  return night(...run).then(
    () => 'published',
    (error: unknown) => error,
  )
}

/** `A packshot 1-3`: the seconds of its validity; `now` is after the test began, and empty if it is still current. */
async function versions(name = 'photos.ndjson'): Promise<string[]> {
  const rows = (await folder.rows(name)) as unknown as Readonly<Record<string, string>>[]
  for (const row of rows) expect(row['is_current']).toBe(row['valid_to'] === null)
  return rows.map(
    (row) => `${row['product_id']} ${row['photo_type']} ${toSeconds(row['valid_from'])}-${toSeconds(row['valid_to'])}`,
  )
}

function toSeconds(time: string | null | undefined): string {
  const seconds = Date.parse(time ?? '') / 1000
  if (Number.isNaN(seconds)) return ''
  return seconds > 1_000_000_000 ? 'now' : String(seconds)
}

async function snapshot(): Promise<Record<string, string>> {
  const files: [string, string][] = []
  for (const name of await folder.files()) {
    if (!/input|_rejects/.test(name)) files.push([name, await readFile(join(folder.path, name), 'latin1')])
  }
  return Object.fromEntries(files)
}

function leftNames({ leftFiles = [] }: RunReport): string[] {
  return leftFiles.map(({ path }) => basename(path)).toSorted()
}

describe('a mode that the config changes', () => {
  test.each([
    ['history', 'merge', 'says `merge`'],
    ['history', 'append', 'says `append`'],
    ['history', undefined, 'has no `mode`'],
    ['append', undefined, 'has no `mode`'],
    ['merge', 'append', 'says `append`'],
  ] as const)(
    'files of mode %s are refused to mode %s with TARGET_MISMATCH, and nothing is touched',
    async (before, now, said) => {
      await night({ A: [1, 'packshot'], B: [1, 'packshot'] }, { outputs: ofMode(before) })
      const files = await snapshot()
      const error = await failure({ A: [2, 'frontal'] }, { outputs: ofMode(now) })
      expect(error).toMatchObject({ code: 'TARGET_MISMATCH', exitCode: 2 })
      expect((error as Error).message).toBe(
        `${join(folder.path, 'products.ndjson')}: these files were written with \`mode: ${before}\`; this config ${said}`,
      )
      expect((error as { fix?: string }).fix).toMatch(/^Use another path, or change the mode back/)
      expect(await snapshot()).toEqual(files)
      const back = await night({ A: [2, 'frontal'], B: [1, 'packshot'] }, { outputs: ofMode(before) })
      expect(back.state?.changes).toMatchObject({ changed: 1, unchanged: 1 })
    },
  )

  test('a history that was left out for a night is refused to another mode, table or config without a state, too', async () => {
    const outputs = ofMode('history')
    await night({ A: [1, 'packshot'] }, { outputs })
    await night({ A: [1, 'packshot'] }, { outputs, tables: onlyProducts })
    const files = await snapshot()
    const merged = [
      ...ofMode('history', 'ndjson', { tables: ['products'] }),
      ...ofMode('merge', 'ndjson', { tables: ['photos'] }),
    ]
    const others: Partial<PipelineConfig>[] = [
      { outputs: merged },
      { outputs: ofMode(undefined), tables: { photos: tables.photos } },
      { outputs: [{ format: 'ndjson', path: 'out/photos.ndjson', mode: 'history' }], tables: onlyProducts },
    ]
    for (const changes of others)
      expect(await failure({ A: [1, 'packshot'] }, changes)).toMatchObject({ code: 'TARGET_MISMATCH' })
    expect(await snapshot()).toEqual(files)
  })

  test('a history may replace a merge, and another mode a history that was moved away or whose state was reset', async () => {
    await night({ A: [1, 'packshot'] }, { outputs: ofMode('merge') })
    await night({ A: [2, 'frontal'] }, { outputs: ofMode('history') })
    expect(await versions()).toEqual(['A frontal 2-'])
    await mkdir(join(folder.path, 'away'))
    for (const name of ['products.ndjson', 'photos.ndjson'])
      await rename(join(folder.path, name), join(folder.path, 'away', name))
    await night({ A: [2, 'frontal'] }, { outputs: ofMode('merge') })
    expect(await folder.rows('photos.ndjson')).toHaveLength(1)
    await night({ A: [2, 'frontal'] }, { outputs: ofMode('history') })
    const config = { name: 'nightly', outputs: ofMode('history'), manifest: { path: 'out/_manifest.json' } }
    const plan = planPipeline(folder.config(config), { outDir: folder.path, env: {} })
    await resetState(plan, { env: {} })
    expect((await night({ A: [2, 'frontal'] }, { outputs: ofMode(undefined) })).state).toBeUndefined()
  })
})

describe('a table that the config leaves out for some nights', () => {
  test.each(someOf(['ndjson', 'parquet'] as const, 'parquet'))(
    'a history of a table that is left out stays as %s, is named, and goes on with what was missed once the table is back',
    async (format) => {
      const outputs = [...ofMode('history', format), ...(format === 'parquet' ? ofMode('history', 'ndjson') : [])]
      const packshot = [1, 'packshot'] as const
      await night({ A: packshot, B: packshot, C: packshot, D: packshot, E: packshot, G: packshot }, { outputs })
      const before = await readFile(join(folder.path, `photos.${format}`))
      const missed: Products[] = [
        { A: [2, 'frontal'], B: packshot, D: packshot, E: packshot, G: packshot },
        { A: [2, 'frontal'], B: [3, 'frontal'], E: packshot, G: packshot },
        { A: [2, 'frontal'], B: [3, 'frontal'], D: [4, 'back'], E: packshot, G: packshot },
      ]
      for (const products of missed) {
        const report = await night(products, { outputs, tables: onlyProducts })
        expect(leftNames(report)).toContain(`photos.${format}`)
        expect(report.state?.leftTables?.map(({ table, mode }) => [table, mode])).toEqual([['photos', 'history']])
        expect(await readFile(join(folder.path, `photos.${format}`))).toEqual(before)
      }
      const last: Products = {
        A: [2, 'frontal'],
        B: [5, 'back'],
        D: [4, 'back'],
        E: [5, 'back'],
        F: [5, 'back'],
        G: packshot,
      }
      const report = await night(last, { outputs })
      expect([report.leftFiles, report.state?.leftTables]).toEqual([undefined, undefined])
      const expected = [
        'A packshot 1-2',
        'A frontal 2-',
        'B packshot 1-3',
        'B back 5-',
        'C packshot 1-now',
        'D packshot 1-now',
        'D back now-',
        'E packshot 1-5',
        'E back 5-',
        'F back 5-',
        'G packshot 1-',
      ]
      expect(await versions()).toEqual(expected)
      const { B: _, ...rest } = last
      await night({ ...rest, A: [6, 'back'] }, { outputs })
      expect((await versions()).slice(0, 5)).toEqual([
        'A packshot 1-2',
        'A frontal 2-6',
        'A back 6-',
        'B packshot 1-3',
        'B back 5-now',
      ])
    },
  )

  test('a record rejected in the run in which a table returns gets its version with the next full read', async () => {
    const outputs = ofMode('history')
    await night({ A: [1, 'packshot'], B: [1, 'packshot'] }, { outputs })
    await night({ A: [2, 'frontal'], B: [2, 'frontal'] }, { outputs, tables: onlyProducts })
    await night({ A: [2, 'frontal'], B: 'broken' }, { outputs })
    expect(await versions()).toEqual(['A packshot 1-2', 'A frontal 2-', 'B packshot 1-2'])
    await night({ A: [2, 'frontal'], B: [2, 'frontal'] }, { outputs })
    const expected = ['A packshot 1-2', 'A frontal 2-', 'B packshot 1-2', 'B frontal 2-']
    expect(await versions()).toEqual(expected)
    const next = await night({ A: [2, 'frontal'], B: [2, 'frontal'] }, { outputs })
    expect(next.state?.tables.some(({ isBehind }) => isBehind)).toBe(false)
    expect(await versions()).toEqual(expected)
  })

  test.each(someOf(['drop', 'mark'] as const, 'mark'))(
    'a merge (removed: %s) of a table that is left out holds after its return what it would hold otherwise',
    async (removed) => {
      const outputs = ofMode('merge', 'ndjson', { removed })
      const nights: Products[] = [
        { A: [1, 'packshot'], B: [1, 'packshot'], C: [1, 'packshot'] },
        { A: [1, 'packshot'], C: [1, 'packshot'] },
        { A: [2, 'frontal'], C: [1, 'packshot'], D: [2, 'back'] },
        { A: [2, 'frontal'], D: [2, 'back'] },
      ]
      for (const [at, products] of nights.entries())
        await night(products, { outputs, ...(at === 1 || at === 2 ? { tables: onlyProducts } : {}) })
      const rows = (await folder.rows('photos.ndjson')).map(
        (row) => `${String(row['product_id'])} ${String(row['photo_type'])} ${row['_removed_at'] ? 'gone' : 'here'}`,
      )
      const gone = removed === 'mark' ? ['B packshot gone', 'C packshot gone'] : []
      expect(rows).toEqual(['A frontal here', ...gone, 'D back here'])
    },
  )

  test('files that a table was added to stay while it is left out, and are refused once it is back', async () => {
    const outputs = ofMode('append')
    await night({ A: [1, 'packshot'] }, { outputs })
    expect(leftNames(await night({ A: [2, 'frontal'] }, { outputs, tables: onlyProducts }))).toHaveLength(1)
    const before = await snapshot()
    expect(await failure({ A: [2, 'frontal'] }, { outputs })).toMatchObject({ code: 'STATE_INVALID' })
    expect(await snapshot()).toEqual(before)
  })

  test('a history that is left out is removed by prune alone, and begins anew after that', async () => {
    const outputs = ofMode('history', 'parquet')
    await night({ A: [1, 'packshot'] }, { outputs })
    expect(leftNames(await night({ A: [2, 'frontal'] }, { outputs, tables: onlyProducts }))).toEqual(['photos.parquet'])
    const { prunedFiles, state } = await night(
      { A: [2, 'frontal'] },
      { outputs, tables: onlyProducts },
      { prune: true },
    )
    expect(prunedFiles?.map(({ path }) => basename(path))).toEqual(['photos.parquet'])
    expect(state?.leftTables).toBeUndefined()
    expect(await folder.files()).not.toContain('photos.parquet')
    const { files } = await night({ A: [2, 'frontal'] }, { outputs })
    expect(files.map(({ table, rows }) => [table, rows])).toEqual([
      ['products', 2],
      ['photos', 1],
    ])
  })

  test('an output that the config no longer has stays, whatever other outputs are in its folder', async () => {
    const both = [...ofMode('history', 'parquet'), ...ofMode('merge', 'ndjson')]
    await night({ A: [1, 'packshot'] }, { outputs: both })
    const history = await readFile(join(folder.path, 'photos.parquet'))
    const report = await night({ A: [2, 'frontal'] }, { outputs: ofMode('merge', 'ndjson') })
    expect(leftNames(report)).toEqual(['photos.parquet', 'products.parquet'])
    expect(await readFile(join(folder.path, 'photos.parquet'))).toEqual(history)
    const { files } = await night({ A: [2, 'frontal'] }, { outputs: both })
    expect(files.map(({ table, mode, rows }) => [table, mode, rows])).toEqual([
      ['products', 'history', 2],
      ['photos', 'history', 2],
      ['products', 'merge', 1],
      ['photos', 'merge', 1],
    ])
  })

  test('a history that a config without a state left is not replaced by a new one', async () => {
    const outputs = ofMode('history')
    await night({ A: [1, 'packshot'] }, { outputs })
    const before = await readFile(join(folder.path, 'photos.ndjson'))
    await night({ A: [1, 'packshot'] }, { outputs: ofMode(undefined, 'parquet') })
    expect(await failure({ A: [2, 'frontal'] }, { outputs })).toMatchObject({ code: 'STATE_INVALID' })
    expect(await readFile(join(folder.path, 'photos.ndjson'))).toEqual(before)
  })

  test('a left-out history that returns begins anew if it was removed, and is refused if it was changed', async () => {
    const outputs = ofMode('history', 'parquet')
    const path = join(folder.path, 'photos.parquet')
    await night({ A: [1, 'packshot'] }, { outputs })
    await night({ A: [2, 'frontal'] }, { outputs, tables: onlyProducts })
    await copyFile(path, `${path}.kept`)
    await writeFile(path, 'x')
    expect(await failure({ A: [2, 'frontal'] }, { outputs })).toMatchObject({ code: 'STATE_INVALID' })
    await rm(path)
    expect((await night({ A: [2, 'frontal'] }, { outputs })).files.map(({ rows }) => rows)).toEqual([2, 1])
  })
})

test('a history in a bucket refuses another mode, stays while its table is left out, and continues after', async () => {
  const s3 = await startS3()
  try {
    const lake = `s3://warehouse/modes-${process.pid}`
    const manifest = { path: `${lake}/_manifest.json` }
    const outputs = (mode: Mode): Outputs => [{ format: 'ndjson', path: `${lake}/{table}.ndjson`, mode }]
    const run = (products: Products, mode: Mode, changes = {}) =>
      night(products, { outputs: outputs(mode), manifest, ...changes }, { env: s3.env })
    await run({ A: [1, 'packshot'], B: [1, 'packshot'] }, 'history')
    const before = await s3.keys()
    expect(await run({ A: [1, 'packshot'] }, 'merge').catch((error: unknown) => error)).toMatchObject({
      code: 'TARGET_MISMATCH',
      message: expect.stringContaining(`${lake}/products.ndjson: these files were written with`) as string,
    })
    expect(await s3.keys()).toEqual(expect.arrayContaining(before))
    for (let times = 0; times < 3; times++) {
      const report = await run({ A: [2, 'frontal'] }, 'history', { tables: onlyProducts })
      expect(leftNames(report).join()).toMatch(/^photos\.run-\w+\.ndjson,photos\.run-\w+\.parquet$/)
    }
    const { files } = await run({ A: [2, 'frontal'] }, 'history')
    const photos = files.find(({ table }) => table === 'photos')?.path.replace('s3://warehouse/', '') ?? ''
    const rows = ((await s3.objects())[photos] ?? '').trim().split('\n')
    expect(rows.map((row) => (JSON.parse(row) as { is_current: boolean }).is_current)).toEqual([false, true, false])
  } finally {
    await s3.close()
  }
})
