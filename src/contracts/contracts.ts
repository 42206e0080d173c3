import {
  anyCode,
  choice,
  code,
  type FieldShape,
  identifier,
  integer,
  integerIdentifier,
  list,
  localized,
  looseText,
  nested,
  text,
} from './field-kinds.ts'
import { type RecordSchema, toRecordSchema } from './field-schema.ts'
import type { Field } from './fields.ts'
import { lazyEntries } from './lazy-entries.ts'
import type { ExtraFields } from './extended/extra-fields.ts'
import { type GivenValues, productGiven } from './given-values.ts'
import type { AnySchema } from './standard-schema.ts'
import { descriptionShape, frontalShape, leafletShape, linkShape, mediaShape, photoShape } from './media.ts'
import {
  bcfiCategoryShape,
  catalogCategoryShape,
  codedShape,
  galenicShapeShape,
  localeList,
  namedShape,
  organizationShape,
  publicCategoryShape,
  times,
} from './nested-records.ts'
import { productShape, productV3Shape, productV4Shape } from './product.ts'
import type { ContractRecords } from './record-types.ts'

/** The records of one resource of one interface version, and everything that follows from their shape. */
export interface Contract<Schema extends AnySchema = RecordSchema> {
  readonly name: string
  /** The singular, in snake case: `product`. It names child tables and their keys. */
  readonly record: string
  /** The name of the root table: `products`. */
  readonly plural: string
  /** Version of the contract in manifests and Parquet files. Raised when a released contract changes; 1 until then. */
  readonly version: number
  /** Accepts every delivered form; its output is the canonical form. */
  readonly schema: Schema
  readonly fields: ReadonlyMap<string, Field>
  /** Values of a record's source that columns may be from, by name. */
  readonly given?: GivenValues | undefined
  /** The fields that `extendContract` added: types by path. */
  readonly extra?: ExtraFields | undefined
}

/** A contract of this package, or one with a schema of any library. */
export type AnyContract = Contract<AnySchema>

/** A contract of this package, which knows the type of its records and tables. */
export interface NamedContract<Name extends ContractName> extends Contract<RecordSchema<ContractRecords[Name]>> {
  readonly name: Name
}

export type ContractName = keyof ContractRecords

export type RecordOf<Name extends ContractName> = ContractRecords[Name]

const integerId = (of: string) => ({ id: integerIdentifier(`Unique ${of} id`) })
const codeId = (of: string) => ({ id: identifier(`Unique ${of} code`) })

/** Every contract by name. Each field of the specification is written down once, in the shapes that contracts share. */
export const contracts: { readonly [Name in ContractName]: NamedContract<Name> } = lazyEntries({
  'v4/product': () => define('v4/product', 'product', 'products', productV4Shape()),
  'v4/media': () => define('v4/media', 'media', 'media', { ...integerId('media'), ...mediaShape() }),
  'v4/photo': () => define('v4/photo', 'photo', 'photos', { ...integerId('media'), ...photoShape() }),
  'v4/frontal': () => define('v4/frontal', 'frontal', 'frontals', { ...integerId('media'), ...frontalShape() }),
  'v4/media-link': () =>
    define('v4/media-link', 'media_link', 'media_links', { ...integerId('media'), ...linkShape() }),
  'v4/description': () =>
    define('v4/description', 'description', 'descriptions', {
      ...integerId('description'),
      ...descriptionShape(),
    }),
  'v4/leaflet': () => define('v4/leaflet', 'leaflet', 'leaflets', { ...integerId('leaflet'), ...leafletShape() }),
  'v4/news-item': () => define('v4/news-item', 'news_item', 'news_items', newsItemShape()),
  'v4/correction': () => define('v4/correction', 'correction', 'corrections', correctionShape()),
  'v4/active-ingredient': () => activeIngredient('v4'),
  'v4/organization': () => organization('v4'),
  'v4/brand': () => brand('v4'),
  'v4/product-family': () =>
    define('v4/product-family', 'product_family', 'product_families', {
      ...integerId('product family'),
      ...namedShape(),
    }),
  'v4/public-category': () => publicCategory('v4'),
  'v4/catalog-category': () =>
    define('v4/catalog-category', 'catalog_category', 'catalog_categories', {
      ...codeId('category'),
      ...catalogCategoryShape(),
    }),
  'v4/apb-category': () => apbCategory('v4'),
  'v4/bcfi-category': () => bcfiCategory('v4'),
  'v4/galenic-shape': () =>
    define('v4/galenic-shape', 'galenic_shape', 'galenic_shapes', {
      ...codeId('galenic shape'),
      ...galenicShapeShape(),
    }),
  'v4/dietary-restriction': () =>
    define('v4/dietary-restriction', 'dietary_restriction', 'dietary_restrictions', {
      ...codeId('dietary restriction'),
      ...codedShape(),
    }),
  'v4/color': () => define('v4/color', 'color', 'colors', { ...codeId('color'), ...codedShape() }),
  'v4/species': () => define('v4/species', 'species', 'species', { ...codeId('species'), ...codedShape() }),
  'v4/attribute': () => attribute('v4'),
  'v3/product': () => define('v3/product', 'product', 'products', productV3Shape()),
  'v3/news-item': () => define('v3/news-item', 'news_item', 'news_items', newsItemShape()),
  'v3/correction': () => define('v3/correction', 'correction', 'corrections', correctionShape()),
  'v3/active-ingredient': () => activeIngredient('v3'),
  'v3/organization': () => organization('v3'),
  'v3/brand': () => brand('v3'),
  'v3/public-category': () => publicCategory('v3'),
  'v3/apb-category': () => apbCategory('v3'),
  'v3/bcfi-category': () => bcfiCategory('v3'),
  'v3/attribute': () => attribute('v3'),
  product: () => Object.assign(define('product', 'product', 'products', productShape()), { given: productGiven() }),
  raw: () =>
    define('raw', 'record', 'records', {
      id: anyCode(
        'Id, where the record has one. Its other fields are not known: the column `record` has all of it as JSON',
      ),
    }),
})

