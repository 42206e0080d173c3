/** A listed object. `etag` names its version; null if the storage has no ETags. */
export interface FoundObject {
  readonly path: string
  readonly bytes: number
  readonly etag: string | null
  readonly modified: Date
}

export interface ObjectRange {
  readonly from?: number
  /** Exclusive; null, the default, for the end. */
  readonly until?: number | null
  readonly signal: AbortSignal
}

/**
 * Reading requests, by path. Each rejects with SOURCE_NOT_FOUND, SOURCE_CHANGED or SOURCE_FAILED, the first also with
 * PEER_MISSING if the AWS SDK is not installed. Connects with the first request.
 */
export interface ObjectReader {
  /** The object at this path, from an earlier listing of this reader if that covered it; null if there is none. */
  readonly find: (path: string) => Promise<FoundObject | null>
  /** All objects whose path begins with `prefix`, such as `s3://bucket/exports/2025-`. */
  readonly list: (prefix: string) => Promise<readonly FoundObject[]>
  readonly isFolder: (path: string) => Promise<boolean>
  readonly get: (path: string) => Promise<Buffer | null>
  /** Up to `length` bytes of an object, fewer at its end. */
  readonly readAt: (object: FoundObject, position: number, length: number) => Promise<Buffer>
  /** The bytes of one version of an object, or of a range of it. A chunk is valid until the next one is read. */
  readonly read: (object: FoundObject, range: ObjectRange) => AsyncGenerator<Buffer, void, unknown>
  readonly close: () => void
}
