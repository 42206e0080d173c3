import { appendFile, readFile, rename } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContractName } from '../../../src/contracts/contracts.ts'
import { runProfileSchema } from '../../../src/kernel/profile/run-profile.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { runInMemory, type CliOptions } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let data: string
let config: string

const generate = (records: number, contract: ContractName = 'v4/product') =>
  Buffer.concat([...generateLines({ contract, records, seed: 2 })])

beforeAll(async () => {
  folder = await RunFolder.create()
  data = await folder.write('export.ndjson', generate(60))
  const source = `source: { files: ${JSON.stringify(data)}, contract: v4/product }`
  const tables =
    'tables: { products: { columns: [id, status, publicPrice] }, photos: { each: "photos[]", columns: [id] } }'
  config = await folder.write('products.yaml', `name: products\n${source}\n${tables}\n`)
  await runInMemory(['run', config, '--out', folder.out])
})
afterAll(() => folder.remove())

const cli = (args: readonly string[], options: CliOptions = {}) => runInMemory(['profile', ...args], options)

describe('profile', () => {
  test('profile shows the columns of a published run on 80 columns', async () => {
    const { exitCode, stdout, stderr } = await cli([config, '--out', folder.out], { columns: 80, isTTY: true })
    expect([exitCode, stderr]).toEqual([0, ''])
    // oxlint-disable-next-line no-control-regex -- colors of the terminal
    const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'products  60 rows',
      '  column  type                                                filled    distinct',
      '  id  text                                                     100 %          60',
      expect.stringMatching(/^ {4}M34C3\w+ to M34C\w+, 10 characters at most$/),
    ])
    expect(stdout).toMatch(/\n {4}active \d+×, /)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test('profile --column shows each frequent value on a line, and no list if every value occurs once', async () => {
    const { stdout } = await cli([
      config,
      '--out',
      folder.out,
      '--table',
      'products',
      '--column',
      'status',
      '--column',
      'id',
    ])
    expect(stdout).toMatch(/\n {4}\d+× {3}\d\d\.\d % {2}active\n/)
    expect(stdout).toContain('each value once')
    expect(stdout).not.toContain('photos')
  })

  test('profile --json is of the form of _profile.json, and --to writes the same', async () => {
    const to = `${folder.out}/deep/profile.json`
    const { stdout, stderr } = await cli([config, '--out', folder.out, '--json', '--to', to])
    const found = runProfileSchema.parse(JSON.parse(stdout))
    expect(found.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['products', 60],
      ['photos', expect.any(Number)],
    ])
    expect(JSON.parse(await readFile(to, 'utf8'))).toEqual(found)
    expect(stderr).toContain(`profile in ${to}`)
  })

  test('profile of an export has every table of its contract, and names the recognized contract', async () => {
    const path = await folder.write('bare.ndjson.gz', gzipSync(generate(20, 'v4/media')))
    const { exitCode, stdout, stderr } = await cli([path, '--json'])
    expect(exitCode).toBe(0)
    const { tables, pipeline } = runProfileSchema.parse(JSON.parse(stdout))
    expect(pipeline).toBe('bare')
    expect(tables.find(({ name }) => name === 'media')?.rows).toBe(20)
    expect(tables.map(({ name }) => name)).toContain('media_organizations')
    expect(stderr).toMatch(/v4\/media, recognized by \d+ of its fields in the first 20 records; 20 of 20 lines/)
    expect(stderr).toContain('nothing missing, indexes 0 to 19, each once')
  })

  test('profile of an export counts the lines that were rejected, however many', async () => {
    const path = await folder.write(
      'torn.ndjson',
      Buffer.concat([generate(3), Buffer.from('{"id"\n{"id":[]}\n'.repeat(4))]),
    )
    const { exitCode, stdout, stderr } = await cli([path, '--table', 'products', '--column', 'id'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('products  3 rows')
    expect(stderr).toContain('8 lines were rejected and are not in the profile')
  })

  test('profile of a published file has the types that its manifest says, whatever its format', async () => {
    const parquet = await cli([`${folder.out}/products/products.parquet`, '--json'])
    const csv = await cli([`${folder.out}/products/products.csv`, '--json'])
    const [typed, text] = [parquet, csv].map(({ stdout }) => runProfileSchema.parse(JSON.parse(stdout)).tables)
    expect(typed?.map(({ name, rows }) => [name, rows])).toEqual([['products', 60]])
    expect(typed?.[0]?.columns.map(({ type }) => type)).toEqual(['text', 'text', 'integer'])
    expect(csv.stderr).toMatch(/types of columns as .*_manifest\.json has them/)
    expect(text?.[0]?.columns.map((column) => ({ ...column, unit: undefined }))).toEqual(typed?.[0]?.columns)
  })

  test('profile of a moved run reads CSV in the dialect of its manifest, and says that other CSV has no types', async () => {
    const first = await folder.write(
      'semicolons.yaml',
      `name: semicolons\nsource: { files: ${JSON.stringify(data)}, contract: v4/product }\ntables: { products: { columns: [id, publicPrice] } }\noutputs: [{ format: csv, path: "out/{pipeline}/{table}.csv", delimiter: ";" }, { format: ndjson, path: "out/{pipeline}/{table}.ndjson" }]\n`,
    )
    await runInMemory(['run', first, '--out', folder.out])
    await rename(`${folder.out}/semicolons`, `${folder.out}/moved`)
    const profiles = []
    for (const name of ['products.csv', 'products.ndjson']) {
      const { stdout } = await cli([`${folder.out}/moved/${name}`, '--json'])
      const { tables } = runProfileSchema.parse(JSON.parse(stdout))
      expect(tables[0]?.columns.map((column) => [column.name, column.type])).toEqual([
        ['id', 'text'],
        ['public_price', 'integer'],
      ])
      profiles.push(tables)
    }
    expect(profiles[0]).toEqual(profiles[1])
    await appendFile(`${folder.out}/moved/products.csv`, 'X1;7\n')
    const { stdout, stderr } = await cli([`${folder.out}/moved/products.csv`, '--json'])
    expect(runProfileSchema.parse(JSON.parse(stdout)).tables[0]?.columns.map(({ type }) => type)).toEqual([
      'text',
      'text',
    ])
    expect(stderr).toContain('every column is taken for text')
  })

  test("profile of a file that is no table shows DuckDB's message", async () => {
    const path = await folder.write('dos.csv', Buffer.from('name;price\nCr\xe9cerelle;1,50\n', 'latin1'))
    const { exitCode, stderr } = await cli([path])
    expect([exitCode, stderr]).toEqual([
      4,
      expect.stringMatching(/dos\.csv: expected tables that DuckDB can read.*unicode/i),
    ])
  })

  test('profile reads standard input if the contract is given, and refuses it otherwise', async () => {
    const stdin = generate(4, 'v4/brand').toString()
    expect((await cli(['-', '--contract', 'v4/brand', '--json'], { stdin })).exitCode).toBe(0)
    const { exitCode, stderr } = await cli(['-'], { stdin })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('expected --contract for standard input')])
  })

  test('profile refuses --contract beside a config, and names what is not there', async () => {
    expect((await cli([config, '--contract', 'v4/product'])).stderr).toContain('expected --contract for an export')
    expect((await cli([config, '--out', `${folder.out}/none`])).stderr).toContain('Nothing is published yet')
    expect((await cli([`${folder.out}/none.ndjson`])).exitCode).toBe(4)
    expect((await cli([`${folder.out}/none.yaml`])).exitCode).toBe(2)
    expect((await cli([`${folder.out}/none.json`])).exitCode).toBe(2)
  })

  test('a JSON document of records is profiled as an export, a JSON config as a config', async () => {
    const document = await folder.write('all.json', '{"meta":{"total":1},"results":[{"id":"M1","cnk":"1"}]}')
    const read = await cli([document, '--contract', 'v4/product', '--table', 'products', '--column', 'cnk'])
    expect(read.stdout).toContain('products  1 row\n')
    const json = await folder.write(
      'products.json',
      JSON.stringify({ name: 'products', source: { files: data, contract: 'v4/product' } }),
    )
    expect((await cli([json, '--out', folder.out, '--column', 'id'])).stdout).toContain('products  60 rows')
  })
})
