import { expect, test } from 'vitest'
import { storageOperation } from '../../../src/storage/s3/storage-operation.ts'

test.each([
  ['AccessDenied', 403, 2],
  ['SignatureDoesNotMatch', 403, 2],
  ['NoSuchBucket', 404, 2],
  ['PermanentRedirect', 301, 2],
  ['InvalidBucketName', 400, 2],
  ['CredentialsProviderError', undefined, 2],
  ['SlowDown', 503, 5],
  ['InternalError', 500, 5],
  ['TooManyRequests', 429, 5],
  ['RequestTimeout', 400, 5],
  ['BadDigest', 400, 5],
  ['NoSuchUpload', 404, 5],
  ['TimeoutError', undefined, 5],
])('error %s (status %s) of a bucket ends the run with exit code %i', async (name, httpStatusCode, exitCode) => {
  const refused = Object.assign(new Error('no'), { name, $metadata: { httpStatusCode } })
  const failure: unknown = await storageOperation('s3://bucket/a.csv', 'written', () => Promise.reject(refused)).catch(
    (thrown: unknown) => thrown,
  )
  expect(failure).toMatchObject({ code: exitCode === 2 ? 'OUTPUT_REFUSED' : 'OUTPUT_FAILED', exitCode })
})
