import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { BuiltCli } from '../built-cli.ts'

const withPackages = { NODE_PATH: fileURLToPath(new URL('../../../node_modules', import.meta.url)) }
const reading = ['describe', 'check', 'plan', 'preview', 'profile', 'rejects', 'trace', 'diff', 'sql', 'verify']

let cli: BuiltCli
let folder: string
const clients: Client[] = []

beforeAll(async () => {
  cli = await BuiltCli.build()
  folder = await mkdtemp(join(tmpdir(), 'mcp-'))
  const lines = listLines(40)
  await writeFile(join(folder, 'export.ndjson'), [...lines, 'not JSON', ''].join('\n'))
  const [changed = '', ...others] = lines
  const { result, ...line } = JSON.parse(changed) as Line
  const later = JSON.stringify({ ...line, result: { ...result, cnk: '0000000' } })
  await writeFile(join(folder, 'later.ndjson'), `${[later, ...others].join('\n')}\n`)
  await writeFile(join(folder, 'products.yaml'), config)
  await writeFile(join(folder, 'wrong.yaml'), config.replace('tables:', 'tabels:'))
  await writeFile(join(folder, 'service.yaml'), serviceConfig)
  await writeFile(join(folder, 'code.ts'), 'export default {}\n')
})

afterAll(async () => {
  for (const client of clients) await client.close()
  await rm(folder, { recursive: true, force: true })
})

const config = `name: products
source: { contract: v4/product, files: [export.ndjson] }
tables: { products: { columns: [id, cnk, status] } }
rejects: { limit: 5 }
outputs: [{ format: parquet, path: 'out/{table}.parquet' }]
`

interface Line {
  readonly result: { readonly id: string }
}

const secret = 'kept-secret-0815'
const serviceConfig = `name: service
source:
  endpoint: v4/products/stream
  baseUrl: https://127.0.0.1:1
  keyId: \${CATALOGUE_KEY_ID}
  keySecret: \${CATALOGUE_KEY_SECRET}
outputs: [{ format: csv, path: 'out/{table}.csv' }]
`

function listLines(records: number): string[] {
  const bytes = Buffer.concat([...generateLines({ contract: 'v4/product', records, seed: 3 })])
  return bytes.toString().trimEnd().split('\n')
}

async function connect(...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...withPackages,
    CATALOGUE_KEY_ID: secret,
    CATALOGUE_KEY_SECRET: secret,
  }
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli.path, 'mcp', ...args],
      env,
      cwd: folder,
      stderr: 'pipe',
    }),
  )
  clients.push(client)
  return client
}

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: input })
  const [{ text } = { text: '' }] = content as { text: string }[]
  return { text, isError }
}

