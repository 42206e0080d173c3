import { readdir, readFile, stat } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/service/endpoints/endpoint.ts'
import { endpointNames, endpoints } from '../../../src/service/endpoints/endpoints.ts'
import { operationsNotOffered } from '../../../src/service/endpoints/operations-not-offered.ts'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('brands.ndjson', 'v4/brand', 20)
  config = await folder.config('brands', 'brands.ndjson')
})
afterAll(() => folder.remove())

describe('check', () => {
  test('check says of each config that it has no problem', async () => {
    const result = await runInMemory(['check', config, config])
    expect(result).toEqual({ exitCode: 0, stdout: '', stderr: `${config}: no problem\n`.repeat(2) })
  })

  test('check notes locales that no record at the beginning of a file has', async () => {
    await folder.write('names.ndjson', '{"id":1,"name":{"nl":"Egel","fr":"Egel"}}\n')
    const belgian = await folder.config('belgian', 'names.ndjson', 'locales: [fr, nl-BE]\n')
    const { exitCode, stderr } = await runInMemory(['check', belgian])
    expect(exitCode).toBe(0)
    const said = stderr.replaceAll(/\s+/g, ' ')
    expect(said).toContain(`${belgian}:3:15`)
    expect(said).toMatch(/no value in nl-BE at the beginning of \S+, whose values are in nl, fr; did you mean "nl"\?/)
    const json = JSON.parse((await runInMemory(['check', belgian, '--json'])).stdout) as { notes: object[] }
    expect(json.notes).toMatchObject([{ line: 3, column: 15 }])
  })

  test('check lists every problem with file, line, column, excerpt and mark', async () => {
    const wrong = await folder.config('wrong', 'a', 'nmae: 1\nlocales: [nl, xq]\n')
    const { exitCode, stdout, stderr } = await runInMemory(['check', wrong])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr.replace(/\d+ more/, 'more')).toBe(
      `${wrong}:3:1  unknown key "nmae", expected one of $schema, name, source, sourceIds, contract, completeness, duplicates, incremental, maxRemoved, locales, timezone, where, check, tables, outputs, expect, … (more); did you mean "name"?
    3 | nmae: 1
      | ^
${wrong}:4:15  unknown locale "xq", expected a code such as nl, fr, en or en_AU
    4 | locales: [nl, xq]
      |               ^
2 problems
`,
    )
  })

  test('check continues with the other configs after one with problems', async () => {
    const wrong = await folder.config('wrong', 'a', 'nmae: 1\n')
    const files = [folder.at('nowhere.yaml'), wrong, config]
    const { exitCode, stderr } = await runInMemory(['check', ...files])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${files[0]}  expected a config file, got nothing there`)
    expect(stderr).toContain(`${wrong}:3:1  unknown key`)
    expect(stderr).toContain(`${config}: no problem`)
    expect(stderr).toMatch(/\n2 problems\n$/)
  })

  test('check notes files of a source that are not there, with a file of nearly the same name', async () => {
    const mistyped = await folder.config('mistyped', 'brand.ndjson')
    const none = await folder.config('none', 'later/*.ndjson')
    const { exitCode, stderr } = await runInMemory(['check', mistyped, none])
    expect(exitCode).toBe(0)
    const text = stderr.replaceAll(/\s+/g, ' ')
    expect(text).toContain(`${folder.at('brand.ndjson')}: expected a file, got nothing there`)
    expect(text).toContain(`did you mean "${folder.at('brands.ndjson')}"?`)
    expect(text).toContain(`${folder.at('later/*.ndjson')}: expected files that match, got none`)
    const inBucket = ['check', mistyped, '--set', 'source.files=s3://bucket/x.ndjson']
    expect((await runInMemory(inBucket)).stderr).not.toContain('note')
  })

  test('check writes the problems as JSON', async () => {
    const wrong = await folder.config('wrong', 'a', 'nmae: 1\n')
    const { exitCode, stdout, stderr } = await runInMemory([
      'check',
      config,
      wrong,
      folder.at('nowhere.yaml'),
      '--json',
    ])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      problems: [
        {
          file: wrong,
          line: 3,
          column: 1,
          path: 'nmae',
          message: expect.stringContaining('unknown key'),
          suggestion: 'name',
        },
        {
          file: folder.at('nowhere.yaml'),
          line: null,
          column: null,
          path: 'config',
          message: expect.stringContaining('expected a config file'),
          suggestion: null,
        },
      ],
      notes: [],
      unset: [],
    })
    const ok = await runInMemory(['check', config, '--json'])
    expect(JSON.parse(ok.stdout)).toEqual({ ok: true, problems: [], notes: [], unset: [] })
  })

  test('check needs no environment, unless a config uses it beyond address and credentials', async () => {
    const secret = 'baseUrl: "${A}", keyId: "${B}", keySecret: "${C}"'
    const service = await folder.write('service.yaml', `name: x\nsource: { endpoint: v4/brands/query, ${secret} }\n`)
    expect((await runInMemory(['check', service])).exitCode).toBe(0)
    expect((await runInMemory(['plan', service])).exitCode).toBe(0)
    const run = await runInMemory(['run', service])
    expect(run.exitCode).toBe(2)
    expect(run.stderr.match(/environment variable [ABC]: expected a value, got nothing/g)).toHaveLength(3)
  })

  test('check --shards lists the places of the config that can not be sharded, and what to do instead', async () => {
    const source = `source: { files: [], contract: v4/product }`.replace('[]', folder.at('nowhere.ndjson'))
    const files = `outputs: [{ format: parquet, path: "${folder.at('{table}.parquet')}"`
    const fine = await folder.write('fine.yaml', `name: fine\n${source}\n${files} }]\n`)
    expect((await runInMemory(['check', fine, '--shards'])).exitCode).toBe(0)
    const merged = await folder.write('merged.yaml', `name: merged\n${source}\n${files}, mode: merge }]\n`)
    expect((await runInMemory(['check', merged])).exitCode).toBe(0)
    const { exitCode, stderr } = await runInMemory(['check', fine, merged, '--shards'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${merged}:3:10  expected snapshots, as merge, history and append compare with`)
    expect(stderr).toContain('run it in one process, or make one snapshot in shards and load that')
  })

  test('check takes --set and --out into account', async () => {
    expect((await runInMemory(['check', config, '--set', 'locales=[xq]'])).exitCode).toBe(2)
    expect((await runInMemory(['check', config, '--out', folder.at('elsewhere')])).exitCode).toBe(0)
  })
})

