import { z } from 'zod'
import { CatalogueError } from '../../errors.ts'
import { checkLife, type LockHolder, readOwnHolder, toHolder } from '../lock/lock-holder.ts'
import {
  type Lock,
  type LockOptions,
  type LockReport,
  type LockState,
  takenOver,
  waitForLock,
} from '../lock/wait-for-lock.ts'
import { parseJson } from './object-journal.ts'
import type { ObjectClient } from './object-client.ts'
import { folderOf, nameOf } from './object-path.ts'
import { refusedWith } from './storage-operation.ts'

const format = 'catalogue-etl lease 1'

const content = z.object({
  format: z.literal(format),
  /** The fencing token: one more with each holder. */
  token: z.int().positive(),
  /** One more with each sign of life, so that each version has an ETag of its own. */
  beat: z.int().nonnegative(),
  /** A duration, as the clocks of two machines differ. */
  termMs: z.int().positive(),
  released: z.boolean(),
  holder: z.custom<LockHolder>((value) => typeof value === 'object' && value !== null && toHolder(value) !== null),
})

type LeaseContent = Readonly<z.output<typeof content>>

interface HeldVersion extends LeaseContent {
  readonly etag: string
}

interface LeaseVersion extends HeldVersion {
  /** Time since the last sign of life, by the storage's clock alone. */
  readonly ageMs: number
}

export interface LeaseOptions extends LockOptions {
  readonly termMs: number
}

/** `<folder>/.<name>.lease` beside the manifest. */
export function leasePathOf(home: string): string {
  return `${folderOf(home)}/.${nameOf(home)}.lease`
}

/**
 * The lock of a pipeline whose manifest is in a bucket: an object that each holder replaces under a condition of the
 * storage, and replaces again three times in a term. Of several runs one replaces it.
 *
 * 1. A lease is free if there is none, if it was released, if its holder's process on this machine has ended, or if it
 * was not replaced for its term, by the time that the storage gives for the object and for its answer.
 * 2. A run that takes it writes the next token. From then on the former holder can't replace it any more.
 * 3. A publication replaces it once its journal is written. So either that fails, or whoever takes the lease over
 * afterwards finds the journal, and aborts the uploads that it lists: they can't be completed then.
 *
 * Clocks decide who may try, never who publishes.
 */
export class Lease implements Lock {
  readonly token: number
  readonly #client: ObjectClient
  readonly #path: string
  readonly #subject: string
  readonly #beat: NodeJS.Timeout
  #version: HeldVersion
  #renewedAt = readClocks()
  #renewing: Promise<unknown> = Promise.resolve()
  #isRenewing = false
  /** What every further use throws. */
  #loss: unknown = null

  private constructor(client: ObjectClient, path: string, subject: string, version: HeldVersion) {
    this.#client = client
    this.#path = path
    this.#subject = subject
    this.#version = version
    this.token = version.token
    this.#beat = setInterval(() => this.#giveSign(), beatMsOf(version)).unref()
  }

  /**
   * Takes the lease beside a manifest, as `takeFileLock` takes a lock. Resolves with null if the storage does not support
   * conditional writes; then there is no lease.
   */
  static async take(client: ObjectClient, home: string, options: LeaseOptions): Promise<Lease | null> {
    const path = leasePathOf(home)
    const own = await readOwnHolder(options.run)
    const take = () => tryTake(client, path, own, options.termMs)
    const { version } = await waitForLock(take, options, 'take it by `catalogue-etl lock CONFIG --break`')
    return version && new Lease(client, path, options.subject, version)
  }

  /** Replaces the lease. Throws LOCKED if it has another holder. */
  confirm(): Promise<void> {
    const renewing = this.#renewing.then(() => this.#replace({}))
    this.#renewing = renewing.catch(() => undefined)
    return renewing
  }

