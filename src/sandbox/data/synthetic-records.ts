import { userRoles } from '../../service/endpoints/user-request.ts'
import { contracts, type Contract } from '../../contracts/contracts.ts'
import type { Field } from '../../contracts/fields.ts'
import { baseTime } from './dates.ts'
import { referenceSizes } from './delivery-profile.ts'
import { createIdentity } from './identity.ts'
import type { JsonObject } from './record-writer.ts'
import { attributeNames } from './words.ts'

export function createFieldDescriptions({ fields }: Contract): JsonObject[] {
  return [...fields].map(([name, field]) => ({
    name,
    type: toTypeName(field),
    description: field.description,
    deprecated: field.notes.deprecated !== undefined,
  }))
}

export function createCorrectionTypes(): JsonObject[] {
  return ['wrong_text', 'wrong_price', 'missing_photo', 'other'].map((id) => ({ id, name: id.replace('_', ' ') }))
}

/** Deprecated attributes, each of which groups some of the attribute options that products link to. */
export function createAttributes(): JsonObject[] {
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

export const syntheticUserCount = 20

export const toUserId = createIdentity('user')

/**
 * The fields of users are not documented. They are assumed to be those of the request that creates a user, without the
 * password.
 */
export function createSyntheticUsers(): JsonObject[] {
  const toOrganizationId = createIdentity('organization')
  const toSubscriptionId = createIdentity('subscription_type')
  return Array.from({ length: syntheticUserCount }, (_, number) => ({
    id: toUserId(number),
    email: `user${number + 1}@example.com`,
    role: userRoles[number % userRoles.length],
    targetGroups: [number % 3 === 0 ? 'public' : 'pharmacist'],
    organization: toOrganizationId(number),
    isEnabled: number % 7 !== 3,
    profile: { name: `User ${number + 1}` },
    preferences: { isPublic: true, language: ['nl', 'fr', 'en'][number % 3] },
    subscription: { type: toSubscriptionId(number % subscriptionNames.length), start: baseTime - 86_400 * number },
    meta: { createdAt: baseTime - 86_400 * number, updatedAt: baseTime - 3600 * number },
  }))
}

export function createSubscriptionTypes(): JsonObject[] {
  const toId = createIdentity('subscription_type')
  return subscriptionNames.map((name, number) => ({ id: toId(number), name }))
}

const subscriptionNames = ['Read only', 'Read and write', 'Partner']
