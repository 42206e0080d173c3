import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { BuiltCli, type CliProcess, type ProcessEnd } from '../built-cli.ts'
import { runInFolder, runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'
import { fewOf } from '../../depth.ts'

let cli: BuiltCli
let folder: RunFolder
let config: string
let input: readonly Buffer[]

beforeAll(async () => {
  ;[cli, folder] = await Promise.all([BuiltCli.build(), RunFolder.create()])
  config = await folder.write('p.yaml', JSON.stringify(pipeline))
  const lines = Buffer.concat([...generateLines({ contract: 'v4/product', records: 1400, seed: 3 })])
  const half = lines.indexOf('\n', lines.length / 2) + 1
  const bytes = Buffer.concat([lines.subarray(0, half), Buffer.from('garbage\n'), lines.subarray(half)])
  const pieces = Math.ceil(bytes.length / pieceBytes)
  input = Array.from({ length: pieces }, (_, at) => bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes))
})
afterAll(() => folder.remove())

const pieceBytes = 512 * 1024
/** More than a run reads before it starts workers. */
const bytesForWorkers = 12 * 1024 * 1024
/** A module that ends every worker thread as END_WORKER says. */
const endsWorkers = pathToFileURL(join(import.meta.dirname, 'end-worker.mjs')).href
const pipeline = {
  name: 'p',
  source: { files: '-', contract: 'v4/product' },
  completeness: 'report',
  rejects: { limit: 1 },
  tables: { products: { columns: ['id', 'name', 'cnk', 'meta'] }, product_photos: { each: 'photos[]' } },
  outputs: [
    { format: 'parquet', path: 'out/{table}.parquet' },
    { format: 'csv', path: 'out/{table}.csv' },
    { format: 'ndjson', path: 'out/{table}.ndjson.gz' },
  ],
}

const start = (workers: number, env: Readonly<Record<string, string>> = {}): CliProcess =>
  cli.start(['run', config, '--workers', String(workers), '--json', '--quiet'], { cwd: folder.path, env })

describe('the number of workers', () => {
  test('the number of workers changes no byte of any output', async () => {
    const outputs: unknown[] = []
    for (const workers of fewOf([0, 1, 2, 5], 0, 2)) {
      const child = start(workers)
      for (const piece of input) {
        child.write(piece)
        // So that the workers have started before the end.
        await sleep(25)
      }
      const { code, stdout } = await child.end()
      const [run] = (JSON.parse(stdout) as { runs: { report: Record<string, unknown> }[] }).runs
      const { runId, ledger, drift, completeness, files, tables } = run!.report
      const rejects = await readFile(join(folder.path, 'out/_rejects.ndjson'), 'utf8')
      expect({ code, ledger }).toMatchObject({ code: 0, ledger: { lines: 1401, accepted: 1400, rejected: 1 } })
      outputs.push({ runId, ledger, drift, completeness, files, tables, rejects })
    }
    for (const output of outputs) expect(output).toEqual(outputs[0])
  })

  test.each(['-1', 'two', '65', '1.5'])('--workers refuses %s', async (workers) => {
    const { exitCode, stderr } = await runInMemory(['run', config, `--workers=${workers}`])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Expected a whole number from 0 to 64.')
  })

  test('the number of workers is that of CATALOGUE_WORKERS without --workers: with 0 no thread starts', async () => {
    const env = { CATALOGUE_WORKERS: '0', NODE_OPTIONS: `--import ${endsWorkers}`, END_WORKER: 'exit' }
    const child = cli.start(['run', config, '--json', '--quiet'], { cwd: folder.path, env })
    for (const piece of input) child.write(piece)
    expect(await child.end()).toMatchObject({ code: 0, stderr: '' })
  })

  test('the number of workers is refused before the run starts if CATALOGUE_WORKERS is no number', async () => {
    const options = { env: { CATALOGUE_WORKERS: 'many' } }
    const { code, stderr } = await runInFolder(folder.path, ['run', config, '--log', 'json'], options)
    expect(code).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({
      event: 'command.failed',
      msg: 'CATALOGUE_WORKERS: expected a whole number from 0 to 64, got "many"',
    })
  })
})

describe('a run with blocks under way in workers', () => {
  const ends = [
    ['exit', /^a worker thread: expected to encode its blocks, got an end with exit code 7; /],
    ['memory', /^a worker thread: expected to encode its blocks, got more than \d+ MB needed for one; /],
    ['throw', /^a defect$/],
  ] as const

  test('a run with blocks under way in workers ends with 130 when it is asked to stop', async () => {
    const child = start(2)
    const feeding = feedUntilEnd(child)
    await child.hasRead(bytesForWorkers)
    child.kill('SIGINT')
    const { code, stdout } = await feeding
    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, runs: [{ error: { code: 'INTERRUPTED' } }] })
  })

  test.each(fewOf(ends, ends[0]))(
    'a run with blocks under way in workers fails when one ends, and leaves the earlier outputs as they were: %s',
    async (way, message) => {
      await rm(join(folder.path, 'out'), { recursive: true, force: true })
      expect((await start(0).end('{"id":"OLD"}\n')).code).toBe(0)
      const before = await readFile(join(folder.path, 'out/products.csv'), 'utf8')
      // Native code would have threads of its own.
      const env = { NODE_OPTIONS: `--import ${endsWorkers}`, END_WORKER: way, CATALOGUE_KERNEL: 'wasm' }
      const { code, stdout } = await feedUntilEnd(start(2, env))
      expect(code).toBe(1)
      const error = { code: 'UNEXPECTED', message: expect.stringMatching(message) as string }
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, runs: [{ error }] })
      expect(await readFile(join(folder.path, 'out/products.csv'), 'utf8')).toBe(before)
      expect((await folder.listOutputs()).filter((name) => name.endsWith('.staging'))).toEqual([])
    },
  )
})

/** Feeds input until the process ends. */
async function feedUntilEnd(child: CliProcess): Promise<ProcessEnd> {
  for (let at = 0; ; at++) {
    // Only lines that are accepted.
    child.write(input[at % 6] ?? '')
    const end = await Promise.race([sleep(25), child.ended])
    if (end !== undefined) return end
  }
}