describe('an assistant that speaks the Model Context Protocol', () => {
  let client: Client

  beforeAll(async () => {
    client = await connect()
  })

  test('sees the commands that read, with schemas of their input, and none that writes', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(reading)
    const ajv = new Ajv2020({ strict: true })
    for (const { inputSchema, annotations } of tools) {
      expect(ajv.validateSchema(inputSchema)).toBe(true)
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('out')
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    }
    const trace = tools.find(({ name }) => name === 'trace')?.inputSchema
    expect(trace?.required).toEqual(['config', 'ids'])
    expect(trace?.properties).toMatchObject({ ids: { type: 'array' }, raw: { type: 'boolean' } })
  })

  test('gets the answer of each command, in one server, at the same time', async () => {
    const { id } = (JSON.parse(listLines(1).join('')) as Line).result
    const answers = await Promise.all([
      call(client, 'describe', { config: 'v4/product' }),
      call(client, 'check', { files: ['products.yaml'] }),
      call(client, 'plan', { config: 'products.yaml' }),
      call(client, 'preview', { files: ['export.ndjson'], rows: 2, table: 'products' }),
      call(client, 'profile', { file: 'export.ndjson', column: ['cnk'] }),
      call(client, 'trace', { config: 'products.yaml', ids: [id, 'nowhere'] }),
      call(client, 'diff', { old: 'export.ndjson', new: 'later.ndjson', json: true }),
    ])
    const parts = ['| `cnk` |', 'no problem', 'v4/product', id, 'cnk', id, '"changed": 1']
    for (const [at, { text, isError }] of answers.entries()) {
      expect(text).toContain(parts[at])
      expect(isError).toBe(false)
    }
  })

  test('is told what is wrong with a config, a call, and a config that is code', async () => {
    const answers = await Promise.all([
      call(client, 'check', { files: ['wrong.yaml'] }),
      call(client, 'plan', { config: 'gone.yaml' }),
      call(client, 'trace', { config: 'products.yaml' }),
      call(client, 'trace', { config: 'products.yaml', ids: ['1'], out: 'elsewhere' }),
      call(client, 'preview', { files: ['export.ndjson'], rows: 'many' }),
      call(client, 'plan', { config: 'code.ts' }),
      call(client, 'plan', { config: { path: 'products.yaml' } }),
      call(client, 'run', { files: ['products.yaml'] }),
      call(client, 'check', { files: ['products.yaml'], set: 'outputs[0].path=elsewhere' }),
    ])
    const parts = [
      'did you mean "tables"',
      'gone.yaml',
      'ids: expected ids of records',
      'out: expected one of config, ids',
      'Expected a whole number',
      'code.ts: expected a config in YAML or JSON',
      'config: expected a text',
      'run: expected one of describe, check',
      'set: expected one of files, shards, json',
    ]
    for (const [at, { text, isError }] of answers.entries()) {
      expect(text).toContain(parts[at])
      expect(isError).toBe(true)
    }
    await expect(access(join(folder, 'out'))).rejects.toThrow('ENOENT')
  })

  test('never sees the key and secret of the service', async () => {
    const calls = ['plan', 'describe', 'rejects'].map((name) => call(client, name, { config: 'service.yaml' }))
    const texts = (await Promise.all(calls)).map(({ text }) => text)
    expect(texts[0]).toContain('v4/products/stream')
    expect(texts.join('\n')).not.toContain(secret)
  })

  test('runs no code that a config names', async () => {
    const module = `import { writeFileSync } from 'node:fs'\nwriteFileSync('ran', '')\nexport const own = () => 1\n`
    await writeFile(join(folder, 'steps.mjs'), module)
    const column = `{ column: own, compute: { use: './steps.mjs#own' }, type: number, version: '1' }`
    await writeFile(join(folder, 'own.yaml'), config.replace('[id,', `[id, ${column},`))
    const calls = ['check', 'plan', 'preview'].map((name) =>
      call(client, name, name === 'plan' ? { config: 'own.yaml' } : { files: ['own.yaml'] }),
    )
    for (const { text, isError } of await Promise.all(calls)) {
      expect(text).toContain('use: expected no code of a file, as an assistant calls, got "./steps.mjs#own"')
      expect(isError).toBe(true)
    }
    await expect(access(join(folder, 'ran'))).rejects.toThrow('ENOENT')
  })

  test('takes words that look like options for what they are', async () => {
    const { text } = await call(client, 'trace', { config: 'products.yaml', ids: ['--out=elsewhere', '-x'] })
    expect(text).toContain('--out=elsewhere')
  })
})

test('an assistant runs a pipeline if that is allowed, and reads its rejects', async () => {
  const client = await connect('--allow-run')
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([...reading, 'run'])
  const { text, isError } = await call(client, 'run', { files: ['products.yaml'] })
  expect({ text, isError }).toEqual({ text: expect.stringContaining('1 × invalid_json'), isError: false })
  expect((await readFile(join(folder, 'out/products.parquet'))).subarray(0, 4).toString()).toBe('PAR1')
  expect((await call(client, 'rejects', { config: 'products.yaml' })).text).toContain('1 line rejected')
  const counted = await call(client, 'sql', {
    config: 'products.yaml',
    statement: 'select count(*) as n from products',
  })
  expect(counted.text).toContain('40')
})

test('a server for assistants ends with 0 when its input ends', async () => {
  const server = cli.start(['mcp'], { cwd: folder, env: withPackages })
  expect(await server.end()).toMatchObject({ code: 0, stdout: '', stderr: '' })
})
