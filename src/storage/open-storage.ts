import type { FileStorage } from './file-storage.ts'
import type { RequiredContext } from '../run-context.ts'
import { createLocalStorage } from './local-storage.ts'
import { isObjectPath } from './s3/object-path.ts'
import type { ObjectStorageOptions } from './s3/object-storage.ts'

/** Opens the storage that a path is in. Throws PEER_MISSING if the AWS SDK is needed and not installed. */
export async function openStorage(
  path: string,
  env: RequiredContext<'env'>['env'],
  options: ObjectStorageOptions = {},
): Promise<FileStorage> {
  if (!isObjectPath(path)) return createLocalStorage()
  // Loading it takes time that runs onto disks don't pay.
  const { openObjectStorage } = await import('./s3/object-storage.ts')
  return openObjectStorage(path, env, options)
}
