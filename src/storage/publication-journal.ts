import { basename, dirname, join, relative, resolve } from 'node:path'
import { CatalogueError } from '../errors.ts'
import {
  fileExists,
  nullIfMissing,
  renameFile,
  writeFlushed,
  type FileSystem,
  syncFoldersOf,
  tryLink,
} from './file-system.ts'
import { failedWith, outputOperation } from './output-operation.ts'
import { readOwnIdentity, type ProcessIdentity } from './process-identity.ts'

export interface JournalEntry {
  readonly staging: string
  readonly destination: string
  readonly sha256: string
  /** The inode of the previous version; null if there was none. */
  readonly previousInode: string | null
}

/** A published file that has no new version, and goes. */
export interface Removal {
  readonly path: string
  /** Another file that has taken its name stays. */
  readonly inode: string
}

export interface JournalChanges {
  readonly entries: readonly JournalEntry[]
  readonly removals: readonly Removal[]
}

export interface Journal extends JournalChanges {
  readonly publisher: ProcessIdentity
}

const format = 'catalogue-etl publication 1'

/** `<dir>/.<basename>.journal` beside the manifest. */
export function journalPathFor(manifestPath: string): string {
  return join(dirname(manifestPath), `.${basename(manifestPath)}.journal`)
}

/** The name of the journal of a publication that has ended, and has files to remove. */
export function endedPathFor(journalPath: string): string {
  return journalPath.replace(/journal$/, 'ended')
}

/**
 * Writes the journal whole or not at all. Throws OUTPUT_FAILED if another run's journal is there. Paths are relative to
 * the journal, so the folder may be moved.
 */
export async function writeJournal(path: string, { entries, removals }: JournalChanges, fs: FileSystem): Promise<void> {
  const folder = dirname(path)
  const text = JSON.stringify({
    format,
    publisher: await readOwnIdentity(),
    entries: entries.map(({ staging, destination, sha256, previousInode }) => ({
      staging: relative(folder, staging),
      destination: relative(folder, destination),
      sha256,
      previousInode,
    })),
    removals: removals.map((removal) => ({ ...removal, path: relative(folder, removal.path) })),
  })
  const partial = partialPathFor(path, entries)
  await outputOperation(path, 'written', async () => {
    try {
      await writeFlushed(partial, 'w', text, fs)
      await takeName(partial, path, fs)
    } finally {
      await fs.rm(partial, { force: true })
    }
  })
}

export async function readJournal(path: string, fs: FileSystem): Promise<Journal | null> {
  const read = () => nullIfMissing(() => fs.readFile(path, 'utf8'), ['ENOENT', 'ENOTDIR'])
  const text = await outputOperation(path, 'read', read)
  return text === null ? null : parseJournal(text, path)
}

/** Ends the publication, in one step: its backups are not needed after that. */
export async function endJournal(path: string, fs: FileSystem): Promise<void> {
  await outputOperation(path, 'renamed', async () => {
    try {
      await renameFile(path, endedPathFor(path), fs)
    } catch (thrown) {
      // The answer may be lost on the way to a disk of another machine.
      if (await fileExists(path, fs)) throw thrown
    }
  })
}

/** The journal of an ended publication that has files to remove; null if there is none. */
export async function readEnded(path: string, fs: FileSystem): Promise<Journal | null> {
  const ended = endedPathFor(path)
  try {
    return await readJournal(ended, fs)
  } catch (thrown) {
    if (!(thrown instanceof CatalogueError) || thrown.code !== 'OUTPUT_REFUSED') throw thrown
    const message = `${ended}: expected what an ended publication has to remove, got something else; the outputs are whole`
    throw new CatalogueError('OUTPUT_REFUSED', message, { cause: thrown, fix: 'Delete this file, then run again.' })
  }
}

/** Ends a publication that was undone. */
export async function removeJournal(path: string, fs: FileSystem): Promise<void> {
  await outputOperation(path, 'removed', () => fs.rm(path, { force: true }))
  // Before any backup goes: a journal without its backups could not be undone.
  await syncFoldersOf([path], fs)
}

