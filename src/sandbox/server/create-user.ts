import { toRequestProblems } from '../../api/request-issues.ts'
import { toUserKey, userRequest } from '../../api/user-request.ts'
import type { JsonObject } from '../collections/columns.ts'
import { toUserId } from '../data/synthetic-users.ts'
import { ServiceError, type Violation } from './service-error.ts'

/**
 * The user that a body asks for, without the password. Throws a 422 with every violation; an address that another user
 * has is one, which is assumed.
 */
export function createUser(body: unknown, users: readonly JsonObject[], nowSeconds: number): JsonObject {
  const { data, error } = userRequest.safeParse(body, { reportInput: true })
  if (error !== undefined) throw toError(error.issues.flatMap((issue) => toRequestProblems(issue)).map(toViolation))
  const key = toUserKey(data.email)
  if (users.some((user) => toUserKey(String(user['email'])) === key)) {
    throw toError([{ path: 'email', message: 'expected an address that no other user has' }])
  }
  const { password: _, ...user } = data
  return { id: toUserId(users.length), ...user, meta: { createdAt: nowSeconds, updatedAt: nowSeconds } }
}

function toViolation({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[]
  readonly message: string
}): Violation {
  return { path: path.map(String).join('.'), message }
}

function toError(violations: readonly Violation[]): ServiceError {
  return new ServiceError(422, 'The request is not valid', { violations })
}
