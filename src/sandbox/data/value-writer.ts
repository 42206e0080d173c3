import type { ScalarType } from '../../contracts/field-kinds.ts'
import type { ScalarField } from '../../contracts/fields.ts'
import { signedAddress } from './addresses.ts'
import { createDigits, createTradeNumber, writeAtc, writeReference } from './codes.ts'
import { createdAt, endOf, startOf, updatedAt } from './dates.ts'
import { lengthUnits, ownedCount, referenceSizes, weightUnits, type Unit } from './delivery-profile.ts'
import { createIdentity, toProductId, type RecordId } from './identity.ts'
import { lookUp, type Scope, type Write } from './scope.ts'
import { between, mix, pick, seedRange } from './seed.ts'
import { createTextWriter } from './text-writer.ts'

export function createValueWriter(field: ScalarField, scope: Scope): Write {
  const create = lookUp(values[field.type], scope)
  if (create !== undefined) return create(scope, field)
  if (field.values !== undefined) return choice(field.values, lookUp(favourites, scope))
  if (field.code === true) return createDigits(field.length ?? 6, scope.name)
  if (field.money === true) return share(1)
  return createTypeWriter(field, scope)
}

function createTypeWriter(field: ScalarField, scope: Scope): Write {
  switch (field.type) {
    case 'text':
      return field.notes.volatile === true ? signedAddress(scope.name) : createTextWriter(scope)
    case 'integer':
      return within(0, 999)
    case 'float':
      return (seed) => String((seed % 10_000) / 100)
    case 'boolean':
      return trueFor(lookUp(trueShares, scope) ?? 0.5)
    case 'timestamp':
      return timeWriter(startOf)
    case 'json':
      return (seed) => `{"value":${seed % 1000}}`
  }
}

type CreateValue = (scope: Scope, field: ScalarField) => Write

const values: Readonly<Record<ScalarType, Readonly<Record<string, CreateValue>>>> = {
  text: {
    id: createId,
    parent: createParent,
    replacement: createReplacement,
    'correction.product': createProductLink,
    products: createProductLink,
    ean: ({ name }) => createTradeNumber(13, name),
    gtin: ({ name }) => createTradeNumber(14, name),
    eanGtin8: ({ name }) => createTradeNumber(8, name),
    eanGtin12: ({ name }) => createTradeNumber(12, name),
    eanGtin13: ({ name }) => createTradeNumber(13, name),
    eanGtin14: ({ name }) => createTradeNumber(14, name),
    hsCode: ({ name }) => createDigits(8, name, 0.5),
    supplierReference: () => writeReference,
    udi: () => (seed) => `"(01)0${mix(seed)}(17)${between(250_101, 281_231, seed)}"`,
    nut: () => (seed) => `"${between(100, 9999, seed)}/${between(1, 99, mix(seed))}"`,
    ctiExtended: () => (seed) => `"${String(seed % 1_000_000).padStart(6, '0')}-${between(10, 99, mix(seed))}"`,
    nameCti: () => (seed) => `"CTI${between(1000, 9999, seed)}"`,
    atc: () => writeAtc,
    atcCategory: () => writeAtc,
  },
  integer: {
    id: createId,
    parent: createParent,
    'news_item.brands': () => createLink('brand'),
    'news_item.categories': () => createLink('public_category'),
    'news_item.organization': () => createLink('organization'),
    pharmacistPrice: () => share(0.68),
    manufacturerPrice: () => share(0.55),
    refundValueWithOmnio: () => share(0.25),
    refundValueWithoutOmnio: () => share(0.15),
    tradeInRefundValue: () => share(0.5),
    tradeInMonthsBeforeExpiry: () => within(1, 12),
    tradeInMonthsAfterExpiry: () => within(1, 12),
    weight: () => (seed) => String(toAmount(seed)),
    width: () => (seed) => String(toAmount(seed)),
    length: () => (seed) => String(toAmount(seed)),
    depth: () => (seed) => String(toAmount(seed)),
    order: () => (_seed, _record, index) => String(1 + (index % 100)),
    displayOrder: () => (_seed, _record, index) => String(1 + (index % ownedCount)),
  },
  float: {
    vat: () => (seed) => pick(['6', '6', '21', '0', '5.5'], seed),
    'weightWithUnit.value': () => amountIn(weightUnits),
    'measure.value': () => amountIn(lengthUnits),
    'conservationMin.celsius': () => temperature(coldest, (celsius) => celsius),
    'conservationMax.celsius': () => temperature(warmest, (celsius) => celsius),
    'conservationMin.fahrenheit': () => temperature(coldest, toFahrenheit),
    'conservationMax.fahrenheit': () => temperature(warmest, toFahrenheit),
    'conservationMin.kelvin': () => temperature(coldest, toKelvin),
    'conservationMax.kelvin': () => temperature(warmest, toKelvin),
  },
  boolean: {},
  timestamp: {
    createdAt: () => timeWriter(createdAt),
    updatedAt: () => timeWriter(updatedAt),
    endDate: () => timeWriter(endOf),
    expectedEndDate: () => timeWriter(endOf),
    until: () => timeWriter(endOf),
  },
  json: {},
}

