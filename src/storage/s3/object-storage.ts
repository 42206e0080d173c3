import pLimit from 'p-limit'
import { CatalogueError, isError } from '../../errors.ts'
import { BlockWriter } from '../block-writer.ts'
import type { FileStorage, StorageFileOptions } from '../file-storage.ts'
import { GzipWriter } from '../gzip-writer.ts'
import type { FinishedFile } from '../publication.ts'
import type { StagedFile } from '../staged-file.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { breakFileLock, lockPathFor, readFileLock, takeFileLock } from '../lock/file-lock.ts'
import { localPathOf } from '../paths.ts'
import { breakLease, Lease, readLeaseReport } from './lease.ts'
import { connectS3 } from './load-s3.ts'
import type { ObjectSettings } from './object-settings.ts'
import { createObjectClient, type ObjectClient } from './object-client.ts'
import { type FinishedObject, journalPathOf } from './object-journal.ts'
import { folderOf, isRunPathOf, toRunPath } from './object-path.ts'
import { refusedWith } from './storage-operation.ts'
import { checkReplaced, completeObject, publishObjects, readSuperseded } from './object-publication.ts'
import { ObjectUpload } from './object-upload.ts'
import { recoverObjects } from './recover-objects.ts'

export interface ObjectStorageOptions extends Pick<RunContext, 'now'> {
  /**
   * Bytes of a part, at least 5 MiB; a file holds up to two parts in memory. Default 8 MiB, which allows files of 80
   * GB.
   */
  readonly partBytes?: number
  /** Parts sent at a time, over all files. Default 4. */
  readonly partsAtOnce?: number
  /** The term of a lease: a run that gives no sign of life for so long loses it. Default 60 s. */
  readonly leaseMs?: number
  readonly settings?: ObjectSettings | undefined
}

/** A storage in a bucket. Uploads, invisible until completed, replace the staging files of disks. */
export function createObjectStorage(client: ObjectClient, options: ObjectStorageOptions = {}): FileStorage {
  const { partBytes = 8 * 1024 * 1024, partsAtOnce = 4, leaseMs = 60_000, now = Date.now } = options
  const limit = pLimit(partsAtOnce)
  const finished = new Map<string, FinishedObject>()
  /** The ETags of the files that this run has read, at the first reading; null if there was none. */
  const firstRead = new Map<string, string | null>()
  /** By manifest. */
  const leases = new Map<string, Lease>()
  let heldBytes = 0
  const mayHold = (bytes: number): boolean => {
    const isSmall = bytes <= mostOfSmall && heldBytes + bytes <= mostHeld
    if (isSmall) heldBytes += bytes
    return isSmall
  }

  async function openFile(destination: string, fileOptions: StorageFileOptions): Promise<StagedFile> {
    const { token, gzip = false, perRun = false } = fileOptions
    const path = perRun ? toRunPath(destination, token) : destination
    const staging = `${path}#${token}`
    // Objects without a per-run name must be uploaded: the run that recovers a publication has not got their bytes.
    const upload = new ObjectUpload(client, { path, limit, partBytes, mayHold: perRun ? mayHold : () => false })
    const compressed = gzip ? new GzipWriter((chunk) => upload.write(chunk)) : undefined
    const blocks = new BlockWriter((block) => (compressed ?? upload).write(block))
    const finish = async () => {
      await blocks.flush()
      await compressed?.end()
      const { bytes, sha256, ...rest } = await upload.finish()
      finished.set(staging, { ...rest, parts: [...rest.parts], bytes, sha256, perRun })
      return { bytes, sha256 }
    }
    let finishing: ReturnType<typeof finish> | undefined
    return {
      destination: path,
      path: staging,
      write: (bytes) => blocks.write(bytes),
      finish: () => (finishing ??= finish()),
      async discard() {
        finished.delete(staging)
        compressed?.destroy()
        await upload.abort()
      },
    }
  }

  async function read(path: string): Promise<Uint8Array | null> {
    const found = await client.getVersion(path)
    if (!firstRead.has(path)) firstRead.set(path, found?.etag ?? null)
    return found?.bytes ?? null
  }

  /**
   * Throws LOCKED if another run has taken over, and OUTPUT_FAILED if one has published without a lease, since a manifest
   * was read: its objects may be gone.
   */
  async function checkReadManifests(cause?: unknown): Promise<void> {
    for (const lease of leases.values()) await lease.confirm()
    for (const [home, etag] of firstRead) await checkReplaced(client, home, etag, cause)
  }

  async function readListed<Found>(found: Promise<Found>): Promise<Found> {
    try {
      return await found
    } catch (failure) {
      if (refusedWith(failure, 'NoSuchKey')) await checkReadManifests(failure)
      throw failure
    }
  }

  async function sizeOf(path: string): Promise<number | null> {
    const found = await client.head(path)
    if (found === null) await checkReadManifests()
    return found?.bytes ?? null
  }

  /** Throws LOCKED in a process that stood still while another one took over. */
  async function confirmOverdue(): Promise<void> {
    for (const lease of leases.values()) await lease.confirmIfOverdue()
  }

  function toEntry({ path, destination }: FinishedFile): FinishedObject {
    const entry = finished.get(path)
    if (entry === undefined) throw new TypeError(`${destination}: published before it was finished`)
    return entry
  }

  return {
    namesPerRun: true,
    async lock(home, lockOptions) {
      const lease = await Lease.take(client, home, { ...lockOptions, termMs: leaseMs })
      if (lease === null) {
        lockOptions.onWarning?.(lacksConditions(home))
        return takeFileLock(lockPathFor(localPathOf(home)), lockOptions)
      }
      leases.set(home, lease)
      return lease
    },
    readLock: async (home) => (await readLeaseReport(client, home)) ?? readFileLock(lockPathFor(localPathOf(home))),
    breakLock: async (home, by) =>
      (await breakLease(client, home, by.run)) ?? breakFileLock(lockPathFor(localPathOf(home)), by),
    openFile,
    adopt: (path) => Promise.reject(new TypeError(`${path}: an object is published where it is`)),
    async publish({ files, manifest, home, removals }) {
      const entries = files.map(toEntry)
      const replaced = manifest.destination === home ? firstRead.get(home) : undefined
      const left = await publishObjects(client, {
        files: entries,
        manifest: toEntry(manifest),
        home,
        removals,
        replaced,
        lease: leases.get(home),
      })
      firstRead.delete(home)
      for (const { path } of [...files, manifest]) finished.delete(path)
      return left
    },
    async place(file) {
      for (const lease of leases.values()) await lease.confirm()
      await completeObject(client, toEntry(file))
      finished.delete(file.path)
    },
    create: (path, bytes) => client.put(path, bytes, { onlyNew: true, isStrict: true }),
    recover: (home) => recoverObjects(client, home, now, leases.get(home)),
    isPublishing: async (home) => (await client.head(journalPathOf(home))) !== null,
    clearStale: (destinations, activeTokens) => abortStaleUploads(client, destinations, activeTokens, now),
    read,
    readRange: (path, from, until) => readListed(client.getRange(path, from, until)),
    hash: client.hash,
    listSuperseded: (home) => readSuperseded(client, home),
    sizeOf,
    async toLocal(path, copy) {
      await readListed(client.download(path, copy))
      return copy
    },
    list: (folder) => client.list(folder),
    async *listUploads(folder) {
      for await (const { path, upload, begunAt } of client.listUploads(folder))
        yield { path, begunAt, abort: () => client.abort(path, upload) }
    },
    async remove(path) {
      await confirmOverdue()
      await client.remove(path)
    },
    async removeFolder(path) {
      await confirmOverdue()
      for await (const object of client.list(path)) await client.remove(object.path)
    },
    close: async () => client.close(),
  }
}

