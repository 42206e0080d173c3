import { renameFile } from '../storage/file-system.ts'
import { openStagedFile, type StagedFile } from '../storage/staged-file.ts'
import { outputOperation } from '../storage/output-operation.ts'
import { clearStale, holdToken } from './frame.ts'

/**
 * Writes a file of this machine that is no output of a pipeline: it appears under its name when `write` has ended, or not at
 * all. Resolves with what `write` does.
 */
export async function writeWholeFile<Result>(
  path: string,
  gzip: boolean,
  write: (file: StagedFile) => Promise<Result>,
): Promise<Result> {
  await clearStale([path])
  const { token, release } = holdToken()
  try {
    const file = await openStagedFile(path, { token, gzip })
    try {
      const result = await write(file)
      await file.finish()
      await outputOperation(path, 'put in place', () => renameFile(file.path, path))
      return result
    } catch (error) {
      await file.discard()
      throw error
    }
  } finally {
    release()
  }
}