const favourites: Readonly<Record<string, string>> = {
  status: 'active',
  ecommerce: 'yes',
  narcotic: 'no',
  biocide: 'no',
  'organization.type': 'supplier',
  photoType: 'packshot',
}

const trueShares: Readonly<Record<string, number>> = {
  deleted: 0.02,
  prescription: 0.3,
  writtenRequestByPatient: 0.05,
  requiresLegalText: 0.2,
  published: 0.9,
}

const rootCount = 8

function createId({ record }: Scope, field: ScalarField): Write {
  const toId = createIdentity(record)
  return (_seed, _record, index) => formatId(toId(index), field)
}

function createParent({ record }: Scope, field: ScalarField): Write {
  const toId = createIdentity(record)
  return (_seed, _record, index) => (index < rootCount ? 'null' : formatId(toId(index >> 3), field))
}

function formatId(id: RecordId, { type }: ScalarField): string {
  return type === 'integer' || typeof id === 'number' ? String(id) : JSON.stringify(id)
}

function createLink(record: string): Write {
  const toId = createIdentity(record)
  const size = referenceSizes[record] ?? 1
  return (seed) => JSON.stringify(toId(seed % size))
}

function createProductLink({ run }: Scope): Write {
  return (seed) => JSON.stringify(toProductId(seed % run.products))
}

function createReplacement({ run }: Scope): Write {
  return (seed, _record, index) => {
    const number = seed % run.products
    return JSON.stringify(toProductId(number === index ? (number + 1) % run.products : number))
  }
}

function choice(options: readonly string[], favourite: string | undefined): Write {
  const quoted = options.map((option) => JSON.stringify(option))
  if (favourite === undefined || !options.includes(favourite)) return (seed) => pick(quoted, seed)
  const first = JSON.stringify(favourite)
  return (seed) => (seed % 4 === 0 ? pick(quoted, mix(seed)) : first)
}

function within(least: number, most: number): Write {
  return (seed) => String(between(least, most, seed))
}

function share(part: number): Write {
  return (seed) => {
    const height = seed / seedRange
    return String(Math.round((99 + height * height * 15_000) * part))
  }
}

function toAmount(seed: number): number {
  return between(5, 400, mix(seed))
}

function amountIn(units: readonly Unit[]): Write {
  return (_seed, record) => String(toAmount(record) / pick(units, record).size)
}

/** Picks by the seed of the conservation, which these fields share. */
function temperature(degrees: readonly number[], convert: (celsius: number) => number): Write {
  return (_seed, record) => String(convert(pick(degrees, record)))
}

const coldest = [15, 2, 8, -25]
const warmest = [25, 8, 15, -15]

function toFahrenheit(celsius: number): number {
  return (celsius * 9) / 5 + 32
}

function toKelvin(celsius: number): number {
  return (celsius * 100 + 27_315) / 100
}

function timeWriter(toSeconds: (seed: number) => number): Write {
  return (seed) => String(toSeconds(seed))
}

function trueFor(part: number): Write {
  const limit = part * seedRange
  return (seed) => (seed < limit ? 'true' : 'false')
}
