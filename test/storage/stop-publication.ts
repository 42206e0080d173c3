import { publish, type Publication } from '../../src/storage/publication.ts'
import type { FileSystem } from '../../src/storage/file-system.ts'
import { never, watchFileSystem, type Operation } from './watched-file-system.ts'

/** Stops a publication before an operation on this path, as a kill does. */
export function stopBefore(
  operation: string,
  destination: string,
  publication: Publication,
  inner?: FileSystem,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const before = async ({ name, path }: Operation): Promise<void> => {
      if (name !== operation || path !== destination) return
      resolve()
      await never()
    }
    publish(publication, watchFileSystem({ before }, inner)).then(() => reject(new Error('it was not stopped')), reject)
  })
}
