import { createReadStream, createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileExists } from './file-system.ts'
import { failedWith, outputOperation } from './output-operation.ts'
import { journalPathFor } from './publication-journal.ts'
import { publish } from './publication.ts'
import { readSha256 } from './file-system.ts'
import { recoverPublication } from './recover-publication.ts'
import { openStagedFile } from './staged-file.ts'
import { clearStaleStaging } from './stale-staging.ts'
import type { FileStorage } from './file-storage.ts'

/** The disks of this machine: staging files, a journal and renames (publication.ts). */
export function createLocalStorage(): FileStorage {
  return {
    openFile: (destination, options) => openStagedFile(destination, options),
    async publish({ files, manifest, home, removals }) {
      const kept = await publish({ files, manifest, journalPath: journalPathFor(home) })
      return [...kept, ...(await removeAll(removals))]
    },
    recover: (home) => recoverPublication(journalPathFor(home)),
    isPublishing: (home) => fileExists(journalPathFor(home), fs),
    async clearStale(destinations, activeTokens) {
      await clearStaleStaging(destinations, activeTokens)
    },
    read: (path) => outputOperation(path, 'read', () => whereThereIs(() => readFile(path))),
    hash: async (path) => (await readSha256(path)) ?? null,
    listSuperseded: () => Promise.resolve([]),
    sizeOf: (path) =>
      outputOperation(path, 'looked up', () => whereThereIs(() => stat(path).then((stats) => stats.size))),
    copyToLocal: (path, localPath) =>
      outputOperation(path, 'copied', () => pipeline(createReadStream(path), createWriteStream(localPath))),
    list: listFiles,
    remove: (path) => outputOperation(path, 'removed', () => rm(path, { force: true })),
    close: async () => {},
  }
}

async function* listFiles(
  folder: string,
  enters: (name: string) => boolean = () => true,
): AsyncGenerator<{ path: string; bytes: number }> {
  const entries = await outputOperation(folder, 'listed', () =>
    whereThereIs(() => readdir(folder, { withFileTypes: true })),
  )
  for (const entry of (entries ?? []).sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (enters(entry.name)) yield* listFiles(path, enters)
    } else if (entry.isFile()) yield { path, bytes: (await outputOperation(path, 'looked up', () => stat(path))).size }
  }
}

/** The new set counts already: what can't be removed is told, and ends no run. */
async function removeAll(paths: readonly string[]): Promise<string[]> {
  const kept: string[] = []
  for (const path of paths) await rm(path, { force: true }).catch(() => kept.push(path))
  return kept
}

async function whereThereIs<Value>(operation: () => Promise<Value>): Promise<Value | null> {
  try {
    return await operation()
  } catch (thrown) {
    if (failedWith(thrown, 'ENOENT', 'ENOTDIR')) return null
    throw thrown
  }
}
