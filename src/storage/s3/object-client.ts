import type { ListedFile } from '../file-storage.ts'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type { GetObjectCommand, ListMultipartUploadsCommandOutput as UploadsPage } from '@aws-sdk/client-s3'
import type { ConnectedS3 } from './load-s3.ts'
import { formatObjectPath, parseObjectPath } from './object-path.ts'
import { type ObjectSettings, toObjectHeaders } from './object-settings.ts'
import { nullIfMissing, refusedWith, storageOperation } from './storage-operation.ts'

/** A stored part; both members are needed to complete its upload. */
export interface UploadedPart {
  readonly PartNumber: number
  readonly ETag: string
}

/** The requests of a publication, by path. Each rejects with OUTPUT_FAILED or OUTPUT_REFUSED. */
export interface ObjectClient {
  readonly get: (path: string) => Promise<Uint8Array | null>
  /** Like `get`, with the ETag and the age. */
  readonly getVersion: (path: string) => Promise<ObjectVersion | null>
  /** The bytes from `from` to before `until`. At least one of them must exist. */
  readonly getRange: (path: string, from: number, until: number) => Promise<Uint8Array>
  readonly download: (path: string, localPath: string) => Promise<void>
  /** Null if there is no object. `sha256` is from the metadata; null without it. */
  readonly head: (path: string) => Promise<ObjectHead | null>
  readonly hash: (path: string) => Promise<string | null>
  /**
   * Writes an object. With `onlyNew`, returns false if there is one already; storages without such conditions overwrite
   * it, or refuse with `isStrict`.
   */
  readonly put: (path: string, bytes: Uint8Array, options?: PutOptions) => Promise<boolean>
  /**
   * Replaces the object whose ETag is `replaced`, or writes the first one for null. Resolves with the new ETag; null if
   * another object is there, or none.
   */
  readonly swap: (
    path: string,
    bytes: Uint8Array,
    replaced: string | null,
    signal?: AbortSignal,
  ) => Promise<string | null>
  /** Removes an object; with an ETag only that version, if the storage supports conditions. */
  readonly remove: (path: string, etag?: string | null) => Promise<void>
  readonly list: (folder: string) => AsyncIterable<ListedFile>
  readonly begin: (path: string, sha256: string | null) => Promise<string>
  readonly addPart: (path: string, upload: string, part: NumberedPart) => Promise<UploadedPart>
  /**
   * `replaced` is the ETag of the object that may be replaced, null for none. Any other object rejects as
   * PreconditionFailed, if the storage supports conditions.
   */
  readonly complete: (
    path: string,
    upload: string,
    parts: readonly UploadedPart[],
    replaced?: string | null,
  ) => Promise<void>
  readonly abort: (path: string, upload: string) => Promise<void>
  readonly listUploads: (folder: string) => AsyncIterable<OpenUpload>
  readonly close: () => void
}

export interface ObjectVersion {
  readonly bytes: Uint8Array
  readonly etag: string | null
  /** Time since the object was written, by the storage's clock alone; null if the storage does not say. */
  readonly ageMs: number | null
}

export interface ObjectHead {
  readonly bytes: number
  readonly sha256: string | null
  readonly etag: string | null
}

export interface PutOptions {
  readonly sha256?: string
  readonly onlyNew?: boolean
  readonly isStrict?: boolean
}

interface WriteOptions {
  readonly sha256?: string | undefined
  readonly condition?: Condition
  readonly signal?: AbortSignal | undefined
}

interface Condition {
  readonly IfMatch?: string
  readonly IfNoneMatch?: string
}

const mostAttempts = 5
const pauseMs = 200

export interface NumberedPart {
  readonly number: number
  readonly bytes: Uint8Array
  readonly signal: AbortSignal
}

export interface OpenUpload {
  readonly path: string
  readonly upload: string
  readonly begunAt: Date
}

