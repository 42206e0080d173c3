import type { CatalogueError } from '../../errors.ts'
import { isOfStorage } from '../../storage/s3/storage-operation.ts'

/** True for a failure that the data is the reason of: another attempt on any machine would end in the same way. */
export function isLasting(error: CatalogueError): boolean {
  const { code } = error
  if (code === 'SOURCE_ERROR_LINE' || code === 'SOURCE_DAMAGED') return true
  // What the system or a storage says of a read may be another thing elsewhere, or later.
  return code === 'SOURCE_FAILED' && !isOfStorage(error)
}