describe('plan', () => {
  test('plan shows what would be read and written, and reads nothing', async () => {
    const missing = await folder.config('missing', 'nowhere.ndjson')
    const { exitCode, stdout, stderr } = await runInMemory(['plan', missing, '--out', 'elsewhere'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain(`reads ${folder.at('nowhere.ndjson')}`)
    expect(stdout).toContain('→ elsewhere/missing/brands.parquet')
    expect(stdout).toMatch(/name_nl\s+text\s+name\.nl/)
    expect(stdout).toContain('rejects   elsewhere/missing/_rejects.ndjson')
  })

  test('plan shows the unit of every money column', async () => {
    const columns = "[publicPrice, { column: price, from: publicPrice, as: 'decimal(12,2)', unit: cents }]"
    const file = await folder.write(
      'prices.yaml',
      `name: x\nsource: { files: a, contract: v4/product }\ntables: { p: { columns: ${columns} } }\n`,
    )
    const { stdout } = await runInMemory(['plan', file])
    expect(stdout).toContain('publicPrice (money, the whole number as delivered)')
    expect(stdout).toContain('publicPrice (money, delivered in cents, divided by 100)')
    const json = JSON.parse((await runInMemory(['plan', file, '--json'])).stdout) as { tables: { columns: object[] }[] }
    expect(json.tables[0]?.columns).toMatchObject([{ unit: 'delivered' }, { unit: 'cents' }])
  })

  test('plan shows the time zone of every date column', async () => {
    const columns = '[{ from: officialDeletionAt, as: date }, { from: meta.createdAt, as: date, timezone: Asia/Tokyo }]'
    const file = await folder.write(
      'days.yaml',
      `name: x\nsource: { files: a, contract: v4/product }\ntables: { p: { columns: ${columns} } }\n`,
    )
    expect((await runInMemory(['plan', file])).stdout).toContain('officialDeletionAt (the day in UTC)')
    const there = ['plan', file, '--set', 'timezone=Europe/Brussels']
    const { stdout } = await runInMemory(there)
    expect(stdout).toContain('officialDeletionAt (the day in Europe/Brussels)')
    expect(stdout).toContain('meta.createdAt (the day in Asia/Tokyo)')
    const json = JSON.parse((await runInMemory([...there, '--json'])).stdout) as { tables: { columns: object[] }[] }
    expect(json.tables[0]?.columns).toMatchObject([{ timezone: 'Europe/Brussels' }, { timezone: 'Asia/Tokyo' }])
  })

  test('plan shows the request to the service', async () => {
    const source = 'endpoint: v4/products/query, baseUrl: "https://example.com/", filter: { status: [active] }'
    const file = await folder.write('service.yaml', `name: x\nsource: { ${source} }\n`)
    const { stdout } = await runInMemory(['plan', file])
    expect(stdout).toContain('reads POST https://example.com/v4/products/query')
    expect(stdout).toContain('"status":["active"]')
  })

  test('plan writes the plan as JSON', async () => {
    const { stdout } = await runInMemory(['plan', config, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      pipeline: 'brands',
      contract: { name: 'v4/brand', version: 1 },
      source: { kind: 'files', files: [folder.at('brands.ndjson')] },
      tables: [{ name: 'brands', columns: [{ name: 'id', type: 'integer', from: 'id' }, {}, {}, {}, {}, {}] }],
      files: [{ table: 'brands', format: 'parquet' }, { format: 'csv' }, { format: 'ndjson' }],
    })
  })

  test('plan fails for a config with problems as run does', async () => {
    const { exitCode, stdout, stderr } = await runInMemory(['plan', config, '--json', '--set', 'nmae=1'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_INVALID' },
      problems: [{ path: 'nmae' }],
    })
    expect(stderr).toContain('CONFIG_INVALID')
  })
})

describe('preview', () => {
  test('preview shows the first rows of each table and writes nothing', async () => {
    const { exitCode, stdout, stderr } = await runInMemory(['preview', config, '--rows', '2', '--out', folder.out])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^brands {2}6 columns\n {2}id\s+\d+\s+\d+\n/)
    expect(await folder.listOutputs()).toEqual([])
  })

  test('preview writes the rows as JSON', async () => {
    const { stdout } = await runInMemory(['preview', config, '--rows', '4', '--json'])
    const { tables, rejects } = JSON.parse(stdout) as { tables: { name: string; rows: unknown[] }[]; rejects: string[] }
    expect(tables.map(({ name, rows }) => [name, rows.length])).toEqual([['brands', 4]])
    expect(rejects).toEqual([])
  })

  test('preview says that there are rejects', async () => {
    await folder.write('bad.ndjson', 'nonsense\n{"id":1}\n')
    const bad = await folder.config('bad', 'bad.ndjson')
    const { exitCode, stderr } = await runInMemory(['preview', bad])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^1 of the lines read are rejects, the first: expected one JSON object/)
  })

  test.each([
    [['--table', 'brnds'], /expected one of brands, got --table "brnds"; did you mean "brands"\?/],
    [['--rows', '0'], /option '--rows <n>' argument '0' is invalid. Expected a whole number, 1 or more./],
  ])('preview refuses %j', async (args, message) => {
    const { exitCode, stderr } = await runInMemory(['preview', config, ...args])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('preview fails with 4 for a missing source', async () => {
    const { exitCode, stdout } = await runInMemory([
      'preview',
      await folder.config('missing', 'nowhere.ndjson'),
      '--json',
    ])
    expect(exitCode).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'SOURCE_NOT_FOUND', exitCode: 4 } })
  })
})

