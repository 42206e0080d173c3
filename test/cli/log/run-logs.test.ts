import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProgressEvents } from '../../../src/cli/progress/progress.ts'
import type { LoggedEvent } from '../../../src/cli/terminal.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { runInMemory, type CliOptions } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('brands.ndjson', 'v4/brand', 50)
  await folder.write('bad.ndjson', 'nonsense\n')
  config = await folder.config('brands', 'brands.ndjson')
})
beforeEach(() => rm(folder.out, { recursive: true, force: true }))
afterAll(() => folder.remove())

async function run(args: readonly string[], options: CliOptions = {}) {
  const result = await runInMemory(['run', '--log', 'json', '--out', folder.out, ...args], {
    log: 'default',
    ...options,
  })
  return { ...result, events: readEvents(result.stderr) }
}

function readEvents(stderr: string): Record<string, unknown>[] {
  if (stderr === '') return []
  expect(stderr.endsWith('\n')).toBe(true)
  const lines = stderr.slice(0, -1).split('\n')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

const namesOf = (events: readonly Record<string, unknown>[]) => events.map(({ event }) => event)

const runPlainly = (args: readonly string[], options: CliOptions = {}) =>
  runInMemory(['run', '--out', folder.out, config, ...args], { log: 'default', ...options })
/** Drops the line that has the duration. */
const withoutTime = (text: string) => text.replace(/^ {2}time .*\n/m, '')

describe('the log of a command that does not say in which form', () => {
  test('the log of a command in a pipe is text for people, in plain lines', async () => {
    const { exitCode, stdout, stderr } = await runPlainly([])
    expect(exitCode).toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^brands {2}50 brands, none lost on the way\n {2}saved {5}brands, 50 rows\n/)
    expect(stderr).toMatch(/\n {2}open {6}.*_report\.html\n$/)
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  test('the log of a command in a pipe is the same text as on a terminal without colors', async () => {
    const inPipe = await runPlainly([])
    const onTerminal = await runPlainly([], { isTTY: true, env: { NO_COLOR: '1' } })
    expect(withoutTime(onTerminal.stderr).endsWith(withoutTime(inPipe.stderr))).toBe(true)
  })

  test('the log of a failed command in a pipe says what to do', async () => {
    const { exitCode, stderr } = await runPlainly(['--set', 'source.files=nowhere'])
    expect(exitCode).toBe(4)
    expect(stderr).toMatch(/^SOURCE_NOT_FOUND .*\n.*\n.*\n {2}Try: /)
  })

  test.each(['--json', '--quiet'])('the log of a command in a pipe is lines of JSON with %s', async (option) => {
    const { stderr } = await runPlainly(['--set', 'source.files=nowhere', option])
    expect(namesOf(readEvents(stderr)).at(-1)).toBe('run.failed')
  })

  test('the log of a command on a terminal is text with --json, too', async () => {
    const { stderr, stdout } = await runPlainly(['--json'], { isTTY: true })
    expect(stderr).toContain('none lost on the way')
    expect(JSON.parse(stdout)).toMatchObject({ ok: true })
  })
})

describe('the log of a command as events', () => {
  test('the log of a command is one JSON document an event, with the name of the run', async () => {
    const { exitCode, events } = await run([config])
    expect(exitCode).toBe(0)
    expect(namesOf(events)).toEqual(['run.started', 'source.opened', 'run.published'])
    const [{ run: name } = {}] = events
    expect(name).toMatch(/^[0-9a-f]{12}$/)
    for (const event of events) {
      expect(event).toMatchObject({ level: 'info', command: 'run', pipeline: 'brands', run: name, pid: process.pid })
      expect(event['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      expect(event['msg']).toMatch(/^brands: /)
    }
    expect(events[1]).toMatchObject({ source: folder.at('brands.ndjson') })
    expect(events[2]).toMatchObject({
      ledger: { lines: 50, accepted: 50 },
      completeness: 'proven',
      rows: { brands: 50 },
      files: 3,
      rejects: 0,
      manifest: join(folder.out, 'brands/_manifest.json'),
      runId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      durationMs: expect.any(Number) as number,
    })
  })

  test('the log of a failed command has its code, and what to do', async () => {
    const { exitCode, events } = await run([config, '--set', `source.files=${folder.at('bad.ndjson')}`])
    expect(exitCode).toBe(3)
    expect(events.at(-1)).toMatchObject({ level: 'error', event: 'run.failed', code: 'TOO_MANY_REJECTS', exitCode: 3 })
    expect(events.at(-1)).toMatchObject({ pipeline: 'brands', fix: expect.any(String), outputs: expect.any(String) })
  })

  test('the log of a config with problems is one event a problem, and one for the command', async () => {
    const wrong = await folder.config('wrong', 'a', 'nmae: 1\nlocales: [xq]\n')
    const { exitCode, events } = await run([wrong])
    expect(exitCode).toBe(2)
    expect(namesOf(events)).toEqual(['config.problem', 'config.problem', 'command.failed'])
    expect(events[0]).toMatchObject({ file: wrong, line: 3, column: 1, path: 'nmae', suggestion: 'name' })
    expect(events[2]).toMatchObject({ level: 'error', code: 'CONFIG_INVALID', exitCode: 2 })
  })

  test('the log of a command line with a mistake is one event', async () => {
    const { exitCode, events } = await run([config, '--jsn'])
    expect(exitCode).toBe(2)
    expect(events).toMatchObject([{ event: 'command.failed', code: 'USAGE' }])
    expect((await run(['--log', 'xml', '--json', config])).events).toMatchObject([{ code: 'USAGE' }])
  })

  test('the log of a command has the requests that were repeated', async () => {
    const sandbox = await startSandbox({ products: 20 })
    try {
      sandbox.inject({ endpoint: 'v4/products/stream', fault: 'cut=5' })
      const source = `source: { endpoint: v4/products/stream, baseUrl: '${sandbox.baseUrl}', keyId: ${sandbox.keyId}, keySecret: ${sandbox.keySecret}}`
      const products = await folder.write('p.yaml', `name: p\n${source}\noutputs: [{ format: csv }]\n`)
      const { events, stderr } = await run([products])
      expect(namesOf(events)).toContain('run.warning')
      expect(events.find(({ event }) => event === 'run.warning')).toMatchObject({ level: 'warn', pipeline: 'p' })
      expect(stderr).not.toContain(sandbox.keySecret)
    } finally {
      await sandbox.close()
    }
  })

  test('the log of a command with --quiet has only warnings and errors', async () => {
    expect((await run([config, '--quiet'])).events).toEqual([])
    const failed = await run([config, '--quiet', '--set', 'source.files=nowhere'])
    expect(namesOf(failed.events)).toEqual(['run.failed'])
  })

  test.each(['--log=text', '--log=text --quiet', '--log=json'])(
    'the log of a run with %s tells once that an edit removed records, that a source is empty, and that a condition matched nothing',
    async (form) => {
      const options = form.split(' ')
      await folder.generate('products.ndjson', 'v4/product', 40)
      await folder.write('empty.ndjson', '')
      const call = async (files: string, where: string, args: readonly string[]) => {
        const edited = `name: edited\nsource: { contract: v4/product, files: ${files} }\nwhere: ${where}\ntables: { products: { columns: [id, status] } }\noutputs: [{ format: csv }]\n`
        const { stderr } = await runInMemory(
          ['run', await folder.write('edited.yaml', edited), '--out', folder.out, ...args],
          { log: 'default' },
        )
        return stderr.replaceAll(/\s+/g, ' ')
      }
      const both = JSON.stringify([folder.at('products.ndjson'), folder.at('empty.ndjson')])
      await call(folder.at('products.ndjson'), '{}', [])
      const edited = await call(both, '{ status: active }', options)
      for (const text of ['of 40 published', 'there is no line']) expect(edited.split(text)).toHaveLength(2)
      await rm(folder.out, { recursive: true })
      const unmet = await call(folder.at('products.ndjson'), "{ id: 'nobody' }", options)
      expect(unmet.split('of 40 records none meets')).toHaveLength(2)
      await call(folder.at('products.ndjson'), '{}', [])
      const failed = await call(folder.at('empty.ndjson'), '{}', options)
      expect(failed.split('there is no line').length).toBeGreaterThan(1)
    },
  )

  test('the log of a command is text with --log text, nothing with --log none; on a terminal it is JSON with --log json', async () => {
    const text = await runInMemory(['run', '--out', folder.out, config, '--log=text'], { log: 'default' })
    expect(text.stderr).toMatch(/^brands {2}50 brands, none lost on the way\n/)
    const none = await runInMemory(['run', config, '--set', 'source.files=nowhere', '--log', 'none'], {
      log: 'default',
    })
    expect(none).toEqual({ exitCode: 4, stdout: '', stderr: '' })
    const { events } = await run([config, '--log', 'json'], { isTTY: true })
    expect(namesOf(events)).toContain('run.published')
  })

  test('the log of a fetch is events, too', async () => {
    const { exitCode, stderr } = await runInMemory(['fetch', config, '--to', folder.at('x'), '--json'], {
      log: 'default',
    })
    expect(exitCode).toBe(2)
    expect(readEvents(stderr)).toMatchObject([{ event: 'command.failed', command: 'fetch', code: 'CONFIG_INVALID' }])
  })

  test('the log of commands that have no option --log is text', async () => {
    const { stderr } = await runInMemory(['plan', folder.at('nowhere.yaml')], { log: 'default' })
    expect(stderr).toMatch(/^CONFIG_UNREADABLE /)
  })
})

test('progress is logged at an interval, even if nothing moves', async () => {
  const events: LoggedEvent[] = []
  const log = { format: 'json', write: (event: LoggedEvent) => void events.push(event) } as const
  const progress = createProgressEvents(
    { log } as unknown as Parameters<typeof createProgressEvents>[0],
    { run: 'r' },
    20,
  )
  progress.show({ pipeline: 'p', lines: 10, bytes: 100, total: 40 })
  await sleep(90)
  progress.stop()
  expect(events.length).toBeGreaterThanOrEqual(2)
  expect(events[0]).toMatchObject({
    event: 'run.progress',
    run: 'r',
    pipeline: 'p',
    lines: 10,
    bytes: 100,
    total: 40,
    share: 0.25,
  })
  const told = events.length
  await sleep(50)
  expect(events).toHaveLength(told)
})
