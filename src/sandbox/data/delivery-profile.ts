/**
 * Statistics of what the service delivers: absent values, list lengths and fields about the same fact. Keys are those
 * of `lookUp`. Fields without an entry get the default, so a new field needs none.
 */

/** Share of records that fill the field. Half of the others have null, half leave the key out. */
export const filledShares: Readonly<Record<string, number>> = {
  id: 1,
  status: 0.99,
  type: 0.98,
  name: 0.97,
  meta: 0.99,
  'meta.createdAt': 0.95,
  'formats.*': 0.97,
  // A replaced product always names its replacement; see `conditions`.
  replacement: 1,
  contactInformation: 0.95,
  officialDeletionAt: 0.08,
  supplyProblems: 0.1,
  endOfCommercializationData: 0.1,
  tradeInRefundValue: 0.3,
  tradeInMonthsBeforeExpiry: 0.3,
  tradeInMonthsAfterExpiry: 0.3,
  eanGtin8: 0.1,
  eanGtin12: 0.2,
  supplierReference: 0.6,
  hsCode: 0.5,
  udi: 0.1,
  nut: 0.05,
  cnk: 0.92,
  notApplicableField: 0.3,
  attributes: 0.5,
  dietaryRestrictions: 0.4,
  colors: 0.3,
  galenicShapes: 0.6,
  available: 0.4,
}

export const usualFilledShare = 0.94

export const listLengths: Readonly<Record<string, readonly [number, number]>> = {
  ean: [1, 3],
  gtin: [1, 2],
  photos: [0, 3],
  frontals: [0, 2],
  links: [0, 2],
  descriptions: [0, 3],
  leaflets: [0, 2],
  locales: [1, 3],
  targetGroups: [1, 2],
  brands: [1, 1],
  apbCategory: [1, 1],
  bcfiCategory: [0, 2],
  allowedSpecies: [1, 2],
  galenicShapes: [0, 2],
  catalogCategories: [0, 2],
  visibleSides: [1, 3],
  productFamily: [0, 1],
  products: [1, 6],
  content: [1, 3],
  organizations: [1, 2],
  supplyProblems: [1, 2],
}

export const usualListLength = [0, 3] as const

/** Share of records that deliver the only element of a list without the list. */
export const singleShares: Readonly<Record<string, number>> = {
  ean: 0.1,
  'v3/product.apbCategory': 1,
  'v3/product.bcfiCategory': 1,
}

/** Share of records that deliver a scalar code as a list of two. */
export const doubledShares: Readonly<Record<string, number>> = { gtin: 0.004, eanGtin13: 0.004, eanGtin14: 0.004 }

/** Share of records that deliver a localized text without locales, as reference lists do. */
export const plainShares: Readonly<Record<string, number>> = {
  'v3/brand.name': 1,
  'v4/brand.name': 1,
  'v3/organization.name': 1,
  'v4/organization.name': 1,
  conservationLabel: 0.1,
}

export const bareIdShares: Readonly<Record<string, number>> = {
  'photo.organizations': 0.8,
  'frontal.organizations': 0.8,
  'link.organizations': 0.8,
  'media.organizations': 0.8,
}

/** Objects delivered as one of their lists in a share of the records. */
export const listForms: Readonly<Record<string, { readonly field: string; readonly share: number }>> = {
  formats: { field: 'unkeyed', share: 0.01 },
}

/** Share of texts that are in a locale. */
export const localeShares: Readonly<Record<string, number>> = { nl: 0.97, fr: 0.93, en: 0.5, de: 0.06, en_AU: 0.03 }

export const usualLocaleShare = 0.5

/** Fields that are filled only if another field has one of these values. */
export const conditions: Readonly<Record<string, { readonly field: string; readonly values: readonly string[] }>> = {
  replacement: { field: 'status', values: ['replaced'] },
  contactInformation: { field: 'type', values: ['supplier'] },
  'news_item.products': { field: 'type', values: ['product'] },
  'news_item.brands': { field: 'type', values: ['brand'] },
  'news_item.categories': { field: 'type', values: ['public_category'] },
  'media.photoType': { field: 'type', values: ['photo', 'frontal'] },
  'media.formats': { field: 'type', values: ['photo', 'frontal'] },
  'media.visibleSides': { field: 'type', values: ['photo', 'frontal'] },
  'media.linkType': { field: 'type', values: ['link'] },
  'media.url': { field: 'type', values: ['link'] },
  'media.available': { field: 'type', values: ['link'] },
}

/** Fields about one fact share its name and so their seed. A field without an entry is a fact of its own. */
export const facts: Readonly<Record<string, string>> = {
  ...factOf('name', ['seoName', 'shortDescription']),
  ...factOf('price', [
    'publicPrice',
    'manufacturerPrice',
    'pharmacistPrice',
    'refundValueWithOmnio',
    'refundValueWithoutOmnio',
    'tradeInRefundValue',
  ]),
  ...factOf('tradeItem', ['ean', 'gtin', 'eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14']),
  ...factOf('conservation', ['conservation', 'conservationLabel', 'conservationMin', 'conservationMax']),
  ...factOf('package', ['packageContent', 'packageQuantity', 'packagingUnit']),
  ...factOf('atc', ['atc', 'atcCategory']),
  ...factOf('weight', ['weight', 'weightWithUnit']),
  ...factOf('width', ['width', 'widthWithUnit']),
  ...factOf('length', ['length', 'lengthWithUnit']),
  ...factOf('depth', ['depth', 'depthWithUnit']),
  ...factOf('lifetime', ['createdAt', 'updatedAt']),
  ...factOf('period', ['fromDate', 'endDate', 'expectedEndDate', 'from', 'until']),
  ...factOf('text', ['html', 'markdown']),
}

/**
 * Number of records in each reference list. Products link to these records, so brand 17 is the same brand everywhere.
 * Records of other kinds belong to the record that holds them.
 */
export const referenceSizes: Readonly<Record<string, number>> = {
  brand: 600,
  organization: 250,
  product_family: 400,
  public_category: 300,
  catalog_category: 200,
  bcfi_category: 150,
  active_ingredient: 120,
  attribute: 60,
  galenic_shape: 40,
  apb_category: 16,
  color: 14,
  dietary_restriction: 10,
  species: 4,
}

/** Maximum number of elements that belong to a record: each record has this many numbers of their kind. */
export const ownedCount = 8

function factOf(fact: string, fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, fact]))
}

export interface Unit {
  readonly name: string
  readonly size: number
}

const gram = { name: 'g', size: 1 }
const millimetre = { name: 'mm', size: 1 }

/** A unit listed more often is delivered more often. */
export const weightUnits: readonly Unit[] = [gram, gram, gram, { name: 'kg', size: 1000 }]
export const lengthUnits: readonly Unit[] = [millimetre, millimetre, millimetre, { name: 'cm', size: 10 }]
