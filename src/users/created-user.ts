import { CatalogueError } from '../errors.ts'
import { readBeginning, type ResponseBody } from '../http/response-body.ts'
import { toUserKey, type UserRecord } from '../api/user-request.ts'

const longestAnswerBytes = 1024 * 1024

/**
 * The user that an answer holds, `{"user": {…}}` or alone; null where it is cut off, something else or another user,
 * which proves nothing: a gateway may answer anything with a status of success.
 */
export async function readCreatedUser(body: ResponseBody, key: string): Promise<UserRecord | null> {
  const document = parseObject(await readText(body))
  const user = document?.['user'] ?? document
  if (!isObject(user) || typeof user['email'] !== 'string') return null
  return toUserKey(user['email']) === key ? user : null
}

/** A user without whatever is named like a password, and without the texts that `redact` hides. */
export function withoutPassword(user: UserRecord, redact: (text: string) => string): UserRecord {
  return redactAll(user, redact) as UserRecord
}

function redactAll(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([key]) => !/passw|secret/i.test(key))
  return Object.fromEntries(members.map(([key, member]) => [key, redactAll(member, redact)]))
}

async function readText(body: ResponseBody): Promise<string> {
  try {
    return await readBeginning(body, longestAnswerBytes)
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'INTERRUPTED') return ''
    throw error
  }
}

function parseObject(text: string): UserRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function isObject(value: unknown): value is UserRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