export function createObjectClient({ s3, client }: ConnectedS3, settings: ObjectSettings = {}): ObjectClient {
  const toNew = (path: string) => ({ ...toTarget(path), ...toObjectHeaders(path, settings) })
  const open = (path: string): Promise<(Omit<ObjectVersion, 'bytes'> & { body: Readable }) | null> =>
    storageOperation(path, 'read', () =>
      nullIfMissing(async () => {
        const command = new s3.GetObjectCommand(toTarget(path))
        const answeredAt = readDateOf(command)
        const { Body, ETag: etag = null, LastModified } = await client.send(command)
        const ageMs = LastModified === undefined ? Number.NaN : answeredAt() - LastModified.getTime()
        return { body: Body as Readable, etag, ageMs: Number.isNaN(ageMs) ? null : ageMs }
      }),
    )
  const getVersion = async (path: string): Promise<ObjectVersion | null> => {
    const opened = await open(path)
    if (opened === null) return null
    const { body, ...version } = opened
    return storageOperation(path, 'read', async () => {
      return { bytes: Buffer.concat((await body.toArray()) as Uint8Array[]), ...version }
    })
  }
  const write = (path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<string | undefined> =>
    storageOperation(path, 'written', async () => {
      const { sha256, condition, signal } = options
      const input = { ...toNew(path), Body: bytes, ContentMD5: toMd5(bytes), ...toMetadata(sha256), ...condition }
      return (await client.send(new s3.PutObjectCommand(input), signal && { abortSignal: signal })).ETag
    })
  /** Resolves with the ETag; null if the condition does not hold. */
  const writeIf = async (path: string, bytes: Uint8Array, options: WriteOptions): Promise<string | null> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await write(path, bytes, options)) ?? ''
      } catch (thrown) {
        if (refusedWith(thrown, 'PreconditionFailed', 'NoSuchKey')) return null
        // Another request for the path is under way, maybe this one, which the SDK has sent again.
        if (!refusedWith(thrown, 'ConditionalRequestConflict') || attempt === mostAttempts) throw thrown
        await sleep(pauseMs * attempt)
      }
    }
  }
  return {
    getVersion,
    get: async (path) => (await getVersion(path))?.bytes ?? null,
    getRange: (path, from, until) =>
      storageOperation(path, 'read', async () => {
        const Range = `bytes=${from}-${until - 1}`
        const { Body } = await client.send(new s3.GetObjectCommand({ ...toTarget(path), Range }))
        return Buffer.concat((await (Body as Readable).toArray()) as Uint8Array[])
      }),
    async download(path, localPath) {
      const { Body } = await storageOperation(path, 'read', () => client.send(new s3.GetObjectCommand(toTarget(path))))
      await storageOperation(path, 'read', () => pipeline(Body as Readable, createWriteStream(localPath)))
    },
    head: (path) =>
      storageOperation(path, 'looked up', () =>
        nullIfMissing(async () => {
          const head = await client.send(new s3.HeadObjectCommand(toTarget(path)))
          const { ContentLength: bytes = 0, Metadata, ETag: etag = null } = head
          return { bytes, sha256: Metadata?.['sha256'] ?? null, etag }
        }),
      ),
    async hash(path) {
      const opened = await open(path)
      if (opened === null) return null
      return storageOperation(path, 'read', async () => {
        const hash = createHash('sha256')
        for await (const chunk of opened.body) hash.update(chunk as Uint8Array)
        return hash.digest('hex')
      })
    },
    async put(path, bytes, { sha256, onlyNew = false, isStrict = false } = {}) {
      try {
        if (onlyNew) return (await writeIf(path, bytes, { sha256, condition: toCondition(null) })) !== null
      } catch (thrown) {
        if (isStrict || !refusedWith(thrown, 'NotImplemented')) throw thrown
      }
      await write(path, bytes, { sha256 })
      return true
    },
    swap: (path, bytes, replaced, signal) => writeIf(path, bytes, { condition: toCondition(replaced), signal }),
    async remove(path, etag = null) {
      const send = (condition: Condition) =>
        storageOperation(path, 'removed', () =>
          client.send(new s3.DeleteObjectCommand({ ...toTarget(path), ...condition })),
        )
      try {
        await send(etag === null ? {} : { IfMatch: etag })
      } catch (thrown) {
        if (etag === null) throw thrown
        if (refusedWith(thrown, 'PreconditionFailed', 'NoSuchKey')) return
        if (!refusedWith(thrown, 'NotImplemented')) throw thrown
        await send({})
      }
    },
    async *list(folder) {
      const { Bucket, Key } = toTarget(`${folder}/`)
      let ContinuationToken: string | undefined
      do {
        const input = { Bucket, Prefix: Key, ...(ContinuationToken === undefined ? {} : { ContinuationToken }) }
        const page = await storageOperation(folder, 'listed', () => client.send(new s3.ListObjectsV2Command(input)))
        for (const { Key: key, Size: bytes = 0, LastModified: modifiedAt = new Date() } of page.Contents ?? [])
          if (key !== undefined) yield { path: formatObjectPath({ bucket: Bucket, key }), bytes, modifiedAt }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
    begin: (path, sha256) =>
      storageOperation(path, 'created', async () => {
        const input = { ...toNew(path), ...toMetadata(sha256 ?? undefined) }
        const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(input))
        return expectText(UploadId, `${path}: an upload without an id`)
      }),
    addPart: (path, upload, { number, bytes, signal }) =>
      storageOperation(path, 'written', async () => {
        const input = { ...toTarget(path), UploadId: upload, PartNumber: number, Body: bytes, ContentMD5: toMd5(bytes) }
        const { ETag } = await client.send(new s3.UploadPartCommand(input), { abortSignal: signal })
        return { PartNumber: number, ETag: expectText(ETag, `${path}: a part without an ETag`) }
      }),
    async complete(path, upload, parts, replaced) {
      const input = { ...toTarget(path), UploadId: upload, MultipartUpload: { Parts: [...parts] } }
      const send = (condition: Condition) =>
        storageOperation(path, 'completed', () =>
          client.send(new s3.CompleteMultipartUploadCommand({ ...input, ...condition })),
        )
      try {
        await send(replaced === undefined ? {} : toCondition(replaced))
      } catch (thrown) {
        if (replaced === undefined || !refusedWith(thrown, 'NotImplemented')) throw thrown
        await send({})
      }
    },
    async abort(path, upload) {
      try {
        const input = { ...toTarget(path), UploadId: upload }
        await storageOperation(path, 'discarded', () => client.send(new s3.AbortMultipartUploadCommand(input)))
      } catch (thrown) {
        if (!refusedWith(thrown, 'NoSuchUpload')) throw thrown
      }
    },
    async *listUploads(folder) {
      const { Bucket, Key } = toTarget(`${folder}/`)
      let after: { KeyMarker?: string; UploadIdMarker?: string } | null = {}
      while (after !== null) {
        const page: UploadsPage = await client.send(
          new s3.ListMultipartUploadsCommand({ Bucket, Prefix: Key, ...after }),
        )
        for (const { Key: key, UploadId, Initiated } of page.Uploads ?? []) {
          if (key === undefined || UploadId === undefined || Initiated === undefined) continue
          yield { path: formatObjectPath({ bucket: Bucket, key }), upload: UploadId, begunAt: Initiated }
        }
        after = page.IsTruncated === true ? toMarkers(page) : null
      }
    },
    close: () => client.destroy(),
  }
}

/** The time of the answer by the storage's clock, once the command is sent; NaN if the storage does not say. */
function readDateOf({ middlewareStack }: GetObjectCommand): () => number {
  let date: string | undefined
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      date = (result.response as { readonly headers?: Record<string, string> }).headers?.['date']
      return result
    },
    { step: 'deserialize' },
  )
  return () => Date.parse(date ?? '')
}

function toCondition(replaced: string | null): Condition {
  return replaced === null ? { IfNoneMatch: '*' } : { IfMatch: replaced }
}

function toTarget(path: string) {
  const { bucket, key } = parseObjectPath(path)
  return { Bucket: bucket, Key: key }
}

function toMarkers({ NextKeyMarker, NextUploadIdMarker }: UploadsPage) {
  return {
    ...(NextKeyMarker === undefined ? {} : { KeyMarker: NextKeyMarker }),
    ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
  }
}

function toMetadata(sha256: string | undefined) {
  return sha256 === undefined ? {} : { Metadata: { sha256 } }
}

function toMd5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64')
}

function expectText(text: string | undefined, what: string): string {
  if (text === undefined) throw new TypeError(`The storage answered with ${what}`)
  return text
}
