import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { runInMemory, type CliOptions, type CliResult } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let sandbox: Sandbox
let folder: RunFolder
let config: string

beforeAll(async () => {
  sandbox = await startSandbox({ products: 60, rateLimit: false })
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  folder = await RunFolder.create()
  config = await folder.write('products.yaml', text)
})
afterEach(() => folder.remove())

const text = `
name: products
source:
  endpoint: \${ENDPOINT:-v4/products/stream}
  baseUrl: \${CATALOGUE_URL}
  keyId: \${CATALOGUE_KEY_ID}
  keySecret: \${CATALOGUE_KEY_SECRET}
  filter: { status: ['\${STATUS}', inactive] }
tables: { products: { columns: [id, status] } }
outputs: [{ format: csv }]
`

const cli = (args: readonly string[], options?: CliOptions): Promise<CliResult> => runInMemory(args, options)

/** Sets the variables that the config names. */
function asCustomer(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { baseUrl, keyId, keySecret } = sandbox
  const access = { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: keyId, CATALOGUE_KEY_SECRET: keySecret }
  return runInMemory(args, { ...options, env: { ...access, STATUS: 'active', ...options.env } })
}

describe('fetch', () => {
  test('fetch prints where it landed how many records', async () => {
    const to = folder.at('data/products.ndjson.gz')
    const { exitCode, stdout, stderr } = await asCustomer(['fetch', config, '--to', to])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toMatch(/^products {2}landed in \d/)
    expect(stderr).toMatch(/complete +nothing missing, indexes 0 to \d+, each once/)
    expect(stderr).toContain(`manifest  ${to}.manifest.json`)
    expect(await readdir(folder.at('data'))).toHaveLength(2)
  })

  test.each(['x.csv', 'x.parquet', 'x.CSV.gz'])('fetch does not land raw lines in a file named %s', async (name) => {
    const { exitCode, stderr } = await asCustomer(['fetch', config, '--to', folder.at(name)])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('run CONFIG --from') })
    expect(await readdir(folder.path)).toEqual(['products.yaml'])
  })

  test('fetch does not replace the config or the list that it is made from, also by another name', async () => {
    const [env, list, link] = ['my.env', 'ids.csv', 'link.yaml'].map((name) => folder.at(name))
    await writeFile(env!, 'NAME=value\n')
    await writeFile(list!, 'M34C3D3A5E\n')
    await writeFile(folder.at('list.manifest.json'), 'M34C3D3A5E\n')
    await symlink(config, link!)
    const ask = (to: string, file = list!) =>
      asCustomer(['fetch', config, '--to', to, '--env', env!, '--set', `sourceIds={ file: "${file}", field: id }`])
    const tries = [
      [await ask(config), config],
      [await ask(link!), config],
      [await ask(env!), env],
      [await ask(list!), list],
      [await ask(folder.at('list'), folder.at('list.manifest.json')), folder.at('list.manifest.json')],
    ] as const
    for (const [{ exitCode, stderr }, taken] of tries) {
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`which would replace ${taken}`)])
    }
    expect(await readFile(config, 'utf8')).toBe(text)
    expect(await readFile(list!, 'utf8')).toBe('M34C3D3A5E\n')
  })

  test('fetch writes its manifest as JSON, and nothing for people with --quiet', async () => {
    const to = folder.at('products.ndjson')
    const { exitCode, stdout, stderr } = await asCustomer(['fetch', config, '--to', to, '--json', '--quiet'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const landing = JSON.parse(await readFile(`${to}.manifest.json`, 'utf8')) as unknown
    expect(JSON.parse(stdout)).toEqual({ ok: true, file: to, manifest: `${to}.manifest.json`, landing })
  })

  test('fetch shows its progress on a terminal', async () => {
    const { stderr } = await asCustomer(['fetch', config, '--to', folder.at('x')], { isTTY: true })
    expect(stderr).toMatch(/products {2}\d+ lines, \d+ MB\/s/)
  })

  test('fetch reports a request that had to be repeated', async () => {
    sandbox.inject({ fault: 'cut=5' })
    const { exitCode, stderr } = await asCustomer(['fetch', config, '--to', folder.at('x')])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^products: try 2 of 6 in \d.*s: .*got \d+ bytes/)
    expect(stderr).toMatch(/· requests repeated 1×/)
  })

  test('fetch ends with 4 when the stream is not complete, with the failure as JSON too', async () => {
    sandbox.inject({ fault: 'short=5' })
    const args = ['fetch', config, '--to', folder.at('x'), '--json', '--set', 'source.retries=0']
    const { exitCode, stdout, stderr } = await asCustomer(args)
    expect(exitCode).toBe(4)
    expect(stderr).toContain('Nothing was landed; an earlier file is as it was.')
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'SOURCE_INCOMPLETE', exitCode: 4 } })
    expect(await readdir(folder.path)).toEqual(['products.yaml'])
  })

  test('fetch ends with 130 when it is interrupted', async () => {
    const args = ['fetch', config, '--to', folder.at('x')]
    const { exitCode, stderr } = await asCustomer(args, { signal: AbortSignal.abort() })
    expect(exitCode).toBe(130)
    expect(stderr).toMatch(/^INTERRUPTED /)
    expect(await readdir(folder.path)).toEqual(['products.yaml'])
  })

  test.each([
    ['without --to', [], 'USAGE', "required option '--to <file>' not specified"],
    ['with - as file', ['--to', '-'], 'USAGE', 'expected the path of a file to land in'],
    ['without credentials', ['--to', 'x'], 'CONFIG_INVALID', 'environment variable CATALOGUE_KEY_SECRET'],
  ])('fetch ends with 2 %s', async (_, args, code, message) => {
    const run = code === 'USAGE' ? asCustomer : cli
    const { exitCode, stderr } = await run(['fetch', config, ...args])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(new RegExp(`^${code} `, 'm'))
    expect(stderr).toContain(message)
  })

  test('fetch ends with 2 for a config over files', async () => {
    const overFiles = await folder.config('brands', 'brands.ndjson')
    const { exitCode, stderr } = await cli(['fetch', overFiles, '--to', folder.at('x')])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('expected a source with an endpoint to fetch from, got files')
  })
})

