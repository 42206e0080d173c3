import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatDdl } from '../../../src/describe/ddl/format-ddl.ts'
import { toDataPackage } from '../../../src/describe/to-data-package.ts'
import { toMarkdown } from '../../../src/describe/to-markdown.ts'
import { toRowSchema } from '../../../src/describe/to-row-schema.ts'
import { diff } from '../../../src/inspect/diff/diff.ts'
import { profilePipeline } from '../../../src/inspect/profile/profile-pipeline.ts'
import { verifyPipeline } from '../../../src/inspect/verify/verify-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { checkText, like } from '../../plan/check-text.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { openInLibreOffice, skipsLibreOffice } from '../../formats/libre-office.ts'
import { RunFolder } from '../run-folder.ts'

const skipsPython =
  process.env.CATALOGUE_REQUIRE_SPREADSHEETS !== '1' && spawnSync('python3', ['-c', 'import openpyxl']).status !== 0
const { CATALOGUE_DESCRIBE_PYTHON: python = '', CATALOGUE_REQUIRE_DESCRIBE } = process.env
const skipsFrictionless = python === '' && CATALOGUE_REQUIRE_DESCRIBE !== '1'

const dutch = ['id', 'Artikel; "naam"', 'Prijs', 'Pakfoto’s', 'Foto?', 'vat']
const french = ['id', 'Artikel; "naam"', 'Prix', 'photos_count', 'has_photos', 'vat']

const config = {
  name: 'shop',
  tables: {
    products: {
      columns: [
        'id',
        { column: 'name_nl', from: 'name', locale: 'nl', label: 'Artikel; "naam"' },
        {
          column: 'price',
          from: 'publicPrice',
          as: 'decimal(12,2)',
          unit: 'cents',
          label: { nl: 'Prijs', fr: 'Prix' },
        },
        { count: 'photos[]', label: { nl: 'Pakfoto’s' } },
        { has: 'photos[]', label: { nl: 'Foto?' } },
        'vat',
      ],
    },
  },
  outputs: [
    { format: 'csv', path: 'out/{table}.csv', labels: 'nl' },
    { format: 'csv', path: 'out/fr/{table}.csv', labels: 'fr', delimiter: ';' },
    { format: 'csv', path: 'out/names/{table}.csv' },
    { format: 'xlsx', path: 'out/shop.xlsx', labels: 'nl' },
    { format: 'ndjson', path: 'out/{table}.ndjson' },
  ],
  locales: ['nl', 'fr'],
  dataPackage: true,
} satisfies Omit<PipelineConfig, 'source'>

const products = [
  { id: 'A', name: { nl: 'Zalf' }, publicPrice: 820, photos: [{ id: 1 }, { id: 2 }], vat: 6 },
  { id: 'B', name: { nl: '=1+1' }, publicPrice: null, photos: [], vat: 21 },
]

