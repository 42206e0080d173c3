import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { cases as depthOf } from '../../depth.ts'
import { ask, readStream, toLines, type Json } from '../ask-sandbox.ts'

let documented: Sandbox
let loose: Sandbox

beforeAll(async () => {
  const options = { products: 200, rateLimit: false } as const
  documented = await startSandbox(options)
  loose = await startSandbox({ ...options, dialect: 'loose' })
})

afterAll(() => Promise.all([documented.close(), loose.close()]))

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const hasNull = (value: unknown) => Array.isArray(value) && value.includes(null)
const isThere = (value: unknown) => value !== undefined

type Case = readonly [form: string, endpoint: EndpointName, path: string, test: (value: unknown) => boolean]

const products = 'v4/products/stream'
const oldProducts = 'v3/products/export'

/** Forms that only the loose dialect sends. */
const cases: readonly Case[] = [
  ...['name', 'seoName', 'meta', 'endOfCommercializationData', 'conservationMin', 'conservationMax', 'weightWithUnit']
    .concat(['widthWithUnit', 'lengthWithUnit', 'depthWithUnit', 'organizations.contactInformation', 'brands.name'])
    .concat(['links.available', 'leaflets.url', 'photos.meta'])
    .map((path): Case => ['an empty object as a list', products, path, isEmptyList]),
  ...['publicPrice', 'pharmacistPrice', 'weight', 'brands.id', 'publicCategories.parent', 'catalogCategories.order']
    .concat(['photos.displayOrder', 'photos.id', 'officialDeletionAt', 'meta.createdAt', 'meta.updatedAt', 'vat'])
    .concat(['weightWithUnit.value', 'conservationMin.kelvin', 'descriptions.meta.updatedAt'])
    .map((path): Case => ['a number as text', products, path, isText]),
  ['a number as text', 'v4/brands/query', 'id', isText],
  ['a number as text', 'v4/media/stream', 'id', isText],
  ['a number as text', 'v3/organizations/all', 'meta.createdAt', isText],
  ['a text as a number', products, 'organizations.contactInformation.zipCode', isNumber],
  ['a text as a number', products, 'packageContent', isNumber],
  ['a text as a number', products, 'seoName.nl', isNumber],
  ['a region as an object', products, 'organizations.contactInformation.region', isObject],
  ['a region as an object', 'v4/organizations/query', 'contactInformation.region', isObject],
  ['a fractional weight', products, 'weight', (value) => isNumber(value) && !Number.isInteger(value)],
  ['a price of zero', products, 'publicPrice', (value) => value === 0],
  ['a negative price', products, 'publicPrice', (value) => Number(value) < 0],
  ['a VAT in hundredths', products, 'vat', (value) => Number(value) >= 500],
  ['a boolean narcotic', products, 'narcotic', (value) => typeof value === 'boolean'],
  ['plain text', products, 'name', isText],
  ['plain text', products, 'publicCategories.name', isText],
  ['plain text', 'v4/product-families/query', 'name', isText],
  ['v3 content as text', oldProducts, 'descriptions.content.nl', isText],
  ['formats as a list of sizes', products, 'photos.formats', (value) => Array.isArray(value) && isObject(value[0])],
  ['one value for a list', products, 'apbCategory', isObject],
  ['null in a list', products, 'brands', hasNull],
  ['null in a list', products, 'photos', hasNull],
  ['a value of another market', products, 'conservation', (value) => value === 'deep_frozen'],
  [
    'a value of another market',
    products,
    'photos.targetGroups',
    (value) => isList(value) && value.includes('veterinarian'),
  ],
  ...['cipOrAcl7', 'cip13', 'acl13', 'pzn', 'artgId', 'pbs', 'snomedCode', 'gs1Category', 'productFamilies', 'upc12']
    .concat(['ttcPrice', 'rateOfReimbursement', 'popularity', 'scheduleCode'])
    .map((path): Case => ['a field of another market', products, path, isThere]),
  ['a code as a number', products, 'artgId', isNumber],
  ['a code as text', products, 'artgId', isText],
  ['the text of a news item, plain', 'v4/updates/query', 'content.text', isText],
  ['a field beyond the contract', products, 'organizations.contactInformation.phone', isText],
  ['a wrong value', products, 'weight', (value) => value === 'unknown'],
]

test.each(cases)(
  'the loose dialect sends %s: %s %s; the documented one does not',
  async (_, endpoint, path, isMeant) => {
    const count = async (sandbox: Sandbox) =>
      (await readRecords(sandbox, endpoint)).filter((record) => valuesAt(record, path).some(isMeant)).length
    expect(await count(loose)).toBeGreaterThan(0)
    expect(await count(documented)).toBe(0)
  },
)

