import { CatalogueError } from '../../errors.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import type { RunContext } from '../../run-context.ts'
import { joinPath } from '../attempt-paths.ts'

/** Removes what attempts have written, once it is published. What can't be removed is named, and ends nothing. */
export async function removeAttempts(
  folder: string,
  storage: FileStorage,
  onWarning: RunContext['onWarning'],
): Promise<void> {
  for (const name of ['attempts', 'ids', 'excluded']) {
    const place = joinPath(folder, name)
    try {
      await storage.removeFolder(place)
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error
      onWarning?.(`${place}: not removed, though nothing needs it any more: ${error.message}`)
    }
  }
}
