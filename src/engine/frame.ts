import { randomBytes } from 'node:crypto'
import { CatalogueError, interrupted, toCatalogueError } from '../errors.ts'
import type { OutputsPlan } from '../plan/outputs/outputs-plan.ts'
import type { ReportPlan } from '../plan/report-plan.ts'
import type { RunContext } from '../run-context.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { Lock } from '../storage/lock/wait-for-lock.ts'
import { openStorage } from '../storage/open-storage.ts'
import { allOrFirstFailure } from '../storage/open-together.ts'
import { clearStaleStaging } from '../storage/stale-staging.ts'

export interface FrameOptions extends Pick<RunContext, 'signal' | 'onWarning'> {
  readonly name: string
  /** Name of the work, for messages: `run`, `fetch`. */
  readonly noun: string
  /** Identifies the work in its lock and staging files. Default: random. */
  readonly run?: string | undefined
  /** File of the storage whose lock is held during the work. Default: no lock, for work that may run in parallel. */
  readonly lock?: string | undefined
  /** Milliseconds to wait for the lock; true to wait without a limit. Default false: throws LOCKED at once. */
  readonly wait?: boolean | number | undefined
  /** A storage, or a function that opens one for the duration of the work. */
  readonly storage: FileStorage | (() => Promise<FileStorage>)
  /** Manifests for which a publication by a killed run is completed or undone first. */
  readonly homes: readonly string[]
  /** A sentence about the outputs after a failure. Default: that of the error. */
  readonly unchanged?: string
  /** Discards staged files. May resolve with a sentence about the outputs, in place of `unchanged`. */
  readonly abandon?: (error: CatalogueError) => Promise<string | undefined>
}

export function ofPipeline(
  name: string,
  { manifest }: ReportPlan,
  { s3 }: OutputsPlan,
  { env = process.env }: Pick<RunContext, 'env'>,
): Pick<FrameOptions, 'name' | 'lock' | 'storage' | 'homes'> {
  const storage = () => openStorage(manifest.path, env, { settings: s3 })
  return { name, lock: manifest.path, storage, homes: [manifest.path] }
}

export interface Frame {
  readonly token: string
  readonly storage: FileStorage
  /** Called at the end of the work, before the lock is released and the storage closed, to close connections and remove copies. */
  readonly releases: (() => Promise<void>)[]
  /** Throws LOCKED if another run has taken over the lock. Call it before publishing. */
  readonly confirmLock: () => Promise<void>
}

/**
 * Does work on the files of a pipeline: takes the lock, opens the storage, completes or undoes the publication of a
 * killed run, and releases everything at the end. On failure discards staged files and throws an error that says what
 * happened to the outputs.
 */
export async function inFrame<Result>(options: FrameOptions, work: (frame: Frame) => Promise<Result>): Promise<Result> {
  const { token, release } = holdToken(options.run)
  const releases: Frame['releases'] = []
  let opened: FileStorage | null = null
  let lock: Lock | null = null
  try {
    const storage = typeof options.storage === 'function' ? (opened = await options.storage()) : options.storage
    // The lock comes first, since the steps below change files of earlier runs.
    lock = await takeLock(options, storage, token)
    // A killed publication may have moved a manifest away; recovery puts it back.
    for (const home of options.homes) await storage.recover(home)
    return await work({ token, storage, releases, confirmLock: async () => lock?.confirm() })
  } catch (thrown) {
    throw await abandon(thrown, options)
  } finally {
    release()
    try {
      await allOrFirstFailure(releases.map((each) => each()))
    } finally {
      await releaseLock(lock, options)
      await opened?.close()
    }
  }
}

async function takeLock(
  { name, lock, wait = false, signal, onWarning }: FrameOptions,
  storage: FileStorage,
  run: string,
): Promise<Lock | null> {
  if (lock === undefined) return null
  const waitMs = typeof wait === 'number' ? wait : wait ? Number.POSITIVE_INFINITY : 0
  return storage.lock(lock, { subject: name, run, waitMs, signal, onWait: onWarning, onWarning })
}

/** Warns rather than throws, since published outputs stay published. */
async function releaseLock(lock: Lock | null, { onWarning }: FrameOptions): Promise<void> {
  try {
    await lock?.release()
  } catch (error) {
    onWarning?.(`${toCatalogueError(error).message}; the next run takes the lock over once this process has ended`)
  }
}

async function abandon(thrown: unknown, options: FrameOptions): Promise<CatalogueError> {
  const { noun, unchanged } = options
  const error = toError(thrown, options)
  const kept = error.outputs ?? unchanged
  try {
    const outputs = (await options.abandon?.(error)) ?? kept
    return outputs === undefined ? error : error.withOutputs(outputs)
  } catch (discardError) {
    const left = `Staging files may be left: ${toCatalogueError(discardError).message}. The next ${noun} clears them.`
    return error.withOutputs(kept === undefined ? left : `${kept} ${left}`)
  }
}

/** An abort becomes an interruption, unless a CatalogueError was thrown. */
function toError(thrown: unknown, { name, noun, signal }: FrameOptions): CatalogueError {
  const isStopped = signal?.aborted === true && !(thrown instanceof CatalogueError)
  return isStopped ? interrupted(`${name}: the ${noun}`, { cause: thrown }) : toCatalogueError(thrown)
}

const underWay = new Set<string>()

export function newToken(): string {
  return randomBytes(6).toString('hex')
}

/** Protects staging files with this token from clearing by other work of this process, until released. */
export function holdToken(token = newToken()): { readonly token: string; readonly release: () => void } {
  underWay.add(token)
  return { token, release: () => void underWay.delete(token) }
}

export function isUnderWay(token: string): boolean {
  return underWay.has(token)
}

/** Clears staging files of killed work for these destinations, in a storage or on this machine. */
export async function clearStale(destinations: readonly string[], storage?: FileStorage): Promise<void> {
  if (storage === undefined) await clearStaleStaging(destinations, underWay)
  else await storage.clearStale(destinations, underWay)
}
