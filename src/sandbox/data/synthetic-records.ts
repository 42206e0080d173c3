import { contracts, type Contract } from '../../contracts/contracts.ts'
import type { Field } from '../../contracts/fields.ts'
import type { JsonObject } from '../collections/columns.ts'
import { referenceSizes } from './delivery-profile.ts'
import { createIdentity } from './identity.ts'
import { attributeNames } from './words.ts'

/** What an endpoint named `get-fields` is assumed to tell: the fields of the record, each with what it is. */
export function makeUpFields({ fields }: Contract): JsonObject[] {
  return [...fields].map(([name, field]) => ({
    name,
    type: toTypeName(field),
    description: field.description,
    deprecated: field.notes.deprecated !== undefined,
  }))
}

/** The types that generated corrections have. */
export function makeUpCorrectionTypes(): JsonObject[] {
  return ['wrong_text', 'wrong_price', 'missing_photo', 'other'].map((id) => ({ id, name: id.replace('_', ' ') }))
}

/** Deprecated attributes: each groups some of the attribute options, which are the records that products link to. */
export function makeUpAttributes(): JsonObject[] {
  const toAttributeId = createIdentity('attribute_group')
  const toOptionId = createIdentity(contracts['v4/attribute'].record)
  const options = Array.from({ length: referenceSizes['attribute'] ?? 0 }, (_, number) => toOptionId(number))
  return attributeNames.en.slice(0, 4).map((en, group) => ({
    id: toAttributeId(group),
    name: { nl: attributeNames.nl[group], fr: attributeNames.fr[group], en },
    options: options.filter((_, number) => number % 4 === group),
  }))
}

function toTypeName(field: Field): string {
  return field.kind === 'scalar' ? field.type : field.kind
}
