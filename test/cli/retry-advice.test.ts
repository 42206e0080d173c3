import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { runInMemory } from './memory-terminal.ts'
import { RunFolder } from './run-folder.ts'

let sandbox: Sandbox
let folder: RunFolder

beforeAll(async () => {
  sandbox = await startSandbox({ products: 3, rateLimit: false })
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

const noRetry = 'A retry ends in the same way until then.'

describe('advice about a retry, exit code 4', () => {
  test.each(['401', '403', '404'])(
    'a run that the service answers %s says that a retry does not help',
    async (fault) => {
      sandbox.inject({ endpoint: 'v4/brands/query', fault })
      const { exitCode, stderr } = await run({ endpoint: 'v4/brands/query', ...access() })
      expect(exitCode).toBe(4)
      expect(stderr).toContain(noRetry)
      expect(stderr).not.toMatch(/run again|try again|later/i)
    },
  )

  test('a run whose file is missing says that a retry does not help', async () => {
    const { exitCode, stderr } = await run({ files: folder.at('missing.ndjson'), contract: 'v4/brand' })
    expect(exitCode).toBe(4)
    expect(stderr).toContain(noRetry)
    expect(stderr).not.toMatch(/run again|try again|later/i)
  })

  test('a run that fails because the service is in trouble advises a retry', async () => {
    sandbox.inject({ endpoint: 'v4/brands/query', fault: '503' })
    const { exitCode, stderr } = await run({ endpoint: 'v4/brands/query', retries: 0, ...access() })
    expect(exitCode).toBe(4)
    expect(stderr).toContain('Run again later')
    expect(stderr).not.toContain(noRetry)
  })

  test('the table of exit codes in the documentation gives the same advice', async () => {
    const text = await readFile(join(import.meta.dirname, '../../docs/scheduling.md'), 'utf8')
    const row = text.split('\n').find((line) => line.startsWith('| 4 '))
    for (const code of ['SERVICE_UNAUTHORIZED', 'SERVICE_NOT_FOUND', 'SOURCE_NOT_FOUND']) expect(row).toContain(code)
  })
})

function access() {
  return { baseUrl: sandbox.baseUrl, keyId: sandbox.keyId, keySecret: '${SECRET}' }
}

async function run(source: object) {
  const tables = { rows: { columns: ['id'] } }
  const text = JSON.stringify({ name: 'retried', source, tables, outputs: [{ format: 'csv' }] })
  const config = await folder.write('retried.json', text)
  return runInMemory(['run', config, '--out', folder.out], { env: { SECRET: sandbox.keySecret } })
}
