import { z } from 'zod'
import { showValue } from '../../text/show-value.ts'
import { lastSecond } from '../../contracts/year-range.ts'
import { text, wholeNumber } from './filter-values.ts'
import { closedObject, errorText, formatChoices, toRequestProblems, type RequestProblem } from './request-issues.ts'

export const userRoles = [
  'organization_manager',
  'organization_customer_service',
  'medical_professional',
  'software_developer',
] as const

const filled = 'a text that is not empty'
const filledText = text(filled).schema
const id = wholeNumber('a whole number')
const flag = z.boolean(errorText('true or false')).default(true)
export const unixSeconds = 'unix seconds'

/**
 * The body of POST /v4/users/create with the defaults of optional members (specification: POST /v4/users/create). No
 * message of an issue holds the password.
 */
export const userRequest = closedObject(
  {
    email: z.email({ error: ({ input }) => `expected an e-mail address, got ${showAddress(input)}` }),
    password: z
      .string({ error: `expected ${filled}` })
      .min(1, { error: `expected ${filled}` })
      .optional(),
    role: z.enum(userRoles, errorText(formatChoices(userRoles))),
    targetGroups: z.array(filledText, errorText('a list of texts')).optional(),
    organization: id,
    isEnabled: flag,
    profile: closedObject({ name: filledText }, 'an object { name }'),
    preferences: closedObject({ isPublic: flag, language: filledText }, 'an object { isPublic?, language }'),
    subscription: closedObject(
      { type: id, start: timestamp().optional(), end: timestamp().optional() },
      'an object { type, start?, end? }',
    ),
  },
  'a JSON object',
)

export type UserRequest = z.input<typeof userRequest>

/** A user in an answer of the service; the specification does not show its fields. */
export type UserRecord = Readonly<Record<string, unknown>>

export function checkUserRequest(body: unknown): RequestProblem[] {
  const { error } = userRequest.safeParse(body, { reportInput: true })
  return (error?.issues ?? []).flatMap((issue) => toRequestProblems(issue))
}

/** The key of a user, the address in lower case: the specification names nothing else that identifies users. */
export function toUserKey(email: string): string {
  return email.toLowerCase()
}

/** The key of a user from the service; null without an address, which consumers have seen. */
export function findUserKey({ email }: UserRecord): string | null {
  return typeof email === 'string' && email !== '' ? toUserKey(email) : null
}

/** A text without "@" may be a password in the wrong place. */
function showAddress(input: unknown): string {
  return typeof input === 'string' && !input.includes('@') ? 'a text without "@"' : showValue(input)
}

function timestamp() {
  return wholeNumber(unixSeconds).max(lastSecond, errorText(unixSeconds))
}
