import { defaultMaxLineBytes } from '../records/block.ts'
import { parseText } from '../records/parse-line.ts'
import { CatalogueError } from '../errors.ts'
import type { Clock } from '../http/clock.ts'
import { endpoints } from '../api/endpoints.ts'
import type { ServiceClient } from '../http/service-client.ts'
import type { RequiredContext } from '../run-context.ts'
import { createServiceSource } from '../service/service-source.ts'
import { toUserKey, type UserRecord } from '../api/user-request.ts'

export interface UserSearchOptions extends RequiredContext<'signal'> {
  readonly client: ServiceClient
  /** The keys that may be asked for. */
  readonly wanted: ReadonlySet<string>
  readonly clock: Clock
}

type Users = ReadonlyMap<string, UserRecord>

/** A request whose connection was cut may still be at work on the other side. */
const pauseMs = 1000

/**
 * Finds out which users exist, from the whole list of them: its filters are not shown. Calls before a list is read share
 * it; none is older than the call.
 */
export class UserSearch {
  readonly #options: UserSearchOptions
  #next: Promise<Users> | null = null

  constructor(options: UserSearchOptions) {
    this.#options = options
  }

  /** The user, or null where the service lists none. Throws a CatalogueError where it does not list its users. */
  async find(key: string): Promise<UserRecord | null> {
    this.#next ??= this.#list()
    return (await this.#next).get(key) ?? null
  }

  async #list(): Promise<Users> {
    const { clock, signal } = this.#options
    try {
      await clock.sleep(pauseMs, signal)
    } finally {
      this.#next = null
    }
    return listUsers(this.#options)
  }
}

async function listUsers({ client, wanted, clock, signal }: UserSearchOptions): Promise<Users> {
  const endpoint = endpoints['v4/users/query']
  // Everything in one answer: pages would shift while users are created.
  const everything = { filter: null, sorting: null, page: null }
  const options = { maxLineBytes: defaultMaxLineBytes, incomplete: 'fail', now: clock.now() } as const
  const source = createServiceSource(endpoint, everything, client, options)
  const users = new Map<string, UserRecord>()
  let addresses = 0
  for await (const { bytes } of source.read(signal).blocks) {
    for (const user of bytes.toString('utf8').split('\n').flatMap(parseUser)) {
      const { email } = user
      if (typeof email !== 'string') continue
      addresses++
      if (wanted.has(toUserKey(email))) users.set(toUserKey(email), user)
    }
  }
  if (addresses > 0) return users
  throw new CatalogueError('SERVICE_FAILED', `${endpoint.name}: expected users with their email, got none`)
}

function parseUser(line: string): { readonly email?: unknown }[] {
  if (line.trim() === '') return []
  const parsed = parseText(line, false)
  const isUser = parsed.kind === 'record' && typeof parsed.delivered === 'object' && parsed.delivered !== null
  return isUser ? [parsed.delivered] : []
}
