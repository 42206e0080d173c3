import * as nodeFs from 'node:fs/promises'
import { resolve } from 'node:path'
import { CatalogueError, messageOf } from '../errors.ts'
import { type FileSystem, syncFoldersOf } from './file-system.ts'
import {
  clearUp,
  readInode,
  readPreviousInode,
  putBack,
  putInPlace,
  removeLeftOvers,
  restage,
} from './publication-steps.ts'
import { clearEnded } from './recover-publication.ts'
import { endJournal, removeJournal, writeJournal, type JournalEntry, type Removal } from './publication-journal.ts'

export interface FinishedFile {
  readonly path: string
  readonly destination: string
  readonly sha256: string
}

export function toFinishedFile({ path, destination }: Omit<FinishedFile, 'sha256'>, sha256: string): FinishedFile {
  return { path, destination, sha256 }
}

export interface Publication {
  readonly files: readonly FinishedFile[]
  /** Renamed last: its appearance publishes the outputs. */
  readonly manifest: FinishedFile
  readonly journalPath: string
  /** Published files that have no new version. Default none. */
  readonly removals?: readonly string[]
}

/**
 * Renames all files to their destinations, or none. After a kill, `recoverPublication` finishes or undoes it. After a
 * failure the previous versions are put back and the new ones staged again, to be discarded: OUTPUT_FAILED. Resolves with
 * the files that could not be removed, which the next run removes.
 *
 * 1. Nothing changes before every destination is known to be a file or nothing, and the staging names are on disk.
 * 2. The journal appears. As long as it is there, so is each staging file or its destination, and every backup made.
 * 3. Every previous version gets a backup name; on disk before
 * 4. the renames, the manifest last; on disk before
 * 5. the journal gets another name, which ends the publication; on disk before
 * 6. the backups and the files without a new version go, then the journal.
 */
export async function publish(
  { files, manifest, journalPath, removals = [] }: Publication,
  fs: FileSystem = nodeFs,
): Promise<readonly string[]> {
  const entries = await createEntries([...files, manifest], fs)
  const left = await clearEnded(journalPath, fs)
  const changes = { entries, removals: await createRemovals([...removals, ...left], fs) }
  await syncFoldersOf(
    entries.map((entry) => entry.staging),
    fs,
  )
  await writeJournal(journalPath, changes, fs)
  const placed: JournalEntry[] = []
  try {
    await syncFoldersOf([journalPath], fs)
    await putInPlace(entries, fs, (entry) => placed.push(entry))
    await endJournal(journalPath, fs)
  } catch (failure) {
    await undo(failure, { journalPath, entries, placed }, fs)
  }
  return clearUp(changes, journalPath, fs)
}

async function createRemovals(paths: readonly string[], fs: FileSystem): Promise<Removal[]> {
  const removals: Removal[] = []
  for (const path of paths) {
    const inode = await readInode(path, fs)
    if (inode !== null) removals.push({ path, inode })
  }
  return removals
}

async function createEntries(files: readonly FinishedFile[], fs: FileSystem): Promise<JournalEntry[]> {
  const seen = new Set<string>()
  const entries: JournalEntry[] = []
  for (const { path, destination, sha256 } of files) {
    if (seen.has(resolve(destination)))
      throw new CatalogueError('OUTPUT_REFUSED', `${destination}: two outputs go there, expected one`)
    seen.add(resolve(destination))
    entries.push({ staging: path, destination, sha256, previousInode: await readPreviousInode(destination, fs) })
  }
  return entries
}

/** Undoes a publication and throws its failure; if undoing fails too, throws both. */
async function undo(
  failure: unknown,
  { journalPath, entries, placed }: { journalPath: string; entries: JournalEntry[]; placed: JournalEntry[] },
  fs: FileSystem,
): Promise<never> {
  try {
    await restage(placed, fs)
    await putBack(entries, fs)
    await removeJournal(journalPath, fs)
  } catch (undoFailure) {
    const message =
      `${messageOf(failure)}; and undoing the publication failed: ${messageOf(undoFailure)}. ` +
      `Some outputs are new and some as they were, until the next run, guided by "${journalPath}", finishes or undoes it`
    throw new CatalogueError('OUTPUT_FAILED', message, { cause: failure, outputs: 'The outputs are of two versions.' })
  }
  await removeLeftOvers(entries, ['backup', 'partial'], fs)
  throw failure instanceof CatalogueError ? failure.withOutputs('The previous outputs are as they were.') : failure
}
