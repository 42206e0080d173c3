import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createSandboxCommand } from '../../src/cli/commands/sandbox-command.ts'
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

test('the rate limit is 100 requests a minute by default, another or none by option', async () => {
  for (const [args, expected] of [
    [['--rate-limit', '3'], 3],
    [['--no-rate-limit'], 120],
    [[], 100],
  ] as const) {
    const { said, stop } = start(['--products', '1', ...args])
    const baseUrl = (await said()).trim()
    let answered = 0
    for (let count = 0; count < 120; count++) {
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
])('--fault %j is refused before anything is started', async (fault, message) => {
  await expect(start(['--fault', fault]).run).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(message) as string,
  })
})

test.each([
  ['--port', '70000'],
  ['--products', '0'],
  ['--rate-limit', 'many'],
])('option %s %s of the sandbox command is refused', async (...args) => {
  await expect(start(args).run).rejects.toThrow(/Expected/)
})

function start(args: readonly string[]) {
  const interrupted = new AbortController()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  let exitCode: number | undefined
  const terminal = { stdin: new PassThrough(), stdout, stderr, env: {}, signal: interrupted.signal }
  const command = createSandboxCommand(terminal, (code) => (exitCode = code))
    .exitOverride()
    .configureOutput({
      outputError: () => undefined,
    })
  const first = new Promise<string>((resolve) => {
    stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))
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
