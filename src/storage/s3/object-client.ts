import type { ListedFile } from '../file-storage.ts'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type { ListMultipartUploadsCommandOutput as UploadsPage } from '@aws-sdk/client-s3'
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
  /** Like `get`, with the ETag. */
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
  readonly remove: (path: string) => Promise<void>
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
  const open = (path: string): Promise<{ body: Readable; etag: string | null } | null> =>
    storageOperation(path, 'read', () =>
      nullIfMissing(async () => {
        const { Body, ETag = null } = await client.send(new s3.GetObjectCommand(toTarget(path)))
        return { body: Body as Readable, etag: ETag }
      }),
    )
  const getVersion = async (path: string): Promise<ObjectVersion | null> => {
    const opened = await open(path)
    if (opened === null) return null
    const { body, etag } = opened
    return storageOperation(path, 'read', async () => {
      return { bytes: Buffer.concat((await body.toArray()) as Uint8Array[]), etag }
    })
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
      const input = { ...toNew(path), Body: bytes, ContentMD5: toMd5(bytes), ...toMetadata(sha256) }
      const send = (condition: { IfNoneMatch?: string }) =>
        storageOperation(path, 'written', () => client.send(new s3.PutObjectCommand({ ...input, ...condition })))
      for (let attempt = 1; ; attempt++) {
        try {
          await send(onlyNew ? { IfNoneMatch: '*' } : {})
          return true
        } catch (thrown) {
          if (!onlyNew) throw thrown
          if (refusedWith(thrown, 'PreconditionFailed')) return false
          const isBusy = refusedWith(thrown, 'ConditionalRequestConflict') && attempt < mostAttempts
          if (!isBusy && (isStrict || !refusedWith(thrown, 'NotImplemented'))) throw thrown
          if (!isBusy) return send({}).then(() => true)
          // Another request for the path is under way, maybe this one, which the SDK has sent again.
          await sleep(pauseMs * attempt)
        }
      }
    },
    async remove(path) {
      await storageOperation(path, 'removed', () => client.send(new s3.DeleteObjectCommand(toTarget(path))))
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
      const send = (condition: { IfMatch?: string; IfNoneMatch?: string }) =>
        storageOperation(path, 'completed', () =>
          client.send(new s3.CompleteMultipartUploadCommand({ ...input, ...condition })),
        )
      try {
        await send(replaced === undefined ? {} : replaced === null ? { IfNoneMatch: '*' } : { IfMatch: replaced })
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