describe('endpoints', () => {
  test('the command endpoints lists all of them with their assumptions, and what is not offered, in 80 columns', async () => {
    const { exitCode, stdout, stderr } = await runInMemory(['endpoints'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    for (const name of endpointNames) expect(stdout).toContain(name)
    for (const { method, path } of operationsNotOffered) expect(stdout).toContain(`  ${method.padEnd(4)} ${path}\n`)
    const plain = stdout.replaceAll(/\s+/g, ' ')
    for (const { assumption = '' } of Object.values<Endpoint>(endpoints)) expect(plain).toContain(assumption)
    for (const { reason } of operationsNotOffered) expect(plain).toContain(reason)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test('the command endpoints writes them as JSON, then what is not offered, with the same members', async () => {
    const { stdout } = await runInMemory(['endpoints', '--json'])
    const all = JSON.parse(stdout) as { name: string; offered: boolean; reason: string | null }[]
    expect(all.map(({ name }) => name)).toEqual([...endpointNames, ...operationsNotOffered.map(({ name }) => name)])
    expect(all.find(({ name }) => name === 'v4/products/query')).toMatchObject({
      contract: 'v4/product',
      filters: { prescription: 'true or false' },
      sortings: expect.arrayContaining(['id', 'cnk']) as string[],
      offered: true,
    })
    expect(new Set(all.map((operation) => Object.keys(operation).toSorted().join(' '))).size).toBe(1)
    expect(all.filter(({ offered }) => !offered).map(({ reason }) => reason)).toEqual(
      operationsNotOffered.map(({ reason }) => reason),
    )
  })
})

function idsOf(lines: string): unknown[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: unknown }).id)
}

describe('generate', () => {
  test('--dialect loose writes the same records in their loose form', async () => {
    const generate = ['sandbox', 'generate', '--contract', 'v4/brand', '--records', '300', '--bare']
    const documented = await runInMemory(generate)
    const loose = await runInMemory([...generate, '--dialect', 'loose'])
    const again = await runInMemory([...generate, '--dialect', 'loose'])
    expect(loose.stdout).toBe(again.stdout)
    expect(idsOf(loose.stdout).some((id) => typeof id === 'string')).toBe(true)
    expect(idsOf(loose.stdout).map(Number)).toEqual(idsOf(documented.stdout))
    expect((await runInMemory([...generate, '--dialect', 'lose'])).stderr).toContain('documented, loose')
  })

  test('generate writes the same bytes for the same seed to stdout', async () => {
    const generate = ['sandbox', 'generate', '--records', '20']
    const first = await runInMemory(generate)
    const again = await runInMemory([...generate, '--seed', '1'])
    const other = await runInMemory([...generate, '--seed', '2'])
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    expect(again.stdout).toBe(first.stdout)
    expect(other.stdout).not.toBe(first.stdout)
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(20)
    expect(JSON.parse(first.stdout.split('\n')[0]!)).toMatchObject({ meta: { total: 20, index: 0 } })
  })

  test('generate writes bare records with --bare, and a document with --document', async () => {
    const bare = await runInMemory(['sandbox', 'generate', '--contract', 'v4/brand', '--records', '2', '--bare'])
    expect(JSON.parse(bare.stdout.split('\n')[0]!)).toMatchObject({ id: expect.any(Number) as number })
    const document = await runInMemory([
      'sandbox',
      'generate',
      '--contract',
      'v4/brand',
      '--records',
      '2',
      '--document',
    ])
    expect((JSON.parse(document.stdout) as { results: unknown[] }).results).toHaveLength(2)
  })

  test('generate writes to a file, makes its folder, and compresses by its name', async () => {
    const file = folder.at('new/folder/brands.ndjson.gz')
    const args = ['sandbox', 'generate', '--contract', 'v4/brand', '--records', '3', '--to', file]
    const { exitCode, stdout, stderr } = await runInMemory(args)
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `3 records of v4/brand in ${file}\n`,
    })
    expect(
      gunzipSync(await readFile(file))
        .toString()
        .trimEnd()
        .split('\n'),
    ).toHaveLength(3)
    await expect(stat(`${file}.partial`)).rejects.toThrow('ENOENT')
  })

  test("generate to a place that can't be written fails with 2 and leaves nothing", async () => {
    const { exitCode, stderr } = await runInMemory(['sandbox', 'generate', '--records', '1', '--to', folder.path])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^OUTPUT_REFUSED .*\n {2}\S+: expected to write, got: /)
    await expect(stat(`${folder.path}.partial`)).rejects.toThrow('ENOENT')
  })

  test('generate ends with 130 when it is interrupted', async () => {
    const file = folder.at('interrupted.ndjson')
    const signal = AbortSignal.abort()
    for (const args of [['--to', file], []])
      expect((await runInMemory(['sandbox', 'generate', ...args], { signal })).exitCode).toBe(130)
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  test('generate suggests the contract that was meant', async () => {
    const { exitCode, stderr } = await runInMemory(['sandbox', 'generate', '--contract', 'v4/brnd'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(
      /argument 'v4\/brnd' is invalid\. Expected one of v4\/product, .*; did you mean "v4\/brand"\?/,
    )
  })
})

describe('demo', () => {
  const servers = listServers()

  test('demo reads from a sandbox of its own, publishes Parquet and CSV, shows five products with a price, and says what to do next', async () => {
    const out = folder.at('demo-out')
    const { exitCode, stdout, stderr } = await runInMemory(['sandbox', 'demo', '--records', '20', '--out', out])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr).toMatch(/^products {2}20 products, none lost on the way\n/)
    expect(stderr).toMatch(/Next:\n {2}npx catalogue-etl run .*\n {2}npx catalogue-etl sandbox .*\n$/)
    await expect.poll(listServers).toEqual(servers)
    const manifest = JSON.parse(await readFile(`${out}/products/_manifest.json`, 'utf8')) as Manifest
    expect(manifest.sources.map(({ name }) => name)).toEqual(['v4/products/stream'])
    expect(new Set(manifest.files.map(({ format }) => format))).toEqual(new Set(['parquet', 'csv']))
    const text = await readFile(`${out}/products/products.csv`, 'utf8')
    const rows = parse<Record<string, string>>(text, { columns: true })
    const priced = rows.filter((row) => row['public_price'] !== '' && row['name_nl'] !== '').slice(0, 5)
    expect(priced).toHaveLength(5)
    for (const { id, public_price: price } of priced)
      for (const shown of [id, price]) expect(stdout).toContain(` ${shown}`)
    expect(await readdir(out)).toEqual(['products'])
  })

  test('demo prints the reason and closes the sandbox when it fails', async () => {
    const { exitCode, stderr } = await runInMemory([
      'demo',
      '--records',
      '20',
      '--out',
      await folder.write('no-folder', ''),
    ])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 })
    await expect.poll(listServers).toEqual(servers)
  })

  test('demo ends with 130 and closes the sandbox when it is interrupted', async () => {
    const { exitCode, stderr } = await runInMemory(
      ['sandbox', 'demo', '--records', '20', '--out', folder.at('stopped')],
      {
        signal: AbortSignal.abort(),
      },
    )
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 130 })
    await expect.poll(listServers).toEqual(servers)
    await expect(stat(folder.at('stopped/products/_manifest.json'))).rejects.toThrow('ENOENT')
  })
})

/** The servers that this process has open. */
function listServers(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap')
}
