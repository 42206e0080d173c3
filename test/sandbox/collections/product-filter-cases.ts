import type { Json } from '../ask-sandbox.ts'

/** Parameters for one filter key, and their meaning, written independently of the sandbox. */
export interface FilterCase {
  readonly parameters: (records: readonly Json[]) => unknown[]
  readonly holds: (record: Json, parameter: unknown) => boolean
}

export const productCases: Record<string, FilterCase> = {
  id: linked((record) => [record['id']]),
  status: linked((record) => [record['status']], ['no_selection']),
  ecommerce: linked((record) => [record['ecommerce']]),
  organization: linked((record) => ids(record['organizations'])),
  publicCategory: linked((record) => ids(record['publicCategories'])),
  catalogCategories: linked((record) => ids(record['catalogCategories'])),
  brand: linked((record) => ids(record['brands'])),
  productFamily: linked((record) => ids(record['productFamily'])),
  activeIngredient: linked((record) => ids(record['activeIngredients'])),
  galenicShape: linked((record) => ids(record['galenicShapes'])),
  atcCategory: linked((record) => many(record['atcCategory'])),
  apbCategory: linked((record) => ids(record['apbCategory'])),
  bcfiCategory: linked((record) => ids(record['bcfiCategory'])),
  attributes: linked((record) => ids(record['attributes'])),
  dietaryRestrictions: linked((record) => ids(record['dietaryRestrictions'])),
  colors: linked((record) => ids(record['colors'])),
  notApplicableField: linked((record) => many(record['notApplicableField'])),
  conservation: linked((record) => [record['conservation']]),
  nameCti: single((record) => [record['nameCti']]),
  narcotic: single((record) => [record['narcotic']]),
  biocide: single((record) => [record['biocide']]),
  cti: single((record) => {
    const { ctiExtended } = record
    return typeof ctiExtended === 'string' ? [ctiExtended.slice(0, -3), ctiExtended] : []
  }),
  allowedSpecies: linked((record) =>
    ids(record['allowedSpecies']).map(
      (id) => ['human', 'veterinary', 'surface_maintenance', 'phytopharmacy'][Number(id) - 1],
    ),
  ),
  ean: code('ean', 13),
  gtin: code('gtin', 14),
  cnk: code('cnk', 7),
  eanGtin8: code('eanGtin8', 8),
  eanGtin12: code('eanGtin12', 12),
  eanGtin13: code('eanGtin13', 13),
  eanGtin14: code('eanGtin14', 14),
  hsCode: code('hsCode', 8),
  prescription: flag((record) => record['prescription']),
  writtenRequestByPatient: flag((record) => record['writtenRequestByPatient']),
  minimumContent: flag(
    (record) =>
      many(record['photos']).length + many(record['frontals']).length > 0 &&
      many(record['descriptions']).length > 0 &&
      many(record['publicCategories']).length > 0,
  ),
  createdAt: time((record) => meta(record)['createdAt']),
  updatedSince: time((record) => meta(record)['updatedAt']),
  officialDeletionAt: time((record) => record['officialDeletionAt']),
  supplyProblemDuration: {
    parameters: (records) => ranges(records.flatMap((record) => problems(record).map(({ fromDate }) => fromDate))),
    holds(record, parameter) {
      const [from, until] = toRange(parameter)
      return problems(record).some(
        ({ fromDate, endDate }) => Number(fromDate ?? 0) <= until && Number(endDate ?? Infinity) >= from,
      )
    },
  },
  search: {
    parameters(records) {
      const name = records.map((record) => localized(record['name'], 'fr')).find((text) => text !== undefined)!
      const [first = '', second = ''] = name.split(' ')
      return [
        { query: first.toUpperCase(), locale: 'fr' },
        { query: `${second} ${first.slice(0, 3)}`, locale: 'fr' },
        { query: 'no such word', locale: 'fr' },
        { query: first, locale: 'en_AU' },
      ]
    },
    holds(record, parameter) {
      const { query, locale } = parameter as { query: string; locale: string }
      const name = localized(record['name'], locale)?.toLowerCase()
      return (
        name !== undefined &&
        query
          .toLowerCase()
          .split(' ')
          .every((word) => name.includes(word))
      )
    },
  },
  hasContent: {
    parameters: () => [
      { flag: 'name', locale: 'en' },
      { flag: 'descriptions', locale: 'de' },
      { flag: 'media', locale: 'en_AU' },
      { locale: 'nl', flag: 'brands' },
      { flag: 'weight', locale: 'nl' },
    ],
    holds(record, parameter) {
      const { flag: name, locale } = parameter as { flag: string; locale: string }
      if (name === 'name') return localized(record['name'], locale) !== undefined
      if (name === 'weight') return typeof record['weight'] === 'number'
      const lists = name === 'media' ? ['photos', 'frontals', 'links'] : [name]
      const items = lists.flatMap((list) => many(record[list])) as Json[]
      return items.some((item) =>
        Array.isArray(item['locales']) ? item['locales'].includes(locale) : isNamedIn(item, locale),
      )
    },
  },
}

