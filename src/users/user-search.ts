import { defaultMaxLineBytes } from '../records/block.ts'
import { parseText } from '../records/parse-line.ts'
import { CatalogueError } from '../errors.ts'
import type { Clock } from '../service/http/clock.ts'
import { endpoints } from '../service/endpoints/endpoints.ts'
import type { ServiceClient } from '../service/http/service-client.ts'
import type { RequiredContext, RunContext } from '../run-context.ts'
import { createServiceSource } from '../service/read/service-source.ts'
import { findUserKey, type UserRecord } from '../service/endpoints/user-request.ts'

export interface UserSearchOptions extends RequiredContext<'signal'>, Pick<RunContext, 'onWarning'> {
  readonly client: ServiceClient
  readonly wanted: ReadonlySet<string>
  readonly clock: Clock
}

interface Users {
  readonly byKey: ReadonlyMap<string, UserRecord>
  readonly total: number
  readonly withoutEmail: number
}

/** A request whose connection was cut may still be running on the service. */
const pauseMs = 1000

/**
 * Finds out whether users exist by listing all of them, as the filters of the list are not documented. Calls before a
 * list is requested share it; no list is older than the call.
 */
export class UserSearch {
  readonly #options: UserSearchOptions
  #next: Promise<Users> | null = null
  #hasWarned = false

  constructor(options: UserSearchOptions) {
    this.#options = options
  }

  /**
   * Returns the user; null if the service lists only others. Throws a CatalogueError if the service does not list its
   * users, or lists some without an address, among which the user may be.
   */
  async find(key: string): Promise<UserRecord | null> {
    this.#next ??= this.#list()
    const users = await this.#next
    const user = users.byKey.get(key) ?? null
    if (user !== null || users.withoutEmail === 0) return user
    this.#warn(users)
    throw new CatalogueError('SERVICE_FAILED', `${endpoint.name}: ${showIncomparable(users)}`)
  }

  /** Warns once per run, however many rows are concerned. */
  #warn(users: Users): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    const then = 'a row that was sent without an answer, and is not among the others, stays open and is not sent again'
    this.#options.onWarning?.(`${showIncomparable(users)}; ${then}`)
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
  // One answer for everything: pages would shift while users are created.
  const everything = { filter: null, sorting: null, page: null }
  const options = { maxLineBytes: defaultMaxLineBytes, incomplete: 'fail', now: clock.now() } as const
  const source = createServiceSource(endpoint, everything, client, options)
  const byKey = new Map<string, UserRecord>()
  let [total, withoutEmail] = [0, 0]
  for await (const { bytes } of source.read(signal).blocks) {
    for (const user of bytes.toString('utf8').split('\n').flatMap(parseUser)) {
      const key = findUserKey(user)
      total++
      if (key === null) withoutEmail++
      else if (wanted.has(key)) byKey.set(key, user)
    }
  }
  if (total > 0) return { byKey, total, withoutEmail }
  throw new CatalogueError('SERVICE_FAILED', `${endpoint.name}: expected users, got none`)
}

const endpoint = endpoints['v4/users/query']

function showIncomparable({ total, withoutEmail }: Users): string {
  const isOne = withoutEmail === 1
  const found = `${withoutEmail} of the ${total} users found ${isOne ? 'has' : 'have'} no e-mail`
  return `${found}: ${isOne ? 'it' : 'they'} can't be compared`
}

function parseUser(line: string): UserRecord[] {
  if (line.trim() === '') return []
  const parsed = parseText(line, false)
  const isUser = parsed.kind === 'record' && typeof parsed.delivered === 'object' && parsed.delivered !== null
  return isUser ? [parsed.delivered as UserRecord] : []
}
