import type { productFiltersV3, productFiltersV4 } from '../../service/endpoints/product-filters.ts'
import { contracts, type Contract } from '../../contracts/contracts.ts'
import { isObject } from '../../records/json/json-values.ts'
import { toProductId } from '../data/identity.ts'
import type { JsonObject } from '../data/record-writer.ts'
import type { RecordKeys } from './collection.ts'
import {
  codes,
  comparison,
  dateTime,
  flag,
  identities,
  periods,
  terms,
  toPeriod,
  words,
  type FilterKey,
} from './filter-keys.ts'
import { idsOf, listOf, numberOf, objectsOf, syntheticValue, textIn, timeOf } from './record-values.ts'
import { byCode, byName, byNumber, byText } from './sort-keys.ts'

/** Species by the ids in records, which begin at 1. */
const species = ['human', 'veterinary', 'surface_maintenance', 'phytopharmacy']

const sharedKeys = {
  id: identities(toProductId),
  status: terms((record) => record['status']),
  ecommerce: terms((record) => record['ecommerce']),
  organization: terms((record) => idsOf(record['organizations'])),
  publicCategory: terms((record) => idsOf(record['publicCategories'])),
  brand: terms((record) => idsOf(record['brands'])),
  productFamily: terms((record) => idsOf(record['productFamily'])),
  search: words((record) => record['name']),
  minimumContent: flag(hasMinimumContent),
  ean: codes((record) => record['ean']),
  gtin: codes((record) => record['gtin']),
  cnk: codes((record) => record['cnk']),
  cti: terms((record) => toCtis(record['ctiExtended'])),
  activeIngredient: terms((record) => idsOf(record['activeIngredients'])),
  conservation: terms((record) => record['conservation']),
  prescription: flag((record) => record['prescription']),
  writtenRequestByPatient: flag((record) => record['writtenRequestByPatient']),
  apbCategory: terms((record) => idsOf(record['apbCategory'])),
  bcfiCategory: terms((record) => idsOf(record['bcfiCategory'])),
  createdAt: dateTime((record) => timeOf(record, 'createdAt')),
  updatedSince: dateTime((record) => timeOf(record, 'updatedAt')),
}

const sortings: RecordKeys['sortings'] = {
  id: 'naturalOrder',
  cnk: byCode((record) => record['cnk']),
  createdAt: byNumber((record) => timeOf(record, 'createdAt')),
  touchedAt: byNumber((record) => timeOf(record, 'updatedAt')),
  statusTouchedAt: byNumber(statusTouchedAt),
  status: byText((record) => record['status']),
  name: byName,
}

/** Filters and sortings of v3 products (specification: v3 filters). */
export const productKeysV3 = {
  filters: sharedKeys satisfies Readonly<Record<keyof ReturnType<typeof productFiltersV3>, FilterKey>>,
  sortings,
} satisfies RecordKeys

/** Filters and sortings of v4 products (specification: POST /v4/products/query). */
export const productKeysV4 = {
  filters: {
    ...sharedKeys,
    catalogCategories: terms((record) => idsOf(record['catalogCategories'])),
    hasContent: content(contracts['v4/product']),
    eanGtin8: codes((record) => record['eanGtin8']),
    eanGtin12: codes((record) => record['eanGtin12']),
    eanGtin13: codes((record) => record['eanGtin13']),
    eanGtin14: codes((record) => record['eanGtin14']),
    hsCode: codes((record) => record['hsCode']),
    galenicShape: terms((record) => idsOf(record['galenicShapes'])),
    nameCti: terms((record) => record['nameCti']),
    supplyProblemDuration: periods((record) =>
      objectsOf(record['supplyProblems']).map(({ fromDate, endDate }) => toPeriod(fromDate, endDate)),
    ),
    // Synthetic: records do not show it.
    popularity: comparison((record) => syntheticValue(record, 'popularity', 1000)),
    allowedSpecies: terms((record) => idsOf(record['allowedSpecies']).map((id) => species[Number(id) - 1] ?? id)),
    atcCategory: terms((record) => record['atcCategory']),
    narcotic: terms((record) => record['narcotic']),
    biocide: terms((record) => record['biocide']),
    attributes: terms((record) => idsOf(record['attributes'])),
    dietaryRestrictions: terms((record) => idsOf(record['dietaryRestrictions'])),
    colors: terms((record) => idsOf(record['colors'])),
    notApplicableField: terms((record) => record['notApplicableField']),
    officialDeletionAt: dateTime((record) => numberOf(record['officialDeletionAt'])),
  } satisfies Readonly<Record<keyof ReturnType<typeof productFiltersV4>, FilterKey>>,
  sortings,
} satisfies RecordKeys

/** Whether a product has an image, a description and a public category (specification: minimumContent). */
export function hasMinimumContent(record: JsonObject): boolean {
  const images = [...listOf(record['photos']), ...listOf(record['frontals'])]
  return images.length > 0 && listOf(record['descriptions']).length > 0 && listOf(record['publicCategories']).length > 0
}

/** The extended code is the code, a dash and two digits. The filter accepts both. */
function toCtis(extended: unknown): readonly unknown[] {
  return typeof extended === 'string' ? [extended, extended.split('-')[0]] : []
}

/** Synthetic, as records do not show it: a time between creation and the last change. */
function statusTouchedAt(record: JsonObject): number | undefined {
  const created = timeOf(record, 'createdAt')
  const updated = timeOf(record, 'updatedAt')
  if (created === undefined || updated === undefined) return updated
  return created + syntheticValue(record, 'statusTouchedAt', Math.max(1, updated - created))
}

/**
 * Matches records that have a field in a locale. The flags are not documented: a flag is the name of a field, or
 * `media` for photos, frontals and links together.
 */
function content({ fields }: Contract): FilterKey {
  return {
    variant(parameter) {
      const { flag: name, locale } = parameter as { flag: string; locale: string }
      return `${name} ${locale}`
    },
    project(record, _number, variant) {
      const [fieldName = '', locale = ''] = variant.split(' ')
      const names = fieldName === 'media' ? ['photos', 'frontals', 'links'] : [fieldName]
      return names.some((name) => listOf(record[name]).some((value) => isIn(value, locale)))
    },
    toTest: () => (projected) => projected === true,
    findProblem(parameter) {
      const { flag: name } = parameter as { flag: string }
      return name === 'media' || fields.has(name) ? undefined : `expected "media" or the name of a field, got "${name}"`
    },
  }
}

/** Whether a value is in a locale, by its `locales`, name or keys. Values without locales are in all. */
function isIn(value: unknown, locale: string): boolean {
  if (!isObject(value)) return true
  if (Array.isArray(value['locales'])) return value['locales'].includes(locale)
  const name = value['name']
  if (isObject(name)) return textIn(name, locale) !== undefined
  return isLocalized(value) ? typeof value[locale] === 'string' : true
}

function isLocalized(value: JsonObject): boolean {
  return Object.keys(value).every((key) => /^[a-z]{2,3}(_[A-Z]{2})?$/.test(key))
}
