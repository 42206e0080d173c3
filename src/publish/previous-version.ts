import { constants, type Stats } from 'node:fs'
import { CatalogueError } from '../errors.ts'
import { fileExists, nullIfMissing, withFile, type FileSystem, tryLink } from './file-system.ts'
import { outputOperation } from './output-operation.ts'
import { siblingPath } from './staging-names.ts'

/** A new version under its staging name, and the destination it is for. */
export interface StagedVersion {
  readonly staging: string
  readonly destination: string
}

/**
 * The inode of the version that stands at the destination, null without one. A folder or device there is OUTPUT_REFUSED:
 * it must not be replaced.
 */
export async function readPreviousInode(destination: string, fs: FileSystem): Promise<string | null> {
  const entry = await readStats(destination, () => fs.lstat(destination))
  const target = entry?.isSymbolicLink() ? await readStats(destination, () => fs.stat(destination)) : entry
  if (target !== null && !target.isFile()) {
    const found = target.isDirectory() ? 'a folder' : 'a device'
    throw new CatalogueError('OUTPUT_REFUSED', `${destination}: expected a file or nothing there, got ${found}`)
  }
  return entry === null ? null : `${entry.ino}`
}

/** Gives the version that stands at the destination its backup name too; nothing happens without one, or when it has it. */
export async function keepPreviousVersion({ staging, destination }: StagedVersion, fs: FileSystem): Promise<void> {
  const backup = siblingPath(staging, 'backup')
  await outputOperation(destination, 'kept as a backup', async () => {
    if ((await fileExists(backup, fs)) || !(await fileExists(destination, fs))) return
    if (await tryLink(destination, backup, fs)) return
    const partial = siblingPath(staging, 'partial')
    await copyFile(destination, partial, fs)
    await fs.rename(partial, backup)
  })
}

/**
 * Puts the backup back in one step and keeps it, so that doing it again does no harm. Without a backup, removes what
 * stands at the destination.
 */
export async function restorePreviousVersion({ staging, destination }: StagedVersion, fs: FileSystem): Promise<void> {
  const [backup, partial] = [siblingPath(staging, 'backup'), siblingPath(staging, 'partial')]
  await outputOperation(destination, 'put back as it was', async () => {
    if (!(await fileExists(backup, fs))) return fs.rm(destination, { force: true })
    await fs.rm(partial, { force: true })
    if (!(await tryLink(backup, partial, fs))) await copyFile(backup, partial, fs)
    // Where the previous version stands already, this leaves both names: the partial one goes with the left-overs.
    await fs.rename(partial, destination)
  })
}

async function readStats(destination: string, read: () => Promise<Stats>): Promise<Stats | null> {
  return outputOperation(destination, 'looked up', () => nullIfMissing(read))
}

async function copyFile(from: string, to: string, fs: FileSystem): Promise<void> {
  await fs.copyFile(from, to, constants.COPYFILE_FICLONE)
  await withFile(to, 'r+', fs, (file) => file.sync())
}
