import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { endpointNames } from '../../src/service/endpoints/endpoints.ts'
import { toPipelineJsonSchema } from '../../src/config/pipeline-json-schema.ts'
import { contractNames } from '../../src/contracts/contracts.ts'
import { findConfigSubject } from '../../src/describe/config-subject.ts'
import { toConfigSchema } from '../../src/describe/to-config-schema.ts'
import { checkConfig } from '../../src/plan/plan-pipeline.ts'
import { isObject } from '../../src/records/json/json-values.ts'
import { isDeep, someOf } from '../depth.ts'
import { runInMemory } from '../cli/memory-terminal.ts'
import { RunFolder } from '../cli/run-folder.ts'

const pipelines = join(import.meta.dirname, '../../pipelines')

function schemaOf(config: unknown): Readonly<Record<string, unknown>> {
  const subject = findConfigSubject(config)
  if (subject === null) throw new TypeError('expected a config with a contract')
  return toConfigSchema(subject)
}

/** Compiled schemas by their text, as compiling one takes a third of a second. */
const validators = new Map<string, ValidateFunction>()

/** What is compiled runs once, so to optimize it takes longer than it saves. */
const ajvOptions = { strict: false, allErrors: true, validateFormats: false, code: { optimize: false } }

/** Lists the places of a config that violate its own schema. */
function listMarked(config: unknown): string[] {
  const schema = schemaOf(config)
  const text = JSON.stringify(schema)
  const validate = validators.get(text) ?? new Ajv2020(ajvOptions).compile(schema)
  validators.set(text, validate)
  validate(config)
  return [...new Set((validate.errors ?? []).map(({ instancePath }) => instancePath))]
}

const products = { endpoint: 'v4/products/stream', baseUrl: '${CATALOGUE_URL}', keyId: 'a', keySecret: 'b' }