export const anotherPublishes = {
  title: 'Another run publishes the same outputs',
  fix: 'Run again when it has ended; of several runs or fetches that write the same files, start one at a time.',
} as const

/** The partial name of the manifest, which `clearStaleStaging` clears. */
function partialPathFor(path: string, entries: readonly JournalEntry[]): string {
  const [owner] = /\d+-[\w-]+(?=\.staging$)/.exec(entries.at(-1)?.staging ?? '') ?? []
  if (owner === undefined) throw new TypeError('journal: expected entries with staging paths')
  return `${path.replace(/\.journal$/, '')}.${owner}.partial`
}

/** A link, unlike a rename, fails when the name is taken: of two runs that publish the same outputs one is refused. */
async function takeName(partial: string, path: string, fs: FileSystem): Promise<void> {
  try {
    if (await tryLink(partial, path, fs)) return
  } catch (thrown) {
    throw failedWith(thrown, 'EEXIST') ? alreadyPublishing(path, thrown) : thrown
  }
  if (await fileExists(path, fs)) throw alreadyPublishing(path)
  await renameFile(partial, path, fs)
}

function alreadyPublishing(path: string, cause?: unknown): CatalogueError {
  const message = `${path}: expected no journal, got one: another run publishes these outputs; run again when it has ended`
  return new CatalogueError('OUTPUT_FAILED', message, { cause, ...anotherPublishes })
}

/** `catalogue-etl publication 2` is later than `catalogue-etl publication 1`. */
export function isLaterFormat(found: unknown, own: string): boolean {
  const [name, version] = [own.replace(/ \d+$/, ''), /\d+$/.exec(own)?.[0]]
  const [, later] = typeof found === 'string' && found.startsWith(`${name} `) ? found.split(name) : []
  return Number(later) > Number(version)
}

export function ofLaterVersion(path: string): CatalogueError {
  const message = `${path}: expected the journal of a publication as this catalogue-etl writes it, got that of a later one, which it has not ended`
  return new CatalogueError('OUTPUT_REFUSED', message, {
    fix: 'Run the pipeline once with the later version, which finishes or undoes the publication.',
  })
}

function parseJournal(text: string, path: string): Journal {
  try {
    // Earlier versions write no removals.
    const { removals = [], ...journal } = JSON.parse(text) as Omit<Journal, 'removals'> & {
      format: unknown
      removals?: readonly Removal[]
    }
    if (isLaterFormat(journal.format, format)) throw ofLaterVersion(path)
    if (journal.format !== format) throw new TypeError(`expected format "${format}"`)
    const { pid, startTicks } = journal.publisher
    if (!Number.isSafeInteger(pid) || !(startTicks === null || typeof startTicks === 'string'))
      throw new TypeError('expected a publisher')
    const folder = dirname(path)
    return {
      publisher: { pid, startTicks },
      entries: journal.entries.map((entry) => parseEntry(entry, folder)),
      removals: removals.map((removal) => parseRemoval(removal, folder)),
    }
  } catch (thrown) {
    if (thrown instanceof CatalogueError) throw thrown
    const message =
      `${path}: the journal of an unfinished publication cannot be understood; its outputs may be of two versions: ` +
      'compare them with the sha256 in their manifest, put back the ".backup" files beside those that differ, then delete the journal'
    throw new CatalogueError('OUTPUT_REFUSED', message, {
      cause: thrown,
      fix: 'Put it in order as the message says, then run again.',
    })
  }
}

function parseEntry({ staging, destination, sha256, previousInode }: JournalEntry, folder: string): JournalEntry {
  const isEntry = [staging, destination, sha256, previousInode ?? 'none'].every(
    (value) => typeof value === 'string' && value !== '',
  )
  if (!isEntry || !staging.endsWith('.staging')) throw new TypeError('expected an entry')
  return { staging: resolve(folder, staging), destination: resolve(folder, destination), sha256, previousInode }
}

function parseRemoval({ path, inode }: Removal, folder: string): Removal {
  if (typeof path !== 'string' || path === '' || typeof inode !== 'string') throw new TypeError('expected a removal')
  return { path: resolve(folder, path), inode }
}
