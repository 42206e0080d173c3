import { join } from 'node:path'
import polars from 'nodejs-polars'
import { afterEach, describe, expect, it } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { checkConfig } from '../../../src/plan/plan-pipeline.ts'
import { cases } from '../../depth.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { RunFolder } from '../run-folder.ts'
import { writeMessyProducts } from './messy-products.ts'

const tables = {
  products: { columns: ['id', 'status'] },
  codes: { builtin: 'codes' },
} satisfies PipelineConfig['tables']
const extra = { pzn: 'code', cip13: 'code', artgId: 'code' } as const

let folder: RunFolder
afterEach(() => folder.remove())

/** The table over the raw lines, in SQL: what each code is, told anew. */
const oracle = (file: string) => `
with lines as (select row_number() over () as line, json as record from read_ndjson_objects('${file}')),
fields(nr, field, scheme, space, padded, least, most) as (values
  (1, 'ean', 'ean', 'gtin', 0, 6, 14), (2, 'gtin', 'gtin', 'gtin', 0, 6, 14), (3, 'cnk', 'cnk', 'cnk', 7, 4, 7),
  (4, 'eanGtin13', 'gtin13', 'gtin', 13, 6, 14), (5, 'pzn', 'pzn', 'pzn', 0, 5, 8),
  (6, 'cip13', 'cip13', 'cip13', 0, 13, 13), (7, 'artgId', 'artgId', 'artgId', 0, 0, 99)),
given as (
  select line, nr, scheme, space, padded, least, most, record->>'id' as id, record->>'status' as status,
    unnest(case json_type(record->field) when 'ARRAY' then (record->field)::json[] else [record->field] end) as value,
    generate_subscripts(case json_type(record->field) when 'ARRAY' then (record->field)::json[] else [record->field] end, 1) as item
  from lines, fields where json_exists(record, field)),
texts as (
  select *, case when value->>'$' similar to '[0-9]+' then lpad(value->>'$', greatest(padded, length(value->>'$'))::int, '0') else value->>'$' end as delivered
  from given where value->>'$' is not null and trim(value->>'$') <> ''),
cleaned as (
  select *, regexp_replace(regexp_replace(trim(delivered), '^="(.*)"$', '\\1'), '^''', '') as bare from texts),
digits as (
  select *, case when space = 'artgId' then bare
    when bare similar to '[0-9]+[.,]0' then ltrim(bare[:-3], '0')
    when bare similar to '[0-9]+([ -][0-9]+)*' then ltrim(regexp_replace(bare, '[^0-9]', '', 'g'), '0') end as code
  from cleaned),
codes as (
  select *, case when space = 'artgId' then code when length(code) between least and most
    then lpad(code, (case space when 'gtin' then 14 else most end)::int, '0') end as canonical from digits),
holders as (select space, canonical, id, arg_max(status, line) as status from codes where canonical is not null group by all),
shared as (
  select space, canonical, count(*) as products, any_value(id) as holder, any_value(id) filter (status = 'active') as best,
    count(*) filter (status = 'active') as actives from holders group by all),
checked as (
  select *, case
    when canonical is null or space in ('cnk', 'artgId') then 'none'
    when case space
      when 'pzn' then list_sum(list_transform(range(1, 8), lambda n: n * canonical[n]::int)) % 11 = canonical[8]::int
      else list_sum(list_transform(range(1, length(canonical) + 1), lambda n: canonical[-n]::int * case n % 2 when 1 then 1 else 3 end)) % 10 = 0 end
    then 'right' else 'wrong' end as check_digit from codes)
select id as product_id, row_number() over (partition by line order by nr, item) as position, scheme, delivered, canonical,
  check_digit, products as product_count,
  case when canonical is null then null when products = 1 then holder when actives = 1 then best else 'ambiguous' end as chosen
from checked left join shared using (space, canonical) order by line, position`

