import * as nodeFs from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type FileSystem, nullIfMissing } from './file-system.ts'
import { outputOperation } from './output-operation.ts'
import { isRunning } from './process-identity.ts'
import { journalPathFor, readJournal } from './publication-journal.ts'
import { parseStagingName, siblingPath, type StagingOwner } from './staging-names.ts'

/**
 * Removes the staged and backup files (or folders) of ended runs for these destinations. A run has ended if its process
 * does not run, or if it is of this process and its token is not in `ownTokens`. Files named by a journal beside one of
 * the destinations stay, so include the manifest. Resolves with the removed paths, sorted by destination and name.
 */
export async function clearStaleStaging(
  destinations: readonly string[],
  ownTokens: ReadonlySet<string>,
  fs: FileSystem = nodeFs,
): Promise<string[]> {
  const needed = await readJournalledPaths(destinations, fs)
  const removed: string[] = []
  for (const { path, owner } of await findStagingFiles(destinations, fs)) {
    if (needed.has(resolve(path)) || !(await isGone(owner, ownTokens))) continue
    await outputOperation(path, 'removed', () => fs.rm(path, { force: true, recursive: true }))
    removed.push(path)
  }
  return removed
}

async function readJournalledPaths(destinations: readonly string[], fs: FileSystem): Promise<Set<string>> {
  const paths = new Set<string>()
  for (const destination of destinations) {
    const journal = await readJournal(journalPathFor(destination), fs)
    for (const { staging } of journal?.entries ?? []) {
      for (const kind of ['staging', 'backup', 'partial'] as const) paths.add(resolve(siblingPath(staging, kind)))
    }
  }
  return paths
}

async function findStagingFiles(destinations: readonly string[], fs: FileSystem) {
  const found: { readonly path: string; readonly owner: StagingOwner }[] = []
  for (const destination of new Set(destinations)) {
    const folder = dirname(destination)
    for (const name of (await readNames(folder, fs)).sort()) {
      const owner = parseStagingName(name, destination)
      if (owner !== undefined) found.push({ path: join(folder, name), owner })
    }
  }
  return found
}

async function readNames(folder: string, fs: FileSystem): Promise<string[]> {
  return (await outputOperation(folder, 'listed', () => nullIfMissing(() => fs.readdir(folder)))) ?? []
}

async function isGone({ pid, token }: StagingOwner, ownTokens: ReadonlySet<string>): Promise<boolean> {
  return pid === process.pid ? !ownTokens.has(token) : !(await isRunning({ pid, startTicks: null }))
}
