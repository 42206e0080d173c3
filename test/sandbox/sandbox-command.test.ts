import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxCommand } from '../../src/cli/commands/try/sandbox-command.ts'
import { waitForEnd } from '../../src/cli/commands/try/sandbox-end.ts'
import { toCommander } from '../../src/cli/to-commander.ts'
import { toBasic } from './ask-sandbox.ts'

test('the sandbox command prints its address, serves until it is interrupted, and exits with 0', async () => {
  const { said, stop } = start(['--products', '12', '--seed', '3', '--json'])
  const { baseUrl } = JSON.parse(await said()) as { baseUrl: string }
  const response = await read(baseUrl, 'sandbox', 'sandbox-secret')
  expect((await response.text()).split('\n')).toHaveLength(13)
  expect(await stop()).toMatchObject({ exitCode: 0 })
  await expect(read(baseUrl, 'sandbox', 'sandbox-secret')).rejects.toThrow('fetch failed')
})

test('a secret given to the sandbox command is accepted and not printed', async () => {
  const { said, stop } = start(['--products', '1', '--key-id', 'me', '--key-secret', 'very-secret'])
  const baseUrl = (await said()).trim()
  expect((await read(baseUrl, 'me', 'very-secret')).status).toBe(200)
  expect((await read(baseUrl, 'sandbox', 'sandbox-secret')).status).toBe(401)
  const { stdout, stderr } = await stop()
  expect(stdout + stderr).not.toContain('very-secret')
  expect(stderr).toContain(`curl -u me:<API_KEY_SECRET> ${baseUrl}/v4/products/stream`)
})

test('the rate limit is 100 requests a minute unless an option sets another or none', async () => {
  for (const [args, requests, expected] of [
    [['--rate-limit', '3'], 5, 3],
    [['--no-rate-limit'], 105, 105],
    [[], 105, 100],
  ] as const) {
    const { said, stop } = start(['--products', '1', ...args])
    const baseUrl = (await said()).trim()
    let answered = 0
    for (let count = 0; count < requests; count++) {
      const { status } = await fetch(`${baseUrl}/v3/brands/get`, {
        headers: { authorization: toBasic('sandbox', 'sandbox-secret') },
      })
      if (status !== 429) answered++
    }
    expect(answered).toBe(expected)
    await stop()
  }
})

test('option --fault applies to the first requests, to one endpoint or any, once or several times', async () => {
  const { said, stop } = start(['--products', '12', '--fault', 'v4/products/stream 503', '--fault', '429 x2'])
  const baseUrl = (await said()).trim()
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) {
    const response = await read(baseUrl, 'sandbox', 'sandbox-secret')
    await response.text()
    statuses.push(response.status)
  }
  expect(statuses).toEqual([503, 429, 429, 200])
  await stop()
})

test.each([
  ['v4/product/stream cut=120', 'did you mean "v4/products/stream"?'],
  ['v4/products/stream', 'got ""'],
  ['v4/products/stream cutt=120', 'one of retry-after, error-body, redirect, delay, cut,'],
  ['cut=120 always', 'got "cut=120always"'],
])('--fault %j is refused before the server starts', async (fault, message) => {
  await expect(start(['--fault', fault]).run).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(message) as string,
  })
})

test('option --dialect loose makes the sandbox command send that dialect', async () => {
  const { said, stop } = start(['--products', '12', '--dialect', 'loose'])
  const response = await read((await said()).trim(), 'sandbox', 'sandbox-secret')
  await response.text()
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=UTF-8')
  await stop()
})

test('option --for ends the sandbox command with exit code 0 after that time', async () => {
  const { said, run, stop } = start(['--products', '1', '--for', '300ms'])
  await said()
  const begin = performance.now()
  await run
  expect(performance.now() - begin).toBeLessThan(5000)
  expect(await stop()).toMatchObject({ exitCode: 0 })
})

