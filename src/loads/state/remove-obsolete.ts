import { rm, rmdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { failedWith, outputOperation } from '../../publish/output-operation.ts'

/** Removes files that nothing lists any more, and the folders of partitions that are empty without them. */
export async function removeObsolete(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await outputOperation(path, 'removed', () => rm(path, { force: true }))
    await removeEmptyPartitions(dirname(path))
  }
}

async function removeEmptyPartitions(folder: string): Promise<void> {
  if (!basename(folder).includes('=')) return
  try {
    await rmdir(folder)
  } catch (error) {
    if (failedWith(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return
    throw error
  }
  await removeEmptyPartitions(dirname(folder))
}
