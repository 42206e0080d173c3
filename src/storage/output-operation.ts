import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { CatalogueError, isError, toOutputCode } from '../errors.ts'

/**
 * Runs a file operation for an output. An error of the system becomes OUTPUT_FAILED, or OUTPUT_REFUSED if a retry would
 * fail too: "destination: could not be `done`: reason". Any other error is rethrown.
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

export function failedWith(thrown: unknown, ...codes: string[]): boolean {
  return isSystemError(thrown) && thrown.code !== undefined && codes.includes(thrown.code)
}

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException {
  return isError(thrown) && 'syscall' in thrown && 'code' in thrown
}

/** The file that takes the place of a folder on the path; null if there is none. */
async function findFileAbove(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  if (found !== null) return found.isDirectory() ? null : path
  return dirname(path) === path ? null : findFileAbove(dirname(path))
}

function formatSystemError(error: NodeJS.ErrnoException, destination: string): string {
  const words = (error.errno !== undefined && getSystemErrorMap().get(error.errno)?.[1]) || error.message
  const elsewhere = error.path !== undefined && !basename(error.path).includes(basename(destination))
  return `${words} (${error.code}${elsewhere ? `, "${error.path}"` : ''})`
}
