import { userRoles } from '../../api/user-request.ts'
import type { JsonObject } from '../collections/columns.ts'
import { createIdentity } from './identity.ts'
import { baseTime } from './dates.ts'

export const madeUpUserCount = 20

export const toUserId = createIdentity('user')

/** Users are not shown: their fields are assumed to be those of the request that creates one, without the password. */
export function makeUpUsers(): JsonObject[] {
  const toOrganizationId = createIdentity('organization')
  const toSubscriptionId = createIdentity('subscription_type')
  return Array.from({ length: madeUpUserCount }, (_, number) => ({
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

export function makeUpSubscriptionTypes(): JsonObject[] {
  const toId = createIdentity('subscription_type')
  return subscriptionNames.map((name, number) => ({ id: toId(number), name }))
}

const subscriptionNames = ['Read only', 'Read and write', 'Partner']
