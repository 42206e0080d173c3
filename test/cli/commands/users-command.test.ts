import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { Forwarder } from '../../users/forwarder.ts'
import { listCreated, toAddresses, toCsv, toCsvLine, UserFolder } from '../../users/user-files.ts'
import { runInMemory, type CliOptions } from '../memory-terminal.ts'

let folder: UserFolder
let sandbox: Sandbox

beforeEach(async () => {
  ;[folder, sandbox] = await Promise.all([UserFolder.create(), startSandbox({ products: 1 })])
})
afterEach(async () => {
  await Promise.all([folder[Symbol.asyncDispose](), sandbox.close()])
})

describe('users create', () => {
  test('users create creates users and reports them; a second run skips them; no password is printed', async () => {
    const file = await folder.write('users.csv', toCsv(3))
    const first = await run(['users', 'create', file])
    expect(first).toMatchObject({ exitCode: 0, stdout: '' })
    expect(first.stderr).toMatch(
      /3 rows for .*\n +created +3\n +skipped +0\n +failed +0\n +results +.*users\.csv\.results\.ndjson\n$/,
    )
    await folder.write('users.csv', toCsv(4).replace('User 2', 'Else'))
    const second = await run(['users', 'create', file, '--json'])
    expect(second.exitCode).toBe(0)
    expect(second.stderr).toContain('line 3  user2@example.org  created at')
    const { ok, report, error } = JSON.parse(second.stdout) as { ok: boolean; report: unknown; error: unknown }
    expect({ ok, error }).toEqual({ ok: true, error: null })
    expect(report).toMatchObject({ file, rows: 4, created: 1, skipped: 3, failed: 0, unsent: 0 })
    expect(await listCreated(sandbox)).toEqual(toAddresses(4))
    const everything = [first, second].map(({ stdout, stderr }) => stdout + stderr).join('\n')
    expect(everything + (await folder.readAllBut('users.csv'))).not.toContain('s3cret')
    expect(await run(['users', 'create', file, '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  test('users create prints every wrong row, sends nothing and ends with 3', async () => {
    const rows = [
      ...toCsv(1).split('\n'),
      toCsvLine(2).replace(',nl,', ',,'),
      toCsvLine(3).replace('developer', 'develper'),
    ]
    const file = await folder.write('users.csv', rows.join('\n'))
    const { exitCode, stdout, stderr } = await run(['users', 'create', file, '--json'])
    expect(exitCode).toBe(3)
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      `${file}:3: preferences.language  expected a text that is not empty, got nothing`,
      expect.stringMatching(
        /users\.csv:4: role {2}expected one of .*, got text "software_develper"; did you mean "software_developer"\?$/,
      ),
      'ROWS_INVALID Rows of the file have problems',
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: 'ROWS_INVALID', exitCode: 3, outputs: 'Nothing was sent.' },
      problems: [
        { line: 3, column: 'preferences.language' },
        { line: 4, column: 'role', suggestion: 'software_developer' },
      ],
    })
    expect(stdout + stderr).not.toContain('s3cret')
    expect(sandbox.requests).toEqual([])
  })

  test('users create shows its plan with --dry-run, which needs no key, sends nothing and writes nothing', async () => {
    const file = await folder.write('users.csv', toCsv(1))
    await run(['users', 'create', file])
    await folder.write('users.csv', toCsv(2))
    const before = [sandbox.requests.length, await folder.names()]
    const env = { CATALOGUE_URL: sandbox.baseUrl }
    const { exitCode, stdout, stderr } = await runInMemory(['users', 'create', file, '--dry-run'], { env })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^line {2}action {2}user\n {3}2 {2}skip {4}user1@example\.org {2}created at .*\n {3}3 {2}create {2}user2@example\.org\n$/,
    )
    expect(stderr).toBe(`${file}: 1 to create, 1 already created at ${sandbox.baseUrl}; nothing was sent\n`)
    const json = await runInMemory(['users', 'create', file, '--dry-run', '--json', '--quiet'], { env })
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      users: [
        { line: 2, action: 'skip' },
        { line: 3, action: 'create' },
      ],
    })
    expect([sandbox.requests.length, await folder.names()]).toEqual(before)
  })

  test('users create ends with 4 if the service refuses a row, and creates the others', async () => {
    const file = await folder.write('users.csv', toCsv(3).replace('user2@example.org', 'user1@example.com'))
    const { exitCode, stdout, stderr } = await run(['users', 'create', file, '--json'])
    expect(exitCode).toBe(4)
    expect(stderr).toContain('line 3  user1@example.com  SERVICE_REFUSED: ')
    expect(stderr).toContain('USERS_NOT_CREATED Not every user was created')
    expect(stderr).toContain('2 created, 0 skipped, 1 failed, 0 not sent; results in ')
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      report: { created: 2, failed: 1 },
      error: { code: 'USERS_NOT_CREATED' },
    })
  })

  test('users create ends with 4 if the key may not create users', async () => {
    const other = await startSandbox({ products: 1, mayCreateUsers: false })
    try {
      const file = await folder.write('users.csv', toCsv(9))
      const env = { ...access(), CATALOGUE_URL: other.baseUrl }
      const { exitCode, stderr } = await runInMemory(['users', 'create', file], { env })
      expect(exitCode).toBe(4)
      expect(stderr).toContain('SERVICE_UNAUTHORIZED The service did not accept the credentials')
      expect(stderr).toContain('0 created, 0 skipped, 4 failed, 5 not sent')
      expect(stderr).toMatch(/Try: Check key id and key secret \(CATALOGUE_KEY_ID and CATALOGUE_KEY_SECRET\)/)
      expect(stderr).not.toContain('source.')
    } finally {
      await other.close()
    }
  })

  test('users create reads standard input, with its format and a place for its results', async () => {
    const results = folder.at('new/results.ndjson')
    const args = ['users', 'create', '-', '--format', 'csv', '--results', results]
    expect(await run(args, { stdin: toCsv(2) })).toMatchObject({ exitCode: 0 })
    expect(await run(args, { stdin: toCsv(3) })).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/created +1\n +skipped +2/) as string,
    })
    const nowhere = await run(args.slice(0, 5), { stdin: toCsv(1) })
    expect(nowhere).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('name one with --results') as string,
    })
    const wrong = await run(args, { stdin: 'email\n1' })
    expect(wrong.stderr).toContain('<stdin>:1: role  expected the column, got none\n')
  })

  test('users create takes address and key from an env file, and names what is not set', async () => {
    const file = await folder.write('users.csv', toCsv(1))
    const lines = Object.entries(access()).map(([name, value]) => `${name}=${value}`)
    const envFile = await folder.write('test.env', lines.join('\n'))
    expect(await runInMemory(['users', 'create', file, '--env', envFile])).toMatchObject({ exitCode: 0 })
    const unset = await runInMemory(['users', 'create', file], {
      env: { CATALOGUE_URL: sandbox.baseUrl, CATALOGUE_KEY_ID: '' },
    })
    expect(unset.exitCode).toBe(2)
    expect(unset.stderr).toMatch(/^USAGE The address or the credentials of the service are missing\n/)
    expect(unset.stderr).toContain(
      'environment variables CATALOGUE_KEY_ID, CATALOGUE_KEY_SECRET: expected a value, got nothing',
    )
  })

  test.each([
    [
      { CATALOGUE_URL: 'example.com' },
      'baseUrl: expected an address such as https://api.example.com, got "example.com"',
    ],
    [{ CATALOGUE_URL: 'https://me:s3cret@example.com' }, 'baseUrl: expected no user and password in the address'],
    [{ CATALOGUE_URL: 'http://example.com', HTTP_PROXY: 'ftp://s3cret' }, 'environment variable HTTP_PROXY: expected'],
  ])('users create refuses %j', async (env, message) => {
    const file = await folder.write('users.csv', toCsv(1))
    const { exitCode, stderr } = await run(['users', 'create', file], { env: { ...access(), ...env } })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('s3cret')
  })

  test('users create ends with 130 when it is interrupted, and keeps its results', async () => {
    await using forwarder = await Forwarder.start(sandbox.baseUrl)
    const interrupted = new AbortController()
    forwarder.onFulfilled(() => interrupted.abort())
    const file = await folder.write('users.csv', toCsv(12))
    const env = { ...access(), CATALOGUE_URL: forwarder.url }
    const { exitCode, stderr } = await runInMemory(['users', 'create', file], { env, signal: interrupted.signal })
    expect(exitCode).toBe(130)
    const created = (await folder.readResults()).filter(({ status }) => status === 'created').length
    expect(created).toBe((await listCreated(sandbox)).length)
    expect(stderr).toContain(`${created} created, 0 skipped, 0 failed, ${12 - created} not sent`)
    expect(await run(['users', 'create', file], { env })).toMatchObject({ exitCode: 0 })
    expect(await listCreated(sandbox)).toEqual(toAddresses(12))
  })

  test('users create shows progress on a terminal only', async () => {
    const file = await folder.write('users.csv', toCsv(2))
    expect((await run(['users', 'create', file], { isTTY: true })).stderr).toContain('of 2')
    expect((await run(['users', 'create', file])).stderr).not.toContain('of 2')
  })
})

test('users without a subcommand prints help', async () => {
  const { exitCode, stdout, stderr } = await runInMemory(['users'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('create [options] <file>')
  expect((await runInMemory(['users', 'creat'])).stderr).toContain('unknown command \'creat\'; did you mean "create"?')
})

function run(args: readonly string[], options: CliOptions = {}) {
  return runInMemory(args, { env: access(), ...options })
}

function access() {
  const { baseUrl, keyId, keySecret } = sandbox
  return { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: keyId, CATALOGUE_KEY_SECRET: keySecret }
}
