import type { CatalogueError } from '../../errors.ts'

/** True for a failure that the data is the reason of: another attempt on any machine would end in the same way. */
export function isLasting({ code, cause }: CatalogueError): boolean {
  if (code === 'SOURCE_ERROR_LINE' || code === 'SOURCE_DAMAGED') return true
  // What the system says of a read may be another thing elsewhere, or later.
  return code === 'SOURCE_FAILED' && (cause as NodeJS.ErrnoException | undefined)?.syscall === undefined
}
