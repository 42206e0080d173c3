import { CatalogueError, isError, toOutputCode } from '../../errors.ts'

/**
 * Runs a storage request for a path. A refusal or an unreachable storage becomes OUTPUT_FAILED, or OUTPUT_REFUSED if a
 * retry would fail too: "path: could not be `done`: reason". Other errors are rethrown.
 */
export async function storageOperation<Result>(
  path: string,
  done: string,
  operation: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operation()
  } catch (thrown) {
    if (!isStorageError(thrown)) throw thrown
    const { words, fix } = describe(thrown)
    const message = `${path}: could not be ${done}: ${words}`
    throw new CatalogueError(toCode(thrown), message, { cause: thrown, fix })
  }
}

/**
 * Like `storageOperation` for reading a source: throws SOURCE_NOT_FOUND if there is no such object or bucket,
 * SOURCE_CHANGED if it is not the requested version any more, otherwise SOURCE_FAILED.
 */
export async function readOperation<Result>(path: string, operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation()
  } catch (thrown) {
    if (!isStorageError(thrown)) throw thrown
    throw toReadError(path, thrown)
  }
}

function toReadError(path: string, error: StorageError): CatalogueError {
  if (isMissing(error)) return objectNotFound(path, error)
  if (refusedWith(error, 'PreconditionFailed', 'InvalidRange')) return objectChanged(path, error)
  const { words, fix } = describe(error)
  return new CatalogueError('SOURCE_FAILED', `${path}: could not be read: ${words}`, { cause: error, fix })
}

function isMissing(error: Error): boolean {
  return refusedWith(error, 'NoSuchKey', 'NotFound', 'NoSuchBucket')
}

function objectNotFound(path: string, error: StorageError): CatalogueError {
  const got = error.name === 'NoSuchBucket' ? 'no such bucket' : 'nothing there'
  return new CatalogueError('SOURCE_NOT_FOUND', `${path}: expected a file, got ${got}`, { cause: error })
}

export function objectChanged(path: string, cause: Error): CatalogueError {
  const message = `${path}: expected the object as it was found, got another one, put in its place meanwhile`
  return new CatalogueError('SOURCE_CHANGED', message, {
    cause,
    fix: 'Run again when no program writes to the bucket.',
  })
}

/** True for an error of the storage or the connection, which a retry may get past. */
export function isOfStorage({ cause }: Error): boolean {
  return isError(cause) && ('$metadata' in cause || 'syscall' in cause || isUnconfigured(cause))
}

export function refusedWith(thrown: unknown, ...names: string[]): boolean {
  const error = thrown instanceof CatalogueError ? thrown.cause : thrown
  return isError(error) && names.includes(error.name)
}

/** The result of an operation; null if there is no such object. Throws if the bucket is missing. */
export async function nullIfMissing<Value>(operation: () => Promise<Value>): Promise<Value | null> {
  try {
    return await operation()
  } catch (thrown) {
    if (refusedWith(thrown, 'NoSuchKey', 'NotFound')) return null
    throw thrown
  }
}

/**
 * OUTPUT_REFUSED for wrong credentials, permissions, buckets and regions, which a retry can't change; a busy storage
 * may recover.
 */
function toCode(error: StorageError): 'OUTPUT_FAILED' | 'OUTPUT_REFUSED' {
  const status = error.$metadata?.httpStatusCode
  if (error.name === 'NoSuchBucket' || isUnconfigured(error)) return 'OUTPUT_REFUSED'
  if (status === undefined) return toOutputCode(error)
  const isRefusal = status >= 300 && status < 500 && !passingStatuses.has(status) && !passingNames.has(error.name)
  return isRefusal ? 'OUTPUT_REFUSED' : 'OUTPUT_FAILED'
}

/** Timeouts, conflicts with another request, too many requests, and missing objects. */
const passingStatuses = new Set([404, 408, 409, 412, 425, 429])
/** Requests that arrived damaged or too slowly: storages answer with status 400. */
const passingNames = new Set(['RequestTimeout', 'IncompleteBody', 'BadDigest', 'XAmzContentSHA256Mismatch', 'SlowDown'])

function isUnconfigured({ name, message }: Error): boolean {
  return name === 'CredentialsProviderError' || message === 'Region is missing'
}

interface StorageError extends Error {
  readonly code?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number }
}

/** Errors of the SDK have `$metadata`, system errors a code; the rest is known by name. */
function isStorageError(thrown: unknown): thrown is StorageError {
  if (!isError(thrown) || thrown instanceof CatalogueError) return false
  return (
    '$metadata' in thrown ||
    'code' in thrown ||
    thrown.message === 'Region is missing' ||
    ['CredentialsProviderError', 'TimeoutError', 'AbortError'].includes(thrown.name)
  )
}

function describe(error: StorageError): { readonly words: string; readonly fix: string } {
  const status = error.$metadata?.httpStatusCode
  const attempts = error.$metadata?.attempts ?? 1
  const said = `${error.name}${status === undefined ? '' : `, status ${status}`}`
  const tried = attempts > 1 ? ` after ${attempts} attempts` : ''
  if (error.name === 'NoSuchBucket')
    return { words: `there is no such bucket (${said})`, fix: 'Create the bucket, or correct its name in the config.' }
  if (isUnconfigured(error)) return { words: `${withoutPeriod(error.message)} (${error.name})`, fix: whereSettings }
  if (status === 401 || status === 403)
    return {
      words: `the storage did not accept the credentials, or they may not do this (${said})`,
      fix: whereSettings,
    }
  if (status === 301 || status === 307 || error.name === 'AuthorizationHeaderMalformed')
    return { words: `the bucket is in another region (${said})`, fix: whereSettings }
  if (status === 503 || status === 429)
    return { words: `the storage takes no more requests for now (${said})${tried}`, fix: 'Run again later.' }
  if (status === undefined)
    return { words: `the storage could not be reached: ${toReason(error)}${tried}`, fix: unreachable }
  return {
    words: `${withoutPeriod(error.message)} (${said})${tried}`,
    fix: 'Run again later. If it persists, ask the operators of the storage.',
  }
}

const whereSettings =
  'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL, or the profile that AWS_PROFILE names, and what they may do with the bucket.'
const unreachable = 'Check AWS_ENDPOINT_URL and the network, then run again: nothing has to be cleaned up first.'

/** The message of an error, or its code if the message is empty, as it is for a host with several addresses. */
function toReason(error: StorageError): string {
  const code = typeof error.code === 'string' ? error.code : error.name
  return error.message === '' || error.message.includes(code) ? error.message || code : `${error.message} (${code})`
}

function withoutPeriod(text: string): string {
  return text.replace(/\.$/, '')
}
