import { findUserKey, type UserRecord } from '../service/endpoints/user-request.ts'
import { CatalogueError, interrupted, toCatalogueError } from '../errors.ts'
import { createPasswordRedaction } from '../service/http/redact.ts'
import { mayHaveArrived, type Refusal, WriteFailure } from '../service/http/refusal.ts'
import { readBeginning, type ResponseBody } from '../service/http/response-body.ts'
import type { ServiceClient } from '../service/http/service-client.ts'
import type { UserRow } from './check-user-rows.ts'
import type { UserFailure, UserResult } from './results-file.ts'
import { isObject, parseObject } from '../records/json/json-values.ts'
import type { RequiredContext, RunContext } from '../run-context.ts'
import type { SendingJournal } from './sending-journal.ts'
import type { UserSearch } from './user-search.ts'

/** `signal` aborts running requests, whose outcome stays unconfirmed. */
export interface CreationContext extends RequiredContext<'signal'>, Pick<RunContext, 'onWarning'> {
  readonly client: ServiceClient
  readonly search: Pick<UserSearch, 'find'>
  readonly journal: Pick<SendingJournal, 'begin'>
}

export interface Outcome {
  readonly result: UserResult
  readonly error: CatalogueError | null
  /** False if the user may exist, or still be created, despite a failure. */
  readonly isFinal: boolean
}

export class Unsent extends Error {}

/**
 * Creates one user, and never twice. A request that may have arrived without an answer is repeated only after the
 * service has listed its users without this one. `wasSent` means that an earlier run sent it without learning the
 * outcome. Throws Unsent, and OUTPUT_FAILED if the journal can't be written.
 */
export async function createOneUser(row: UserRow, context: CreationContext, wasSent: boolean): Promise<Outcome> {
  return new Creation(row, context).run(wasSent)
}

class Creation {
  readonly #row: UserRow
  readonly #context: CreationContext
  readonly #redact: (text: string) => string

  constructor(row: UserRow, context: CreationContext) {
    const { password } = row.body
    this.#row = row
    this.#context = context
    this.#redact = password === undefined ? (text) => text : createPasswordRedaction(password)
  }

  async run(wasSent: boolean): Promise<Outcome> {
    const earlier = { where: ' before the answer came' }
    let unconfirmed = wasSent ? interrupted(`${this.#row.key}: an earlier run`, earlier) : null
    for (let failures = 0; ; failures++) {
      const known = unconfirmed === null ? null : await this.#lookUp(unconfirmed, failures)
      if (known !== null) return known
      const outcome = await this.#send(unconfirmed)
      if (!(outcome instanceof CatalogueError)) return outcome
      unconfirmed = outcome
    }
  }

  /** Finds the outcome of an unanswered request; null if the user does not exist and may be sent again. */
  async #lookUp(unconfirmed: CatalogueError, failures: number): Promise<Outcome | null> {
    const { client, search, signal } = this.#context
    try {
      if (failures > 0) await client.backOff(failures, signal, { atLeastMs: retryAfterOf(unconfirmed) })
      const user = await search.find(this.#row.key)
      if (user !== null)
        return this.#created(user, 'the answer is missing or holds no such user, but the service lists the user')
    } catch (error) {
      return this.#unknown(unconfirmed, error)
    }
    return failures > client.retries ? { ...this.#failed(unconfirmed), isFinal: false } : null
  }

  /** Sends the request. Returns an error if it may have arrived without an answer. */
  async #send(unconfirmed: CatalogueError | null): Promise<Outcome | CatalogueError> {
    const { client, journal, signal } = this.#context
    const { key, body } = this.#row
    await journal.begin(key)
    try {
      const request = { method: 'POST', path: '/v4/users/create', body, isWrite: true, redact: this.#redact } as const
      const response = await client.open(request, signal)
      const user = await readCreatedUser(response.body, key)
      return user === null ? this.#toUnconfirmed(response.status) : this.#created(user, undefined)
    } catch (error) {
      if (error instanceof Unsent && unconfirmed === null) throw error
      if (error instanceof Unsent) return this.#unknown(unconfirmed ?? toCatalogueError(error), error)
      const failure = toCatalogueError(error)
      if (mayHaveArrived(error)) return this.#toUnconfirmed(failure)
      return unconfirmed === null ? this.#failed(failure) : this.#judgeRepeat(failure)
    }
  }

  /** Why the user may exist: no answer, or one with a status of success that does not hold the user. */
  #toUnconfirmed(reason: CatalogueError | number): CatalogueError {
    const error =
      typeof reason === 'number'
        ? new CatalogueError(
            'SERVICE_FAILED',
            `${this.#row.key}: expected the user in the answer, got ${reason} without`,
          )
        : reason
    this.#context.onWarning?.(`looking whether the user was created: ${error.message}`)
    return error
  }

