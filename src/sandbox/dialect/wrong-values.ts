import type { Contract } from '../../contracts/contracts.ts'
import { toProductNumber } from '../data/identity.ts'
import type { JsonObject } from '../data/record-writer.ts'

/** One product among this many has a wrong value. */
const wrongEvery = 200
const firstWrong = 150

/** Values that no tolerance accepts, in fields other than keys. */
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

/** Gives one product in 200, always the same, a wrong value, cycling through the kinds. */
export function createWrongValues({ record, fields }: Contract): (loose: JsonObject, id: unknown) => JsonObject {
  if (record !== 'product') return (loose) => loose
  const known = wrongValues.filter(([field]) => fields.has(field))
  return (loose, id) => {
    const number = toProductNumber(String(id)) - firstWrong
    const [field, value] = known[(number / wrongEvery) % known.length] ?? []
    return field === undefined || number < 0 || number % wrongEvery !== 0 ? loose : { ...loose, [field]: value }
  }
}
