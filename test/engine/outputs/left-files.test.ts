import { appendFile, copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runPipeline, type RunOptions, type RunReport } from '../../../src/index.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { RunFolder } from '../../cli/run-folder.ts'
import { startS3, type S3Server } from '../../storage/s3/start-s3.ts'

type Outputs = PipelineConfig['outputs']

let folder: RunFolder
let input: string

beforeAll(async () => {
  folder = await RunFolder.create()
  input = await folder.generate('brands.ndjson', 'v4/brand', 20)
})
afterEach(() => rm(folder.out, { recursive: true, force: true }))
afterAll(() => folder.remove())

const wide: Outputs = [{ format: 'parquet' }, { format: 'csv' }, { format: 'ndjson' }]
const narrow: Outputs = [{ format: 'parquet' }]

function run(outputs: Outputs, options: RunOptions = {}, name = 'brands'): Promise<RunReport> {
  const config = { name, source: { files: input, contract: 'v4/brand' }, outputs }
  return runPipeline(config, { outDir: folder.out, workers: 0, ...options })
}

function namesOf(files: RunReport['leftFiles']): string[] | undefined {
  return files?.map(({ path }) => basename(path))
}

function isThere(name: string): Promise<boolean> {
  return stat(`${folder.out}/brands/${name}`).then(
    () => true,
    () => false,
  )
}

async function readManifest(): Promise<RunReport> {
  return JSON.parse(await readFile(`${folder.out}/brands/_manifest.json`, 'utf8')) as RunReport
}

