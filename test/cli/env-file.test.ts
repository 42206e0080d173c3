import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEnvFile } from '../../src/cli/env-file.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { runInMemory } from './memory-terminal.ts'

let folder: string
let config: string
let sandbox: Sandbox

const at = (name: string): string => join(folder, name)

async function write(name: string, text: string | Buffer): Promise<string> {
  await writeFile(at(name), text)
  return at(name)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'env-file-'))
  sandbox = await startSandbox({ products: 20, rateLimit: false, keyId: 'file-key', keySecret: 'file-secret-1' })
  const source = '{ endpoint: v4/brands/query, baseUrl: "${URL}", keyId: "${KEY}", keySecret: "${SECRET}" }'
  config = await write('brands.yaml', `name: brands\nsource: ${source}\noutputs: [{ format: csv }]\n`)
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

describe('an env file', () => {
  test('an env file overrides the address and credentials of the environment, with a note that shows no values', async () => {
    const file = await write(
      'sandbox.env',
      `# the sandbox\nURL=${sandbox.baseUrl}\nKEY=file-key\nexport SECRET="file-secret-1"\n`,
    )
    const env = { URL: 'https://other.example.com', KEY: 'file-key', HOME: '/home/me' }
    const { exitCode, stderr } = await runInMemory(['run', config, '--env', file, '--out', at('out')], { env })
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr.split('\n')[0]).toBe(`${file}: note: overrides URL of the environment`)
    for (const command of ['check', 'plan', 'preview'])
      expect((await runInMemory([command, config, '--env', file, '--json'])).exitCode).toBe(0)
    const landed = await runInMemory(['fetch', config, '--env', file, '--to', at('landed.ndjson')])
    expect(landed).toMatchObject({ exitCode: 0 })
    expect(stderr + landed.stderr).not.toContain('file-secret-1')
  })

  test('a later env file overrides an earlier one', async () => {
    const both = ['--env', await write('a.env', 'URL=https://a.example.com\nKEY=a'), '--env']
    const { stdout, stderr } = await runInMemory([
      'plan',
      config,
      ...both,
      await write('b.env', 'URL=https://b.example.com'),
    ])
    expect(stdout).toContain('reads POST https://b.example.com/v4/brands/query')
    expect(stderr).toBe('')
  })

  test.each([
    ['a line without =', 'URL=x\n\n# KEY\nKEY file-secret-1\n', ':4: expected NAME=value, got a line that'],
    ['a quote that does not close', 'A=1\nKEY="file-secret-1\n', ':2: expected a closing " after the value, got none'],
    ['one that closes in the next value', "KEY='file-secret-1\nURL='x'\n", ":1: expected a closing ' after the value"],
    ['a line without a name', 'URL=x\nfile-secret-1\nKEY=y\n', ':2: expected NAME=value, got a line that is not shown'],
    ['a name that is none', 'my key=file-secret-1\n', ':1: expected NAME=value'],
    ['nothing', '# nothing\n', ': expected lines of the form NAME=value, got none'],
    [
      'bytes that are no text',
      Buffer.from([0x41, 0x3d, 0xff]),
      ': expected a file of NAME=value lines, got one that is no UTF-8',
    ],
  ])('an env file with %s is refused, and what is in it is not shown', async (_, content, message) => {
    const file = await write('wrong.env', content)
    const { exitCode, stderr, stdout } = await runInMemory(['check', config, '--json', '--env', file])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${file}${message}`)
    expect(stderr + stdout).not.toContain('file-secret-1')
  })

  test.runIf(process.getuid?.() !== 0)('an env file that may not be read is refused', async () => {
    const file = await write('closed.env', 'A=1')
    await chmod(file, 0)
    expect((await runInMemory(['check', config, '--env', file])).stderr).toContain('no permission')
  })

  test('an env file that does not exist or is a folder is refused', async () => {
    await mkdir(at('folder.env'))
    const missing = await runInMemory(['run', config, '--env', at('nowhere.env')])
    expect(missing.exitCode).toBe(2)
    expect(missing.stderr).toContain(
      `--env ${at('nowhere.env')}: expected a file of NAME=value lines, got nothing there`,
    )
    expect(missing.stderr).toMatch(/^USAGE The env file could not be read\n[^]*Try: Correct the file that --env names/)
    expect((await runInMemory(['run', config, '--env', at('folder.env')])).stderr).toContain('got a folder')
  })

  test('an env file may begin with a byte order mark and have quoted and empty values', async () => {
    const file = await write('bom.env', '\uFEFFA=1\r\nB="x # y"\r\nC=\r\nD=\'q\' # comment\r\nF="1\n2="\nG=it\'s')
    const values = { A: '1', B: 'x # y', C: '', D: 'q', E: '5', F: '1\n2=', G: "it's" }
    expect(await readEnvFile(file, { A: '0', E: '5' })).toEqual(values)
  })
})

describe('notes of a config', () => {
  const access = '  baseUrl: ${URL}\n  keyId: ${KEY}\n  keySecret: ${SECRET}\n'
  const wrongly = `name: x\nsource:\n  endpoint: v4/brands/query\n  filter: { tint: x }\n${access}`
  const message = '"tint" is sent unchecked, as the specification does not show what v4/brands/query takes'

  test('notes of a config are shown by check and plan, which do not fail for them', async () => {
    const file = await write('notes.yaml', wrongly)
    const note = `${file}:4:13  note: ${message}\n    4 |   filter: { tint: x }\n      |             ^\n`
    expect(await runInMemory(['check', file])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `${file}: no problem\n${note}note: URL, KEY, SECRET are not set: a run needs them, in the environment or by --env FILE (${file})\n`,
    })
    const plan = await runInMemory(['plan', file])
    expect(plan).toMatchObject({ exitCode: 0, stderr: note })
    expect(plan.stdout).toContain('{"filter":{"tint":"x"}}')
    expect(plan.stdout).toContain('asks  at most 100 requests a minute; 5 retries; 10 s to connect')
  })

  test('notes of a config name the missing credentials of a source that can run only from files', async () => {
    const file = await write(
      'offline.yaml',
      'name: x\nsource:\n  endpoint: v4/brands/query\n  baseUrl: https://a.example.com\n',
    )
    const { exitCode, stderr } = await runInMemory(['check', file])
    expect(exitCode).toBe(0)
    expect(stderr).toContain('note: source: keyId and keySecret are missing: it can run only --from files')
  })

  test('notes of a config are in the JSON of check and plan', async () => {
    const file = await write('notes.yaml', wrongly)
    const note = { file, line: 4, column: 13, path: 'source.filter.tint', message, suggestion: null }
    const check = await runInMemory(['check', file, '--json'])
    expect(JSON.parse(check.stdout)).toEqual({ ok: true, problems: [], notes: [note], unset: ['URL', 'KEY', 'SECRET'] })
    const plan = await runInMemory(['plan', file, '--json'])
    expect(JSON.parse(plan.stdout)).toMatchObject({
      request: { method: 'POST', path: '/v4/brands/query', body: { filter: { tint: 'x' } } },
      notes: [note],
    })
    expect(plan.stderr).toBe('')
  })
})