describe('a table with builtin: codes', () => {
  it('has, cell by cell, the rows that DuckDB finds in the lines themselves', async () => {
    folder = await RunFolder.create()
    for (let seed = 1; seed <= cases(20, 2); seed++) {
      const file = await folder.write('input.ndjson', writeMessyProducts(400, seed))
      await folder.run({ tables, contract: { extra }, outputs: [{ format: 'parquet', path: 'out/{table}.parquet' }] })
      const expected = await queryDuckDb(oracle(file))
      const rows = await queryDuckDb(`select * from '${join(folder.out, 'codes.parquet')}'`)
      expect(rows).toEqual(expected)
      const shares = expected.filter((row) => row.at(-1) === 'ambiguous')
      expect(shares.length).toBeGreaterThan(10)
    }
  })

  it('is read by polars, with the types that the config says', async () => {
    folder = await RunFolder.create()
    await folder.write('input.ndjson', writeMessyProducts(50, 7))
    const manifest = await folder.run({ tables, outputs: [{ format: 'parquet', path: 'out/{table}.parquet' }] })
    const read = polars.readParquet(join(folder.out, 'codes.parquet'))
    expect(read.height).toBe(manifest.files.find(({ table }) => table === 'codes')?.rows)
    expect(read.columns).toEqual([
      'product_id',
      'position',
      'scheme',
      'delivered',
      'canonical',
      'check_digit',
      'product_count',
      'chosen',
    ])
  })

  it('has the same bytes from every kernel and number of workers, in every format', async () => {
    folder = await RunFolder.create()
    await folder.write('input.ndjson', writeMessyProducts(600, 3))
    const formats = ['csv', 'ndjson', 'parquet'] as const
    const outputs = formats.map((format) => ({ format, path: `out/{table}.${format}` }))
    const digests: string[][] = []
    for (const [kernel, workers] of [
      ['native', 0],
      ['native', 2],
      ['wasm', 2],
      ['reference', 0],
    ] as const) {
      const before = process.env['CATALOGUE_KERNEL']
      process.env['CATALOGUE_KERNEL'] = kernel
      try {
        const { files, tool } = await folder.run({ tables, outputs }, { workers })
        expect(tool.kernel).toContain(kernel)
        digests.push(files.map(({ sha256 }) => sha256))
      } finally {
        if (before === undefined) delete process.env['CATALOGUE_KERNEL']
        else process.env['CATALOGUE_KERNEL'] = before
      }
    }
    expect(new Set(digests.map(String)).size).toBe(1)
  })

  it('is in the profile, the workbook and the data package as other tables are', async () => {
    folder = await RunFolder.create()
    await folder.write('input.ndjson', writeMessyProducts(100, 5))
    const outputs = [
      { format: 'xlsx', path: 'out/all.xlsx' },
      { format: 'csv', path: 'out/{table}.csv' },
    ] as const
    const manifest = await folder.run({ tables, dataPackage: true, outputs: [...outputs] })
    const rows = manifest.tables.find(({ name }) => name === 'codes')?.rows ?? 0
    const profile = JSON.parse(await folder.readOut('_profile.json')) as {
      tables: { name: string; rows: number; columns: { name: string; filled: number }[] }[]
    }
    const profiled = profile.tables.find(({ name }) => name === 'codes')
    expect(rows).toBeGreaterThan(100)
    expect(profiled).toMatchObject({
      rows,
      columns: [{ name: 'product_id', filled: rows }, {}, {}, {}, {}, {}, {}, {}],
    })
    const described = await folder.readOut('datapackage.json')
    expect(described).toContain('One row a code of a product.')
    expect((await folder.readOut('codes.csv')).trimEnd().split('\n')).toHaveLength(rows + 1)
  })

  it('is refused where it could not be right, with what to do', () => {
    const base = { name: 'products', source: { files: 'x.ndjson', contract: 'v4/product' }, tables }
    const messagesOf = (config: object) => checkConfig({ ...base, ...config }).problems.map(({ message }) => message)
    expect(messagesOf({ outputs: [{ format: 'parquet', path: 'x.parquet', mode: 'merge' }] })).toContainEqual(
      expect.stringContaining('put this table into a pipeline of its own over the same source'),
    )
    expect(messagesOf({ tables: { codes: { builtin: 'codes', columns: ['id'] } } })).toContainEqual(
      expect.stringContaining('expected alone, as a built-in table has columns of its own, got it with columns'),
    )
    expect(
      messagesOf({ source: { files: 'x.ndjson', contract: 'v4/brand' }, tables: { codes: { builtin: 'codes' } } }),
    ).toEqual(['builtin: expected a contract of products, which have codes, got v4/brand'])
    expect(messagesOf({ expect: [{ table: 'codes', column: 'scheme', filled: '95%' }] })).toContainEqual(
      expect.stringContaining('known only when it is written'),
    )
  })
})
