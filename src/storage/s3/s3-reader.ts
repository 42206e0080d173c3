import pLimit from 'p-limit'
import { CatalogueError } from '../../errors.ts'
import type { RequiredContext } from '../../run-context.ts'
import { connectS3, type ConnectedS3 } from './load-s3.ts'
import { formatObjectPath, parseObjectPath } from './object-path.ts'
import type { FoundObject, ObjectReader } from './object-reader.ts'
import { readObject, readRange, type ReadObjectOptions } from './read-object.ts'
import { nullIfMissing, readOperation } from './storage-operation.ts'

type Options = ReadObjectOptions & { readonly connect?: (path: string) => Promise<ConnectedS3> }

export function createS3Reader(env: RequiredContext<'env'>['env'], options: Options = {}): ObjectReader {
  const { connect = (path: string) => connectS3(env, path) } = options
  const limit = pLimit(requestsAtOnce)
  const found = new Map<string, FoundObject>()
  const listed: string[] = []
  let connected: Promise<ConnectedS3> | undefined
  let opened: ConnectedS3 | undefined
  const open = async (path: string): Promise<ConnectedS3> => (opened = await (connected ??= connect(path)))

  const find = async (path: string): Promise<FoundObject | null> => {
    const known = found.get(path)
    if (known !== undefined) return known
    if (listed.some((prefix) => path.startsWith(prefix))) return null
    const connection = await open(path)
    const object = await limit(() => findObject(connection, path))
    if (object !== null) found.set(path, object)
    return object
  }

  const readAt = async (object: FoundObject, position: number, length: number): Promise<Buffer> => {
    const into = Buffer.allocUnsafe(Math.max(0, Math.min(length, object.bytes - position)))
    if (into.length === 0) return into
    const connection = await open(object.path)
    const { signal } = new AbortController()
    return limit(() => readRange(connection, object, { into, position, signal }, options))
  }

  return {
    find,
    readAt,
    async list(prefix) {
      const objects = await listObjects(await open(prefix), prefix)
      for (const object of objects) found.set(object.path, object)
      listed.push(prefix)
      return objects
    },
    isFolder: async (path) => (await listObjects(await open(path), `${path}/`, { most: 1 })).length > 0,
    async get(path) {
      const object = await find(path)
      return object === null ? null : readAt(object, 0, object.bytes)
    },
    async *read(object, range) {
      yield* readObject(await open(object.path), object, range, options)
    },
    close: () => opened?.client.destroy(),
  }
}

/** Fewer than the connections of the SDK's pool. */
const requestsAtOnce = 32

async function findObject({ s3, client }: ConnectedS3, path: string): Promise<FoundObject | null> {
  const { bucket: Bucket, key: Key } = parseObjectPath(path)
  return nullIfMissing(() =>
    readOperation(path, async () => {
      const {
        ContentLength = 0,
        ETag = null,
        LastModified,
      } = await client.send(new s3.HeadObjectCommand({ Bucket, Key }))
      return { path, bytes: ContentLength, etag: ETag, modified: LastModified ?? new Date(0) }
    }),
  )
}

async function listObjects(
  { s3, client }: ConnectedS3,
  prefix: string,
  { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {},
): Promise<FoundObject[]> {
  const { bucket: Bucket, key: Prefix } = parsePrefix(prefix)
  const objects: FoundObject[] = []
  let ContinuationToken: string | undefined
  do {
    const input = { Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) }
    const page = await readOperation(prefix, () => client.send(new s3.ListObjectsV2Command(input)))
    for (const { Key, Size = 0, ETag = null, LastModified = new Date(0) } of page.Contents ?? []) {
      if (Key === undefined) continue
      objects.push({
        path: formatObjectPath({ bucket: Bucket, key: Key }),
        bytes: Size,
        etag: ETag,
        modified: LastModified,
      })
    }
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined && objects.length < most)
  return objects
}

function parsePrefix(prefix: string): { readonly bucket: string; readonly key: string } {
  const { bucket, key } = /^s3:\/\/(?<bucket>[^/]+)\/(?<key>.*)$/s.exec(prefix)?.groups ?? {}
  if (bucket !== undefined && key !== undefined) return { bucket, key }
  throw new CatalogueError('SOURCE_NOT_FOUND', `${prefix}: expected a path such as s3://bucket/folder/file.ndjson`)
}
