import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequiredContext } from '../run-context.ts'
import { createTempFolder } from './file-system.ts'
import { openStorage } from './open-storage.ts'
import { isObjectPath } from './s3/object-path.ts'

export interface LocalFile {
  readonly localPath: string
  readonly remove: () => Promise<void>
}

export async function toLocalFile(path: string, env: RequiredContext<'env'>['env']): Promise<LocalFile> {
  if (!isObjectPath(path)) return { localPath: path, remove: async () => {} }
  const folder = await createTempFolder('catalogue-etl-copy-')
  const remove = () => rm(folder, { recursive: true, force: true })
  const storage = await openStorage(path, env)
  try {
    return { localPath: await storage.toLocal(path, join(folder, 'copy')), remove }
  } catch (error) {
    await remove()
    throw error
  } finally {
    await storage.close()
  }
}