  /** Judges a repeat that was refused, perhaps because the first request had created the user. */
  async #judgeRepeat(failure: CatalogueError): Promise<Outcome> {
    const known = await this.#lookUp(failure, 0)
    if (known?.isFinal !== true && isTaken(refusalOf(failure))) return this.#created(null, takenNote)
    return known ?? this.#failed(failure)
  }

  #created(user: UserRecord | null, note: string | undefined): Outcome {
    const shown = user === null ? null : withoutPassword(user, this.#redact)
    const result: UserResult = {
      ...this.#place(),
      status: 'created',
      id: toId(shown?.['id']),
      ...(shown === null ? {} : { user: shown }),
      ...(note === undefined ? {} : { note }),
    }
    return { result, error: null, isFinal: true }
  }

  #failed(error: CatalogueError): Outcome {
    const refusal = refusalOf(error)
    const failure: UserFailure = {
      code: error.code,
      message: error.message,
      status: refusal?.status ?? null,
      serviceCode: refusal?.code ?? null,
    }
    return { result: { ...this.#place(), status: 'failed', id: null, error: failure }, error, isFinal: true }
  }

  #unknown(unconfirmed: CatalogueError, reason: unknown): Outcome {
    const isStopped = this.#context.signal.aborted || reason instanceof Unsent
    const why = isStopped ? 'the run was interrupted' : toCatalogueError(reason).message
    const message = `${unconfirmed.message}; whether the user exists could not be found out: ${why}`
    // A request of an earlier run says nothing about the service now.
    const error = new CatalogueError(unconfirmed.code === 'INTERRUPTED' ? 'INTERRUPTED' : 'SERVICE_FAILED', message)
    const failure: UserFailure = { code: 'OUTCOME_UNKNOWN', message, status: null, serviceCode: null }
    return { result: { ...this.#place(), status: 'failed', id: null, error: failure }, error, isFinal: false }
  }

  #place() {
    return { line: this.#row.line, key: this.#row.key }
  }
}

function refusalOf(error: CatalogueError): Refusal | null {
  return error instanceof WriteFailure ? error.details.refusal : null
}

function retryAfterOf(error: CatalogueError): number {
  return error instanceof WriteFailure ? (error.details.retryAfterMs ?? 0) : 0
}

/** Whether a refusal says that another user has the address. The specification does not show its form. */
function isTaken(refusal: Refusal | null): boolean {
  if (refusal === null) return false
  const texts = [refusal.code, refusal.message, ...refusal.violations]
  return refusal.status === 409 || texts.some((text) => text !== null && isMeant.test(text) && isHad.test(text))
}

const isMeant = /e-?mail|address|user/i
const isHad = /already|\bexists\b|taken|in use|duplicate|unique|no other user/i
const takenNote =
  'sent again, as the first request was not answered: the service refuses the address because a user has it'

function toId(id: unknown): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const longestAnswerBytes = 1024 * 1024

/**
 * Finds the user in an answer: in `user`, in `result` or alone. It needs an id, and an address must be the one that was
 * sent. Null otherwise, which proves nothing: a gateway may answer anything with a status of success.
 */
async function readCreatedUser(body: ResponseBody, key: string): Promise<UserRecord | null> {
  const user = findUser(parseObject(await readText(body)))
  if (user === null || toId(user['id']) === null) return null
  const answered = findUserKey(user)
  return answered === null || answered === key ? user : null
}

function findUser(document: UserRecord | null): UserRecord | null {
  if (document === null) return null
  for (const wrapper of ['user', 'result']) {
    const inner = document[wrapper]
    if (isObject(inner)) return isObject(inner['user']) ? inner['user'] : inner
  }
  // An id alone may be that of a request or an error.
  const isUser = !('error' in document) && userMembers.some((name) => name in document)
  return isUser ? document : null
}

const userMembers = ['email', 'name', 'profile', 'role', 'organization']

/** Removes members named like a password, and the texts that `redact` hides. */
function withoutPassword(user: UserRecord, redact: (text: string) => string): UserRecord {
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