export const contractNames = Object.keys(contracts) as ContractName[]

/** Contracts whose records one endpoint has. `product` mixes both versions. */
export const ownContracts: readonly ContractName[] = contractNames.filter((name) => name !== 'product')

export function isContractName(name: string): name is ContractName {
  return Object.hasOwn(contracts, name)
}

/** True if records may be read by the contract. `product` takes the products of either version. */
export function suits(contract: string, records: string): boolean {
  return contract === records || (contract === 'product' && (records === 'v3/product' || records === 'v4/product'))
}

function define<Name extends ContractName>(
  name: Name,
  record: string,
  plural: string,
  shape: FieldShape,
): NamedContract<Name> {
  return withSchema<NamedContract<Name>>({ name, record, plural, version: 1, fields: new Map(Object.entries(shape)) })
}

/** Makes the schema when it is first asked for: most runs need none, and that of a product takes long. */
export function withSchema<Of extends Contract>(contract: Omit<Of, 'schema'>): Of {
  let schema: RecordSchema | undefined
  const get = () => (schema ??= toRecordSchema(contract.fields))
  return Object.defineProperty(contract, 'schema', { get, enumerable: true }) as Of
}

function activeIngredient<Version extends 'v3' | 'v4'>(version: Version) {
  const shape = { ...integerId('active ingredient'), ...namedShape() }
  return define(`${version}/active-ingredient`, 'active_ingredient', 'active_ingredients', shape)
}

function organization<Version extends 'v3' | 'v4'>(version: Version) {
  return define(`${version}/organization`, 'organization', 'organizations', {
    ...integerId('organization'),
    ...organizationShape(),
  })
}

function brand<Version extends 'v3' | 'v4'>(version: Version) {
  return define(`${version}/brand`, 'brand', 'brands', { ...integerId('brand'), ...namedShape() })
}

function publicCategory<Version extends 'v3' | 'v4'>(version: Version) {
  const shape = { ...integerId('public category'), ...publicCategoryShape() }
  return define(`${version}/public-category`, 'public_category', 'public_categories', shape)
}

function apbCategory<Version extends 'v3' | 'v4'>(version: Version) {
  return define(`${version}/apb-category`, 'apb_category', 'apb_categories', { ...codeId('category'), ...codedShape() })
}

function bcfiCategory<Version extends 'v3' | 'v4'>(version: Version) {
  const shape = { ...codeId('category'), ...bcfiCategoryShape() }
  return define(`${version}/bcfi-category`, 'bcfi_category', 'bcfi_categories', shape)
}

function attribute<Version extends 'v3' | 'v4'>(version: Version) {
  return define(`${version}/attribute`, 'attribute', 'attributes', {
    ...integerId('attribute option'),
    ...namedShape(),
  })
}

/** A news item (specification: News item (v4 updates query result)). */
function newsItemShape() {
  return {
    id: integerIdentifier('Unique news item id'),
    type: choice('What it is about', ['product', 'organization', 'public_category', 'brand']),
    organization: integer('Id of the creating organization'),
    title: localized('Title'),
    content: list(
      'Content parts',
      nested('content', 'Content part', {
        locales: localeList(),
        text: localized('Text', { deviation: 'Not shown; consumers have read the text of news items here.' }),
      }),
    ),
    products: list('Product ids (type product)', code('Product id')),
    brands: list('Brand ids (type brand)', integer('Brand id')),
    categories: list('Public category ids (type public_category)', integer('Public category id')),
    meta: times(),
  }
}

/** Feedback on product data (specification: Correction (v4 corrections query result)). */
function correctionShape() {
  return {
    id: integerIdentifier('Unique correction id'),
    product: code('Product id'),
    cnk: code('CNK code', { length: 7, deviation: 'Documented as integer, which loses leading zeros: a code.' }),
    locale: text('Locale of the feedback'),
    type: looseText('Correction type', {
      deviation: 'The list of types is served by an endpoint whose shape is not shown.',
    }),
    text: text('Feedback'),
    status: choice('State', ['open', 'in_progress', 'solved', 'closed', 'handled'], {
      deviation: 'Filters say handled where results say solved and closed; all are known.',
    }),
    meta: times(),
  }
}
