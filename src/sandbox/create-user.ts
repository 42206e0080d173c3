import { z } from 'zod'
import { closedObject, expecting, formatChoices, toRequestProblems } from '../service/request-issues.ts'
import type { JsonObject } from './columns.ts'
import { toUserId, userRoles } from './made-up-users.ts'
import { ServiceError, type Violation } from './service-error.ts'

const text = 'a text'
const wholeNumber = 'a whole number'
const trueOrFalse = 'true or false'
const seconds = 'unix seconds'

/** The body of POST /v4/users/create, with the defaults of what it may leave out. */
const userRequest = closedObject(
  {
    email: z.email(expecting('an e-mail address')),
    // The message must not hold the value.
    password: z
      .string({ error: `expected ${text}` })
      .min(1)
      .optional(),
    role: z.enum(userRoles, expecting(formatChoices(userRoles))),
    targetGroups: z.array(z.string(expecting(text)), expecting('a list of texts')).optional(),
    organization: id(),
    isEnabled: z.boolean(expecting(trueOrFalse)).default(true),
    profile: closedObject({ name: z.string(expecting(text)).min(1, expecting(text)) }, 'an object { name }'),
    preferences: closedObject(
      {
        isPublic: z.boolean(expecting(trueOrFalse)).default(true),
        language: z.string(expecting(text)).min(1, expecting(text)),
      },
      'an object { isPublic?, language }',
    ),
    subscription: closedObject(
      { type: id(), start: timestamp().optional(), end: timestamp().optional() },
      'an object { type, start?, end? }',
    ),
  },
  'a JSON object',
)

/**
 * The user that a body asks for, without the password. Throws a 422 with every violation; an address that another user
 * has is one, which is assumed.
 */
export function createUser(body: unknown, users: readonly JsonObject[], nowSeconds: number): JsonObject {
  const { data, error } = userRequest.safeParse(body, { reportInput: true })
  if (error !== undefined) throw toError(error.issues.flatMap((issue) => toRequestProblems(issue)).map(toViolation))
  const email = data.email.toLowerCase()
  if (users.some((user) => String(user['email']).toLowerCase() === email)) {
    throw toError([{ path: 'email', message: 'expected an address that no other user has' }])
  }
  const { password: _, ...user } = data
  return { id: toUserId(users.length), ...user, meta: { createdAt: nowSeconds, updatedAt: nowSeconds } }
}

function id() {
  return z.int(expecting(wholeNumber)).min(0, expecting(wholeNumber))
}

function timestamp() {
  return z.int(expecting(seconds)).min(0, expecting(seconds))
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
