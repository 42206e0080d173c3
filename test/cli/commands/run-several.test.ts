import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chooseExitCode, type RunOutcome } from '../../../src/cli/run-pipelines.ts'
import { CatalogueError, type ErrorCode } from '../../../src/errors.ts'
import { lockPathFor, takeFileLock } from '../../../src/storage/lock/file-lock.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { BuiltCli } from '../built-cli.ts'
import { runInMemory, type CliOptions } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'
import { cases } from '../../depth.ts'

let folder: RunFolder
let configs: string[]

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('brands.ndjson', 'v4/brand', 50)
  configs = await Promise.all(['a', 'b', 'c'].map((name) => folder.config(name, 'brands.ndjson')))
})
beforeEach(() => rm(folder.out, { recursive: true, force: true }))
afterAll(() => folder.remove())

const run = (args: readonly string[], options?: CliOptions) =>
  runInMemory(['run', '--out', folder.out, ...args], options)

interface RunDocument {
  readonly ok: boolean
  readonly exitCode: number
  readonly runs: readonly { pipeline: string; run: string; ok: boolean; error?: { code: string } }[]
}

/** Removes the times from manifests. */
const withoutTimes = (outputs: Record<string, string>) =>
  Object.entries(outputs).filter(([name]) => !/_manifest\.json$|_report\.html$/.test(name))

/** The lock of the first pipeline, held by this process. */
const lock = () => takeFileLock(lockPathFor(folder.at('out/a/_manifest.json')), { subject: 'a', run: 'first' })

describe('several pipelines at a time', () => {
  test('several pipelines at a time publish the same as one after the other, and are reported in the order of the configs', async () => {
    expect((await run(configs)).exitCode).toBe(0)
    const inTurn = await folder.readOutputs()
    const { exitCode, stdout } = await run([...configs, '--parallel', '3', '--json'])
    const document = JSON.parse(stdout) as RunDocument
    expect({ exitCode, told: document.exitCode }).toEqual({ exitCode: 0, told: 0 })
    expect(document.runs.map(({ pipeline }) => pipeline)).toEqual(['a', 'b', 'c'])
    expect(new Set(document.runs.map((each) => each.run)).size).toBe(3)
    expect(withoutTimes(await folder.readOutputs())).toEqual(withoutTimes(inTurn))
  })

  test('several pipelines at a time continue when one fails, and the exit code is the worst', async () => {
    const missing = await folder.config('missing', 'nowhere.ndjson')
    await folder.write('bad.ndjson', 'nonsense\n')
    const bad = await folder.config('bad', 'bad.ndjson')
    for (const parallel of ['1', '2', '9']) {
      const { exitCode, stdout } = await run([missing, bad, ...configs, '--parallel', parallel, '--json'])
      const { ok, runs } = JSON.parse(stdout) as RunDocument
      expect({ exitCode, ok }).toEqual({ exitCode: 3, ok: false })
      expect(runs.map((each) => each.ok)).toEqual([false, false, true, true, true])
    }
  })

  test('several pipelines at a time print their reports on a terminal, each in one piece', async () => {
    const { stderr } = await run([...configs, '--parallel', '3'], { isTTY: true, env: { NO_COLOR: '1' } })
    for (const name of ['a', 'b', 'c']) expect(stderr).toMatch(new RegExp(`${name} {2}\\d+ brands, .*\n.*saved `))
    expect(stderr.match(/none lost on the way/g)).toHaveLength(3)
  })

  test('several pipelines at a time all stop when they are asked to, and no other begins', async () => {
    const stop = AbortSignal.abort()
    const { exitCode, stdout } = await run([...configs, '--parallel', '2', '--json'], { signal: stop })
    expect(exitCode).toBe(130)
    const { runs } = JSON.parse(stdout) as RunDocument
    expect(runs.map(({ error }) => error?.code)).toEqual(['INTERRUPTED', 'INTERRUPTED'])
    expect(await folder.listOutputs()).toEqual([])
  })

  test('several pipelines at a time all stop in the middle of a source', async () => {
    const sandbox = await startSandbox({ products: 20 })
    try {
      sandbox.inject({ endpoint: 'v4/products/stream', fault: 'stall=5', times: 2 })
      const access = `baseUrl: '${sandbox.baseUrl}', keyId: ${sandbox.keyId}, keySecret: ${sandbox.keySecret}`
      const names = ['x', 'y', 'z']
      const products = names.map((name) =>
        folder.write(`${name}.yaml`, `name: ${name}\nsource: { endpoint: v4/products/stream, ${access} }\n`),
      )
      const stop = new AbortController()
      const stopping = setTimeout(() => stop.abort(), 1500)
      const args = [...(await Promise.all(products)), '--parallel', '2', '--json']
      const { exitCode, stdout } = await run(args, { signal: stop.signal })
      clearTimeout(stopping)
      expect(exitCode).toBe(130)
      const { runs } = JSON.parse(stdout) as RunDocument
      expect(runs.map(({ pipeline, error }) => [pipeline, error?.code])).toEqual([
        ['x', 'INTERRUPTED'],
        ['y', 'INTERRUPTED'],
      ])
      expect(await folder.listOutputs()).toEqual([])
    } finally {
      await sandbox.close()
    }
  })

  test('several pipelines at a time read standard input once', async () => {
    const { exitCode, stderr } = await run([configs[0]!, configs[1]!, '--set', 'source.files=-'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('a and b: expected one at most to read standard input, got 2')
  })
})

test.each<{ codes: (ErrorCode | 'ok')[]; exitCode: number }>([
  { codes: ['ok', 'ok'], exitCode: 0 },
  { codes: ['LOCKED', 'ok'], exitCode: 6 },
  { codes: ['LOCKED', 'SOURCE_FAILED'], exitCode: 4 },
  { codes: ['SOURCE_FAILED', 'TOO_MANY_REJECTS'], exitCode: 3 },
  { codes: ['TOO_MANY_REJECTS', 'OUTPUT_FAILED'], exitCode: 5 },
  { codes: ['OUTPUT_FAILED', 'CONFIG_INVALID'], exitCode: 2 },
  { codes: ['UNEXPECTED', 'CONFIG_INVALID'], exitCode: 1 },
  { codes: ['UNEXPECTED', 'INTERRUPTED', 'ok'], exitCode: 130 },
])('the worst exit code of $codes is $exitCode', ({ codes, exitCode }) => {
  const outcomes = codes.map((code) =>
    code === 'ok' ? { ok: true } : { ok: false, error: new CatalogueError(code, 'why') },
  )
  expect(chooseExitCode(outcomes as unknown as RunOutcome[])).toBe(exitCode)
})

describe('a pipeline that is being run', () => {
  test('a run of a pipeline that is already running is refused with the name of the other run, and other pipelines run', async () => {
    const held = await lock()
    const { exitCode, stderr, stdout } = await run([configs[0]!, configs[1]!, '--json'])
    expect(exitCode).toBe(6)
    expect(stderr).toMatch(
      /^a {2}LOCKED Another run of the pipeline is running\n {2}a: expected .*, got process \d+ on /,
    )
    expect(stderr).toContain('This run read nothing and published nothing.')
    expect((JSON.parse(stdout) as RunDocument).runs.map(({ ok }) => ok)).toEqual([false, true])
    await held.release()
    expect((await run([configs[0]!])).exitCode).toBe(0)
  })

  test('--wait waits for another run of the pipeline to end, for a while or without limit', async () => {
    const held = await lock()
    const short = await run([configs[0]!, '--wait', '100ms'])
    expect(short.exitCode).toBe(6)
    expect(short.stderr).toMatch(/^a: waits for process \d+ on /)
    const patient = [run([configs[0]!, '--wait']), run([configs[0]!, '--wait=1m'])]
    setTimeout(() => void held.release(), 100)
    expect((await Promise.all(patient)).map(({ exitCode }) => exitCode)).toEqual([0, 0])
  })

  test.each(['soon', '10', '-1m', '0s', 'a.yaml'])('--wait %s is refused', async (duration) => {
    const { exitCode, stderr } = await run([configs[0]!, `--wait=${duration}`])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Expected a duration such as 90s, 10m, 1h or 7d.')
  })

  test('several calls in one process run a pipeline one at a time', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => run([configs[0]!, '--wait'])))
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0])
    expect((await folder.listOutputs()).filter((name) => name.includes('/.'))).toEqual([])
  })
})

