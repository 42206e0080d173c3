import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { fewOf } from '../../depth.ts'
import { runInFolder } from '../memory-terminal.ts'
import { BuiltCli, type CliProcess, type ProcessEnd } from '../built-cli.ts'
import { RunFolder } from '../run-folder.ts'

let cli: BuiltCli
let folder: RunFolder
let config: string
let halfOfAStream: Buffer

beforeAll(async () => {
  folder = await RunFolder.create()
  cli = await BuiltCli.build()
  await folder.generate('brands.ndjson', 'v4/brand', 50)
  const stream = Buffer.concat([...generateLines({ contract: 'v4/brand', records: 15_000, seed: 2 })])
  halfOfAStream = stream.subarray(0, stream.length / 2)
  config = await folder.config('brands', 'brands.ndjson')
})
beforeEach(() => rm(folder.out, { recursive: true, force: true }))
afterAll(() => folder.remove())

const start = (...args: string[]): CliProcess => cli.start(args, { cwd: folder.path })
const run = (...args: string[]): Promise<ProcessEnd> => start(...args).end()

describe('exit codes', () => {
  test('exit code 0: published', async () => {
    const end = await run('run', config, '--log', 'json')
    expect(end).toMatchObject({ code: 0, signal: null, stdout: '' })
    expect(readEvents(end.stderr)).toContainEqual(expect.objectContaining({ event: 'run.published', level: 'info' }))
    expect(await folder.listOutputs()).toHaveLength(7)
  })

  test('exit code 2: usage or config', async () => {
    expect(await run('rnu')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('run', 'nowhere.yaml')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('check', config, '--set', 'nmae=x')).toMatchObject({ code: 2, stdout: '' })
  })

  test('exit code 3: more rejects than the limit', async () => {
    await folder.write('bad.ndjson', 'nonsense\n')
    const end = await run('run', config, '--set', 'source.files=bad.ndjson', '--json')
    expect(end.code).toBe(3)
    expect(JSON.parse(end.stdout)).toMatchObject({ ok: false, runs: [{ error: { code: 'TOO_MANY_REJECTS' } }] })
    expect(await folder.listOutputs()).toEqual(['brands/_rejects.ndjson', 'brands/_report.failed.html'])
  })

  test.skipIf(process.platform !== 'linux')('exit code 5: a full disk behind standard output', async () => {
    const shell = promisify(execFile)('sh', ['-c', `"${process.execPath}" "${cli.path}" endpoints > /dev/full`])
    const end: unknown = await shell.catch((error: unknown) => error)
    expect(end).toMatchObject({
      code: 5,
      stderr: `OUTPUT_FAILED An output could not be written\n  standard output: ENOSPC: no space left on device, write\n`,
    })
  })

  test('exit code 4: source failed or incomplete', async () => {
    expect((await run('run', config, '--set', 'source.files=nowhere.ndjson')).code).toBe(4)
    const cut = [...generateLines({ contract: 'v4/brand', records: 9, seed: 1 })]
      .map((bytes) => Buffer.from(bytes).toString())
      .join('')
    const end = await start('run', config, '--set', 'source.files=-', '--log', 'json').end(cut.slice(0, -20))
    expect(end.code).toBe(4)
    expect(readEvents(end.stderr)).toContainEqual(
      expect.objectContaining({ event: 'run.failed', code: 'SOURCE_INCOMPLETE' }),
    )
    expect(await folder.listOutputs()).toEqual(['brands/_rejects.ndjson', 'brands/_report.failed.html'])
  })

  test('exit code 2: an output that no retry can write', async () => {
    const end = await run('run', config, '--out', 'brands.ndjson', '--log', 'json')
    expect(end.code).toBe(2)
    expect(readEvents(end.stderr)).toContainEqual(
      expect.objectContaining({ event: 'run.failed', code: 'OUTPUT_REFUSED' }),
    )
  })

  test('exit code 5: an output could not be written', async () => {
    const output = 'outputs: [{ format: csv, path: "s3://warehouse/{table}.csv" }]\n'
    const inBucket = await folder.config('in-bucket', 'brands.ndjson', output)
    const keys = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }
    const env = { ...keys, AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_MAX_ATTEMPTS: '1' }
    const end = await cli.start(['run', inBucket, '--log', 'json'], { cwd: folder.path, env }).end()
    expect(end.code).toBe(5)
    expect(readEvents(end.stderr)).toContainEqual(
      expect.objectContaining({ event: 'run.failed', code: 'OUTPUT_FAILED' }),
    )
  })
})

