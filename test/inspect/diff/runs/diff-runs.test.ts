import { cp, readdir, readFile, rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import type { DiffOptions } from '../../../../src/inspect/diff/diff.ts'
import { cases } from '../../../depth.ts'
import { queryDuckDb } from '../../../formats/query-duckdb.ts'
import { forcedWorkers } from '../../../forced-workers.ts'
import { startS3 } from '../../../storage/s3/start-s3.ts'
import { RunFolder } from '../../../engine/run-folder.ts'
import { changeProducts, generateProducts, type TestProduct, toStream } from '../seed-changes.ts'
import { everyType, typedProducts } from './every-type.ts'
import { compareRuns, type Format, publishRun, tables } from './publish-run.ts'

let folder: RunFolder
beforeAll(async () => {
  folder = await RunFolder.create()
})
afterAll(() => folder.remove())

const publish = (name: string, products: readonly object[], format: Format, changes?: Partial<PipelineConfig>) =>
  publishRun(folder, name, products, format, changes)

type Row = Record<string, string | null>

const publishTypes = (name: string, outputs: PipelineConfig['outputs'], records: readonly object[]) =>
  publish(name, records, 'xlsx', { ...everyType, outputs })

/** The rows that a run makes of the products, by their keys, as a few lines of JavaScript have them. */
function toRows(products: readonly TestProduct[]): Record<string, Map<string, Row>> {
  const rows = {
    products: new Map<string, Row>(),
    product_photos: new Map<string, Row>(),
    eans: new Map<string, Row>(),
  }
  for (const { id, status, publicPrice, name, ean, photos } of products) {
    rows.products.set(id, {
      status,
      public_price: publicPrice === null ? null : String(publicPrice),
      name_nl: name['nl'] ?? null,
      name_fr: name['fr'] ?? null,
      ean: JSON.stringify(ean.toSorted()),
    })
    for (const photo of photos) rows.product_photos.set(`${id}/${photo.id}`, { formats_large: photo.formats.large })
    for (const [at, code] of ean.entries()) rows.eans.set(`${id}/${at + 1}`, { value: code })
  }
  return rows
}

/** `table.column` of each value that differs, with its key, and `table.$` of whole rows. */
function listExpected(old: readonly TestProduct[], next: readonly TestProduct[]): string[] {
  const [before, after] = [toRows(old), toRows(next)]
  return Object.entries(before).flatMap(([table, oldRows]) => {
    const newRows = after[table] ?? new Map<string, Row>()
    const keys = [...new Set([...oldRows.keys(), ...newRows.keys()])]
    return keys.flatMap((key) => {
      const [oldRow, newRow] = [oldRows.get(key), newRows.get(key)]
      if (oldRow === undefined || newRow === undefined)
        return [`${table}.$ ${key} ${newRow === undefined ? 'gone' : 'new'}`]
      const columns = Object.keys(oldRow).filter((column) => oldRow[column] !== newRow[column])
      return columns.map((column) => `${table}.${column} ${key} ${oldRow[column]} → ${newRow[column]}`)
    })
  })
}

async function readFound(path: string): Promise<string[]> {
  const rows = await queryDuckDb(
    `SELECT id, field, element, old, new FROM ${path.endsWith('parquet') ? `'${path}'` : `read_csv('${path}', all_varchar = true, nullstr = '', allow_quoted_nulls = false)`}`,
  )
  return rows.map((row) => {
    const [id, field, element, old, next] = (row as (string | null)[]).map((value) => value ?? null)
    const key = element === null ? id : `${id}/${element}`
    if (field?.endsWith('.$') === true) return `${field} ${key} ${next === null ? 'gone' : 'new'}`
    return `${field} ${key} ${old} → ${next}`
  })
}

function withKinds(products: readonly TestProduct[], status: string, kind: string): object[] {
  return products.map((product) => ({
    ...product,
    status,
    photos: product.photos.map((photo) => ({ ...photo, photoType: kind })),
  }))
}

function toPhoto(large: string): object {
  return { id: 1, formats: { large } }
}

const formats: readonly Format[] = ['csv', 'xlsx', 'ndjson', 'parquet']

describe('the difference of two published runs is that of their records', () => {
  test.each(Array.from({ length: cases(8, 1) }, (_, seed) => seed + 1))(
    'with seeded changes: seed %i',
    async (seed) => {
      const products = generateProducts(cases(200, 100), seed)
      const changed = changeProducts(products, seed)
      const old = await publish(`old-${seed}`, products, formats[seed % 4] ?? 'csv')
      const next = await publish(`new-${seed}`, changed, formats[(seed >> 1) % 4] ?? 'csv')
      const expected = listExpected(products, changed)
      const to = join(folder.path, `differences-${seed}.${seed % 2 === 0 ? 'parquet' : 'csv'}`)
      const { report, warnings } = await compareRuns(old, next, { to })

      expect((await readFound(to)).toSorted()).toEqual(expected.toSorted())
      expect(report).toMatchObject({
        equal: false,
        to: { rows: expected.length },
        ignored: ['products.meta_updated_at'],
      })
      expect(warnings).toEqual([])
      for (const table of report.tables) {
        const own = expected.filter((each) => each.startsWith(`${table.name}.`))
        expect([table.new, table.removed]).toEqual([
          own.filter((each) => each.endsWith(' new')).length,
          own.filter((each) => each.endsWith(' gone')).length,
        ])
        const values = own.filter((each) => !each.startsWith(`${table.name}.$`))
        expect(table.changed).toBe(new Set(values.map((each) => each.split(' ')[1])).size)
        const counts = new Map<string, number>()
        for (const [field = ''] of values.map((each) => each.split(' ')))
          counts.set(field, (counts.get(field) ?? 0) + 1)
        expect(new Map(table.fields.map(({ field, count }) => [field, count]))).toEqual(counts)
        expect(table.unchanged).toBe((toRows(products)[table.name]?.size ?? 0) - table.removed - table.changed)
      }
    },
  )
})

describe('two published runs', () => {
  const products = generateProducts(40, 1)
  const changed = products.map((product, at) => (at === 3 ? { ...product, status: 'inactive' } : product))

  test('are equal if they differ only in the signatures of addresses, in every format', async () => {
    const old = await publish('equal-old', products, 'csv')
    const again = products.map((product) => ({ ...product, meta: { ...product.meta, updatedAt: 1760000000 } }))
    const next = await publish('equal-new', again, 'parquet')
    const { report } = await compareRuns(old, next)
    expect(report).toMatchObject({ equal: true, contract: 'v4/product', old: { kind: 'run', files: 3, lines: null } })
    expect(report.tables.map(({ name, key, unchanged }) => [name, key, unchanged])).toEqual([
      ['products', ['id'], 40],
      ['product_photos', ['product_id', 'id'], 81],
      ['eans', ['product_id', 'position'], 60],
    ])
    const { report: touched } = await compareRuns(old, next, { include: ['meta.updatedAt'], only: ['products'] })
    expect(touched.tables).toMatchObject([{ name: 'products', changed: 40 }])
  })

  test('may be named by copies, manifests or single partitions', async () => {
    const old = await publish('first', products, 'csv')
    await cp(old, join(folder.path, 'copy'), { recursive: true })
    await rm(old, { recursive: true })
    const outputs: PipelineConfig['outputs'] = [
      { format: 'parquet', path: '{table}.parquet', partitionBy: ['status'], tables: ['products'] },
    ]
    const next = await publish('parts', changed, 'parquet', { outputs })
    const { report, warnings } = await compareRuns(
      join(folder.path, 'copy', '_manifest.json'),
      join(next, '_manifest.json'),
    )
    expect(report.tables).toMatchObject([{ name: 'products', new: 0, removed: 0, changed: 1, unchanged: 39 }])
    expect(warnings).toEqual([
      `${join(folder.path, 'copy', '_manifest.json')}: only here, not compared: table product_photos, eans`,
    ])
  })

  test('may be in a bucket', async () => {
    const s3 = await startS3()
    try {
      const old = await publish('local', products, 'csv')
      const files = await folder.write('bucket.ndjson', toStream(changed))
      const env = { ...forcedWorkers, ...s3.env }
      const outputs = [{ format: 'parquet' as const, path: '{table}.parquet' }]
      await folder.run(
        { locales: ['nl', 'fr'], tables, outputs, source: { files } },
        { outDir: 's3://warehouse/out', env },
      )
      const { report } = await compareRuns(old, 's3://warehouse/out', { env })
      expect(report.tables[0]).toMatchObject({ changed: 1, fields: [{ field: 'products.status', count: 1 }] })
      const { report: back } = await compareRuns('s3://warehouse/out/_manifest.json', old, { env })
      expect(back.tables[0]).toMatchObject({ changed: 1 })
    } finally {
      await s3.close()
    }
  })

  test('with different columns are compared by the common ones, and the others are listed', async () => {
    const old = await publish('wide', products, 'csv')
    const next = await publish('narrow', changed, 'csv', {
      tables: { products: { columns: ['id', 'status', { from: 'publicPrice', as: 'text' }, 'weight'] } },
    })
    const { report, warnings } = await compareRuns(old, next)
    expect(report.tables).toMatchObject([{ name: 'products', changed: 1 }])
    expect(warnings).toEqual([
      `${old}: only here, not compared: table product_photos, eans`,
      `${old}: only here, not compared: column products.name_nl, products.name_fr, products.ean, products.meta_updated_at, products.meta_created_at`,
      `${next}: only here, not compared: column products.weight`,
      `${next}: products.public_price is text, integer in ${old}`,
    ])
  })

  test('without an id state which columns match the rows', async () => {
    const old = await publish('without-id', products, 'csv', {
      tables: { prices: { columns: ['publicPrice', 'status'] } },
    })
    const { warnings } = await compareRuns(old, join(old, '_manifest.json'))
    expect(warnings).toEqual(['prices: no column has the id of the record, rows are matched by public_price'])
  })

  test('with many different columns list the first of them', async () => {
    const old = await publish('few', products, 'csv', { tables: { products: { columns: ['id'] } } })
    const next = await publish('many', products, 'csv', { tables: { products: {} } })
    const { warnings } = await compareRuns(old, next)
    expect(warnings).toEqual([
      expect.stringMatching(/only here, not compared: column products.status, (products.\w+, ){11}… \(\d+ more\)$/),
    ])
  })

  test('are compared by the selected columns, tables or fields', async () => {
    const old = await publish('chosen-old', products, 'csv')
    const next = await publish('chosen-new', [...changed.slice(1), { ...products[0], id: 'N1', photos: [] }], 'csv')
    const namesOf = async (options: Partial<DiffOptions>) =>
      (await compareRuns(old, next, options)).report.tables.map(({ name, changed: count }) => [name, count])
    expect(await namesOf({ only: ['status'] })).toEqual([['products', 1]])
    expect(await namesOf({ only: ['publicPrice'] })).toEqual([['products', 0]])
    expect(await namesOf({ only: ['product_photos'] })).toEqual([['product_photos', 0]])
    expect(await namesOf({ ignore: ['products.status', 'eans'] })).toEqual([
      ['products', 0],
      ['product_photos', 0],
    ])
    await expect(compareRuns(old, next, { only: ['publicprize'] })).rejects.toMatchObject({
      code: 'USAGE',
      message: '"publicprize": expected a table or a column of both runs, got none; did you mean "public_price"?',
    })
  })

  test('match rows with the same id in the order of their values', async () => {
    const twice = [...products, { ...products[0]!, publicPrice: 5 }]
    const old = await publish('twice-old', twice, 'csv')
    const next = await publish('twice-new', twice.toReversed(), 'csv')
    expect((await compareRuns(old, next)).report.equal).toBe(true)
    const { report } = await compareRuns(old, await publish('once', products, 'csv'))
    expect(report.tables[0]).toMatchObject({ new: 0, removed: 1 })
  })

  test('may have columns with any name', async () => {
    const named = {
      tables: {
        differing: {
          columns: [
            { from: 'cnk', column: 'k0' },
            'id',
            { from: 'publicPrice', column: 'repetition' },
            { from: 'status', column: 'v1' },
            { from: 'name.nl', column: 'v0' },
          ],
        },
        differences: {
          each: 'photos[]',
          columns: [
            { from: 'id', column: 'p0' },
            { from: 'formats.large', column: 'k1' },
          ],
        },
      },
    }
    const old = await publish('named-old', products, 'parquet', named)
    const next = await publish('named-new', changed, 'parquet', named)
    expect((await compareRuns(old, old)).report.equal).toBe(true)
    expect((await compareRuns(old, next)).report.tables).toMatchObject([
      { name: 'differing', new: 0, removed: 0, changed: 1, fields: [{ field: 'differing.v1', count: 1 }] },
      { name: 'differences', new: 0, removed: 0, changed: 0 },
    ])
  })

  test('have the same values in every format, and lists of every type are compared exactly', async () => {
    const columns = [
      'id',
      { from: 'ratio', column: 'element' },
      'ratios[]',
      { from: 'amounts[]', as: 'decimal(18,2)', unit: 'cents' },
      'times[]',
      { from: 'times[]', column: 'days', as: 'date', timezone: 'UTC' },
    ] as const
    const contract = {
      extra: { ratio: 'float', 'ratios[]': 'float', 'amounts[]': 'integer', 'times[]': 'timestamp' },
    } as const
    const publishLists = async (name: string, format: Format, amount: string, times = '[1700000000,null]') => {
      const record = `{"id":"A","ratio":-0.0,"ratios":[1e300,-0.0,null],"amounts":[${amount},5],"times":${times}}\n`
      const files = await folder.write(`${name}.ndjson`, record)
      const outDir = join(folder.path, name)
      const outputs = [{ format, path: `{table}.${format}` }]
      await folder.run(
        { contract, tables: { t: { columns: [...columns] } }, outputs, source: { files, contract: 'v4/product' } },
        { outDir },
      )
      return outDir
    }
    const [parquet, csv] = [
      await publishLists('lists-parquet', 'parquet', '123456789012345678'),
      await publishLists('lists-csv', 'csv', '123456789012345678'),
    ]
    const xlsx = await publishLists('lists-xlsx', 'xlsx', '123456789012345678')
    const next = await publishLists('lists-ndjson', 'ndjson', '123456789012345679')
    expect((await compareRuns(parquet, csv)).report).toMatchObject({ equal: true })
    expect((await compareRuns(parquet, xlsx)).report).toMatchObject({ equal: true })
    const to = join(folder.path, 'lists.csv')
    const { report } = await compareRuns(csv, next, { to })
    expect(report.tables[0]?.fields).toMatchObject([
      {
        field: 't.amounts',
        example: { old: '[0.05,1234567890123456.78]', new: '[0.05,1234567890123456.79]' },
      },
    ])
    const emptied = await publishLists('lists-emptied', 'parquet', '1', '[]')
    const { report: other } = await compareRuns(parquet, emptied)
    expect(other.tables[0]?.fields.find(({ field }) => field === 't.times')).toMatchObject({
      example: { old: '["2023-11-14T22:13:20.000Z",null]', new: '[]' },
    })
  })

  test('as one workbook have the rows of Parquet: codes with zeros, empty text, exact numbers, times', async () => {
    const parquet = await publishTypes('types-parquet', [{ format: 'parquet', path: '{table}.parquet' }], typedProducts)
    const xlsx = await publishTypes('types-xlsx', [{ format: 'xlsx', path: 'book.xlsx' }], typedProducts)
    const { report } = await compareRuns(parquet, xlsx)
    expect(report.tables.flatMap(({ fields }) => fields)).toEqual([])
    expect(report).toMatchObject({ equal: true, tables: [{ unchanged: 3 }, { unchanged: 3 }] })
    const publishNote = (name: string, note: string) =>
      publishTypes(name, [{ format: 'xlsx', path: 'book.xlsx' }], [{ ...typedProducts[0], note }])
    const { report: codes } = await compareRuns(await publishNote('zeros', '0012'), await publishNote('none', '12'))
    expect(codes.tables.flatMap(({ fields }) => fields)).toEqual([
      { field: 't.note', count: 1, example: { id: 'A', field: 't.note', element: null, old: '0012', new: '12' } },
    ])
  })

  test('are never replaced by the file of their differences', async () => {
    const old = await publish('kept-old', products, 'csv')
    const next = await publish('kept-new', changed, 'csv')
    const link = join(folder.path, 'kept-link')
    await symlink(next, link)
    const before = await readFile(join(next, 'products.csv'))
    for (const [run, to] of [
      [next, join(next, 'products.csv')],
      [next, join(link, 'eans.csv')],
      [link, join(next, 'products.csv')],
      [next, join(next, '_rejects.ndjson')],
      [next, join(link, '_runs.ndjson')],
    ] as const)
      await expect(compareRuns(old, run, { to })).rejects.toMatchObject({
        code: 'USAGE',
        message: `--to ${to}: expected another file than those that are compared`,
      })
    expect(await readFile(join(next, 'products.csv'))).toEqual(before)
    expect((await readdir(next)).filter((name) => name.includes('differences') || name.includes('.tmp'))).toEqual([])
    expect((await compareRuns(old, next, { to: join(next, 'changes.csv') })).report.to).toMatchObject({ rows: 1 })
  })

  test('with histories are compared version by version', async () => {
    const outputs: PipelineConfig['outputs'] = [{ format: 'parquet', path: '{table}.parquet', mode: 'history' }]
    const versions = {
      outputs,
      tables: {
        products: { columns: ['id', 'status'] },
        product_photos: { each: 'photos[]', columns: ['id', 'photoType'] },
      },
    }
    await publish('history', withKinds(products, 'inactive', 'packshot'), 'parquet', versions)
    const old = join(folder.path, 'history-old')
    await cp(join(folder.path, 'history'), old, { recursive: true })
    const next = await publish('history', withKinds(products, 'active', 'lifestyle'), 'parquet', versions)
    const { report } = await compareRuns(old, next)
    expect(report.tables).toMatchObject([
      { name: 'products', new: 40, removed: 0, changed: 40, unchanged: 0 },
      { name: 'product_photos', new: 81, removed: 0, changed: 81, unchanged: 0 },
    ])
    expect(report.tables.flatMap(({ fields }) => fields.map(({ field, count }) => [field, count]))).toEqual([
      ['products.is_current', 40],
      ['products.valid_to', 40],
      ['product_photos.is_current', 81],
      ['product_photos.valid_to', 81],
    ])
  })

  test('match elements of repeated records deterministically', async () => {
    const twice = products.flatMap((product) => [
      { ...product, photos: [toPhoto('https://example.com/a')] },
      { ...product, photos: [toPhoto('https://example.com/b')] },
    ])
    const old = await publish('kept-twice-old', twice, 'csv')
    const next = await publish('kept-twice-new', twice.toReversed(), 'csv')
    expect((await compareRuns(old, next)).report.equal).toBe(true)
  })

  test('with tables that have only keys report added and removed rows', async () => {
    const only = { tables: { products: { columns: ['id'] } } }
    const old = await publish('ids-old', products, 'csv', only)
    const next = await publish('ids-new', products.slice(2), 'csv', only)
    const to = join(folder.path, 'ids.csv')
    const { report } = await compareRuns(old, next, { to })
    expect(report.tables).toMatchObject([{ new: 0, removed: 2, changed: 0, unchanged: 38 }])
    expect(await readFile(to, 'utf8')).toContain(`${products[0]!.id},products.$,,{},`)
  })

  test.each([
    ['a file that is gone', 'SOURCE_CHANGED', /expected the file of \d+ bytes that the manifest lists, got no file/],
    ['an export', 'USAGE', /expected a run beside a run, got it beside .*, an export or a landing/],
    ['another manifest', 'USAGE', /expected the manifest of a run, got another file/],
    ['a cut manifest', 'USAGE', /expected the manifest of a run, got another file/],
    ['other tables', 'USAGE', /expected a table of .* \(products, product_photos, eans\), got others/],
  ])('%s: %s', async (what, code, message) => {
    const name = what.replaceAll(' ', '-')
    const old = await publish(`${name}-old`, products, 'csv')
    const next = await publish(name, products, 'csv', { tables: { others: { columns: ['id'] } } })
    if (what === 'a file that is gone') await rm(join(next, 'others.csv'))
    if (what === 'a cut manifest') await truncate(join(next, '_manifest.json'), 300)
    if (what === 'another manifest') await folder.write(`${name}/_manifest.json`, '{"pipeline":"products"}')
    const compared = compareRuns(old, what === 'an export' ? join(folder.path, `${name}.ndjson`) : next)
    await expect(compared).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })
})
