import * as nodeFs from 'node:fs/promises'
import { CatalogueError } from '../errors.ts'
import { type FileSystem, readSha256 } from './file-system.ts'
import {
  anotherPublishes,
  endJournal,
  readEnded,
  readJournal,
  removeJournal,
  type Journal,
  type JournalEntry,
} from './publication-journal.ts'
import { clearUp, isStaged, putBack, putInPlace, removeLeftOvers } from './publication-steps.ts'
import { isRunning } from './process-identity.ts'

/**
 * Finishes or undoes the publication of this journal. `finished`: every new version was staged, or whole at its
 * destination; `undone`: otherwise; `none`: there was no journal, or that of one that has ended, whose files go. Call it
 * before `clearStaleStaging`. Repeatable after a kill. Throws OUTPUT_FAILED, and keeps the journal, if another process is
 * publishing, the journal can't be understood, or a file can't be moved.
 */
export async function recoverPublication(
  journalPath: string,
  fs: FileSystem = nodeFs,
): Promise<'none' | 'finished' | 'undone'> {
  await clearEnded(journalPath, fs)
  const journal = await readJournal(journalPath, fs)
  if (journal === null) return 'none'
  await refuseLivePublisher(journal, journalPath)
  try {
    return await recover(journal, journalPath, fs)
  } catch (thrown) {
    if (!(thrown instanceof CatalogueError)) throw thrown
    const message =
      `${thrown.message}; an earlier run left its publication half done ("${journalPath}"): ` +
      'the next run tries again to finish or undo it'
    throw new CatalogueError(thrown.code, message, { cause: thrown })
  }
}

/**
 * Removes what an ended publication has left, unless its process still does. Resolves with what could not be removed, for
 * a later run.
 */
export async function clearEnded(journalPath: string, fs: FileSystem): Promise<string[]> {
  const ended = await readEnded(journalPath, fs)
  const isOthers = ended !== null && ended.publisher.pid !== process.pid && (await isRunning(ended.publisher))
  return ended === null || isOthers ? [] : clearUp(ended, journalPath, fs)
}

async function refuseLivePublisher({ publisher }: Journal, journalPath: string): Promise<void> {
  if (publisher.pid === process.pid || !(await isRunning(publisher))) return
  const message = `${journalPath}: process ${publisher.pid} is publishing these outputs; run again when it has ended`
  throw new CatalogueError('OUTPUT_FAILED', message, anotherPublishes)
}

async function recover(journal: Journal, journalPath: string, fs: FileSystem): Promise<'finished' | 'undone'> {
  const { entries } = journal
  const staged = await findStaged(entries, fs)
  if (staged === null) {
    await putBack(entries, fs)
    await removeJournal(journalPath, fs)
    // `clearStaleStaging` retries removing what stays here, and reports it.
    await removeLeftOvers(entries, ['backup', 'partial', 'staging'], fs)
    return 'undone'
  }
  await putInPlace(staged, fs)
  // A killed copy of a backup, and a second name of a file that was being undone.
  await removeLeftOvers(entries, ['partial', 'staging'], fs)
  await endJournal(journalPath, fs)
  // The next run tries again to remove what stays.
  await clearUp(journal, journalPath, fs)
  return 'finished'
}

/** The entries still to be renamed; null if one is neither staged nor whole at its destination. */
async function findStaged(entries: readonly JournalEntry[], fs: FileSystem): Promise<JournalEntry[] | null> {
  const staged: JournalEntry[] = []
  for (const entry of entries) {
    if (await isStaged(entry, fs)) staged.push(entry)
    else if ((await readSha256(entry.destination, fs)) !== entry.sha256) return null
  }
  return staged
}
