import { CatalogueError } from '../errors.ts'

/** Runs an operation that reads a file. Throws SOURCE_FAILED with the file's name if the system refuses it. */
export async function readOperation<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw new CatalogueError('SOURCE_FAILED', `${name}: the read failed: ${(error as Error).message}`, { cause: error })
  }
}
