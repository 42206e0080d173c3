import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { PastRun } from '../../../src/manifest/manifest.ts'
import { pastRunSchema } from '../../../src/manifest/runs-schema.ts'
import { RunFolder, toStream } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', toStream(['A', 'B', 'C']))
})
afterEach(() => folder.remove())

const historyPath = () => join(folder.out, '_runs.ndjson')

async function readLines(): Promise<string[]> {
  return (await readFile(historyPath(), 'utf8')).split('\n').slice(0, -1)
}

async function readRuns(): Promise<PastRun[]> {
  return (await readLines()).map((line) => pastRunSchema.strict().parse(JSON.parse(line)))
}

function warned() {
  const warnings: string[] = []
  return { warnings, onWarning: (message: string) => void warnings.push(message) }
}

describe('the history of runs', () => {
  test('has a line for each run, published or failed, with its counts', async () => {
    const { runId, startedAt, finishedAt, files } = await folder.run({}, { run: 'first' })
    await folder.write('input.ndjson', toStream(['A', 'B'], 3))
    expect(await folder.fail({ expect: [{ column: 'status', in: ['x'] }] }, { run: 'second' })).toMatchObject({
      code: 'SOURCE_INCOMPLETE',
    })
    await folder.fail({ source: { files: 'none.ndjson' } }, { run: 'third' })
    await folder.write('input.ndjson', `{"id":"A","status":"odd","colour":1}\nnot JSON\n`)
    await folder.run(
      { completeness: 'report', rejects: { limit: 1 }, maxRemoved: '100%', expect: [{ column: 'status', in: ['x'] }] },
      { run: 'fourth' },
    )
    const [first, second, third, fourth, ...others] = await readRuns()
    expect(others).toEqual([])
    expect(first).toMatchObject({
      run: 'first',
      runId,
      kind: 'full',
      startedAt,
      finishedAt,
      outcome: 'published',
      exitCode: 0,
      completeness: 'proven',
      ledger: { lines: 3, accepted: 3 },
      records: 3,
      tables: { products: { rows: 3, bytes: files[0]?.bytes } },
      profile: { products: { id: { filled: 1, distinct: 3 }, status: { filled: 1, distinct: 1 } } },
    })
    expect(second).toMatchObject({
      run: 'second',
      outcome: 'SOURCE_INCOMPLETE',
      exitCode: 4,
      completeness: 'incomplete',
      ledger: { lines: 2 },
      rules: { kept: 0, unjudged: 0, broken: [{ table: 'products', column: 'status', rule: 'in', count: 2 }] },
    })
    expect(second).not.toHaveProperty('records')
    expect(third).toMatchObject({ run: 'third', outcome: 'SOURCE_NOT_FOUND', exitCode: 4 })
    expect(third).not.toHaveProperty('ledger')
    expect(fourth).toMatchObject({
      outcome: 'published',
      ledger: { rejected: 1, accepted: 1 },
      drift: { unknownFields: { colour: 1 }, unknownValues: { status: { odd: 1 } } },
    })
  })

  test('of a failed run changes no other file, and no line of the runs before', async () => {
    await folder.run()
    const [before, lines] = [await folder.snapshot(), await readLines()]
    await folder.write('input.ndjson', toStream(['A'], 3))
    await folder.fail()
    expect(await folder.snapshot()).toEqual(before)
    expect((await readLines()).slice(0, -1)).toEqual(lines)
  })

  test('has a line for a run that was interrupted, and none for one that another held up', async () => {
    const stop = new AbortController()
    expect(await folder.fail({}, { signal: stop.signal, onSource: () => stop.abort() })).toMatchObject({
      code: 'INTERRUPTED',
    })
    expect(await readRuns()).toMatchObject([{ outcome: 'INTERRUPTED', exitCode: 130 }])
    const ended = await Promise.allSettled([folder.run(), folder.run(), folder.run({}, { wait: true })])
    const publishedRuns = ended.filter(({ status }) => status === 'fulfilled').length
    const runs = await readRuns()
    expect(runs).toHaveLength(1 + publishedRuns)
    expect(new Set(runs.map(({ run }) => run)).size).toBe(runs.length)
  })

  test('has no line for a config or call that was wrong before anything was read', async () => {
    await folder.run()
    const outputs: PipelineConfig['outputs'] = [{ format: 'ndjson', path: 'out/{table}.ndjson', mode: 'merge' }]
    const window = { since: new Date(0), until: new Date(1000), progress: null }
    expect(await folder.fail({ outputs }, { limit: 10 })).toMatchObject({ code: 'USAGE' })
    expect(await folder.fail({ outputs }, { window })).toMatchObject({ code: 'USAGE' })
    expect(await readRuns()).toMatchObject([{ outcome: 'published' }])
  })

  test('keeps the last 400 runs', async () => {
    await folder.run()
    const [line = ''] = await readLines()
    const old = Array.from({ length: 450 }, (_, at) => line.replace(/"run":"\w+"/, `"run":"old${at}"`))
    await writeFile(historyPath(), `${old.join('\n')}\n`)
    await folder.run({}, { run: 'newest' })
    const runs = (await readRuns()).map(({ run }) => run)
    expect(runs).toHaveLength(400)
    expect([runs[0], runs.at(-2), runs.at(-1)]).toEqual(['old51', 'old449', 'newest'])
  })

  test('loses lines that are no runs, which is said once, and never ends a run', async () => {
    await folder.run({}, { run: 'first' })
    const [line = ''] = await readLines()
    await writeFile(historyPath(), `garbage\n${line}\n{"run":7}\n\u0000\n${line.slice(0, 50)}`)
    const { warnings, onWarning } = warned()
    await folder.run({}, { run: 'second', onWarning })
    expect(warnings).toEqual([`${historyPath()}: 4 lines are no runs, and left out`])
    expect((await readRuns()).map(({ run }) => run)).toEqual(['first', 'second'])
    const again = warned()
    await folder.run({}, { onWarning: again.onWarning })
    expect(again.warnings).toEqual([])
  })

  test('keeps members that a later version may write', async () => {
    await folder.run()
    const [line = ''] = await readLines()
    const later = line.replace('{', '{"later":[1],')
    await writeFile(historyPath(), `${later}\n`)
    await folder.run()
    expect((await readLines())[0]).toBe(later)
  })

  test('is left alone if it cannot be read, and the run is published', async () => {
    await mkdir(historyPath(), { recursive: true })
    const { warnings, onWarning } = warned()
    await folder.run({}, { onWarning })
    expect(warnings).toEqual([expect.stringContaining("the history of runs can't be read")])
    expect(await folder.listOut()).toContain('_manifest.json')
    await folder.write('input.ndjson', 'garbage\n')
    expect(await folder.fail({}, { onWarning })).toMatchObject({ code: 'TOO_MANY_REJECTS' })
  })

  test('is not kept with runs: false, which leaves that of earlier runs as it is', async () => {
    await folder.run()
    const before = await readLines()
    await folder.run({ runs: false })
    await folder.fail({ runs: false, source: { files: 'none.ndjson' } })
    expect(await readLines()).toEqual(before)
  })

  test('lies beside a manifest with another name, and no output may take its place', async () => {
    await folder.run({ manifest: { path: 'out/products.json' } })
    expect(await folder.listOut()).toContain('products.json.runs.ndjson')
    const outputs = [{ format: 'ndjson', path: 'out/_runs.ndjson' }] as const
    await expect(folder.run({ outputs: [...outputs] })).rejects.toThrow('the history of runs')
  })

  test('has lines below 16 kB, whatever a run had', async () => {
    const names = Array.from({ length: 400 }, (_, at) => `${'long'.repeat(20)}${at}`)
    const record = { id: 'A', ...Object.fromEntries(names.map((name) => [name, 1])) }
    await folder.write('input.ndjson', `${JSON.stringify(record)}\n`)
    const tables = Object.fromEntries(names.map((name) => [name, { columns: 'all' as const }]))
    await folder.run({ completeness: 'report', tables: Object.fromEntries(Object.entries(tables).slice(0, 150)) })
    const [line = ''] = await readLines()
    expect(line.length).toBeLessThan(16_000)
    expect(JSON.parse(line)).toMatchObject({ isCut: true })
  })
})
