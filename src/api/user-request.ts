import { z } from 'zod'
import { showValue } from '../messages/show-value.ts'
import { lastSecond } from './date-time.ts'
import { closedObject, expecting, formatChoices, toRequestProblems, type RequestProblem } from './request-issues.ts'

export const userRoles = [
  'organization_manager',
  'organization_customer_service',
  'medical_professional',
  'software_developer',
] as const

const text = 'a text that is not empty'
const wholeNumber = 'a whole number'
const trueOrFalse = 'true or false'
/** What a time is in a request. */
export const unixSeconds = 'unix seconds'

/**
 * The body of POST /v4/users/create, with the defaults of what it may leave out (specification: POST /v4/users/create).
 * No message of an issue holds the password.
 */
export const userRequest = closedObject(
  {
    email: z.email({ error: ({ input }) => `expected an e-mail address, got ${showAddress(input)}` }),
    password: z
      .string({ error: `expected ${text}` })
      .min(1, { error: `expected ${text}` })
      .optional(),
    role: z.enum(userRoles, expecting(formatChoices(userRoles))),
    targetGroups: z.array(filledText(), expecting('a list of texts')).optional(),
    organization: id(),
    isEnabled: z.boolean(expecting(trueOrFalse)).default(true),
    profile: closedObject({ name: filledText() }, 'an object { name }'),
    preferences: closedObject(
      { isPublic: z.boolean(expecting(trueOrFalse)).default(true), language: filledText() },
      'an object { isPublic?, language }',
    ),
    subscription: closedObject(
      { type: id(), start: timestamp().optional(), end: timestamp().optional() },
      'an object { type, start?, end? }',
    ),
  },
  'a JSON object',
)

export type UserRequest = z.input<typeof userRequest>

/** A user as the service tells it; the specification does not show its fields. */
export type UserRecord = Readonly<Record<string, unknown>>

/** Everything that is wrong with a body, by its members. */
export function checkUserRequest(body: unknown): RequestProblem[] {
  const { error } = userRequest.safeParse(body, { reportInput: true })
  return (error?.issues ?? []).flatMap((issue) => toRequestProblems(issue))
}

/** Which user is meant, whatever the case of the address: the specification names nothing else that tells users apart. */
export function toUserKey(email: string): string {
  return email.toLowerCase()
}

/** A text without @ may be a password in the wrong place. */
function showAddress(input: unknown): string {
  return typeof input === 'string' && !input.includes('@') ? 'a text without "@"' : showValue(input)
}

function filledText() {
  return z.string(expecting(text)).min(1, expecting(text))
}

function id() {
  return z.int(expecting(wholeNumber)).min(0, expecting(wholeNumber))
}

function timestamp() {
  return z.int(expecting(unixSeconds)).min(0, expecting(unixSeconds)).max(lastSecond, expecting(unixSeconds))
}
