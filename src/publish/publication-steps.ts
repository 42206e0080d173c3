import { CatalogueError } from '../errors.ts'
import { fileExists, type FileSystem, syncFoldersOf } from './file-system.ts'
import { outputOperation } from './output-operation.ts'
import { keepPreviousVersion, readPreviousInode, restorePreviousVersion } from './previous-version.ts'
import type { JournalEntry } from './publication-journal.ts'
import { siblingPath, type StagingKind } from './staging-names.ts'

/**
 * Renames the staged entries to their destinations, in order, once every previous version has its backup. `onPlaced` is
 * told of each.
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
    await outputOperation(destination, 'renamed into place', () => fs.rename(staging, destination))
    onPlaced?.(entry)
  }
  await syncFoldersOf(destinations, fs)
}

/**
 * Gives new versions that were put in place their staging names again, so that whoever staged them still has them. Where
 * hard links cannot be made, those that replaced a version are lost.
 */
export async function restage(placed: readonly JournalEntry[], fs: FileSystem): Promise<void> {
  for (const { staging, destination, previousInode } of placed) {
    try {
      if (previousInode === null) await fs.rename(destination, staging)
      else await fs.link(destination, staging)
    } catch {
      // The new version is lost with its run; what matters is the previous one, which `putBack` sees to.
    }
  }
}

/**
 * Puts back the previous version of every entry that was, or may have been, put in place. Goes on after a failure, throws the first
 * at the end, and may be done again: all backups are still there.
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

/** Whether the new version has its staging name. */
export async function isStaged({ staging, destination }: JournalEntry, fs: FileSystem): Promise<boolean> {
  return outputOperation(destination, 'looked up', () => fileExists(staging, fs))
}

/** Removes what a publication leaves beside its destinations; resolves with what could not be removed. */
export async function removeLeftOvers(
  entries: readonly JournalEntry[],
  kinds: readonly StagingKind[],
  fs: FileSystem,
): Promise<string[]> {
  const kept: string[] = []
  for (const path of entries.flatMap((entry) => kinds.map((kind) => siblingPath(entry.staging, kind)))) {
    try {
      await fs.rm(path, { force: true })
    } catch {
      kept.push(path)
    }
  }
  return kept
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