  /** Like `confirm`, but only if signs of life are overdue, as in a process that stood still. */
  async confirmIfOverdue(): Promise<void> {
    const { steady, wall } = readClocks()
    const elapsedMs = Math.max(steady - this.#renewedAt.steady, wall - this.#renewedAt.wall)
    if (elapsedMs > this.#version.termMs / 2) await this.confirm()
  }

  /** Leaves the object, from which the next holder takes its token. */
  async release(): Promise<void> {
    clearInterval(this.#beat)
    await this.#renewing
    if (this.#loss !== null) return
    try {
      await this.#replace({ released: true })
    } catch (thrown) {
      if (thrown !== this.#loss) throw thrown
    }
  }

  #giveSign(): void {
    if (this.#isRenewing) return
    this.#isRenewing = true
    // A failure of the storage may pass until the next sign. `confirm`, called before publishing, throws one that persists.
    this.#renewing = this.#renewing
      .then(() => this.#replace({}, AbortSignal.timeout(beatMsOf(this.#version))))
      .catch((thrown) => {
        if (!(thrown instanceof CatalogueError)) this.#loss = thrown
      })
      .finally(() => (this.#isRenewing = false))
  }

  async #replace(members: Partial<LeaseContent>, signal?: AbortSignal): Promise<void> {
    for (;;) {
      if (this.#loss !== null) throw this.#loss
      const { etag: replaced, ...present } = this.#version
      const next = { ...present, ...members, beat: present.beat + 1 }
      const sentAt = readClocks()
      const etag = await this.#client.swap(this.#path, encode(next), replaced, signal)
      if (etag !== null) {
        this.#version = { ...next, etag }
        this.#renewedAt = sentAt
        return
      }
      const found = await readLease(this.#client, this.#path)
      if (found?.holder.run === present.holder.run) {
        // The answer to a sign of life was lost, or came too late.
        if (found.released) return
        this.#version = found
      } else {
        clearInterval(this.#beat)
        this.#loss = takenOver(this.#subject, found)
      }
    }
  }
}

function beatMsOf({ termMs }: LeaseContent): number {
  return Math.ceil(termMs / 3)
}

/** The steady clock may not count the time in which a machine sleeps. */
function readClocks(): { readonly steady: number; readonly wall: number } {
  return { steady: performance.now(), wall: Date.now() }
}

interface TakenLease {
  /** Null if the storage does not support conditional writes. */
  readonly version: HeldVersion | null
}

async function tryTake(
  client: ObjectClient,
  path: string,
  own: LockHolder,
  termMs: number,
): Promise<TakenLease | LockState> {
  for (;;) {
    const found = await readLease(client, path)
    if (found?.holder.run === own.run && !found.released) return { version: found }
    const report = found && (await toReport(found, own))
    if (report !== null && !report.isOver) return report
    const token = (found?.token ?? 0) + 1
    const next = { format, token, beat: 0, termMs, released: false, holder: own } as const
    try {
      const etag = await client.swap(path, encode(next), found?.etag ?? null)
      if (etag === null) continue
      const isFirst = found === null
      if (!isFirst || (await supportsConditions(client, path, next))) return { version: { ...next, etag } }
    } catch (thrown) {
      if (!refusedWith(thrown, 'NotImplemented')) throw thrown
      return { version: null }
    }
    await client.remove(path)
    return { version: null }
  }
}

/** Some storages take no notice of conditions: these write a version again that was never there. */
async function supportsConditions(client: ObjectClient, path: string, present: LeaseContent): Promise<boolean> {
  return (await client.swap(path, encode(present), '"00000000000000000000000000000000"')) === null
}

/** The state of the lease beside a manifest; null if there is none, or it was released. Changes nothing. */
export async function readLeaseReport(client: ObjectClient, home: string): Promise<LockReport | null> {
  const found = await readLease(client, leasePathOf(home))
  return found === null || found.released ? null : toReport(found, await readOwnHolder('none'))
}

/** Takes the lease from its holder, and releases it. Resolves with the former state; null if it was free. */
export async function breakLease(client: ObjectClient, home: string, run: string): Promise<LockReport | null> {
  const path = leasePathOf(home)
  const own = await readOwnHolder(run)
  for (;;) {
    const found = await readLease(client, path)
    if (found === null || found.released) return null
    const { etag, ageMs: _, ...present } = found
    const free = { ...present, token: found.token + 1, beat: 0, released: true, holder: own }
    if ((await client.swap(path, encode(free), etag)) !== null) return toReport(found, own)
  }
}

async function toReport(
  { holder, token, termMs, ageMs, released }: LeaseVersion,
  own: LockHolder,
): Promise<LockReport> {
  const life = await checkLife(holder, own)
  const isOver = released || life === 'dead' || ageMs > termMs + clockResolutionMs
  const expiresInMs = Math.max(0, termMs - ageMs)
  return { holder, token, silentMs: life === 'alive' && !isOver ? null : ageMs, leaseMs: termMs, isOver, expiresInMs }
}

/** The times of answers and objects are whole seconds. */
const clockResolutionMs = 1000

async function readLease(client: ObjectClient, path: string): Promise<LeaseVersion | null> {
  const version = await client.getVersion(path)
  if (version === null) return null
  const { data } = content.safeParse(parseJson(version.bytes))
  if (data !== undefined) return { ...data, etag: version.etag ?? '', ageMs: version.ageMs ?? 0 }
  const message = `${path}: expected the lease of a pipeline as this catalogue-etl writes it, got something else`
  throw new CatalogueError('OUTPUT_REFUSED', message, {
    fix: 'Run the pipeline with the version of catalogue-etl that wrote it; or remove the object if no run is under way.',
  })
}

function encode(lease: LeaseContent): Uint8Array {
  return Buffer.from(`${JSON.stringify(lease)}\n`)
}
