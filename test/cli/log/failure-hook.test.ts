import { readFile, rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runFailureHook } from '../../../src/cli/log/failure-hook.ts'
import type { LoggedEvent, Terminal } from '../../../src/cli/terminal.ts'
import { isRunning } from '../../../src/storage/process-identity.ts'
import { runInMemory, type CliOptions } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string
let seen: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('brands.ndjson', 'v4/brand', 50)
  config = await folder.config('brands', 'brands.ndjson')
  seen = folder.at('seen')
})
beforeEach(() => rm(seen, { force: true }))
afterAll(() => folder.remove())

const env = { PATH: process.env['PATH'] ?? '' }
const run = (hook: string, args: readonly string[] = [], options: CliOptions = {}) =>
  runInMemory(['run', '--out', folder.out, config, '--on-failure', hook, ...args], { env, ...options })
const failing = ['--set', 'source.files=nowhere']

describe('--on-failure', () => {
  test('the command of --on-failure reads what --json writes', async () => {
    const { exitCode, stdout } = await run(`cat > '${seen}'`, [...failing, '--json'])
    expect(exitCode).toBe(4)
    const document: unknown = JSON.parse(await readFile(seen, 'utf8'))
    expect(document).toEqual(JSON.parse(stdout))
    expect(document).toMatchObject({ ok: false, exitCode: 4, runs: [{ error: { code: 'SOURCE_NOT_FOUND' } }] })
  })

  test('the command of --on-failure is called for a config with problems, too', async () => {
    const { exitCode, stdout } = await run(`cat > '${seen}'`, ['--set', 'nmae=1', '--json'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(await readFile(seen, 'utf8'))).toEqual(JSON.parse(stdout))
  })

  test('the command of --on-failure is not called when every run has published', async () => {
    expect((await run(`touch '${seen}'`)).exitCode).toBe(0)
    await expect(readFile(seen)).rejects.toThrow('ENOENT')
  })

  test('the command of --on-failure gets the exit code in its environment, and no variable of env files', async () => {
    const file = await folder.write('service.env', 'CATALOGUE_KEY_SECRET=very-secret\n')
    await run(`env > '${seen}'`, [...failing, '--env', file], { env: { ...env, MINE: 'mine' } })
    const variables = await readFile(seen, 'utf8')
    expect(variables).toContain('CATALOGUE_ETL_EXIT_CODE=4\n')
    expect(variables).toContain('MINE=mine\n')
    expect(variables).not.toContain('very-secret')
  })

  test('a command of --on-failure that fails is logged, and the exit code stays that of the run', async () => {
    const { exitCode, stdout, stderr } = await run('echo to-out; echo to-err >&2; exit 9', failing)
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(stderr).toContain('--on-failure: the command ended with 9\nto-out\nto-err\n')
    expect((await run('no-such-command-anywhere', failing)).stderr).toMatch(
      /--on-failure: the command ended with 127\n/,
    )
  })

  test('the command of --on-failure is one event in a log of events', async () => {
    const { stderr } = await run('echo "told"', [...failing, '--log', 'json'], { log: 'default' })
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events.at(-1)).toMatchObject({ event: 'hook.finished', status: 0, output: 'told\n', level: 'info' })
  })

  test('a command of --on-failure that does not read a long report does not disturb the run', async () => {
    const names = Array.from({ length: 800 }, (_, at) => `--set=a${at}=1`)
    expect((await run('true', names)).exitCode).toBe(2)
  })
})

test('a command of --on-failure that takes too long is stopped, with all that it started', async () => {
  const events: LoggedEvent[] = []
  const log = { format: 'json', write: (event: LoggedEvent) => void events.push(event) } as const
  const command = `sleep 60 & echo $! > '${seen}'; wait`
  const startedAt = performance.now()
  await runFailureHook({ command, document: {}, exitCode: 1, timeoutMs: 2000 }, { env, log } as unknown as Terminal)
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  expect(events).toMatchObject([{ event: 'hook.failed', message: expect.stringContaining('took longer than 2 s') }])
  const pid = Number(await readFile(seen, 'utf8'))
  // A process that was killed is there until its parent has asked for its end.
  await expect.poll(() => isRunning({ pid, startTicks: null }), { timeout: 20_000 }).toBe(false)
})