describe('files that an earlier config left', () => {
  test('files that an earlier config left are listed while they exist, and kept', async () => {
    const first = await run(wide)
    expect(first).not.toHaveProperty('leftFiles')
    const second = await run(narrow)
    expect(namesOf(second.leftFiles)).toEqual(['brands.csv', 'brands.ndjson'])
    expect(second.leftFiles?.[0]).toEqual({
      path: first.files[1]?.path,
      bytes: first.files[1]?.bytes,
      sha256: first.files[1]?.sha256,
    })
    expect(await readManifest()).toEqual(second)
    expect(namesOf((await run(narrow)).leftFiles)).toEqual(['brands.csv', 'brands.ndjson'])
    await rm(`${folder.out}/brands/brands.csv`)
    expect(namesOf((await run(narrow)).leftFiles)).toEqual(['brands.ndjson'])
    expect(await run(wide)).not.toHaveProperty('leftFiles')
  })

  test('prune removes exactly the files that an earlier config left', async () => {
    await run(wide)
    await writeFile(`${folder.out}/brands/notes.txt`, 'mine')
    const report = await run(narrow, { prune: true })
    expect(report).not.toHaveProperty('leftFiles')
    expect(namesOf(report.prunedFiles)).toEqual(['brands.csv', 'brands.ndjson'])
    const names = (await folder.listOutputs()).filter((name) => !/_profile|_report/.test(name))
    expect(names).toEqual(
      ['_manifest.json', '_rejects.ndjson', 'brands.parquet', 'notes.txt'].map((name) => `brands/${name}`),
    )
    const next = await run(narrow, { prune: true })
    expect(next).not.toHaveProperty('leftFiles')
    expect(next).not.toHaveProperty('prunedFiles')
  })

  test('files that an earlier config left are kept if somebody has changed them', async () => {
    await run(wide)
    await appendFile(`${folder.out}/brands/brands.csv`, 'mine')
    const ndjson = await readFile(`${folder.out}/brands/brands.ndjson`)
    await writeFile(`${folder.out}/brands/brands.ndjson`, Buffer.alloc(ndjson.length, 'x'))
    const report = await run(narrow, { prune: true })
    expect(report).not.toHaveProperty('prunedFiles')
    expect([await isThere('brands.csv'), await isThere('brands.ndjson')]).toEqual([true, true])
  })

  test('files that an earlier config left are kept if they now belong to another pipeline', async () => {
    const shared = `${folder.out}/shared/brands.csv`
    await run([...(narrow ?? []), { format: 'csv', path: shared }])
    await rm(shared)
    await run([{ format: 'csv', path: shared }], {}, 'other')
    const report = await run(narrow, { prune: true })
    expect(report).not.toHaveProperty('prunedFiles')
    expect(await stat(shared)).toMatchObject({ size: expect.any(Number) as number })
  })

  test('files of another pipeline whose manifest is replaced are not listed', async () => {
    await run(wide, {}, 'other')
    await mkdir(`${folder.out}/brands`)
    await copyFile(`${folder.out}/other/_manifest.json`, `${folder.out}/brands/_manifest.json`)
    const report = await run(narrow, { prune: true })
    expect(report).not.toHaveProperty('leftFiles')
    expect(report).not.toHaveProperty('prunedFiles')
  })

  test('files that a killed run was about to remove are removed by the next run', async () => {
    await run(wide)
    const csv = await readFile(`${folder.out}/brands/brands.csv`)
    await run(narrow, { prune: true })
    await writeFile(`${folder.out}/brands/brands.csv`, csv)
    expect(namesOf((await run(narrow)).prunedFiles)).toEqual(['brands.csv'])
    expect(await isThere('brands.csv')).toBe(false)
  })

  test('files that an earlier config left are kept if the run fails', async () => {
    await run(wide)
    const before = await folder.readOutputs()
    await writeFile(input, 'nonsense\n')
    await expect(run(narrow, { prune: true })).rejects.toMatchObject({ code: 'TOO_MANY_REJECTS' })
    input = await folder.generate('brands.ndjson', 'v4/brand', 20)
    expect(withoutRejects(await folder.readOutputs())).toEqual(withoutRejects(before))
  })

  test('files that a merging config left, including its state, are listed and removed', async () => {
    const merged: Outputs = [
      { format: 'parquet', mode: 'merge' },
      { format: 'csv', mode: 'merge', partitionBy: ['name_nl'] },
    ]
    await run(merged)
    const csv = (await folder.listOutputs()).filter((name) => name.endsWith('.csv'))
    expect(csv.length).toBeGreaterThan(1)
    const onlyParquet: Outputs = [{ format: 'parquet', mode: 'merge' }]
    expect((await run(onlyParquet)).leftFiles).toHaveLength(csv.length)
    expect((await run(onlyParquet, { prune: true })).prunedFiles).toHaveLength(csv.length)
    expect((await folder.listOutputs()).filter((name) => name.includes('.csv'))).toEqual([])
    expect(namesOf((await run([{ format: 'ndjson' }])).leftFiles)).toEqual(['brands.parquet', 'records.parquet'])
    expect(namesOf((await run([{ format: 'ndjson' }], { prune: true })).prunedFiles)).toEqual([
      'brands.parquet',
      'records.parquet',
    ])
  })
})

function toObjects(formats: readonly ('parquet' | 'csv')[]): Outputs {
  return formats.map((format) => ({ format, path: `s3://warehouse/left-${process.pid}/{table}.${format}` }))
}

describe('objects that an earlier config left', () => {
  let s3: S3Server
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.close())

  const inBucket = (formats: readonly ('parquet' | 'csv')[], prune = false) =>
    run(toObjects(formats), { env: s3.env, prune })
  const listCsv = async () => (await s3.keys()).filter((key) => key.endsWith('.csv'))

  test('prune removes objects that an earlier config left in the next publication', async () => {
    await inBucket(['parquet', 'csv'])
    expect((await inBucket(['parquet'])).leftFiles).toHaveLength(1)
    expect((await inBucket(['parquet'], true)).prunedFiles).toHaveLength(1)
    // Readers of the manifest before can finish.
    expect(await listCsv()).toHaveLength(1)
    const next = await inBucket(['parquet'])
    expect(next).not.toHaveProperty('leftFiles')
    expect(next).not.toHaveProperty('prunedFiles')
    expect(await listCsv()).toEqual([])
  })
})

function withoutRejects(files: Record<string, string>): [name: string, content: string][] {
  return Object.entries(files).filter(([name]) => !/_rejects|\.failed/.test(name))
}
