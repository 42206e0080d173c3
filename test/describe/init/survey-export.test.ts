import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseContract } from '../../../src/contracts/choose-contract.ts'
import { contracts, type ContractName } from '../../../src/contracts/contracts.ts'
import { chooseEndpoint, toEndpointPipelineName } from '../../../src/describe/init/choose-endpoint.ts'
import { surveyExport } from '../../../src/describe/init/survey-export.ts'
import { surveyRecords } from '../../../src/describe/init/survey-records.ts'
import { quotePath, quoteYaml } from '../../../src/describe/init/yaml-text.ts'
import { generateDocument, generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { parse } from 'yaml'

let folder: string
const { signal } = new AbortController()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

const lines = (contract: ContractName, records: number, envelope = true) =>
  Buffer.concat([...generateLines({ contract, records, seed: 1, envelope })])

describe('surveyExport', () => {
  test.each([
    ['with envelope', 'a.ndjson', lines('v4/product', 30)],
    ['bare', 'b.ndjson', lines('v4/product', 30, false)],
    ['gzip', 'c.ndjson.gz', gzipSync(lines('v4/product', 30))],
    ['a document', 'd.json', Buffer.concat([...generateDocument({ contract: 'v4/product', records: 30, seed: 1 })])],
  ])('recognizes contract and locales of an export %s', async (_, name, content) => {
    const survey = await surveyExport([await write(name, content)], { signal })
    expect(survey).toMatchObject({ contract: 'v4/product', records: 30, isWhole: true, areParts: false })
    expect(survey.locales.slice(0, 3)).toEqual(['nl', 'fr', 'en'])
    expect(survey.elements.get('photos[]')).toBeGreaterThan(0)
  })

  test('reads no more than 1,000 records', async () => {
    const path = await write(
      'many.ndjson',
      '{"id":1,"name":{"nl":"a"}}\n'.repeat(5000) + '{"id":2,"name":{"de":"b"}}\n',
    )
    expect(await surveyExport([path], { signal, contract: 'v4/brand' })).toMatchObject({
      records: 1000,
      isWhole: false,
      locales: ['nl'],
    })
  })

  test('treats several files as parts only if their indexes form one stream', async () => {
    const all = lines('v4/product', 20).toString().split('\n')
    const first = await write('part-1.ndjson', `${all.slice(0, 10).join('\n')}\n`)
    const second = await write('part-2.ndjson', all.slice(10).join('\n'))
    expect(await surveyExport([first, second], { signal })).toMatchObject({
      hasSeveral: true,
      areParts: true,
      records: 20,
    })
    expect(await surveyExport([join(folder, 'part-*.ndjson')], { signal })).toMatchObject({ areParts: true })
    expect(await surveyExport([first, join(folder, 'a.ndjson')], { signal })).toMatchObject({ areParts: false })
  })

  test('reports both contracts if files have several', async () => {
    const products = await write('p.ndjson', lines('v4/product', 5))
    const media = await write('m.ndjson', lines('v4/media', 5))
    await expect(surveyExport([products, media], { signal })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: `${media}: expected v4/product, as in ${products}, got v4/media`,
    })
  })

  test("asks if records fit several contracts, and throws if it can't ask", async () => {
    const path = await write('list.ndjson', lines('v4/brand', 5))
    await expect(surveyExport([path], { signal })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    const asked: unknown[] = []
    const choose = (file: string, candidates: readonly ContractName[]) => {
      asked.push(file, candidates.length > 1)
      return Promise.resolve<ContractName>('v3/brand')
    }
    expect(await surveyExport([path], { signal, chooseContract: choose })).toMatchObject({ contract: 'v3/brand' })
    expect(asked).toEqual([path, true])
  })

  test('throws for a file without records and for standard input', async () => {
    await expect(surveyExport([await write('none.ndjson', '')], { signal })).rejects.toThrow('got no record')
    await expect(surveyExport([join(folder, 'missing.ndjson')], { signal })).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
    })
    await expect(surveyExport(['-'], { signal })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

test('surveyRecords counts a locale once a record, and does not count empty texts', () => {
  const { locales } = surveyRecords(
    [
      { id: 'a', name: { nl: 'x', fr: '' }, brands: [{ id: 1, name: { nl: 'y', de: 'z' } }] },
      { id: 'b', name: { fr: null, en: 'x' } },
      'no record',
    ],
    contracts['v4/product'].fields,
  )
  expect(Object.fromEntries(locales)).toEqual({ nl: 1, de: 1, en: 1 })
})

test.each([
  ['brands', 'v4/brand'],
  ['brands-v3', 'v3/brand'],
  ['export-v3-brands-2026', 'v3/brand'],
  ['bcfi-categories', 'v4/bcfi-category'],
  ['export', undefined],
])('chooseContract decides by the file name %s for %s', (name, expected) => {
  expect(chooseContract(['v4/brand', 'v4/attribute', 'v3/brand', 'v4/bcfi-category'], name)?.contract).toBe(expected)
})

test('chooseContract chooses the newest of several versions of one record', () => {
  expect(chooseContract(['v4/news-item', 'v3/news-item'], 'export')).toEqual({
    contract: 'v4/news-item',
    reason: 'which v3/news-item has as well',
  })
})

test.each([
  ['v4/products/query', 'v4/products/query', 'products'],
  ['v4/products', 'v4/products/stream', 'products'],
  ['/v4/products/', 'v4/products/stream', 'products'],
  ['v4/product', 'v4/products/stream', 'products'],
  ['v4/media', 'v4/media/stream', 'media'],
  ['v4/brands', 'v4/brands/query', 'brands'],
  ['v3/products', 'v3/products/export', 'products-v3'],
  ['v3/brand', 'v3/brands/all', 'brands-v3'],
  ['v4/corrections/types', 'v4/corrections/types', 'corrections-types'],
])('chooseEndpoint finds for %s the endpoint %s and the pipeline name %s', (text, endpoint, name) => {
  expect(chooseEndpoint(text)).toBe(endpoint)
  expect(toEndpointPipelineName(chooseEndpoint(text))).toBe(name)
})

test('chooseEndpoint suggests the nearest name for an unknown endpoint', () => {
  expect(() => chooseEndpoint('v4/brnds/query')).toThrow('did you mean "v4/brands/query"?')
})

test.each([
  'export.ndjson',
  '/data/a b.ndjson',
  "it's.ndjson",
  '-x',
  'null',
  '*.gz',
  'a: b',
  '# x',
  'a\tb',
  '12',
  '${X}',
  'é',
  '{a}',
  '',
])('quoteYaml and quotePath keep the text %j', (text) => {
  expect(parse(`[${quoteYaml(text)}]`)).toEqual([text])
  expect(parse(`a: ${quotePath(text)}`)).toEqual({ a: text.replaceAll('${', () => '$${') })
})
