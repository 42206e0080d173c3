import { apbCategoryIds } from '../../service/endpoints/product-filters.ts'
import { mix, pick, toSalt } from './seed.ts'
import { colors, diets } from './words.ts'

export type RecordId = number | string

const namedIds: Readonly<Record<string, readonly string[]>> = {
  apb_category: apbCategoryIds,
  color: colors.en.map(toSlug),
  dietary_restriction: diets.en.map(toSlug),
}

const codePrefixes: Readonly<Record<string, string>> = { catalog_category: 'C', bcfi_category: 'B', galenic_shape: 'G' }

/**
 * Creates the ids of a kind of record by number: unique, ascending, and the same in every run and wherever the record
 * appears, so tables can be joined.
 */
export function createIdentity(record: string): (index: number) => RecordId {
  if (record === 'product') return toProductId
  const names = namedIds[record]
  if (names !== undefined) return (index) => nameAt(names, index, '_')
  const prefix = codePrefixes[record]
  if (prefix !== undefined) return (index) => prefix + String(1000 + index)
  if (record === 'species') return (index) => 1 + index
  const first = 1000 + ((toSalt(record) >>> 0) % 900_000)
  return (index) => first + index
}

export function toProductId(index: number): string {
  const number = firstProduct + index * productGap + (mix(index) % productGap)
  return `M${number.toString(16).toUpperCase().padStart(9, '0')}`
}

export function toProductNumber(id: string): number {
  return Math.floor((Number.parseInt(id.slice(1), 16) - firstProduct) / productGap)
}

/** The name at `index`; beyond the end of the list, names repeat with a number. */
export function nameAt(names: readonly string[], index: number, separator: string): string {
  const round = Math.floor(index / names.length)
  return round === 0 ? pick(names, index) : `${pick(names, index)}${separator}${round + 1}`
}

const firstProduct = 0x34c3d3a5e
const productGap = 4096

function toSlug(name: string): string {
  return name.replaceAll(' ', '_')
}