describe('the JSON Schema of a config', () => {
  test('accepts every config of pipelines/', async () => {
    const all = (await readdir(pipelines)).filter((name) => name.endsWith('.yaml'))
    const names = someOf(all, 'products-analyst.yaml', 'brands.yaml')
    const marked = await Promise.all(
      names.map(async (name) => [name, listMarked(parse(await readFile(join(pipelines, name), 'utf8')))]),
    )
    expect(marked).toEqual(names.map((name) => [name, []]))
  })

  test('exists for every endpoint and every contract', () => {
    const configs = [
      ...endpointNames.map((endpoint) => ({ name: 'x', source: { endpoint } })),
      ...contractNames.map((contract) => ({ name: 'x', source: { files: 'x', contract } })),
    ]
    const chosen = configs.filter((_, at) => isDeep || at % 40 === 0)
    for (const config of chosen) expect(listMarked(config)).toEqual([])
  })

  test('offers paths, lists, tables, locales, filter keys and their values', () => {
    const text = JSON.stringify(schemaOf({ source: products, locales: ['nl', 'de'] }))
    const offered = [
      'photos[].formats.large',
      'brands[0].name',
      'name.de',
      'photos[].organizations[]',
      'product_photos',
    ]
    for (const each of [...offered, 'updatedSince', 'no_selection', 'public_price']) expect(text).toContain(`"${each}"`)
  })

  const ofBoth = [
    { files: 'x.ndjson', contract: 'product', interface: 'v3' },
    { ...products, contract: 'product' },
  ]
  test.each(someOf(ofBoth, ofBoth[0]!))(
    'accepts values of the source as columns of products of both versions: $contract of $endpoint',
    (source) => {
      const tables = {
        products: { columns: ['id', 'interfaceVersion'], exclude: ['documentedPriceUnit'] },
        photos: { each: 'photos[]', columns: ['photoType', { column: 'unit', from: 'documentedPriceUnit' }] },
      }
      expect(listMarked({ name: 'x', source, tables })).toEqual([])
      const mistaken = { products: { columns: ['interfaceVersions'] } }
      expect(listMarked({ name: 'x', source, tables: mistaken })).toContain('/tables/products/columns/0')
    },
  )

  test.each([
    ['a filter key', { source: { ...products, filter: { statsu: 'active' } } }, '/source/filter/statsu'],
    [
      'a filter key in a combination',
      { source: { ...products, filter: { or: [{ cnkk: '1' }] } } },
      '/source/filter/or/0/cnkk',
    ],
    ['a value of a filter', { source: { ...products, filter: { status: 'activ' } } }, '/source/filter/status'],
    ['a sorting', { source: { ...products, sorting: { ids: 'ASC' } } }, '/source/sorting/ids'],
    ['a field of a column', { tables: { products: { columns: ['id', 'naam'] } } }, '/tables/products/columns/1'],
    [
      'a field of a column with options',
      { tables: { products: { columns: [{ column: 'x', from: 'brandz[0].name' }] } } },
      '/tables/products/columns/0/from',
    ],
    [
      'a field of the record in a table of elements',
      { tables: { photos: { each: 'photos[]', columns: ['cnk'] } } },
      '/tables/photos/columns/0',
    ],
    ['a field of a condition', { where: { satus: 'active' } }, '/where'],
    ['a value of a condition', { where: { status: 'actief' } }, '/where/status'],
    ['a value that a condition excludes', { where: { status: { not: ['actief'] } } }, '/where/status'],
    ['a locale', { locales: ['NL'] }, '/locales/0'],
    [
      'the locale of a column',
      { tables: { products: { columns: [{ column: 'x', from: 'name', locale: 'NL' }] } } },
      '/tables/products/columns/0/locale',
    ],
    [
      'the type of a column',
      { tables: { products: { columns: [{ column: 'x', from: 'meta.updatedAt', as: 'datetime' }] } } },
      '/tables/products/columns/0/as',
    ],
    ['a field that is left out', { tables: { products: { exclude: ['seoNam'] } } }, '/tables/products/exclude/0'],
  ])('marks a mistake in %s', (_, part, place) => {
    const config = { name: 'x', source: products, ...part }
    expect(listMarked(config)).toContain(place)
    expect(checkConfig(config, { env: { CATALOGUE_URL: 'https://api.example.com' } }).problems).not.toEqual([])
  })

  test('accepts what it does not list: positions, other locales, new tables and names, variables, fields beyond the contract', () => {
    const config = {
      name: 'x',
      source: {
        ...products,
        filter: { createdAt: { from: '${SINCE}' }, snomedCtCode: '1', and: [{ status: ['active', '${STATUS}'] }] },
        sorting: { name: { direction: 'ASC', locale: 'nl' } },
      },
      contract: { extra: { artgId: 'text', 'productFamilies[].code': 'text' } },
      locales: ['nl', 'en_AU'],
      where: {
        status: ['active', '${S}', null],
        any: [{ status: 'active' }, { artgId: 'x' }],
        'brands[].id': { from: 3 },
        artgId: { not: 'x' },
      },
      tables: {
        mine: {
          columns: ['$', 'id', 'artgId', 'name.de', { column: 'second', from: 'brands[1].name', locale: 'de' }, '${C}'],
        },
        families: { each: 'productFamilies[]', columns: ['code'] },
        links: { each: 'photos[].organizations[]', where: { id: 1 } },
      },
      outputs: [{ format: 'csv', tables: ['mine', '${T}'], mode: 'merge', partitionBy: ['second', '${P}'] }],
      expect: [
        { column: 'second', filled: '5%' },
        { table: 'links', column: 'photos[].id', unique: true },
      ],
    }
    expect(listMarked(config)).toEqual([])
  })

  test('can be created for a half-written config, and keeps all keywords of the schema of all configs', () => {
    const schema = schemaOf({
      source: { files: 'x', contract: 'v4/brand' },
      contract: { extra: { a: 'nothing' } },
      tables: null,
    })
    expect(schema).toMatchObject({ ...toPipelineJsonSchema(), title: 'catalogue-etl pipeline over v4/brand' })
    expect([{}, { source: {} }, { source: { contract: 'v4/x' } }, null, 'x'].map(findConfigSubject)).toEqual(
      Array.from({ length: 5 }, () => null),
    )
  })
})

describe('the command schema', () => {
  test('prints the schema of one config, or of all configs', async () => {
    const folder = await RunFolder.create()
    await writeFile(folder.at('shop.yaml'), 'name: shop\nsource: { files: x.ndjson, contract: v4/brand }\n')
    await writeFile(folder.at('none.yaml'), 'name: shop\nsource: { files: x.ndjson }\n')
    const { stdout, exitCode } = await runInMemory(['describe', folder.at('shop.yaml'), '--as', 'config-schema'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('$defs.rows0')
    const all: unknown = JSON.parse((await runInMemory(['describe', '--as', 'config-schema'])).stdout)
    expect(isObject(all) && all['title']).toBe('catalogue-etl pipeline')
    const failed = await runInMemory(['describe', folder.at('none.yaml'), '--as', 'config-schema'])
    expect(failed.exitCode).toBe(2)
    expect(failed.stderr).toContain('expected an endpoint or a contract that is known')
    await writeFile(folder.at('open.yaml'), 'source: { files: [\n')
    const unclosed = await runInMemory(['describe', folder.at('open.yaml'), '--as', 'config-schema'])
    expect(unclosed.exitCode).toBe(2)
    expect(unclosed.stderr).toContain(`${folder.at('open.yaml')}:2:1`)
    await folder.remove()
  })
})
