import type { FileStorage } from './file-storage.ts'
import { connectS3, type Environment } from './load-s3.ts'
import { createLocalStorage } from './local-storage.ts'
import { createObjectClient } from './object-client.ts'
import { isObjectPath } from './object-path.ts'
import { createObjectStorage, type ObjectStorageOptions } from './object-storage.ts'

/**
 * The storage that a path is in. A storage's `close` gives back its connections. Throws PEER_MISSING where the AWS SDK
 * is needed and not installed.
 */
export async function openStorage(
  path: string,
  env: Environment,
  options: ObjectStorageOptions = {},
): Promise<FileStorage> {
  if (!isObjectPath(path)) return createLocalStorage()
  return createObjectStorage(createObjectClient(await connectS3(env, path)), options)
}
