import { CatalogueError } from '../errors.ts'
import type { Stats } from 'node:fs'
import * as nodeFs from 'node:fs/promises'
import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import {
  createFolders,
  type FileSystem,
  fileExists,
  nullIfMissing,
  readSha256,
  renameFile,
  syncFoldersOf,
  tryLink,
  writeFlushed,
} from './file-system.ts'
import { breakFileLock, lockPathFor, readFileLock, takeFileLock } from './lock/file-lock.ts'
import { failedWith, outputOperation } from './output-operation.ts'
import { journalPathFor } from './publication-journal.ts'
import { type FinishedFile, publish } from './publication.ts'
import { recoverPublication } from './recover-publication.ts'
import { openStagedFile } from './staged-file.ts'
import { adoptFile } from './adopt-file.ts'
import { clearStaleStaging } from './stale-staging.ts'
import { stagingPath } from './staging-names.ts'
import type { FileStorage, ListedFile } from './file-storage.ts'

/** A storage on the disks of this machine, with staging files, a journal and renames (publication.ts). */
export function createLocalStorage(fs: FileSystem = nodeFs): FileStorage {
  return {
    namesPerRun: false,
    lock: (home, options) => takeFileLock(lockPathFor(home), options),
    readLock: (home) => readFileLock(lockPathFor(home), fs),
    breakLock: (home, by) => breakFileLock(lockPathFor(home), by, fs),
    openFile: (destination, options) => openStagedFile(destination, options, fs),
    adopt: (path, destination, options) => adoptFile(path, destination, options),
    publish: ({ files, manifest, home, removals }) =>
      publish({ files, manifest, journalPath: journalPathFor(home), removals }, fs),
    place: (file) => placeFile(file, fs),
    create: (path, bytes) => createFile(path, bytes, fs),
    recover: (home) => recoverPublication(journalPathFor(home), fs),
    isPublishing: (home) => fileExists(journalPathFor(home), fs),
    async clearStale(destinations, activeTokens) {
      await clearStaleStaging(destinations, activeTokens, fs)
    },
    read: (path) => outputOperation(path, 'read', () => nullIfMissing(() => readFile(path), nothingThere)),
    readRange: (path, from, until) => outputOperation(path, 'read', () => readRange(path, from, until)),
    hash: (path) => readSha256(path),
    listSuperseded: () => Promise.resolve([]),
    sizeOf,
    toLocal: (path) => Promise.resolve(path),
    list: listFiles,
    async *listUploads() {},
    remove: (path) => outputOperation(path, 'removed', () => rm(path, { force: true })),
    // An aborted task may still write there for a moment.
    removeFolder: (path) =>
      outputOperation(path, 'removed', () => rm(path, { recursive: true, force: true, maxRetries: 5 })),
    close: async () => {},
  }
}

async function placeFile({ path, destination }: FinishedFile, fs: FileSystem): Promise<void> {
  await outputOperation(destination, 'renamed into place', () => renameFile(path, destination, fs))
  await syncFoldersOf([destination], fs)
}

/** Writes the file under another name first: a link appears with the whole content, and only where nothing is. */
async function createFile(path: string, bytes: Uint8Array, fs: FileSystem): Promise<boolean> {
  const staged = stagingPath(path, { pid: process.pid, token: randomBytes(6).toString('hex') })
  await outputOperation(path, 'given a folder', () => createFolders(dirname(path), fs))
  try {
    return await outputOperation(path, 'created', async () => {
      await writeFlushed(staged, 'wx', bytes, fs)
      try {
        if (!(await tryLink(staged, path, fs))) throw lacksLinks(path)
      } catch (thrown) {
        if (failedWith(thrown, 'EEXIST')) return false
        throw thrown
      }
      await syncFoldersOf([path], fs)
      return true
    })
  } finally {
    // What can't be removed now, the next load into the lake clears.
    await fs.rm(staged, { force: true }).catch(() => undefined)
  }
}

function lacksLinks(path: string): CatalogueError {
  const message = `${path}: expected a disk with hard links, by which one of several writers comes first, got one without`
  return new CatalogueError('OUTPUT_REFUSED', message, { fix: 'Put the output on another disk, or into a bucket.' })
}

async function readRange(path: string, from: number, until: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafe(until - from)
    let end = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, end, buffer.length - end, from + end)
      end += bytesRead
      if (bytesRead === 0 || end === buffer.length) return buffer.subarray(0, end)
    }
  } finally {
    await file.close()
  }
}

async function* listFiles(folder: string, enters: (name: string) => boolean = () => true): AsyncGenerator<ListedFile> {
  const entries = await outputOperation(folder, 'listed', () =>
    nullIfMissing(() => readdir(folder, { withFileTypes: true }), nothingThere),
  )
  for (const entry of (entries ?? []).sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (enters(entry.name)) yield* listFiles(path, enters)
      continue
    }
    // Other processes may publish or remove files meanwhile.
    const stats = entry.isFile() ? await findStats(path) : null
    if (stats !== null) yield { path, bytes: stats.size, modifiedAt: stats.mtime }
  }
}

async function sizeOf(path: string): Promise<number | null> {
  return (await findStats(path))?.size ?? null
}

function findStats(path: string): Promise<Stats | null> {
  return outputOperation(path, 'looked up', () => nullIfMissing(() => stat(path), nothingThere))
}

const nothingThere = ['ENOENT', 'ENOTDIR']