test.each<Case>([
  ['one value for a list', products, 'ean', (value) => isNumber(value) || isText(value)],
  ['a list of values', products, 'ean', isList],
  ['a code in a list', products, 'eanGtin13', isList],
  ['an explicit null', products, 'officialDeletionAt', (value) => value === null],
  ['a missing key', products, 'officialDeletionAt', (value) => value === undefined],
  ['no meta', products, 'meta', (value) => value === null],
  ['a code as a number', products, 'cnk', isNumber],
  ['the text of a news item, localized', 'v4/updates/query', 'content.text', isObject],
])('the loose dialect sends %s at least as often as the documented one: %s %s', async (_, endpoint, path, isMeant) => {
  const records = await readRecords(loose, endpoint)
  expect(records.filter((record) => valuesAt(record, path).some(isMeant)).length).toBeGreaterThan(1)
})

test('documented forms occur in the loose dialect too', async () => {
  const records = await readRecords(loose, products)
  const share = (isMeant: (record: Json) => boolean) => records.filter(isMeant).length / records.length
  expect(share(({ name }) => isObject(name))).toBeGreaterThan(0.7)
  expect(share(({ publicPrice }) => isNumber(publicPrice))).toBeGreaterThan(0.7)
  expect(share(({ meta }) => isObject(meta))).toBeGreaterThan(0.9)
})

test.each<[form: string, path: string, isMeant: (value: unknown) => boolean, of: (value: unknown) => boolean, number]>([
  ['a number as text', 'publicPrice', isText, (value) => isText(value) || isNumber(value), 0.06],
  ['a number as text', 'brands.id', isText, isThere, 0.06],
  ['a fractional weight', 'weight', (value) => isNumber(value) && !Number.isInteger(value), isNumber, 0.03],
  ['an empty object as a list', 'meta', isEmptyList, isThere, 0.025],
  ['an empty object as a list', 'weightWithUnit', isEmptyList, isObject, 0.06],
  ['a region as an object', 'organizations.contactInformation.region', isObject, isThere, 0.38],
  ['plain text', 'publicCategories.name', isText, isObject, 0.05],
  ['a boolean narcotic', 'narcotic', (value) => typeof value === 'boolean', isThere, 0.08],
  ['a code in a list', 'eanGtin14', isList, isThere, 0.08],
  ['a field of another market', 'artgId', isThere, () => true, 0.12],
])('the loose dialect has %s in %s about as often as intended', (_, path, isMeant, of, share) => {
  const values = generated().flatMap((record) => valuesAt(record, path))
  const measured = values.filter(isMeant).length / values.filter(of).length
  expect(measured).toBeGreaterThan(share * 0.7)
  expect(measured).toBeLessThan(share * 1.4)
})

describe('wrong values of the loose dialect', () => {
  test('occur in one product in 200, each time another', async () => {
    const larger = await startSandbox({ products: 1000, rateLimit: false, dialect: 'loose' })
    try {
      const records = await readRecords(larger, products)
      const wrong = [150, 350, 550, 750, 950].map((number) => records[number]!)
      const [weight, deletion, photos, price, vat] = wrong
      expect([weight?.['weight'], deletion?.['officialDeletionAt'], photos?.['photos']]).toEqual([
        'unknown',
        'n/a',
        'none',
      ])
      expect([price?.['publicPrice'], vat?.['vat']]).toEqual(['on request', '6 %'])
      expect(records.filter(({ weight: grams }) => grams === 'unknown')).toHaveLength(1)
    } finally {
      await larger.close()
    }
  })
})

/** As many as the shares need to show. */
const generatedRecords = depthOf(2000, 1000)
let lines: Json[] | undefined

function generated(): Json[] {
  if (lines !== undefined) return lines
  const chunks = generateLines({ contract: 'v4/product', seed: 5, records: generatedRecords, dialect: 'loose' })
  lines = toLines(Buffer.concat([...chunks]).toString()).map(({ result }) => result)
  return lines
}

const known = new Map<string, Promise<Json[]>>()

function readRecords(sandbox: Sandbox, endpoint: EndpointName): Promise<Json[]> {
  const key = `${sandbox.baseUrl} ${endpoint}`
  const records = known.get(key) ?? request(sandbox, endpoint)
  known.set(key, records)
  return records
}

async function request(sandbox: Sandbox, endpoint: EndpointName): Promise<Json[]> {
  if (/stream|export/.test(endpoint)) return (await readStream(sandbox, endpoint)).map(({ result }) => result)
  const response = await ask(sandbox, endpoint, endpoint.startsWith('v4/') ? { body: {} } : {})
  const document = (await response.json()) as Record<string, Json[]> | Json[]
  return Array.isArray(document) ? document : (Object.values(document).find((member) => Array.isArray(member)) ?? [])
}

/** Values at a path, including those of every element of a list. */
function valuesAt(record: unknown, path: string): unknown[] {
  const [name = '', ...rest] = path.split('.')
  const parents = (Array.isArray(record) ? record : [record]).filter(isObject) as Json[]
  const values = parents.map((parent) => parent[name])
  return rest.length === 0 ? values : values.flatMap((value) => valuesAt(value, rest.join('.')))
}
