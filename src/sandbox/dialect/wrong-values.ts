import type { Contract } from '../../contracts/contracts.ts'
import { toProductNumber } from '../data/identity.ts'
import type { JsonObject } from '../data/record-writer.ts'

/** The number of products among which one has a wrong value. */
const wrongEvery = 200
/** The first one: a smaller catalogue has none. */
const firstWrong = 150

/** Values that no tolerance accepts, in fields that are no keys. */
const wrongValues: readonly (readonly [field: string, value: unknown])[] = [
  ['weight', 'unknown'],
  ['officialDeletionAt', 'n/a'],
  ['photos', 'none'],
  ['publicPrice', 'on request'],
  ['vat', '6 %'],
  ['prescription', 'maybe'],
  ['supplyProblems', true],
  ['weightWithUnit', { value: 'about 10', unit: 'g' }],
  ['publicCategories', 17],
  ['meta', { createdAt: 'yesterday', updatedAt: 1_750_000_000 }],
]

/** Gives one product in 200 a wrong value, always the same product: each kind of wrong value in turn. */
export function createWrongValues({ record, fields }: Contract): (loose: JsonObject, id: unknown) => JsonObject {
  if (record !== 'product') return (loose) => loose
  const known = wrongValues.filter(([field]) => fields.has(field))
  return (loose, id) => {
    const number = toProductNumber(String(id)) - firstWrong
    const [field, value] = known[(number / wrongEvery) % known.length] ?? []
    return field === undefined || number < 0 || number % wrongEvery !== 0 ? loose : { ...loose, [field]: value }
  }
}
