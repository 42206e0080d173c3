import {
  aFunction,
  anObject,
  aText,
  needed,
  type OptionKinds,
  requireNamed,
  requireOptions,
  secret,
} from '../check-options.ts'
import { CatalogueError, toCatalogueError } from '../errors.ts'
import { sharedRequestBudget } from '../service/http/request-budget-registry.ts'
import { systemClock } from '../service/http/clock.ts'
import type { RequiredContext, RunContext } from '../run-context.ts'
import { CallbackWatch } from '../watch-callbacks.ts'
import { planUser, readValidRows, toResultsPath, type UserFileOptions, userFileOptions } from './plan-users.ts'
import { checkResultsPath, ResultsFile, type UserResult } from './results-file.ts'
import { sendUsers, type SendContext, type UserToSend } from './send-users.ts'
import { SendingJournal } from './sending-journal.ts'
import type { UserRow } from './check-user-rows.ts'
import { findService, type UserService } from './user-service.ts'

/** Once `signal` aborts, no more requests are sent; running ones have a few seconds to end. `env` names the proxy. */
export interface CreateUsersOptions extends UserFileOptions, Pick<RunContext, 'env' | 'onWarning'> {
  readonly service: UserService
  readonly onProgress?: ((progress: UsersProgress) => void) | undefined
}

export interface UsersProgress {
  readonly done: number
  readonly rows: number
}

/** `rows = created + skipped + failed + unsent` */
export interface CreateUsersReport {
  readonly file: string
  readonly baseUrl: string
  readonly results: string
  readonly rows: number
  readonly created: number
  readonly skipped: number
  readonly failed: number
  readonly unsent: number
  /** Outcomes of all rows except unsent ones, in the order of the file. */
  readonly users: readonly UserResult[]
  /** Why rows were left unsent or an outcome is unknown; null if all is well. */
  readonly stopped: CatalogueError | null
}

/**
 * Creates the users of a file that no earlier run has created (specification: POST /v4/users/create), and appends a
 * line per row to the results file. Throws InvalidUserRows with all problems of the file, or another CatalogueError,
 * before anything is sent. Once sending starts, returns the outcome of every row.
 */
export async function createUsers(options: CreateUsersOptions): Promise<CreateUsersReport> {
  requireOptions('createUsers', options, createOptions)
  requireNamed('createUsers, service', options.service, serviceOptions)
  return createUsersWith(options, {})
}

const createOptions: OptionKinds<CreateUsersOptions> = {
  ...userFileOptions,
  service: needed(anObject),
  env: anObject,
  onProgress: aFunction,
  onWarning: aFunction,
}

const serviceOptions: OptionKinds<UserService> = {
  baseUrl: needed(aText),
  keyId: needed(secret(aText)),
  keySecret: needed(secret(aText)),
  userAgent: aText,
}

export async function createUsersWith(
  options: CreateUsersOptions,
  context: Partial<SendContext>,
): Promise<CreateUsersReport> {
  const watch = new CallbackWatch(options.signal)
  try {
    const report = await createWatched({ ...watch.wrap(options), signal: watch.signal }, context)
    await watch.settle().catch(() => undefined)
    return watch.failure === null ? report : { ...report, stopped: callbackFailed(watch.failure.error) }
  } finally {
    watch.close()
  }
}

async function createWatched(
  options: CreateUsersOptions & RequiredContext<'signal'>,
  context: Partial<SendContext>,
): Promise<CreateUsersReport> {
  const { file, env = process.env, signal, onProgress, onWarning } = options
  const service = findService(options.service, env)
  const { baseUrl } = service
  const results = toResultsPath(options)
  await checkResultsPath(file, results)
  const rows = await readValidRows({ ...options, signal })
  const journal = await SendingJournal.open(results, baseUrl)
  const users: UserResult[] = []
  let done = 0
  let stopped: CatalogueError | null
  try {
    const resultsFile = new ResultsFile(results, baseUrl)
    const record = async (some: readonly (readonly [UserRow, UserResult])[]): Promise<void> => {
      for (const [, result] of some) users.push(result)
      await resultsFile.append(some)
      done += some.length
      onProgress?.({ done, rows: rows.length })
    }
    const { skipped, toSend } = divide(rows, await resultsFile.readCreated(), journal.unconfirmed)
    await record(skipped)
    const budget = sharedRequestBudget(service)
    const sending = { budget, clock: systemClock, random: Math.random, ...context }
    stopped = await sendUsers(toSend, { service, context: sending, journal, record, signal, onWarning })
  } catch (error) {
    await close(journal)
    throw error
  }
  const unclosed = await close(journal)
  return toReport({ file, baseUrl, results, rows: rows.length, users, stopped: stopped ?? unclosed })
}

/** Users that were created stay so, and have to be in the report. */
function callbackFailed(cause: unknown): CatalogueError {
  const { message } = toCatalogueError(cause)
  const title = 'A function that the caller gave has failed'
  const fix = 'Correct onProgress or onWarning, then run again: created users are skipped.'
  return new CatalogueError('UNEXPECTED', message, { cause, title, fix })
}

function close(journal: SendingJournal): Promise<CatalogueError | null> {
  return journal.close().then(() => null, toCatalogueError)
}

type Created = Awaited<ReturnType<ResultsFile['readCreated']>>

function divide(rows: readonly UserRow[], created: Created, unconfirmed: ReadonlySet<string>) {
  const skipped: [UserRow, UserResult][] = []
  const toSend: UserToSend[] = []
  for (const row of rows) {
    const { action, ...planned } = planUser(row, created.get(row.key), unconfirmed.has(row.key))
    if (action === 'skip') skipped.push([row, { ...planned, status: 'skipped' }])
    else toSend.push({ row, wasSent: action === 'find' })
  }
  return { skipped, toSend }
}

function toReport({
  users,
  stopped,
  ...run
}: Pick<CreateUsersReport, 'file' | 'baseUrl' | 'results' | 'rows' | 'users' | 'stopped'>): CreateUsersReport {
  const count = (status: UserResult['status']): number => users.filter((user) => user.status === status).length
  return {
    ...run,
    created: count('created'),
    skipped: count('skipped'),
    failed: count('failed'),
    unsent: run.rows - users.length,
    users: users.toSorted((a, b) => a.line - b.line),
    stopped,
  }
}
