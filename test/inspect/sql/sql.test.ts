import { appendFile, readdir, readFile, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CliOptions, runInMemory } from '../../cli/memory-terminal.ts'
import { RunFolder } from '../../cli/run-folder.ts'
import { openInLibreOffice, skipsLibreOffice } from '../../formats/libre-office.ts'
import { seedGaps } from './seeded-gaps.ts'

let folder: RunFolder
const formats = ['parquet', 'csv', 'ndjson', 'xlsx', 'duckdb', 'delta'] as const

beforeAll(async () => {
  folder = await RunFolder.create()
  await seedGaps(folder, 80)
  for (const format of formats) await run(format)
})
afterAll(() => folder.remove())

async function run(format: string): Promise<void> {
  const { exitCode, stderr } = await runInMemory(['run', await writeConfig(format), '--out', folder.out])
  if (exitCode !== 0) throw new Error(stderr)
}

const outputs: Readonly<Record<string, string>> = {
  duckdb: `{ format: duckdb, path: 'out/duckdb/a.duckdb' }`,
  delta: `{ format: delta, path: 'out/delta/{table}' }`,
  csv: `{ format: csv, delimiter: ';', decimalSeparator: ',', bom: true }`,
}

function writeConfig(format: string): Promise<string> {
  return folder.write(
    `${format}.yaml`,
    `name: ${format}
source: { files: ${JSON.stringify(folder.at('export.ndjson'))}, contract: v4/product }
tables:
  products: { columns: [id, cnk, status, ean, { column: price, from: publicPrice, as: 'decimal(12,2)', unit: cents }, meta.updatedAt, name] }
  product_photos: { each: 'photos[]', columns: [photoType, locales] }
outputs: [${outputs[format] ?? `{ format: ${format} }`}]
`,
  )
}

const sql = (format: string, args: readonly string[], options: CliOptions = {}) =>
  runInMemory(['sql', folder.at(`${format}.yaml`), ...args, '--out', folder.out], options)

const everyType =
  'select p.id, cnk, ean, price, meta_updated_at, name_nl, len(ean) as eans, (select count(*) from product_photos i where i.product_id = p.id and list_contains(locales, $$nl$$)) as dutch from products p order by id'

