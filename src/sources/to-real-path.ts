import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** The path without links. Of a file that is not there yet: the real path of its nearest folder, and the rest. */
export async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const folder = dirname(resolve(path))
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || folder === resolve(path)) return resolve(path)
    return join(await toRealPath(folder), basename(path))
  }
}
