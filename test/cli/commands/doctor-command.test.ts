import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doctorDocumentSchema } from '../../../src/cli/log/document-schemas.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { startOtherService, type OtherService } from '../../doctor/other-service.ts'
import { runInMemory, type CliOptions } from '../memory-terminal.ts'

let sandbox: Sandbox
let other: OtherService
let folder: string

beforeAll(async () => {
  ;[sandbox, other, folder] = await Promise.all([
    startSandbox({ products: 100, dialect: 'loose', rateLimit: false }),
    startOtherService(),
    mkdtemp(join(tmpdir(), 'doctor-')),
  ])
})
afterAll(async () => {
  await Promise.all([sandbox.close(), other.close(), rm(folder, { recursive: true })])
})

let keys = 0

/** A new key for each call, as a key is limited to 100 requests a minute. */
function toEnv(baseUrl: string): Record<string, string> {
  return { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: `key-${keys++}`, CATALOGUE_KEY_SECRET: secret }
}

const secret = 'a-secret-of-the-test'
const someEndpoints = ['--only', 'v4/products/query', 'v4/products/stream', 'v4/users/query']

function doctor(args: readonly string[], env: Record<string, string>, options: CliOptions = {}) {
  return runInMemory(['doctor', ...args], { ...options, env })
}

describe('doctor', () => {
  test('doctor prints what differs first, within 80 columns, with what to do, and no secret', async () => {
    const { exitCode, stdout, stderr } = await doctor([], toEnv(other.addressOf('euros')), { columns: 200 })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const sections = stdout.split('\n').filter((line) => /^[A-Z].*\(\d+\)$/.test(line))
    expect(sections.map((line) => line.replace(/ \(.*/, ''))).toEqual([
      'Differs, and needs a change',
      'Differs, and is read all the same',
      'Could not be told',
      'Holds',
    ])
    expect(stdout).toMatch(
      /money-in-cents .*\n +v4\/products\/query: \d+ of \d+ prices are a hundredth.*\n(?: {8}.*\n)*? +Do: Write `unit: units`/,
    )
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(stdout).not.toContain(secret)
    expect(stdout).not.toContain('MARKER')
  })

  test('doctor --json writes a document that meets its schema; --strict ends with 3 if a change is needed', async () => {
    const { exitCode, stdout } = await doctor(['--json', '--strict'], toEnv(other.addressOf('euros')))
    expect(exitCode).toBe(3)
    const document = JSON.parse(stdout) as { ok: boolean; report: { endpoints: unknown[] } }
    expect(doctorDocumentSchema.parse(document)).toMatchObject({ ok: false, exitCode: 3 })
    const schema = JSON.parse(await readFile('docs/doctor.schema.json', 'utf8')) as Record<string, unknown>
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    validate(document)
    expect(validate.errors).toBeNull()
    expect(stdout).not.toContain('MARKER')
  })

  test('doctor --strict ends with 0 if the service differs only in forms that can be read', async () => {
    const { exitCode, stdout } = await doctor(['--strict'], toEnv(other.addressOf('other-name')))
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Differs, and is read all the same (1)')
  })

  test('doctor --only asks the named endpoints, and refuses an unknown one', async () => {
    const { exitCode, stdout } = await doctor([...someEndpoints, '--json'], toEnv(other.addressOf('plain')))
    expect(exitCode).toBe(0)
    const { report } = JSON.parse(stdout) as { report: { requests: number; endpoints: { name: string }[] } }
    expect(report.endpoints.map(({ name }) => name)).toEqual(someEndpoints.slice(1))
    expect(report.requests).toBeLessThan(15)
    const wrong = await doctor(['--only', 'v4/products/steam'], toEnv(other.addressOf('plain')))
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toContain('"v4/products/steam"; did you mean "v4/products/stream"?')
  })

  test('doctor says which variables are missing, with an example', async () => {
    const { exitCode, stderr } = await doctor([], { CATALOGUE_KEY_ID: 'a' })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('environment variables CATALOGUE_URL, CATALOGUE_KEY_SECRET: expected a value, got nothing')
    expect(stderr).toContain('CATALOGUE_URL=https://api.example.com')
  })

  test('doctor takes address and key from a config, and another address from --base-url', async () => {
    const config = join(folder, 'products.yaml')
    const source = `endpoint: v4/products/stream, baseUrl: '${other.addressOf('plain')}', keyId: '\${KEY}', keySecret: '\${SECRET}'`
    await writeFile(config, `name: products\nsource: { ${source} }\n`)
    const env = { KEY: 'of-the-config', SECRET: secret }
    const first = await doctor([config, '--only', 'v4/users/query', '--json'], env)
    expect(JSON.parse(first.stdout)).toMatchObject({
      ok: true,
      report: { baseUrl: other.addressOf('plain') },
    })
    const address = other.addressOf('no-emails')
    const second = await doctor([config, '--only', 'v4/users/query', '--json', '--base-url', address], env)
    expect(JSON.parse(second.stdout)).toMatchObject({ report: { baseUrl: address } })
    const files = join(folder, 'files.yaml')
    await writeFile(files, 'name: files\nsource: { files: a.ndjson, contract: v4/product }\n')
    expect(await doctor([files], env)).toMatchObject({ exitCode: 2 })
  })

  test('doctor ends with 4 if nobody answers, or every endpoint refuses the key', async () => {
    const silent = await doctor([], toEnv('http://127.0.0.1:9'))
    expect(silent.exitCode).toBe(4)
    expect(silent.stderr).toMatch(/SERVICE_UNREACHABLE.*\n.*does not take connections.*\n.*CATALOGUE_URL/)
    const refused = await doctor(['--json'], toEnv(sandbox.baseUrl))
    expect(refused.exitCode).toBe(4)
    expect(refused.stderr).toMatch(/SERVICE_UNAUTHORIZED.*\n.*status 401.*\n.*CATALOGUE_KEY_ID/)
    expect(doctorDocumentSchema.parse(JSON.parse(refused.stdout))).toMatchObject({ ok: false })
    expect(refused.stdout + refused.stderr).not.toContain(secret)
  })

  test('doctor that is interrupted ends with 130 and prints no findings', async () => {
    const interrupt = new AbortController()
    const ended = doctor([], toEnv(other.addressOf('plain')), { signal: interrupt.signal })
    setTimeout(() => interrupt.abort(), 100)
    const { exitCode, stdout, stderr } = await ended
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
    expect(stderr).toContain('INTERRUPTED')
  })

  test('doctor prints no value of any record of the loose sandbox', async () => {
    const { stdout } = await doctor([], {
      CATALOGUE_URL: sandbox.baseUrl,
      CATALOGUE_KEY_ID: sandbox.keyId,
      CATALOGUE_KEY_SECRET: sandbox.keySecret,
    })
    const products = [...sandbox.productsOn()]
    const values = new Set(products.flatMap(listTexts).filter((text) => text.length >= 5))
    expect(values.size).toBeGreaterThan(1000)
    const words = new Set(stdout.split(/[\s"(),;:]+/))
    expect([...values].filter((value) => words.has(value) && !isName(value))).toEqual([])
  })
})

/** True for field names that records hold as values. */
function isName(text: string): boolean {
  return /^[a-z]+(?:[A-Z]\w*)?$/.test(text)
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}