describe('sql over what a run published', () => {
  test.each(formats.slice(1))('a statement gives the same typed rows over %s as over Parquet', async (format) => {
    const [other, parquet] = [
      await sql(format, [everyType, '--as', 'ndjson']),
      await sql('parquet', [everyType, '--as', 'ndjson']),
    ]
    expect([other.exitCode, other.stderr]).toEqual([0, ''])
    expect(other.stdout).toBe(parquet.stdout)
    expect(parquet.stdout).toMatch(/"price":"\d+\.\d\d","meta_updated_at":"\d{4}-\d\d-\d\dT[\d:]+Z"/)
  })

  test('without a statement the tables and the questions are listed, with what has changed since the run', async () => {
    const { stdout } = await sql('parquet', [])
    expect(stdout).toMatch(/^parquet {2}2 tables\n {2}products +80 rows +\d+ columns +\S+products\.parquet\n/)
    expect(stdout).toContain('\n  :no-price ')
    expect(stdout).not.toContain('changed since the run')
    const { tables } = JSON.parse((await sql('parquet', ['--as', 'json'])).stdout) as {
      tables: { columns: unknown[] }[]
    }
    expect(tables[0]?.columns[3]).toEqual({ name: 'ean', type: 'text list', from: 'ean[]' })
  })

  test('a result has a line a row if it fits, at most as wide as the terminal', async () => {
    const { stdout, stderr } = await sql('parquet', ['select id, name_nl, price from products', '--limit', '3'], {
      isTTY: true,
      columns: 60,
    })
    const lines = stdout
      // oxlint-disable-next-line no-control-regex -- colors of the terminal
      .replaceAll(/\u001b\[\d+m/g, '')
      .trimEnd()
      .split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^id {9,}name_nl .* price$/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
    expect(stderr).toContain('the first 3 rows')
  })

  test.each([
    ['drop view products', 'only reads, got DROP'],
    ['select 1; drop view products', 'only reads, got several, one of which does more'],
    ['select 1; select 2', 'expected one statement, got 2'],
    ['  ', 'expected one statement, got none'],
    ['insert into products values (1)', 'only reads, got INSERT'],
    ["copy products to 'x.csv'", 'only reads, got COPY'],
    ["attach 'x.duckdb'", 'only reads, got ATTACH'],
    ['set enable_external_access = true', 'only reads, got SET'],
    ['install httpfs', 'only reads, got INSTALL'],
    ['select 1) ; drop view products; select * from (select 1', 'syntax error at or near ")"'],
    ["select * from read_text('/etc/hostname')", 'got /etc/hostname: other files and addresses are out of reach'],
    ["select * from 'package.json'", 'got package.json: other files'],
    ["select * from glob('*')", 'out of reach'],
    ["select * from read_parquet('https://example.com/a.parquet')", 'read_parquet'],
    ['select nam_nl from products', 'got "nam_nl"; did you mean "name_nl"?'],
    ['select * from produkts', 'expected a table of the last run, got "produkts"; did you mean "products"?'],
    ['select madian(price) from products', 'expected a function of DuckDB, got "madian"; did you mean "median"?'],
    ['select no_such_thing(price) from products', 'got "no_such_thing"\n'],
    ['select year(name_nl, 2) from products', 'Try: What it takes: year(DATE) -> BIGINT, '],
    ['pivot products on status using count(*)', 'only reads, got PIVOT'],
  ])('%s is refused, and says why', async (statement, message) => {
    const { exitCode, stdout, stderr } = await sql('parquet', [statement])
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('.ts:')
  })

  test('an unknown function is answered with the way to list functions, not with tables', async () => {
    const { stderr } = await sql('parquet', ['select madian(price) from products'])
    const [, hint = ''] = /Try: `(.+?)`/.exec(stderr) ?? []
    expect(stderr).not.toContain('Tables:')
    const { stdout } = await sql('parquet', [hint, '--as', 'csv'])
    expect(stdout.split('\n')).toContain('median')
  })

  test('the file of another table is out of reach, and so is the manifest', async () => {
    const files = await readdir(`${folder.out}/parquet`)
    for (const file of files.filter((name) => name !== 'products.parquet')) {
      const { exitCode, stderr } = await sql('parquet', [
        `select * from products, read_blob('${folder.out}/parquet/${file}')`,
      ])
      expect([file, exitCode]).toEqual([file, 2])
      expect(stderr).toContain('out of reach')
    }
  })

  test('a file in each form holds the result, and a published file is never replaced', async () => {
    const statement = 'select cnk, price, meta_updated_at from products where cnk is not null order by cnk limit 20'
    for (const extension of ['csv', 'csv.gz', 'ndjson', 'json', 'md', 'parquet', 'xlsx']) {
      const { exitCode, stderr } = await sql('parquet', [statement, '--to', folder.at(`r.${extension}`)])
      expect([exitCode, stderr]).toEqual([0, `20 rows in ${folder.at(`r.${extension}`)}\n`])
    }
    const rows = JSON.parse(await readFile(folder.at('r.json'), 'utf8')) as { cnk: string }[]
    const csv = (await readFile(folder.at('r.csv'), 'utf8')).trim().split('\n')
    expect(csv.slice(1).map((line) => line.split(',')[0])).toEqual(rows.map(({ cnk }) => cnk))
    const before = await readFile(`${folder.out}/parquet/products.parquet`)
    const { exitCode, stderr } = await sql('parquet', ['select 1', '--to', `${folder.out}/parquet/products.parquet`])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('expected another file than those that the run read or saved')
    expect((await readFile(`${folder.out}/parquet/products.parquet`)).equals(before)).toBe(true)
  })

  test.each(['_manifest.json', '_runs.ndjson', '_rejects.ndjson', '_profile.json', '../../export.ndjson'])(
    'a result never replaces %s, which the run read or left',
    async (name) => {
      const path = `${folder.out}/parquet/${name}`
      const kept = await readFile(path).catch(() => null)
      const { exitCode, stderr } = await sql('parquet', ['select 1', '--to', path])
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`--to ${path}: expected another file than`)])
      expect(await readFile(path).catch(() => null)).toEqual(kept)
    },
  )

  test.skipIf(skipsLibreOffice)(
    'a workbook keeps the zeros of codes in LibreOffice with Belgian settings',
    async () => {
      await sql('parquet', ["select '0012345' as cnk, 12.50::decimal(9,2) as price", '--to', folder.at('codes.xlsx')])
      const sheets = await openInLibreOffice(folder.at('codes.xlsx'), { locale: 'nl-BE' })
      expect(sheets.get('codes')?.[1]).toEqual([
        { type: 'text', value: '0012345' },
        { type: 'number', value: '12.5' },
      ])
    },
  )

  test('a changed and a missing file are named, and only a statement that reads them fails', async () => {
    await appendFile(`${folder.out}/ndjson/product_photos.ndjson`, '{}\n')
    expect((await sql('ndjson', ['select count(*) from products'])).exitCode).toBe(0)
    const changed = await sql('ndjson', ['select count(*) from product_photos'])
    expect(changed.exitCode).not.toBe(0)
    expect(changed.stderr).toContain('product_photos.ndjson: expected the file of')
    await rm(`${folder.out}/ndjson/products.ndjson`)
    const { stdout } = await sql('ndjson', [])
    expect(stdout).toMatch(/changed since the run: \S+products\.ndjson is missing\n/)
    expect(stdout).toMatch(/changed since the run: \S+product_photos\.ndjson has \d+ bytes, and was published with \d+/)
  })
})
