import type { FileStorage } from './file-storage.ts'
import type { RequiredContext } from '../run-context.ts'
import { createLocalStorage } from './local-storage.ts'
import { isObjectPath } from './s3/object-path.ts'
import type { ObjectStorageOptions } from './s3/object-storage.ts'

/** Opens the storage of a path. Throws PEER_MISSING if the AWS SDK is needed and not installed. */
export async function openStorage(
  path: string,
  env: RequiredContext<'env'>['env'],
  options: ObjectStorageOptions = {},
): Promise<FileStorage> {
  if (!isObjectPath(path)) return createLocalStorage()
  // Imported on demand: runs that write to disks need not wait for it.
  const { openObjectStorage } = await import('./s3/object-storage.ts')
  return openObjectStorage(path, env, options)
}
