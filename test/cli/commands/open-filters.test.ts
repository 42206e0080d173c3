import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { dialects } from '../../sandbox/dialects.ts'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

describe('filters that the specification does not list', () => {
  test('a key of other markets is noted by check, plan and run, sent, and filters where the service knows it', async () => {
    await using service = await start('loose')
    const config = await write({ endpoint: 'v4/products/query', filter: { pzn: 'none has it' }, ...service.access })
    const note = '"pzn" is sent unchecked, as it is a key of other markets'
    for (const command of [
      ['check'],
      ['plan'],
      ['run', '--out', folder.out],
      ['fetch', '--to', folder.at('landed.ndjson')],
    ]) {
      const { exitCode, stderr } = await runInMemory([...command, config], { env: service.env })
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(note) as string })
    }
    expect(service.sandbox.requests.at(-1)?.body).toMatchObject({ filter: { pzn: 'none has it' } })
    expect(await folder.readOutputs()).toMatchObject({ 'open/rows.csv': 'id\n' })
  })

  test('a key of other markets that the service refuses ends the run without an output', async () => {
    await using service = await start('documented')
    const config = await write({ endpoint: 'v4/products/query', filter: { pzn: '1' }, ...service.access })
    const { exitCode, stderr } = await runInMemory(['run', '--out', folder.out, config], { env: service.env })
    expect(exitCode).toBe(4)
    expect(stderr).toContain('SERVICE_REFUSED')
    expect(await folder.listOutputs()).toEqual([])
  })

  test.each(dialects)('media are filtered by touchedAt in the %s dialect', async (dialect) => {
    await using service = await start(dialect)
    const source = { endpoint: 'v4/media/stream', filter: { touchedAt: { from: '2100-01-01' } }, ...service.access }
    const { exitCode } = await runInMemory(['run', '--out', folder.out, await write(source)], { env: service.env })
    expect(exitCode).toBe(0)
    expect(await folder.readOutputs()).toMatchObject({ 'open/rows.csv': 'id\n' })
  })

  test.each([{ pznn: '1' }, { satus: 'active' }, { anything: 1 }])('%j is a mistake on products', async (filter) => {
    const access = { baseUrl: 'https://api.example.com', keyId: 'a', keySecret: '${SECRET}' }
    const config = await write({ endpoint: 'v4/products/stream', filter, ...access })
    const { exitCode, stderr } = await runInMemory(['check', config], { env: { SECRET: 's' } })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`unknown filter key "${Object.keys(filter).join()}"`)
  })
})

async function start(dialect: (typeof dialects)[number]) {
  const sandbox = await startSandbox({ products: 5, rateLimit: false, dialect })
  return {
    sandbox,
    access: { baseUrl: sandbox.baseUrl, keyId: sandbox.keyId, keySecret: '${SECRET}' },
    env: { SECRET: sandbox.keySecret },
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}

function write(source: object): Promise<string> {
  const tables = { rows: { columns: ['id'] } }
  return folder.write('open.json', JSON.stringify({ name: 'open', source, tables, outputs: [{ format: 'csv' }] }))
}