async function landAll(): Promise<string> {
  await asCustomer(['fetch', config, '--to', folder.at('all.ndjson')])
  return readFile(folder.at('all.ndjson'), 'utf8')
}

describe('run --from and preview --from', () => {
  let landed: string

  beforeEach(async () => {
    landed = folder.at('products.ndjson.gz')
    await asCustomer(['fetch', config, '--to', landed])
  })

  test('run --from and preview --from need neither service nor credentials nor other variables of the request', async () => {
    const asked = sandbox.requests.length
    const { exitCode, stderr } = await cli(['run', config, '--from', landed, '--out', folder.out])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^products {2}\d+ products, none lost on the way\n/)
    expect(stderr).not.toContain('note')
    const preview = await cli(['preview', config, '--from', landed, '--rows', '2', '--json'])
    expect(JSON.parse(preview.stdout)).toMatchObject({ tables: [{ name: 'products', rows: [{}, {}] }] })
    expect(sandbox.requests.length).toBe(asked)
  })

  test('run --from notes the parts of the request that the files were landed without, on the screen and in the manifest', async () => {
    const note = "--from: the config's filter (status) was not applied; use where"
    const env = { STATUS: 'replaced' }
    const { stderr } = await asCustomer(['run', config, '--from', landed, '--out', folder.out], { env })
    expect(stderr.split('\n')[0]).toBe(`products: note: ${note}`)
    const manifest = await readFile(`${folder.out}/products/_manifest.json`, 'utf8')
    expect(JSON.parse(manifest)).toMatchObject({ notes: [note] })
    expect((await asCustomer(['preview', config, '--from', landed], { env })).stderr).toContain(note)
    const same = await asCustomer(['run', config, '--from', landed, '--out', folder.out])
    expect(same.stderr).not.toContain('note')
    const sifted = ['--set', 'where.status=active']
    expect((await asCustomer(['preview', config, '--from', landed, ...sifted], { env })).stderr).toBe('')
    await folder.generate('other.ndjson', 'v4/product', 3)
    const other = await cli(['preview', config, '--from', folder.at('other.ndjson')])
    expect(other.stderr).toContain(note)
  })

  test('run --from notes a file that was landed with another list', async () => {
    const ids = (await landAll())
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { result: { id: string } }).result.id)
    const [few, fewer, others] = [ids.slice(0, 5), ids.slice(1, 4), ids.slice(3, 8)]
    const toList = async (name: string, codes: readonly string[]) => [
      '--set',
      `sourceIds={ file: "${await folder.write(name, codes.join('\n'))}", field: id }`,
    ]
    const [landedWith, same, other] = [
      await toList('few.txt', few),
      await toList('fewer.txt', fewer),
      await toList('others.txt', others),
    ]
    const to = folder.at('few.ndjson')
    await asCustomer(['fetch', config, '--to', to, ...landedWith])
    const note = `products: note: --from: ${to} was landed with another list, ${folder.at('few.txt')} (id)`
    const preview = async (list: readonly string[], file = to) =>
      (await asCustomer(['preview', config, '--from', file, ...list])).stderr.trim()
    expect(await preview(other)).toBe(`${note}: codes that were not requested for it count as not found`)
    expect(await preview([])).toBe(`${note}: no other record is in it`)
    expect(await preview(same)).toBe('')
    expect(await preview(landedWith)).toBe('')
    // The list sifts a file that was landed without one, so nothing of the request is left out.
    expect(await preview(other, landed)).toBe('')
  })

  test('run --from recognizes a filter with dates relative to the fetch', async () => {
    const set = ['--set', 'source.filter.createdAt={ from: -9000d }']
    await asCustomer(['fetch', config, '--to', landed, ...set])
    expect((await asCustomer(['preview', config, '--from', landed, ...set])).stderr).toBe('')
    const wider = ['--set', 'source.filter.createdAt={ from: -9001d }']
    const { stderr } = await asCustomer(['preview', config, '--from', landed, ...wider])
    expect(stderr).toContain('filter (status, createdAt) was not applied')
  })

  test('run --from gives the same outputs every time', async () => {
    await cli(['run', config, '--from', landed, '--out', folder.out])
    const before = await folder.readOutputs()
    await cli(['run', config, '--from', landed, '--out', folder.out])
    const csv = 'products/products.csv'
    expect((await folder.readOutputs())[csv]).toBe(before[csv])
    await asCustomer(['run', config, '--out', folder.out])
    expect((await folder.readOutputs())[csv]).toBe(before[csv])
  })

  test('run --from takes several files, globs, and the config before or after', async () => {
    await mkdir(folder.at('more'))
    await asCustomer([
      'fetch',
      config,
      '--to',
      folder.at('more/$${replaced}.ndjson'),
      '--set',
      'source.filter.status=replaced',
    ])
    const from = [landed, folder.at('more/$${replaced}.ndjson')]
    const { exitCode, stdout } = await cli(['run', config, '--json', '--from', ...from, '--out', folder.out])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [{ report: { sources: from.map((name) => ({ name, completeness: { status: 'proven' } })) } }],
    })
    const glob = ['run', '--from', `${folder.path}/*.ndjson*`, '--set', 'maxRemoved=100%', '--out', folder.out, config]
    expect((await cli(glob)).exitCode).toBe(0)
  })

  test('run --from ends with 4 when the file has changed since it was landed', async () => {
    await writeFile(landed, (await readFile(landed)).fill(0, 9, 10))
    const { exitCode, stderr } = await cli(['run', config, '--from', landed, '--out', folder.out])
    expect(exitCode).toBe(4)
    expect(stderr).toMatch(/^SOURCE_DAMAGED .*\n.*expected the \d+ bytes with sha256 [0-9a-f]{64} .*, got \d+ bytes/)
  })

  test('run --from reads any other file too, also in place of files of the config', async () => {
    await folder.generate('other.ndjson', 'v4/product', 7)
    const other = ['--from', folder.at('other.ndjson'), '--out', folder.out, '--json', '--quiet']
    const { stdout } = await cli(['run', config, ...other])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, runs: [{ report: { ledger: { accepted: 7 } } }] })
    await folder.generate('brands.ndjson', 'v4/brand', 5)
    const brands = await folder.config('brands', 'nowhere.ndjson')
    const { exitCode } = await cli(['run', brands, '--from', folder.at('brands.ndjson'), '--out', folder.out])
    expect(exitCode).toBe(0)
  })

  test('run --from still checks the rest of the config', async () => {
    const misspelt = { env: { ENDPOINT: 'v4/product/stream' } }
    const { exitCode, stderr } = await cli(['run', config, '--from', landed], misspelt)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/products.yaml:4:13 {2}unknown endpoint.*did you mean "v4\/products\/stream"\?/)
    expect(stderr).toContain('expected a valid config, got 1 problem')
    const tables = await cli(['run', config, '--from', landed, '--set', 'tables.products.columns=[idd]'])
    expect(tables.stderr).toMatch(/--set tables.products.columns.*"idd".*did you mean "id"/)
  })
})