let folder: RunFolder
const out = (name: string) => join(folder.out, name)
const rowsOf = async (name: string) => (await folder.readOut(name)).split('\n').slice(1)
const namesOf = async (from: string) => (await queryDuckDb(`DESCRIBE FROM ${from}`)).map(([name]) => name)
const plan = () =>
  planPipeline(
    { ...config, source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' } },
    { outDir: folder.out },
  )

beforeAll(async () => {
  folder = await RunFolder.create()
  const lines = products.map((result, index) => JSON.stringify({ meta: { total: 2, index }, result }))
  await folder.write('input.ndjson', lines.map((line) => `${line}\n`).join(''))
  await folder.run(config)
})
afterAll(() => folder.remove())

test('DuckDB finds the labels of the locale of each CSV output, and the same rows under them', async () => {
  const csv = `read_csv('${out('products.csv')}', header = true)`
  expect(await namesOf(csv)).toEqual(dutch)
  expect(await namesOf(`read_csv('${out('fr/products.csv')}', header = true, delim = ';')`)).toEqual(french)
  const prices = await queryDuckDb(`SELECT id, "Prijs", "Pakfoto’s", "Foto?" FROM ${csv} ORDER BY id`)
  expect(prices).toEqual([
    ['A', 8.2, '2', true],
    ['B', null, '0', false],
  ])
  expect(await rowsOf('products.csv')).toEqual(await rowsOf('names/products.csv'))
})

test('other formats and the manifest keep the names of columns, and verify finds every file as it was published', async () => {
  const [line = ''] = (await folder.readOut('products.ndjson')).split('\n')
  const names = Object.keys(JSON.parse(line) as object)
  expect(names).toEqual(['id', 'name_nl', 'price', 'photos_count', 'has_photos', 'vat'])
  const manifest = JSON.parse(await folder.readOut('_manifest.json')) as { files: { columns: { name: string }[] }[] }
  expect(manifest.files.map(({ columns }) => columns.map(({ name }) => name))).toEqual(Array(5).fill(names))
  expect(await verifyPipeline(plan())).toMatchObject({ ok: true, differences: [] })
})

test.skipIf(skipsPython)('openpyxl finds the labels in the first row of a workbook', async () => {
  const script =
    'import openpyxl, json, sys; s = openpyxl.load_workbook(sys.argv[1])["products"]; print(json.dumps([[c.value for c in r] for r in s.iter_rows()]))'
  const { stdout } = await promisify(execFile)('python3', ['-c', script, out('shop.xlsx')])
  const [header, first] = JSON.parse(stdout) as unknown[][]
  expect(header).toEqual(dutch)
  expect(first).toEqual(['A', 'Zalf', 8.2, 2, true, 6])
})

test.skipIf(skipsLibreOffice)('LibreOffice finds the labels in the first row of a workbook', async () => {
  const sheet = (await openInLibreOffice(out('shop.xlsx'), { locale: 'nl-BE' })).get('products')
  expect(sheet?.[0]?.map(({ value }) => value)).toEqual(dutch)
})

test('statements of DuckDB load a CSV file with labels under the names of columns', async () => {
  const [labelled] = plan().outputs.files
  const only = { ...plan(), outputs: { ...plan().outputs, files: [labelled!] } }
  const rows = await queryDuckDb(
    `${formatDdl(only, 'duckdb')}; SELECT id, price, photos_count FROM products ORDER BY id`,
  )
  expect(rows).toEqual([
    ['A', '8.20', '2'],
    ['B', null, '0'],
  ])
  expect(formatDdl(only, 'clickhouse')).toMatch(/input_format_csv_skip_first_lines = 1\nFORMAT CSV;/)
})

test('the data package, the schema of lines and the description have the label of a column as its title', () => {
  const titles = toDataPackage(plan()).resources.map(({ schema, dialect }) => [
    schema.fields.find(({ name }) => name === 'price')?.title,
    dialect?.header,
  ])
  expect(titles).toEqual([
    ['Prijs', false],
    ['Prix', false],
    ['Prijs', true],
    ['Prijs', false],
    ['Prijs', undefined],
  ])
  const { $defs } = toRowSchema('shop', plan().records) as { $defs: Record<string, { properties: object }> }
  expect($defs.products?.properties).toMatchObject({ price: { title: 'Prijs' }, photos_count: { title: 'Pakfoto’s' } })
  expect(toMarkdown('shop', plan().records)).toContain('| **Prijs**: Public price')
})

test.skipIf(skipsFrictionless)('Frictionless reads files with labels as the data package describes them', async () => {
  const script = `
from frictionless import Package
package = Package("out/datapackage.json")
print(package.validate().valid, [row["price"] is not None for row in package.get_resource("products.csv").read_rows()])`
  const { stdout } = await promisify(execFile)(python, ['-c', script], { cwd: folder.path })
  expect(stdout).toBe('True [True, False]\n')
})

test('profile, diff and DuckDB read the parts of a run that is published as CSV with labels alone', async () => {
  const publish = async (name: string, labels?: string) => {
    const csv = { format: 'csv', path: `${name}/{table}.csv`, labels, rowsPerFile: 1 } as const
    await folder.run({ ...config, outputs: [csv] })
    return planPipeline(
      { ...config, outputs: [csv], source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' } },
      { outDir: folder.out },
    )
  }
  const labelled = await publish('labelled', 'nl')
  await publish('named')
  expect(await folder.readOut('labelled/products-00001.csv')).toContain('Pakfoto’s')
  const { tables } = await profilePipeline(labelled, { env: {} })
  expect(tables[0]?.columns.map(({ name, filled }) => [name, filled])).toContainEqual(['price', 1])
  const found = await diff(out('labelled'), out('named'), {
    env: {},
    signal: new AbortController().signal,
    onWarning: () => undefined,
  })
  expect(found).toMatchObject({ equal: true, tables: [{ name: 'products', unchanged: 2 }] })
})

const hashOf = (label: string, labels?: string) =>
  planPipeline({
    name: 'shop',
    source: { files: 'in.ndjson', contract: 'v4/product' },
    tables: { products: { columns: ['id', { from: 'vat', label }] } },
    outputs: [{ format: 'csv', labels }],
  }).outputs.configHash

test('a label in use changes the hash of a config, one that no header shows does not', () => {
  expect(hashOf('Btw')).toBe(hashOf('TVA'))
  expect(hashOf('Btw', 'nl')).not.toBe(hashOf('TVA', 'nl'))
})

test('columns of a list that are kept have their labels in the header', async () => {
  await folder.write('list.csv', 'Code,Prix\nA,"1,50"\n')
  const sourceIds = {
    file: join(folder.path, 'list.csv'),
    columns: { id: 'Code' },
    keep: [{ column: 'Prix', as: 'decimal(12,2)', label: { nl: 'Onze prijs' } }],
  }
  await folder.run({ sourceIds, outputs: [{ format: 'csv', path: 'listed/{table}.csv', labels: 'nl' }] })
  expect(await readFile(join(folder.out, 'listed/products.csv'), 'utf8')).toMatch(
    /^list_line,list_result,Onze prijs,id/,
  )
})

test.each([
  [
    '[{ from: vat, label: Prijs }, { from: publicPrice, label: { nl: prijs } }]',
    '{ format: csv, labels: nl }',
    'labels: expected each header once in table "products", got "prijs" for vat and public_price',
  ],
  [
    '[vat, { from: publicPrice, label: vat }]',
    '{ format: xlsx, labels: nl }',
    'labels: expected each header once in table "products", got "vat" for vat and public_price',
  ],
  ['[vat]', '{ format: csv, labels: nk }', 'unknown locale "nk", expected one of nl, fr, en; did you mean "nl"?'],
  [
    '[{ from: vat, label: { nk: x } }]',
    '{ format: csv }',
    'unknown locale "nk", expected one of nl, fr, en; did you mean "nl"?',
  ],
  [
    '[{ from: name, label: Naam }]',
    '{ format: csv }',
    'label: expected a path that becomes one column, got "name", which becomes 3: name_nl, name_fr, name_en',
  ],
  ['[vat]', '{ format: csv, labels: nl, header: false }', 'labels: expected only with a header, got header: false'],
  [
    '[id, vat]',
    '{ format: csv, labels: nl, mode: merge }',
    'labels: expected only with mode: snapshot, as later runs read these files by the names of columns, got it with merge',
  ],
  ['[vat]', '{ format: ndjson, labels: nl }', /^unknown key "labels"/],
])('check refuses columns %s in %s', (columns, output, message) => {
  const text = `name: shop\nsource: { files: in.ndjson, contract: v4/product }\ntables: { products: { columns: ${columns} } }\noutputs: [${output}]\n`
  const found = checkText(text).map((line) => line.replace(/^\d+:\d+ /, ''))
  expect(found).toEqual([like(message)])
})
