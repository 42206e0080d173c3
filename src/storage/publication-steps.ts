import { type BigIntStats, constants } from 'node:fs'
import { CatalogueError } from '../errors.ts'
import {
  fileExists,
  type FileSystem,
  flushFile,
  nullIfMissing,
  renameFile,
  syncFoldersOf,
  tryLink,
  withFile,
} from './file-system.ts'
import { outputOperation } from './output-operation.ts'
import { endedPathFor, type JournalChanges, type JournalEntry } from './publication-journal.ts'
import { siblingPath, type StagingKind } from './staging-names.ts'

/**
 * Renames the staged entries to their destinations, in order, after all previous versions have their backups. Calls
 * `onPlaced` for each.
 */
export async function putInPlace(
  staged: readonly JournalEntry[],
  fs: FileSystem,
  onPlaced?: (entry: JournalEntry) => void,
): Promise<void> {
  const destinations = staged.map((entry) => entry.destination)
  for (const entry of staged) await keepPreviousVersion(entry, fs)
  await syncFoldersOf(destinations, fs)
  for (const entry of staged) {
    const { staging, destination } = entry
    await outputOperation(destination, 'renamed into place', () => renameFile(staging, destination, fs))
    onPlaced?.(entry)
  }
  await syncFoldersOf(destinations, fs)
}

/**
 * Renames new versions that were put in place back to their staging names, for their run to discard. Without hard
 * links, those that replaced a version are lost.
 */
export async function restage(placed: readonly JournalEntry[], fs: FileSystem): Promise<void> {
  for (const { staging, destination, previousInode } of placed) {
    try {
      if (previousInode === null) await renameFile(destination, staging, fs)
      else await fs.link(destination, staging)
    } catch {
      // The new version is lost with its run; `putBack` restores the previous one.
    }
  }
}

/**
 * Restores the previous version of every entry that was, or may have been, put in place. Continues after a failure and
 * throws the first one at the end. Repeatable, as all backups are still there.
 */
export async function putBack(entries: readonly JournalEntry[], fs: FileSystem): Promise<void> {
  const failures: unknown[] = []
  for (const entry of entries.toReversed()) {
    try {
      await putEntryBack(entry, fs)
    } catch (thrown) {
      failures.push(thrown)
    }
  }
  if (failures.length > 0) throw failures[0]
  await syncFoldersOf(
    entries.map((entry) => entry.destination),
    fs,
  )
}

export async function isStaged({ staging, destination }: JournalEntry, fs: FileSystem): Promise<boolean> {
  return outputOperation(destination, 'looked up', () => fileExists(staging, fs))
}

export async function removeLeftOvers(
  entries: readonly JournalEntry[],
  kinds: readonly StagingKind[],
  fs: FileSystem,
): Promise<string[]> {
  const kept: string[] = []
  for (const path of entries.flatMap((entry) => kinds.map((kind) => siblingPath(entry.staging, kind)))) {
    kept.push(...(await removeOne(path, fs)))
  }
  return kept
}

/** Resolves with the path if it could not be removed. */
async function removeOne(path: string, fs: FileSystem): Promise<string[]> {
  try {
    await fs.rm(path, { force: true })
    return []
  } catch {
    return [path]
  }
}

/**
 * Removes what an ended publication has left, then its journal. Resolves with what could not be removed: the journal
 * stays for the next run then.
 */
export async function clearUp(
  { entries, removals }: JournalChanges,
  journalPath: string,
  fs: FileSystem,
): Promise<string[]> {
  const ended = endedPathFor(journalPath)
  try {
    await syncFoldersOf([ended], fs)
  } catch {
    return [ended]
  }
  const kept = await removeLeftOvers(entries, ['backup'], fs)
  for (const { path, inode } of removals) {
    if ((await readInode(path, fs)) === inode) kept.push(...(await removeOne(path, fs)))
  }
  return kept.length > 0 ? kept : removeOne(ended, fs)
}

async function putEntryBack(entry: JournalEntry, fs: FileSystem): Promise<void> {
  const { destination, staging, previousInode } = entry
  const backup = siblingPath(staging, 'backup')
  // Never replaced, or put back already.
  if (previousInode !== null && (await readPreviousInode(destination, fs)) === previousInode) return
  const hasBackup = await outputOperation(destination, 'looked up', () => fileExists(backup, fs))
  if (!hasBackup && (await isStaged(entry, fs))) return
  if (hasBackup || previousInode === null) return restorePreviousVersion(entry, fs)
  throw new CatalogueError('OUTPUT_FAILED', `${destination}: expected its previous version at "${backup}", got nothing`)
}

/**
 * The inode of the version at the destination; null if there is none. Throws OUTPUT_REFUSED for a folder or device,
 * which must not be replaced.
 */
export async function readPreviousInode(destination: string, fs: FileSystem): Promise<string | null> {
  const entry = await readStats(destination, () => fs.lstat(destination, exactly))
  const target = entry?.isSymbolicLink() ? await readStats(destination, () => fs.stat(destination, exactly)) : entry
  if (target !== null && !target.isFile()) {
    const found = target.isDirectory() ? 'a folder' : 'a device'
    throw new CatalogueError('OUTPUT_REFUSED', `${destination}: expected a file or nothing there, got ${found}`)
  }
  return entry === null ? null : `${entry.ino}`
}

/** Null if there is nothing, or what is there can't be looked up: then it can't be removed either. */
export async function readInode(path: string, fs: FileSystem): Promise<string | null> {
  try {
    return `${(await fs.lstat(path, exactly)).ino}`
  } catch {
    return null
  }
}

/** Links or copies the version at the destination to its backup name, unless that is done already. */
export async function keepPreviousVersion({ staging, destination }: JournalEntry, fs: FileSystem): Promise<void> {
  const backup = siblingPath(staging, 'backup')
  await outputOperation(destination, 'kept as a backup', async () => {
    if ((await fileExists(backup, fs)) || !(await fileExists(destination, fs))) return
    if (await tryLink(destination, backup, fs)) return
    const partial = siblingPath(staging, 'partial')
    await copyFile(destination, partial, fs)
    await renameFile(partial, backup, fs)
  })
}

/**
 * Puts the backup at the destination in one step and keeps it, so the step is repeatable. Without a backup, removes the
 * file at the destination.
 */
export async function restorePreviousVersion({ staging, destination }: JournalEntry, fs: FileSystem): Promise<void> {
  const [backup, partial] = [siblingPath(staging, 'backup'), siblingPath(staging, 'partial')]
  await outputOperation(destination, 'put back as it was', async () => {
    if (!(await fileExists(backup, fs))) return fs.rm(destination, { force: true })
    await fs.rm(partial, { force: true })
    if (!(await tryLink(backup, partial, fs))) await copyFile(backup, partial, fs)
    // A rename to another name of the same file leaves both names: the partial one goes with the left-overs.
    await renameFile(partial, destination, fs)
  })
}

/** On Windows inodes have 64 bits, of which a number loses some: two files could have the same. */
const exactly = { bigint: true } as const

async function readStats(destination: string, read: () => Promise<BigIntStats>): Promise<BigIntStats | null> {
  return outputOperation(destination, 'looked up', () => nullIfMissing(read))
}

async function copyFile(from: string, to: string, fs: FileSystem): Promise<void> {
  await fs.copyFile(from, to, constants.COPYFILE_FICLONE)
  await withFile(to, 'r+', fs, (file) => flushFile(file))
}
