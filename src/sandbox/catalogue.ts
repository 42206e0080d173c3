import { setImmediate as nextTurn } from 'node:timers/promises'
import { endpoints, type EndpointName } from '../service/endpoints/endpoints.ts'
import { contracts, type ContractName } from '../contracts/contracts.ts'
import {
  createCollection,
  createListCollection,
  createRecordTexts,
  type Allowance,
  type Collection,
  type RecordKeys,
} from './collections/collection.ts'
import { identities } from './collections/filter-keys.ts'
import { hasMinimumContent, productKeysV3, productKeysV4 } from './collections/product-keys.ts'
import { codedListKeys, correctionKeys, mediaKeys, newsKeys, numberedListKeys } from './collections/resource-keys.ts'
import { referenceSizes } from './data/delivery-profile.ts'
import { toProductId } from './data/identity.ts'
import { memoize } from './data/memoize.ts'
import { createRecordReader, createRecordWriter, type JsonObject } from './data/record-writer.ts'
import {
  createAttributes,
  createCorrectionTypes,
  createFieldDescriptions,
  createSubscriptionTypes,
  createSyntheticUsers,
} from './data/synthetic-records.ts'
import { createProductDays, type ProductDays } from './days/product-days.ts'

export interface CatalogueOptions {
  readonly products: number
  readonly seed: number
  readonly keptBytes: number
}

export interface Catalogue {
  /** Throws if the endpoint has no records. */
  readonly collectionOf: (name: EndpointName) => Collection
  /** The products from day to day. Other records never change. */
  readonly days: ProductDays
  readonly users: readonly JsonObject[]
  readonly addUser: (user: JsonObject) => void
  /** Generates products to keep in memory, in short turns between requests. */
  readonly warmUp: (signal: AbortSignal) => Promise<void>
}

export function createCatalogue({ products, seed, keptBytes }: CatalogueOptions): Catalogue {
  const allowance = { bytes: keptBytes }
  const ofContract = memoize((name: ContractName) => createContractCollection(name, { products, seed }, allowance))
  const synthetic = memoize((name: EndpointName) => createSyntheticCollection(name))
  const days = createProductDays({ products, seed, generated: ofContract })
  const users = createSyntheticUsers()
  return {
    collectionOf(name) {
      if (name === 'v4/users/query') return createListCollection(users, numberedListKeys)
      if (name === 'v3/products/minimum-content') return createMinimumContent(days.collectionOf('v3/product'))
      const { contract } = endpoints[name]
      if (contract === 'v4/product' || contract === 'v3/product') return days.collectionOf(contract)
      return contract === 'raw' ? synthetic(name) : ofContract(contract)
    },
    days,
    users,
    addUser: (user) => users.push(user),
    warmUp: (signal) => fillAllowance(ofContract('v4/product'), allowance, signal),
  }
}

async function fillAllowance({ size, readText }: Collection, allowance: Allowance, signal: AbortSignal): Promise<void> {
  for (let number = 0; number < size && allowance.bytes > longestRecordBytes && !signal.aborted; number++) {
    readText(number)
    if (number % recordsATurn === 0) await nextTurn()
  }
}

const longestRecordBytes = 64 * 1024
const recordsATurn = 25

function createContractCollection(
  name: ContractName,
  { products, seed }: { readonly products: number; readonly seed: number },
  allowance: Allowance,
): Collection {
  const contract = contracts[name]
  let read: ((number: number) => JsonObject) | undefined
  const own = ownKeys[name]
  const size = own === undefined ? (referenceSizes[contract.record] ?? 0) : own.countFor(products)
  return createCollection({
    size,
    readText: createRecordTexts(createRecordWriter(contract, { seed, products }), allowance),
    readRecord: (number) => (read ??= createRecordReader(contract, { seed, products }))(number),
    ...(own?.keys ?? (codeLists.has(contract.record) ? codedListKeys : numberedListKeys)),
    signed: contract.record === 'product',
  })
}

const codeLists: ReadonlySet<string> = new Set([
  'catalog_category',
  'bcfi_category',
  'apb_category',
  'dietary_restriction',
  'color',
])

const news = { countFor: (products: number) => Math.ceil(products / 10), keys: newsKeys }
const corrections = { countFor: (products: number) => Math.ceil(products / 20), keys: correctionKeys }

const ownKeys: { readonly [Name in ContractName]?: { countFor(products: number): number; keys: RecordKeys } } = {
  'v4/product': { countFor: (products) => products, keys: productKeysV4 },
  'v3/product': { countFor: (products) => products, keys: productKeysV3 },
  'v4/media': { countFor: (products) => 2 * products, keys: mediaKeys },
  'v4/news-item': news,
  'v3/news-item': news,
  'v4/correction': corrections,
  'v3/correction': corrections,
}

/** Plausible records if the specification shows none. */
function createSyntheticCollection(name: EndpointName): Collection {
  switch (name) {
    case 'v4/products/get-fields':
      return createListCollection(createFieldDescriptions(contracts['v4/product']))
    case 'v4/media/get-fields':
      return createListCollection(createFieldDescriptions(contracts['v4/media']))
    case 'v4/product/attributes/query':
    case 'v4/product/attributes/find':
      return createListCollection(createAttributes(), numberedListKeys)
    case 'v4/corrections/types':
    case 'v3/corrections/types/all':
      return createListCollection(createCorrectionTypes())
    case 'v4/subscription-types/query':
      return createListCollection(createSubscriptionTypes(), numberedListKeys)
    default:
      throw new TypeError(`The sandbox has nothing to serve at ${name}`)
  }
}

function createMinimumContent({ size, isThere, readText }: Collection): Collection {
  const collection = createCollection({
    size,
    readText(number) {
      const product = JSON.parse(readText(number).toString()) as JsonObject
      return Buffer.from(JSON.stringify({ id: product['id'], minimumContent: hasMinimumContent(product) }))
    },
    filters: { id: identities(toProductId) },
  })
  return isThere === undefined ? collection : { ...collection, isThere }
}