/** As in v4, but for keys with a single value (specification: v3 filters). */
export const productCasesV3: Record<string, FilterCase> = {
  ...productCases,
  ecommerce: single((record) => [record['ecommerce']]),
}

/** Without `locales`, an item is in the languages of its name; without a name, in all. */
function isNamedIn(item: Json, locale: string): boolean {
  const { name } = item
  return typeof name === 'object' && name !== null ? localized(name, locale) !== undefined : true
}

/** Whether any value of the record is one of the parameter's. */
function linked(read: (record: Json) => unknown[], leaveOut: unknown[] = []) {
  return {
    parameters(records: readonly Json[]) {
      const values = distinct(records.flatMap(read)).filter((value) => !leaveOut.includes(value))
      return [values[0], [values[0]], values.slice(1, 3), values.slice(-2)].filter(
        (value) => !Array.isArray(value) || value.length > 0,
      )
    },
    holds: (record: Json, parameter: unknown) => read(record).some((value) => many(parameter).includes(value)),
  }
}

function single(read: (record: Json) => unknown[]) {
  return {
    parameters: (records: readonly Json[]) => distinct(records.flatMap(read)).slice(0, 3),
    holds: (record: Json, parameter: unknown) => read(record).includes(parameter),
  }
}

/** Codes match in every form: as numbers or text, with or without zeros. */
function code(field: string, length: number) {
  const padded = (value: unknown) => String(value).padStart(length, '0')
  return {
    parameters(records: readonly Json[]) {
      const values = [...new Set(records.flatMap((record) => many(record[field])).map(padded))]
      const withZero = values.find((value) => value.startsWith('0')) ?? values[0]!
      return [withZero, String(Number(withZero)), Number(withZero), values.slice(0, 5), [values[6], Number(values[7])]]
    },
    holds: (record: Json, parameter: unknown) =>
      many(record[field]).some((value) => many(parameter).some((wanted) => padded(wanted) === padded(value))),
  }
}

function flag(read: (record: Json) => unknown) {
  return {
    parameters: () => [true, false],
    holds: (record: Json, parameter: unknown) => read(record) === parameter,
  }
}

function time(read: (record: Json) => unknown) {
  return {
    parameters: (records: readonly Json[]) => ranges(records.map(read)),
    holds(record: Json, parameter: unknown) {
      const [from, until] = toRange(parameter)
      const value = read(record)
      return typeof value === 'number' && value >= from && value <= until
    },
  }
}

/** Ranges from a date-time on, until one, between two, and of exactly one second. */
function ranges(values: readonly unknown[]): unknown[] {
  const dateTimes = values
    .filter((value): value is number => typeof value === 'number')
    .toSorted((left, right) => left - right)
  const at = (share: number) => dateTimes[Math.floor(share * (dateTimes.length - 1))]!
  return [
    at(0.7),
    { from: at(0.7) },
    { until: at(0.3) },
    { from: at(0.2), until: at(0.6) },
    { from: at(0.5), until: at(0.5) },
  ]
}

function toRange(parameter: unknown): [from: number, until: number] {
  if (typeof parameter === 'number') return [parameter, Infinity]
  const { from = 0, until = Infinity } = parameter as { from?: number; until?: number }
  return [from, until]
}

function ids(value: unknown): unknown[] {
  return many(value).map((item) => (item as Json)['id'])
}

function many(value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function meta(record: Json): Json {
  return (record['meta'] ?? {}) as Json
}

function problems(record: Json): Json[] {
  return many(record['supplyProblems']) as Json[]
}

function localized(value: unknown, locale: string): string | undefined {
  const text = (value as Record<string, string | null> | null | undefined)?.[locale]
  return text ?? undefined
}

function distinct(values: unknown[]): unknown[] {
  return [...new Set(values)].filter((value) => value !== null && value !== undefined)
}
