import pLimit from 'p-limit'
import { CatalogueError } from '../errors.ts'
import type { Clock } from '../service/http/clock.ts'
import type { MediaPlan } from '../plan/media/media-plan.ts'
import type { RequiredContext } from '../run-context.ts'
import { toFileKey, type WantedFile } from './choose-files.ts'
import { toFileName } from './file-name.ts'
import { KeyIndex } from './key-index.ts'
import type { KnownFile, KnownFiles } from './known-files.ts'
import { redactAddress, type MissingReason, type StoredFile } from './media-entry.ts'
import type { MediaFolder } from './media-folder.ts'
import type { MediaTransport } from './media-transport.ts'
import {
  type FetchedFile,
  type FetchFailure,
  requestFile,
  type FileAnswer,
  type FileRequest,
  type RequestPlan,
} from './request-file.ts'

/** Counts of distinct files, however many records list each. */
export interface MediaCounts {
  /** Files with an address. */
  files: number
  downloaded: number
  bytes: number
  /** Files present already: not requested, answered with 304, or received with the same bytes. */
  unchanged: number
  /** Files that the killed download being resumed had completed. */
  resumed: number
  /** Files copied from another file with the same address. */
  copied: number
  /** Files that failed now but remain from an earlier download. */
  stale: number
  missing: number
}

export interface DownloadOptions extends RequiredContext<'signal'> {
  readonly transport: MediaTransport
  readonly clock: Clock
  readonly now: () => number
  readonly onProgress: (counts: Readonly<MediaCounts>) => void
}

/** Number of consecutive files without an answer that ends the download. */
const mostFailuresInARow = 50
/** A killed download is resumed within a day; later its files are requested again. */
const resumableMs = 24 * 3_600_000

/**
 * Downloads wanted files that are not present, several at a time and each address once. Outcomes go into `known`. A
 * file gets its final name once it is complete and on the disk.
 */
export class FileDownload {
  readonly counts: MediaCounts = {
    files: 0,
    downloaded: 0,
    bytes: 0,
    unchanged: 0,
    resumed: 0,
    copied: 0,
    stale: 0,
    missing: 0,
  }
  readonly #plan: MediaPlan
  readonly #folder: MediaFolder
  readonly #known: KnownFiles
  readonly #options: DownloadOptions
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #handled = new KeyIndex()
  readonly #requested = new Map<string, Promise<KnownFile>>()
  readonly #places = new KeyIndex()
  #failuresInARow = 0

