import pLimit from 'p-limit'
import { type CatalogueError, type ErrorCode, interrupted, toCatalogueError } from '../errors.ts'
import type { RequestBudget } from '../service/http/request-budget.ts'
import { createServiceClient, type ServiceClientOptions } from '../service/http/service-client.ts'
import type { RequiredContext, RunContext } from '../run-context.ts'
import type { UserRow } from './check-user-rows.ts'
import { createOneUser, type CreationContext, type Outcome, Unsent } from './create-one-user.ts'
import type { UserResult } from './results-file.ts'
import type { SendingJournal } from './sending-journal.ts'
import { UserSearch } from './user-search.ts'

export interface UserToSend {
  readonly row: UserRow
  /** An earlier run sent it without learning the outcome. */
  readonly wasSent: boolean
}

export type SendContext = Pick<ServiceClientOptions, 'budget' | 'clock' | 'random' | 'limits' | 'retries'>

/** Once `signal` aborts, no more requests are sent; running ones have a few seconds to end. */
export interface SendOptions extends RequiredContext<'signal'>, Pick<RunContext, 'onWarning'> {
  readonly service: Pick<ServiceClientOptions, 'baseUrl' | 'keyId' | 'keySecret' | 'userAgent' | 'proxy'>
  readonly context: SendContext
  readonly journal: SendingJournal
  /** Stores results before anything else happens. */
  readonly record: (results: readonly (readonly [UserRow, UserResult])[]) => Promise<void>
}

const concurrency = 4
const graceMs = 5000

/**
 * Sends users, a few at a time, until all are sent or sending more is pointless. Returns why some were not sent or an
 * outcome is unknown; null if all is well.
 */
export async function sendUsers(users: readonly UserToSend[], options: SendOptions): Promise<CatalogueError | null> {
  const { service, journal, record, signal } = options
  const grace = createGrace(signal)
  const context = createCreationContext(users, options, grace.signal)
  const outcomes: Outcome[] = []
  const verdict = new SendVerdict()

  async function sendOne({ row, wasSent }: UserToSend): Promise<void> {
    if (signal.aborted || verdict.stopped !== null) return
    try {
      const outcome = await createOneUser(row, context, wasSent)
      outcomes.push(outcome)
      await record([[row, outcome.result]])
      if (outcome.isFinal) await journal.confirm(row.key)
      if (!signal.aborted) verdict.add(outcome)
    } catch (error) {
      if (error instanceof Unsent) await journal.confirm(row.key)
      else throw error
    }
  }

  const limit = pLimit(concurrency)
  const sending = users.map((user) => limit(() => sendOne(user).catch((error: unknown) => verdict.stop(error))))
  await Promise.all(sending)
  grace.end()
  await context.client.close()
  const isWhole = outcomes.length === users.length && outcomes.every(({ isFinal }) => isFinal)
  if (verdict.stopped !== null || !signal.aborted || isWhole) return verdict.stopped
  return interrupted(`${service.baseUrl}: creating users`, { cause: signal.reason })
}

/** Aborts a little after `signal`, so running requests may still be answered. */
function createGrace(signal: AbortSignal) {
  const hard = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => void (timer = setTimeout(() => hard.abort(), graceMs))
  signal.addEventListener('abort', begin, { once: true })
  return {
    signal: hard.signal,
    end(): void {
      signal.removeEventListener('abort', begin)
      clearTimeout(timer)
    },
  }
}

function createCreationContext(users: readonly UserToSend[], options: SendOptions, signal: AbortSignal) {
  const { service, context, journal, onWarning } = options
  const budget = endingWith(options.signal, context.budget)
  const client = createServiceClient({ ...service, ...context, budget, signal, onWarning })
  const wanted = new Set(users.map(({ row }) => row.key))
  const search = new UserSearch({ client, wanted, clock: context.clock, signal, onWarning })
  return { client, search, journal, signal, onWarning } satisfies CreationContext
}

/** A budget that admits no requests after `signal` aborts. */
function endingWith(signal: AbortSignal, budget: RequestBudget): RequestBudget {
  return {
    async take(limit, own) {
      try {
        return await budget.take(limit, own === undefined ? signal : AbortSignal.any([signal, own]))
      } catch (error) {
        throw signal.aborted ? new Unsent('the run was interrupted') : error
      }
    },
    pauseUntil: (time) => budget.pauseUntil(time),
    roomAt: () => budget.roomAt(),
  }
}

/** Failures that every other row would meet too. */
const ofAll = new Set<ErrorCode>(['SERVICE_UNREACHABLE', 'SERVICE_UNTRUSTED', 'SERVICE_BUSY', 'SERVICE_REDIRECTED'])

/** Failures of the key or address until any row has been answered otherwise; afterwards, of the row. */
const ofKey = new Set<ErrorCode>(['SERVICE_UNAUTHORIZED', 'SERVICE_NOT_FOUND'])

/** Failures of the row, or of the service if several consecutive rows meet them. */
const ofService = new Set<ErrorCode>(['SERVICE_FAILED', 'UNEXPECTED'])
const mostInARow = 3

class SendVerdict {
  stopped: CatalogueError | null = null
  #answered = 0
  #failedInARow = 0

  add({ error }: Outcome): void {
    if (error === null || error.code === 'SERVICE_REFUSED') this.#answered++
    if (error === null || !ofService.has(error.code)) this.#failedInARow = 0
    else this.#failedInARow++
    if (error === null) return
    const isOfKey = ofKey.has(error.code) && this.#answered === 0
    if (ofAll.has(error.code) || isOfKey || this.#failedInARow === mostInARow) this.stop(error)
  }

  stop(reason: unknown): void {
    this.stopped ??= toCatalogueError(reason)
  }
}
