import type { FileStorage } from '../file-storage.ts'
import { connectS3, type Environment } from './load-s3.ts'
import { createObjectClient } from './object-client.ts'
import { createObjectStorage, type ObjectStorageOptions } from './object-storage.ts'

/** The object storage that a path is in. Throws PEER_MISSING where the AWS SDK is not installed. */
export async function openObjectStorage(
  path: string,
  env: Environment,
  options: ObjectStorageOptions,
): Promise<FileStorage> {
  return createObjectStorage(createObjectClient(await connectS3(env, path)), options)
}
