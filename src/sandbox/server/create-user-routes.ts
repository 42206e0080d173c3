import { toRequestProblems } from '../../api/request-issues.ts'
import { toUserKey, userRequest } from '../../api/user-request.ts'
import type { Catalogue } from '../catalogue.ts'
import { createListCollection } from '../collections/collection.ts'
import type { JsonObject } from '../collections/columns.ts'
import { toUserId } from '../data/synthetic-records.ts'
import { toDocument } from './answer-body.ts'
import type { Routes } from './routes.ts'
import { sendAnswer } from './send-answer.ts'
import { usersCreate } from './served-endpoints.ts'
import { ServiceError, toInvalid } from './service-error.ts'

export interface UserRouteOptions {
  readonly catalogue: Catalogue
  readonly mayCreateUsers: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The creation of users. */
export function createUserRoutes({ catalogue, mayCreateUsers, now }: UserRouteOptions): Routes {
  return new Map([
    [
      `POST /${usersCreate}`,
      async (call) => {
        if (!mayCreateUsers)
          throw new ServiceError(403, 'The subscription of this API key does not allow to create users')
        const user = createUser(call.body, catalogue.users, Math.floor(now() / 1000))
        catalogue.addUser(user)
        const created = createListCollection([user])
        await sendAnswer(call, toDocument(created, { total: 1, at: () => 0 }, { head: '{"user":', tail: '}' }))
      },
    ],
  ])
}

/**
 * The user that a body asks for, without the password. Throws a 422 with every violation. An address that another user
 * has is assumed to be one.
 */
function createUser(body: unknown, users: readonly JsonObject[], nowSeconds: number): JsonObject {
  const { data, error } = userRequest.safeParse(body, { reportInput: true })
  if (error !== undefined) {
    const problems = error.issues.flatMap((issue) => toRequestProblems(issue))
    throw toInvalid(problems.map(({ path, message }) => ({ path: path.map(String).join('.'), message })))
  }
  const key = toUserKey(data.email)
  if (users.some((user) => toUserKey(String(user['email'])) === key)) {
    throw toInvalid([{ path: 'email', message: 'expected an address that no other user has' }])
  }
  const { password: _, ...user } = data
  return { id: toUserId(users.length), ...user, meta: { createdAt: nowSeconds, updatedAt: nowSeconds } }
}