describe('a reader that closes the pipe early', () => {
  const writing = [
    ['sandbox', 'generate', '--records', '200000'],
    ['sandbox', 'generate', '--records', '1'],
    ['endpoints', '--json'],
    ['--help'],
  ]
  test.each(fewOf(writing, writing[0]!, writing[3]!))(
    'a reader that closes the pipe early does not make %s fail (%#)',
    async (...args) => {
      const child = start(...args)
      await child.firstOutput()
      child.closeOutputs('stdout')
      expect(await child.end()).toMatchObject({ code: 0, signal: null, stderr: '' })
    },
  )

  test('a reader that closes the pipe early does not make a command fail that has not written yet', async () => {
    const child = start('plan', config, '--json')
    child.closeOutputs('stdout')
    expect(await child.end()).toMatchObject({ code: 0, stderr: '' })
  })

  test('a reader of standard error that closes the pipe early does not stop the run', async () => {
    const child = start('run', config)
    child.closeOutputs('stdout', 'stderr')
    expect((await child.end()).code).toBe(0)
    expect(await folder.listOutputs()).toHaveLength(7)
  })
})

describe('standard input and output', () => {
  test('standard output is piped from one command to standard input of the next', async () => {
    const generated = await run('sandbox', 'generate', '--contract', 'v4/brand', '--records', '500')
    const end = await start('run', config, '--set', 'source.files=-', '--json').end(generated.stdout)
    expect(end.code).toBe(0)
    const { runs } = JSON.parse(end.stdout) as { runs: { report: object }[] }
    expect(runs[0]!.report).toMatchObject({ ledger: { accepted: 500 }, completeness: { status: 'proven' } })
  })

  test('standard output holds a large JSON document whole', async () => {
    const products = await folder.write(
      'p.yaml',
      'name: p\nsource: { files: a, contract: v4/product }\nlocales: [nl, fr, en, de, es, it, pt, pl]\n',
    )
    const { stdout } = await run('plan', products, '--json')
    expect(stdout.length).toBeGreaterThan(65_536)
    expect(JSON.parse(stdout)).toMatchObject({ pipeline: 'p' })
  })
})

describe('a run that is asked to stop', () => {
  test.each(fewOf(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 'SIGTERM'))(
    'a run that is asked to stop by %s ends with 130 and leaves the outputs as they were',
    async (signal) => {
      const { end, before, after } = await interrupt(signal)
      expect(end).toMatchObject({ code: 130, signal: null })
      expect(JSON.parse(end.stdout)).toMatchObject({
        ok: false,
        runs: [{ error: { code: 'INTERRUPTED', exitCode: 130 } }],
      })
      expect(readEvents(end.stderr).at(-1)).toMatchObject({
        event: 'run.failed',
        code: 'INTERRUPTED',
        outputs: 'Nothing was saved; the earlier outputs are as they were.',
      })
      expect(after).toEqual(before)
    },
  )

  test('a run that is asked to stop while it copies standard input ends with 130 and removes the copy', async () => {
    const { end, before, after } = await interrupt('SIGINT', '--set', 'duplicates=last')
    expect(end.code).toBe(130)
    expect(after).toEqual(before)
  })

  test('a request to stop ends a generate to a slow reader', async () => {
    const child = start('sandbox', 'generate', '--records', '100000000')
    await child.firstOutput()
    child.kill('SIGINT')
    const end = await child.ended
    expect(end.code).toBe(130)
    expect(end.stderr).toMatch(/^INTERRUPTED /)
  })

  test('a request to stop ends a demo in the middle of a stream, and its sandbox', async () => {
    const child = start('sandbox', 'demo', '--records', '100000', '--out', folder.out)
    while ((await listStaging()).length === 0) await sleep(5)
    child.kill('SIGINT')
    const { code, stderr } = await child.ended
    expect({ code, stderr }).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/^INTERRUPTED /) as string,
    })
    expect(await folder.listOutputs()).toEqual([])
  })

  test('a request to stop leaves no half file of a generate to a file', async () => {
    const child = start('sandbox', 'generate', '--records', '100000000', '--to', 'data/big.ndjson')
    while (!(await readdir(folder.path)).includes('data')) await sleep(5)
    await sleep(200)
    child.kill('SIGTERM')
    expect((await child.ended).code).toBe(130)
    expect(await readdir(folder.at('data'))).toEqual([])
  })
})

/** The log of a command that a scheduler calls: one JSON document a line. */
function readEvents(stderr: string): Record<string, unknown>[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Lists files under staging names. */
async function listStaging(): Promise<string[]> {
  return (await folder.listOutputs()).filter((name) => name.includes('/.'))
}

/** Interrupts a run in the middle of its input; the outputs of an earlier run are there. */
async function interrupt(signal: NodeJS.Signals, ...settings: string[]) {
  expect((await runInFolder(folder.path, ['run', config])).code).toBe(0)
  const before = await folder.readOutputs()
  const child = start('run', config, '--json', '--set', 'source.files=-', ...settings)
  child.write(halfOfAStream)
  while ((await listStaging()).length === 0) await sleep(5)
  await sleep(100)
  child.kill(signal)
  const end = await child.ended
  return { end, before, after: await folder.readOutputs() }
}