describe('the sandbox command with a command after --', () => {
  let folder: string
  const writeAnswer = `const answer = await fetch(process.env.CATALOGUE_URL + '/v3/brands/all', {
      headers: { authorization: 'Basic ' + btoa(process.env.CATALOGUE_KEY_ID + ':' + process.env.CATALOGUE_KEY_SECRET) },
    })
    fs.writeFileSync(process.argv[1], process.env.CATALOGUE_URL + ' ' + answer.status)
    process.exit(7)`

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-command-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  test('passes its address in the environment, and exits with the command and its code', async () => {
    const file = join(folder, 'answer')
    const node = ['--', process.execPath, '--input-type=module', '-e', `import fs from 'node:fs'; ${writeAnswer}`, file]
    const { run, stop } = start(['--products', '1', '--rate-limit', '5', ...node])
    await run
    const { exitCode } = await stop()
    const [baseUrl = '', status] = (await readFile(file, 'utf8')).split(' ')
    expect([exitCode, status]).toEqual([7, '200'])
    await expect(read(baseUrl, 'sandbox', 'sandbox-secret')).rejects.toThrow('fetch failed')
  })

  test('stops the command if it is interrupted', async () => {
    const { run, stop } = start(['--products', '1', '--', process.execPath, '-e', 'setInterval(() => {}, 1000)'])
    const stopped = stop()
    await run
    expect(await stopped).toMatchObject({ exitCode: 143 })
  })

  test('refuses a command that does not exist', async () => {
    await expect(start(['--products', '1', '--', join(folder, 'nothing')]).run).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('expected a program to run') as string,
    })
  })
})

describe('the end of the parent process of a sandbox', () => {
  const npx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'catalogue-etl'" }
  const shell = { npm_lifecycle_event: 'ci', npm_lifecycle_script: 'catalogue-etl sandbox & sleep 1' }

  test('ends the sandbox if npx started it', async () => {
    const { signal } = new AbortController()
    expect(await waitForEnd({ signal, env: npx }, { forMs: 10_000, parentId: parentGoes() })).toBe('npx')
  })

  test.each([
    ['a shell', {}],
    ['a script of npm', shell],
    ['the npx of another command', { ...npx, npm_lifecycle_script: "'vitest'" }],
  ])('does not end the sandbox if %s started it', async (_, env) => {
    const { signal } = new AbortController()
    expect(await waitForEnd({ signal, env }, { forMs: 700, parentId: parentGoes() })).toBe('time')
  })

  test('does not delay the end of an interrupted sandbox', async () => {
    const waiting = waitForEnd({ signal: AbortSignal.timeout(50), env: npx }, { forMs: undefined, parentId: () => 1 })
    expect(await waiting).toBe('interrupted')
  })
})

test.each([
  ['--port', '70000'],
  ['--products', '0'],
  ['--for', '10'],
  ['--rate-limit', 'many'],
])('option %s %s of the sandbox command is refused', async (...args) => {
  await expect(start(args).run).rejects.toThrow(/Expected/)
})

/** A parent process id that changes after the first look. */
function parentGoes(): () => number {
  let calls = 0
  return () => (calls++ === 0 ? 4711 : 1)
}

function start(args: readonly string[]) {
  const interrupted = new AbortController()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  let exitCode: number | undefined
  const terminal = { stdin: new PassThrough(), stdout, stderr, env: {}, signal: interrupted.signal }
  const command = toCommander('sandbox', sandboxCommand, terminal, (code) => (exitCode = code))
    .exitOverride()
    .configureOutput({
      outputError: () => undefined,
    })
  const first = new Promise<string>((resolve) => {
    stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))
    stdout.once('finish', () => resolve(''))
  })
  const run = command.parseAsync(args, { from: 'user' })
  const stop = async () => {
    interrupted.abort()
    await run
    stdout.end()
    stderr.end()
    return { exitCode, stdout: (await first) + (await text(stdout)), stderr: await text(stderr) }
  }
  return {
    run,
    said: () => first,
    stop,
  }
}

function read(baseUrl: string, keyId: string, keySecret: string) {
  return fetch(`${baseUrl}/v4/products/stream`, {
    method: 'POST',
    headers: { authorization: toBasic(keyId, keySecret), 'content-type': 'application/json' },
    body: '{"filter":{},"sorting":{"id":"ASC"}}',
  })
}
