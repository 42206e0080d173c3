/** An object as it was found: `etag` names its version; null if the storage has none. */
export interface FoundObject {
  readonly path: string
  readonly bytes: number
  readonly etag: string | null
  readonly modified: Date
}

/** A range of bytes to be read, until `signal` aborts. */
export interface ObjectRange {
  readonly from?: number
  /** Behind the last; null, the default, for the end. */
  readonly until?: number | null
  readonly signal: AbortSignal
}

/**
 * The requests that reading makes, by path; each rejects with SOURCE_NOT_FOUND, SOURCE_CHANGED or SOURCE_FAILED, the first
 * one with PEER_MISSING if the AWS SDK is not installed. It connects with the first request.
 */
export interface ObjectReader {
  /** The object of this path, by a listing of this reader where one has gone over it; null if there is none. */
  readonly find: (path: string) => Promise<FoundObject | null>
  /** All objects whose path begins like this: `s3://bucket/exports/2025-`. */
  readonly list: (prefix: string) => Promise<readonly FoundObject[]>
  /** True if an object is in this folder or one below. */
  readonly isFolder: (path: string) => Promise<boolean>
  /** The content of a small object; null if there is none. */
  readonly get: (path: string) => Promise<Buffer | null>
  /** Some bytes of an object, fewer at its end. */
  readonly readAt: (object: FoundObject, position: number, length: number) => Promise<Buffer>
  /** The bytes of an object or of a range of it, one version of it: a chunk is valid until the next one is read. */
  readonly read: (object: FoundObject, range: ObjectRange) => AsyncGenerator<Buffer, void, unknown>
  readonly close: () => void
}