  constructor(plan: MediaPlan, folder: MediaFolder, known: KnownFiles, options: DownloadOptions) {
    this.#plan = plan
    this.#folder = folder
    this.#known = known
    this.#options = options
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal])
  }

  hasHandled(key: string): boolean {
    return this.#handled.has(key)
  }

  /** Throws if the disk fails or hosts have stopped answering, and the reason of `signal` if that aborts. */
  async run(wanted: AsyncIterable<WantedFile>): Promise<void> {
    const limit = pLimit(this.#plan.concurrency)
    const running = new Set<Promise<void>>()
    for await (const file of wanted) {
      if (this.#signal.aborted) break
      const key = toFileKey(file)
      if (file.url === null || this.#handled.has(key)) continue
      this.#handled.set(key, 0)
      this.counts.files++
      const { url } = file
      const task: Promise<void> = limit(() => this.#handle({ ...file, url, key }))
        .catch((error: unknown) => this.#stop.abort(error))
        .finally(() => running.delete(task))
      running.add(task)
      // Limits how far the list is read ahead.
      if (running.size >= 2 * this.#plan.concurrency) await Promise.race(running)
    }
    await Promise.all(running)
    this.#signal.throwIfAborted()
  }

  async #handle(file: Asked): Promise<void> {
    if (this.#signal.aborted) return
    const known = this.#known.get(file.key)
    const there = await this.#findStored(known)
    const isSame = there?.url === redactAddress(file.url)
    if (isSame && known?.state === 'done' && this.#options.now() - known.at < resumableMs) this.counts.resumed++
    else if (isSame && !this.#plan.revalidate) this.#keep(file, there, 'unchanged')
    else await this.#getOnce(file, there)
    this.#options.onProgress(this.counts)
  }

  async #findStored(known: KnownFile | null): Promise<StoredFile | null> {
    const stored = known?.stored ?? null
    return stored !== null && (await this.#folder.has(stored)) ? stored : null
  }

  #keep({ key }: Asked, stored: StoredFile, count: 'unchanged' | 'copied'): KnownFile {
    this.counts[count]++
    return this.#add(key, { ...this.#now('done'), stored })
  }

  /** Sends one request for two files with the same address. */
  async #getOnce(file: Asked, there: StoredFile | null): Promise<void> {
    const requested = await (this.#requested.get(file.url) ?? this.#recall(file.url))
    if (requested !== null) return this.#takeOver(file, requested, there)
    const request = this.#get(file, there)
    this.#requested.set(file.url, request)
    try {
      await request
      this.#places.set(file.url, this.#known.placeOf(file.key))
    } finally {
      this.#requested.delete(file.url)
    }
  }

  #recall(url: string): KnownFile | null {
    const place = this.#places.get(url)
    return place === null ? null : this.#known.at(place)
  }

  /** Applies the outcome of another file with the same address: its bytes, or why there are none. */
  async #takeOver(file: Asked, { state, stored, reason, detail }: KnownFile, there: StoredFile | null): Promise<void> {
    if (state === 'failed' || stored === null) {
      this.#fail(file, { reason: reason ?? 'failed', detail: detail ?? '' }, there)
      return
    }
    const extension = stored.file.slice(stored.file.lastIndexOf('.') + 1)
    const own = { ...stored, file: toFileName(file, { sha256: stored.sha256, extension }) }
    if (await this.#folder.has(own)) return void this.#keep(file, own, 'unchanged')
    const part = this.#folder.createPart()
    await this.#folder.copyToPart(stored.file, part)
    await this.#place(file, own, part)
    this.counts.copied++
  }

  async #get(file: Asked, there: StoredFile | null): Promise<KnownFile> {
    const part = this.#folder.createPart()
    const condition = there?.url === redactAddress(file.url) ? toCondition(there) : {}
    const request = { url: file.url, part: part.path, condition, signal: this.#signal }
    const answer = await fetchFile(request, this.#plan, this.#options)
    if (answer.kind === 'fetched') this.#failuresInARow = 0
    if (answer.kind === 'fetched') return this.#takeFetched(file, answer, part, there)
    await this.#folder.removePart(part)
    if (answer.kind === 'failed') return this.#takeFailed(file, answer, there)
    this.#failuresInARow = 0
    if (there === null) throw new TypeError(`${redactAddress(file.url)}: unchanged, but nothing is there`)
    return this.#keep(file, there, 'unchanged')
  }

  async #takeFetched(file: Asked, fetched: FetchedFile, part: Part, there: StoredFile | null): Promise<KnownFile> {
    const { bytes, sha256, header, etag, lastModified } = fetched
    const { extension, contentType, width, height } = header
    const name = toFileName(file, { sha256, extension })
    const url = redactAddress(file.url)
    const stored = { file: name, sha256, bytes, contentType, width, height, url, etag, lastModified }
    if (there?.file === name) {
      await this.#folder.removePart(part)
      return this.#keep(file, stored, 'unchanged')
    }
    this.counts.downloaded++
    this.counts.bytes += bytes
    return this.#place(file, stored, part)
  }

  /** Writes the journal before renaming: after a kill in between, the next download renames the complete part. */
  async #place({ key }: Asked, stored: StoredFile, part: Part): Promise<KnownFile> {
    const known = this.#add(key, { ...this.#now('done'), stored, part: part.name })
    await this.#folder.place(part, stored.file)
    return known
  }

  #takeFailed(file: Asked, failure: FetchFailure, there: StoredFile | null): KnownFile {
    const { reason, detail } = failure
    const hasAnswered = !unanswered.has(reason)
    this.#failuresInARow = hasAnswered ? 0 : this.#failuresInARow + 1
    if (this.#failuresInARow >= mostFailuresInARow) throw toUnanswered(file, failure)
    return this.#fail(file, { reason, detail }, there)
  }

  #fail({ key }: Asked, why: Pick<FetchFailure, 'reason' | 'detail'>, there: StoredFile | null): KnownFile {
    this.counts[there === null ? 'missing' : 'stale']++
    return this.#add(key, { ...this.#now('failed'), stored: there, ...why })
  }

  #now(state: 'done' | 'failed'): Omit<KnownFile, 'stored'> {
    return { state, at: this.#options.now(), reason: null, detail: null, part: null }
  }

  #add(key: string, known: KnownFile): KnownFile {
    this.#known.add(key, known)
    return known
  }
}

type Asked = WantedFile & { readonly url: string; readonly key: string }

type Part = ReturnType<MediaFolder['createPart']>

const unanswered: ReadonlySet<MissingReason> = new Set(['unreachable', 'timeout', 'failed'])

function toCondition({ etag, lastModified }: StoredFile): Record<string, string> {
  if (etag !== null) return { 'if-none-match': etag }
  return lastModified === null ? {} : { 'if-modified-since': lastModified }
}

function toUnanswered({ url }: Asked, { detail }: FetchFailure): CatalogueError {
  const message = `${redactAddress(url)}: ${mostFailuresInARow} files in a row got no answer: ${detail}`
  return new CatalogueError('SOURCE_FAILED', message, {
    title: 'The hosts of the files have stopped answering',
    fix: 'Run the command again later: files that are there are not downloaded again.',
  })
}

const longestWaitMs = 120_000

/** Requests a file, and again if that may help: after `Retry-After`, or after pauses that double. */
async function fetchFile(
  request: FileRequest,
  plan: RequestPlan & Pick<MediaPlan, 'retries'>,
  { transport, clock }: { readonly transport: MediaTransport; readonly clock: Clock },
): Promise<FileAnswer> {
  for (let tries = 0; ; tries++) {
    const answer = await requestFile(request, plan, transport)
    if (answer.kind !== 'failed' || !answer.mayRepeat || tries >= plan.retries) return answer
    const waitMs = answer.retryAfterMs ?? toPause(tries)
    if (waitMs > longestWaitMs)
      return { ...answer, detail: `${answer.detail}, asks to wait ${Math.round(waitMs / 1000)} s` }
    await clock.sleep(waitMs, request.signal)
  }
}

/**
 * Pauses 0.5 s, 1 s, 2 s … up to 30 s, less a random part of up to half, so files that failed together are not repeated
 * together.
 */
function toPause(tries: number): number {
  return Math.min(30_000, 500 * 2 ** tries) * (0.5 + Math.random() / 2)
}
