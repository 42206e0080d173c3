import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { CatalogueError, toOutputCode } from '../errors.ts'

/**
 * Runs one file operation for an output. What the system refuses becomes OUTPUT_FAILED, or OUTPUT_REFUSED if another
 * try ends the same way: "destination: could not be `done`: what the system said". Any other error is thrown as it is.
 */
export async function outputOperation<Result>(
  destination: string,
  done: string,
  operation: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operation()
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown
    const file = failedWith(thrown, 'ENOTDIR') ? await findFileAbove(destination) : null
    if (file !== null)
      throw new CatalogueError('OUTPUT_REFUSED', `${file}: expected a folder, got a file`, { cause: thrown })
    const message = `${destination}: could not be ${done}: ${formatSystemError(thrown, destination)}`
    throw new CatalogueError(toOutputCode(thrown), message, { cause: thrown })
  }
}

/** True if a file operation failed with one of these codes of the system: `ENOENT`. */
export function failedWith(thrown: unknown, ...codes: string[]): boolean {
  return isSystemError(thrown) && thrown.code !== undefined && codes.includes(thrown.code)
}

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown && 'code' in thrown
}

/** The file at the path of a folder; null if nothing is there any more. */
async function findFileAbove(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  if (found !== null) return found.isDirectory() ? null : path
  return dirname(path) === path ? null : findFileAbove(dirname(path))
}

/** `no space left on device (ENOSPC)`, with the path where that is another than the output's own. */
function formatSystemError(error: NodeJS.ErrnoException, destination: string): string {
  const words = (error.errno !== undefined && getSystemErrorMap().get(error.errno)?.[1]) || error.message
  const elsewhere = error.path !== undefined && !basename(error.path).includes(basename(destination))
  return `${words} (${error.code}${elsewhere ? `, "${error.path}"` : ''})`
}