function lacksConditions(home: string): string {
  return `${home}: the storage does not support conditional writes (If-Match), so that a lock there excludes nobody: runs are kept apart on this machine only`
}

/** The largest object that is put in one request, and the memory of all that wait for that. */
const mostOfSmall = 1024 * 1024
const mostHeld = 64 * 1024 * 1024

/**
 * Aborts uploads of these destinations that began more than a day ago: those of killed runs, which take room. A younger
 * upload may belong to an active run elsewhere. If the storage can't or mustn't list uploads, the bucket needs a
 * lifecycle rule.
 */
async function abortStaleUploads(
  client: ObjectClient,
  destinations: readonly string[],
  activeTokens: ReadonlySet<string>,
  now: () => number,
): Promise<void> {
  const isOurs = (path: string) => destinations.some((each) => path === each || isRunPathOf(path, each))
  const isActive = (path: string) => [...activeTokens].some((token) => path.includes(`.run-${token}`))
  try {
    for (const folder of new Set(destinations.map(folderOf))) {
      for await (const { path, upload, begunAt } of client.listUploads(folder)) {
        const isOld = now() - begunAt.getTime() > staleMs
        if (isOld && isOurs(path) && !isActive(path)) await client.abort(path, upload)
      }
    }
  } catch (error) {
    if (error instanceof CatalogueError || (isError(error) && '$metadata' in error)) return
    throw error
  }
}

const staleMs = 24 * 3600_000

/** Opens the bucket of a path. Throws PEER_MISSING if the AWS SDK is not installed. */
export async function openObjectStorage(
  path: string,
  env: RequiredContext<'env'>['env'],
  options: ObjectStorageOptions,
): Promise<FileStorage> {
  const leaseMs = readLeaseMs(env)
  return createObjectStorage(createObjectClient(await connectS3(env, path), options.settings), { leaseMs, ...options })
}

function readLeaseMs(env: RequiredContext<'env'>['env']): number {
  const { CATALOGUE_LEASE_SECONDS: text = '60' } = env
  const seconds = Number(text)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600) return seconds * 1000
  throw new CatalogueError(
    'USAGE',
    `CATALOGUE_LEASE_SECONDS: expected a number of seconds from 1 to 3600, got "${text}"`,
  )
}
