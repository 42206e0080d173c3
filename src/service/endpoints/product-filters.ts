import {
  boolean,
  deprecated,
  hasContent,
  identifiers,
  dateTimes,
  one,
  oneOrMore,
  popularity,
  search,
  typedSearch,
  type FilterParameter,
} from './filter-kinds.ts'
import {
  choice,
  digitCode,
  integerId,
  paddedCode,
  productId,
  productIdV3,
  text,
  textCode,
  textOrInteger,
} from './filter-values.ts'

const conservations = ['room', 'refrigerator', 'fresh', 'frozen'] as const
const ecommerces = ['yes', 'no', 'unknown'] as const
const statuses = ['active', 'replaced', 'inactive'] as const

/** The APB categories that the filters list (specification: POST /v4/products/query). */
export const apbCategoryIds = [
  'specialty',
  'homeopathy',
  'ostomy_incontinence',
  'bandages_related',
  'reactive',
  'hygiene',
  'cosmetics',
  'diet_nutrition',
  'other',
  'biocide',
  'medical_device',
  'accessory',
  'pesticides_agricultural',
  'diagnostic_tool',
  'unknown',
  'material',
] as const

/** Filters of v4 products (specification: POST /v4/products/query). */
export function productFiltersV4() {
  return {
    id: identifiers(productId()),
    status: oneOrMore(choice(statuses)),
    ecommerce: deprecated(oneOrMore(choice(ecommerces))),
    organization: oneOrMore(integerId('an organization id')),
    publicCategory: oneOrMore(integerId('a public category id')),
    catalogCategories: oneOrMore(textCode('a category id')),
    brand: oneOrMore(integerId('a brand id')),
    productFamily: oneOrMore(integerId('a product family id')),
    search: typedSearch(),
    minimumContent: boolean(),
    hasContent: hasContent(),
    ean: identifiers(digitCode('an EAN code', 14)),
    gtin: deprecated(identifiers(digitCode('a GTIN code', 14)), 'use eanGtin14'),
    eanGtin8: identifiers(paddedCode('an EAN-8 code', 8)),
    eanGtin12: identifiers(paddedCode('an EAN code of 12 digits', 12)),
    eanGtin13: identifiers(paddedCode('an EAN-13 code', 13)),
    eanGtin14: identifiers(paddedCode('an EAN-14 code', 14)),
    hsCode: oneOrMore(textOrInteger('a Harmonised System code')),
    cnk: identifiers(paddedCode('a CNK code', 7)),
    cti: one(textCode('a CTI code')),
    galenicShape: oneOrMore(textCode('a galenic shape code')),
    nameCti: one(textCode('a grouping-by-name code')),
    activeIngredient: oneOrMore(integerId('an active ingredient id')),
    conservation: oneOrMore(choice(conservations)),
    prescription: boolean(),
    writtenRequestByPatient: boolean(),
    supplyProblemDuration: dateTimes(),
    popularity: popularity(),
    allowedSpecies: oneOrMore(choice(['human', 'veterinary', 'surface_maintenance', 'phytopharmacy'])),
    atcCategory: oneOrMore(textCode('an ATC category code')),
    apbCategory: oneOrMore(choice(apbCategoryIds)),
    bcfiCategory: oneOrMore(textCode('a BCFI category id')),
    narcotic: one(choice(['yes', 'no', 'unknown', 'assimilated'])),
    biocide: one(choice(['yes', 'no', 'unknown'])),
    attributes: deprecated(
      oneOrMore(integerId('an attribute option id')),
      'use colors, dietaryRestrictions or galenicShape',
    ),
    dietaryRestrictions: oneOrMore(textCode('a dietary restriction code')),
    colors: oneOrMore(textCode('a color code')),
    notApplicableField: oneOrMore(text('a field name')),
    officialDeletionAt: dateTimes(),
    createdAt: dateTimes(),
    updatedSince: dateTimes(),
  } as const satisfies Record<string, FilterParameter>
}

/** Filters of v3 products (specification: v3 filters). */
export function productFiltersV3() {
  return {
    id: identifiers(productIdV3()),
    cnk: identifiers(paddedCode('a CNK code', 7)),
    status: oneOrMore(choice(statuses)),
    ecommerce: deprecated(one(choice(ecommerces))),
    apbCategory: oneOrMore(textCode('an APB category id')),
    conservation: oneOrMore(choice(conservations)),
    publicCategory: oneOrMore(integerId('a public category id')),
    bcfiCategory: oneOrMore(textCode('a BCFI category id')),
    productFamily: oneOrMore(integerId('a product family id')),
    brand: oneOrMore(integerId('a brand id')),
    organization: oneOrMore(integerId('an organization id')),
    prescription: boolean(),
    writtenRequestByPatient: boolean(),
    minimumContent: boolean(),
    createdAt: dateTimes(),
    updatedSince: dateTimes(),
    cti: one(textCode('a CTI code')),
    ean: identifiers(digitCode('an EAN code', 14)),
    gtin: identifiers(digitCode('a GTIN code', 14)),
    activeIngredient: oneOrMore(integerId('an active ingredient id')),
    search: search(),
  } as const satisfies Record<string, FilterParameter>
}
