import type { JsonObject } from '../data/record-writer.ts'
import { between, childSeed, pick, seedRange, toSalt } from '../data/seed.ts'

/** Adds undocumented members to a record, or returns the record itself. */
type AddMembers = (record: JsonObject, seed: number) => JsonObject

export const extraMembers: Readonly<Record<string, AddMembers | undefined>> = {
  product: addMarketFields,
  content: addNewsText,
  contact_information: (record, seed) =>
    addRarely(record, seed, 'phone', 0.2, { phone: `+32 2 ${between(100_000, 999_999, seed)}` }),
  photo: (record, seed) => addRarely(record, seed, 'copyright', 0.1, { copyright: null }),
  organization: (record, seed) =>
    addRarely(record, seed, 'vat', 0.1, { vat: `BE0${between(100_000_000, 999_999_999, seed)}` }),
}

function addMarketFields(record: JsonObject, seed: number): JsonObject {
  return { ...record, ...marketFieldsOf(seed) }
}

/** Fields of the markets that the product with this seed is sold in: any of four, mostly none. */
export function marketFieldsOf(seed: number): JsonObject {
  let fields: JsonObject = {}
  for (const [name, market] of Object.entries(markets)) {
    const salt = childSeed(seed, toSalt(`market ${name}`))
    if (salt < market.share * seedRange) fields = { ...fields, ...market.toFields(childSeed(salt, 1)) }
  }
  return fields
}

const markets: Readonly<Record<string, { readonly share: number; readonly toFields: (seed: number) => JsonObject }>> = {
  fr: {
    share: 0.15,
    toFields: (seed) => ({
      cipOrAcl7: eitherForm(String(between(2_000_000, 4_999_999, seed)), seed),
      cip13: `34009${digits(8, seed)}`,
      acl13: seed % 3 === 0 ? null : `34010${digits(8, childSeed(seed, 1))}`,
      ttcPrice: between(99, 9999, seed),
      rateOfReimbursement: seed % 3 === 0 ? '0.65' : 0.3,
    }),
  },
  de: {
    share: 0.12,
    toFields: (seed) => ({ pzn: eitherForm(digits(8, seed), seed), productFamilies: toFamilies(seed) }),
  },
  au: {
    share: 0.12,
    toFields: (seed) => ({
      artgId: eitherForm(String(between(10_000, 499_999, seed)), seed),
      pbs: seed % 2 === 0 ? `${between(1000, 9999, seed)}K` : null,
      scheduleCode: `S${between(2, 8, seed)}`,
      snomedCode: eitherForm(`${between(10_000, 99_999, seed)}011000036${between(100, 999, seed)}`, 1),
    }),
  },
  gs1: {
    share: 0.12,
    toFields: (seed) => ({
      gs1Category: seed % 4 === 0 ? [] : { id: between(10_000_000, 10_009_999, seed), name: { en: 'Vitamins' } },
      upc12: digits(12, seed),
      popularity: seed % 3 === 0 ? null : (seed % 1000) / 10,
    }),
  },
}

function toFamilies(seed: number): readonly JsonObject[] {
  return [{ id: between(1, 400, seed), name: { de: pick(['Familie A', 'Familie B'], seed), en: 'Family' } }]
}

function eitherForm(code: string, seed: number): string | number {
  return seed % 2 === 0 && String(Number(code)) === code ? Number(code) : code
}

function digits(length: number, seed: number): string {
  return `${seed}${childSeed(seed, 1)}`.padEnd(length, '0').slice(-length)
}

/** Adds the text of a part of a news item, localized or plain. Other contents have texts already. */
function addNewsText(record: JsonObject, seed: number): JsonObject {
  if (!('locales' in record)) return record
  const text = pick(['Available again from next week.', 'New package, same product.', 'Read the leaflet.'], seed)
  const locales = Array.isArray(record['locales']) ? (record['locales'] as unknown[]).map(String) : []
  if (seed % 3 === 0 || locales.length === 0) return { ...record, text }
  return { ...record, text: Object.fromEntries(locales.map((locale) => [locale, `${text} (${locale})`])) }
}

function addRarely(record: JsonObject, seed: number, name: string, share: number, members: JsonObject): JsonObject {
  return childSeed(seed, toSalt(name)) < share * seedRange ? { ...record, ...members } : record
}
