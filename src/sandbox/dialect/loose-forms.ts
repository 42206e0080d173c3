import type { Field, ScalarField } from '../../contracts/fields.ts'
import { isObject } from '../../records/json/json-values.ts'
import type { Place } from '../data/scope.ts'
import { between } from '../data/seed.ts'

/** A deviation from the documented form of a value. */
export interface LooseForm {
  readonly name: string
  /** Share of values in this form; a table has shares by place, as for `lookUp`. */
  readonly share: number | Readonly<Record<string, number>>
  readonly change: (value: unknown, seed: number) => unknown
}

/** Forms that a field may have, rare ones first. The first that is drawn and fits applies. */
export function formsOf(field: Field, place: Place): readonly LooseForm[] {
  switch (field.kind) {
    case 'scalar':
      return scalarFormsOf(field, place)
    case 'object':
      return [...(objectForms[field.record] ?? []), ...emptyForms]
    case 'localized':
      return field.element.kind === 'scalar' ? [...emptyForms, plainText] : emptyForms
    case 'list':
      return listForms[place.name] ?? []
  }
}

function scalarFormsOf(field: ScalarField, { name }: Place): readonly LooseForm[] {
  const own = scalarForms[name] ?? []
  if (field.money === true) return [...own, zeroPrice, negativePrice, numberAsText]
  if (field.type === 'integer' || field.type === 'float' || field.type === 'timestamp') return [...own, numberAsText]
  return field.code === true || field.loose === true ? [...own, textAsNumber] : own
}

const numberAsText: LooseForm = {
  name: 'number as text',
  share: 0.06,
  change: (value) => (typeof value === 'number' ? String(value) : undefined),
}

/** Converts text that a number holds without losing a digit. */
const textAsNumber: LooseForm = {
  name: 'text as number',
  share: { zipCode: 0.4, packageQuantity: 0.3, packageContent: 0.05, id: 0.05, ...codeShares(0.1) },
  change: (value) => (typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined),
}

function codeShares(share: number): Record<string, number> {
  const codes = ['cnk', 'ean', 'gtin', 'eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14', 'hsCode', 'supplierReference']
  return Object.fromEntries(codes.map((code) => [code, share]))
}

const quantityAsNumber: LooseForm = {
  name: 'quantity as number',
  share: 0.05,
  change: (value) => (typeof value === 'string' ? Number.parseInt(value, 10) : undefined),
}

const zeroPrice: LooseForm = {
  name: 'price of zero',
  share: 0.02,
  change: (value) => (typeof value === 'number' ? 0 : undefined),
}

const negativePrice: LooseForm = {
  name: 'negative price',
  share: 0.015,
  change: (value) => (typeof value === 'number' && value > 0 ? -value : undefined),
}

const vatInHundredths: LooseForm = {
  name: 'VAT in hundredths',
  share: 0.06,
  change: (value) => (typeof value === 'number' ? Math.round(value * 100) : undefined),
}

const fractionalWeight: LooseForm = {
  name: 'fractional weight',
  share: 0.03,
  change: (value) => (typeof value === 'number' ? value + 0.5 : undefined),
}

const codeInList: LooseForm = {
  name: 'code in a list',
  share: 0.08,
  change: (value) => (typeof value === 'string' || typeof value === 'number' ? [value] : undefined),
}

const numericText: LooseForm = {
  name: 'number for a text',
  share: 0.02,
  change: (value, seed) => (typeof value === 'string' ? between(1, 500, seed) : undefined),
}

const booleanNarcotic: LooseForm = {
  name: 'narcotic as boolean',
  share: 0.1,
  change: (value) => (value === 'yes' ? true : value === 'no' ? false : undefined),
}

const regionAsObject: LooseForm = {
  name: 'region as object',
  share: 0.4,
  change: (value, seed) =>
    typeof value === 'string' ? { value: toSlug(value), label: seed % 8 === 0 ? null : value } : undefined,
}

function toSlug(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, '_')
}

function foreignValue(value: string): LooseForm {
  return { name: 'value of another market', share: 0.02, change: () => value }
}

const scalarForms: Readonly<Record<string, readonly LooseForm[]>> = {
  vat: [vatInHundredths],
  weight: [fractionalWeight],
  narcotic: [booleanNarcotic],
  region: [regionAsObject],
  zipCode: [textAsNumber],
  seoName: [numericText],
  eanGtin13: [codeInList],
  eanGtin14: [codeInList],
  packageContent: [quantityAsNumber],
  conservation: [foreignValue('deep_frozen')],
  targetGroups: [foreignValue('veterinarian')],
}

/** Some encoders write empty objects, or null in their place, as empty lists. */
const emptyForms: readonly LooseForm[] = [
  { name: 'empty object as list', share: 0.4, change: (value) => (value === null ? [] : undefined) },
  {
    name: 'empty object as list',
    share: { 'v4/product.meta': 0.02, 'v3/product.meta': 0.02, content: 0.02, ...emptyShares(0.04) },
    change: (value) => (value === null || Array.isArray(value) ? undefined : []),
  },
]

function emptyShares(share: number): Record<string, number> {
  const objects = ['name', 'meta', 'contactInformation', 'formats', 'endOfCommercializationData', 'seoName', 'title']
  const measures = ['weightWithUnit', 'widthWithUnit', 'lengthWithUnit', 'depthWithUnit', 'available']
  const temperatures = ['conservationMin', 'conservationMax', 'conservationLabel', 'shortDescription', 'url']
  return Object.fromEntries([...objects, ...measures, ...temperatures].map((name) => [name, share]))
}

const plainText: LooseForm = {
  name: 'plain text',
  share: 0.05,
  change: (value) => (isObject(value) ? Object.values(value).find((text) => typeof text === 'string') : undefined),
}

/** Converts sizes to `[{"medium": …}, {"large": …}]`. */
const sizesAsList: LooseForm = {
  name: 'formats as list',
  share: 0.05,
  change: (value) => (isObject(value) ? Object.entries(value).map(([size, url]) => ({ [size]: url })) : undefined),
}

const explicitNull: LooseForm = { name: 'null', share: 0.02, change: () => null }

const htmlAlone: LooseForm = {
  name: 'v3 content as text',
  share: 0.06,
  change: (value) => (isObject(value) && typeof value['html'] === 'string' ? value['html'] : undefined),
}

const objectForms: Readonly<Record<string, readonly LooseForm[]>> = {
  formats: [sizesAsList],
  meta: [explicitNull],
  content: [htmlAlone],
}

function onlyElement(share: number): LooseForm {
  return {
    name: 'one value for a list',
    share,
    change: (value) => (Array.isArray(value) && value.length > 0 ? (value[0] as unknown) : undefined),
  }
}

const nullElement: LooseForm = {
  name: 'null in a list',
  share: 0.03,
  change: (value, seed) =>
    Array.isArray(value) && value.length > 0
      ? (value as unknown[]).toSpliced(between(0, value.length, seed), 0, null)
      : undefined,
}

const listForms: Readonly<Record<string, readonly LooseForm[]>> = {
  ean: [onlyElement(0.2)],
  apbCategory: [onlyElement(0.1)],
  bcfiCategory: [onlyElement(0.1)],
  productFamily: [onlyElement(0.1)],
  brands: [nullElement],
  photos: [nullElement],
  publicCategories: [nullElement],
}