describe('processes that run one pipeline', () => {
  let cli: BuiltCli
  beforeAll(async () => {
    cli = await BuiltCli.build()
  })

  const start = (...args: string[]) => cli.start(['run', configs[0]!, '--out', folder.out, ...args])

  test('several processes run one pipeline: some publish, the others end with 6, and every file is whole', async () => {
    const ends = await Promise.all(Array.from({ length: cases(8, 3) }, () => start('--quiet').end()))
    const codes = ends.map(({ code }) => code)
    expect(codes).toContain(0)
    expect(codes.filter((code) => code !== 0 && code !== 6)).toEqual([])
    expect(await folder.listOutputs()).toHaveLength(7)
  })

  test('the next process runs a pipeline at once after one that was killed', async () => {
    const stream = await readFile(folder.at('brands.ndjson'))
    const killed = start('--set', 'source.files=-')
    killed.write(stream)
    while (!(await folder.listOutputs()).includes('a/._manifest.json.lock')) await sleep(5)
    const refused = await start().end()
    expect(refused.code).toBe(6)
    killed.kill('SIGKILL')
    await killed.ended
    expect(await folder.listOutputs()).toContain('a/._manifest.json.lock')
    expect((await start().end()).code).toBe(0)
    expect(await folder.listOutputs()).toHaveLength(7)
  })

  test('a process that is stopped while it waits for a pipeline ends with 130, and leaves the lock to its holder', async () => {
    const lockPath = lockPathFor(folder.at('out/a/_manifest.json'))
    const held = await takeFileLock(lockPath, { subject: 'a', run: 'first' })
    const waiting = start('--wait')
    while (!waiting.stderr.includes('waits for')) await new Promise((resolve) => setTimeout(resolve, 10))
    waiting.kill('SIGTERM')
    expect((await waiting.ended).code).toBe(130)
    await held.confirm()
    await held.release()
    expect(await folder.listOutputs()).toEqual([])
  })
})
