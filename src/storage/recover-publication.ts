import * as nodeFs from 'node:fs/promises'
import { CatalogueError } from '../errors.ts'
import { type FileSystem, readSha256 } from './file-system.ts'
import { anotherPublishes, readJournal, removeJournal, type Journal, type JournalEntry } from './publication-journal.ts'
import { isStaged, putBack, putInPlace, removeLeftOvers } from './publication-steps.ts'
import { isRunning } from './process-identity.ts'

/**
 * Finishes or undoes the publication of this journal: `finished` when every new version is still staged or
 * whole at its destination, `undone` otherwise, `none` without a journal. Call it before `clearStaleStaging`. It may
 * itself be killed and repeated. OUTPUT_FAILED, with the journal kept, when another process is publishing right now,
 * when the journal cannot be understood, or when a file cannot be moved.
 */
export async function recoverPublication(
  journalPath: string,
  fs: FileSystem = nodeFs,
): Promise<'none' | 'finished' | 'undone'> {
  const journal = await readJournal(journalPath, fs)
  if (journal === null) return 'none'
  await refuseLivePublisher(journal, journalPath)
  try {
    return await recover(journal.entries, journalPath, fs)
  } catch (thrown) {
    if (!(thrown instanceof CatalogueError)) throw thrown
    const message =
      `${thrown.message}; an earlier run left its publication half done ("${journalPath}"): ` +
      'the next run tries again to finish or undo it'
    throw new CatalogueError(thrown.code, message, { cause: thrown })
  }
}

async function refuseLivePublisher({ publisher }: Journal, journalPath: string): Promise<void> {
  if (publisher.pid === process.pid || !(await isRunning(publisher))) return
  const message = `${journalPath}: process ${publisher.pid} is publishing these outputs; run again when it has ended`
  throw new CatalogueError('OUTPUT_FAILED', message, anotherPublishes)
}

async function recover(entries: readonly JournalEntry[], journalPath: string, fs: FileSystem) {
  const staged = await findStaged(entries, fs)
  // Undefined when an entry is neither staged nor in place.
  if (staged === undefined) await putBack(entries, fs)
  else await putInPlace(staged, fs)
  await removeJournal(journalPath, fs)
  // `clearStaleStaging` tries again what can't be removed here, and names it.
  await removeLeftOvers(entries, ['backup', 'partial', 'staging'], fs)
  return staged === undefined ? 'undone' : 'finished'
}

/** The entries that are still to be renamed; undefined when the others are not all whole at their destinations. */
async function findStaged(entries: readonly JournalEntry[], fs: FileSystem): Promise<JournalEntry[] | undefined> {
  const staged: JournalEntry[] = []
  for (const entry of entries) {
    if (await isStaged(entry, fs)) staged.push(entry)
    else if ((await readSha256(entry.destination, fs)) !== entry.sha256) return undefined
  }
  return staged
}
