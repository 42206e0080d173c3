import { hostname } from 'node:os'
import pLimit from 'p-limit'
import { z } from 'zod'
import { CatalogueError } from '../../errors.ts'
import { readOwnIdentity } from '../process-identity.ts'
import type { ObjectClient } from './object-client.ts'
import {
  type FinishedObject,
  type JournalEntry,
  journalPathOf,
  type ObjectJournal,
  parseJson,
  writeObjectJournal,
} from './object-journal.ts'
import { folderOf, nameOf } from './object-path.ts'
import { refusedWith } from './storage-operation.ts'

export interface ObjectPublication {
  readonly files: readonly FinishedObject[]
  readonly manifest: FinishedObject
  readonly home: string
  readonly removals: readonly string[]
  /** The ETag of the manifest that the run began with, null if there was none; undefined if that does not matter. */
  readonly replaced?: string | null | undefined
}

/**
 * Completes the uploads of all files, then of the manifest, which publishes them: a reader who goes by the manifest sees
 * the files of before or the new ones. Resolves with the journal that the next run has to finish, if any.
 * After a kill, `recoverObjects` finishes or undoes it; a failure before the manifest is there is undone here:
 * OUTPUT_FAILED.
 *
 * 1. The journal appears: which uploads there are.
 * 2. The files with names of this run are completed. No name that was taken changes its content.
 * 3. The manifest is completed if it still is the one that the run began with: published.
 * 4. The rejects, which keep their name from run to run, are completed.
 * 5. The objects that the publication before superseded are removed, and those of this one noted for the next.
 * 6. The journal goes.
 */
export async function publishObjects(client: ObjectClient, publication: ObjectPublication): Promise<readonly string[]> {
  const { files, manifest, home, removals, replaced } = publication
  const publisher = { host: hostname(), ...(await readOwnIdentity()) }
  const gone = await readSuperseded(client, home)
  const journal = { publisher, startedAt: new Date(), files, manifest, gone, removals }
  await writeObjectJournal(client, home, journal)
  try {
    await checkReplaced(client, home, replaced)
    await completeAll(
      client,
      files.filter(({ perRun }) => perRun),
    )
    await completeManifest(client, manifest, replaced)
  } catch (failure) {
    if ((await finishOrUndoAfter(client, failure, home, journal)) === 'finished') return []
    throw failure instanceof CatalogueError ? failure.withOutputs('The previous outputs are as they were.') : failure
  }
  try {
    await finishPublication(client, home, journal)
    return []
  } catch (failure) {
    // The new set counts already. The next run finishes this by the journal.
    if (failure instanceof CatalogueError) return [journalPathOf(home)]
    throw failure
  }
}

/**
 * Finishes a publication whose manifest is in place, undoes any other. An answer may have been lost: so the manifest's
 * upload is aborted first, after which it can't be completed any more. May be repeated.
 */
export async function finishOrUndo(
  client: ObjectClient,
  home: string,
  journal: ObjectJournal,
): Promise<'finished' | 'undone'> {
  const { manifest } = journal
  if (manifest.upload !== null) await client.abort(manifest.path, manifest.upload)
  const isPublished = await isInPlace(client, manifest)
  await (isPublished ? finishPublication(client, home, journal) : undoPublication(client, home, journal))
  return isPublished ? 'finished' : 'undone'
}

/** Does the steps after the manifest; may be repeated. */
async function finishPublication(client: ObjectClient, home: string, journal: ObjectJournal): Promise<void> {
  await completeAll(
    client,
    journal.files.filter(({ perRun }) => !perRun),
  )
  // A publication of nothing but the rejects or the manifest keeps the set of files.
  if (journal.files.length > 0) await retireObjects(client, home, journal)
  await client.remove(journalPathOf(home))
}

/** May be repeated: it removes what was superseded before this publication began. */
async function retireObjects(client: ObjectClient, home: string, journal: ObjectJournal): Promise<void> {
  const current = new Set(journal.files.map(({ path }) => path))
  const gone = journal.gone.filter((path) => !current.has(path))
  const before = new Set(gone)
  await removeSuperseded(client, home, { gone, kept: journal.removals.filter((path) => !before.has(path)) })
}

/** Removes the objects that were completed, and aborts the other uploads; may be repeated. */
async function undoPublication(client: ObjectClient, home: string, journal: ObjectJournal): Promise<void> {
  const limit = pLimit(atOnce)
  await Promise.all(
    journal.files.map((entry) =>
      limit(async () => {
        if (entry.upload !== null) await client.abort(entry.path, entry.upload)
        if (entry.perRun) await client.remove(entry.path)
      }),
    ),
  )
  await client.remove(journalPathOf(home))
}

/** True if the object at the path is this one. */
async function isInPlace(client: ObjectClient, { path, bytes, sha256, perRun }: JournalEntry): Promise<boolean> {
  const found = await client.head(path)
  if (found === null || found.bytes !== bytes) return false
  // No other run writes to a name of this run.
  if (perRun) return true
  return (found.sha256 ?? (await client.hash(path))) === sha256
}

async function completeAll(client: ObjectClient, entries: readonly JournalEntry[]): Promise<void> {
  const limit = pLimit(atOnce)
  const results = await Promise.allSettled(entries.map((entry) => limit(() => completeObject(client, entry))))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Throws OUTPUT_FAILED if another run has published since this one began. Under the journal none can any more. */
export async function checkReplaced(
  client: ObjectClient,
  home: string,
  replaced: string | null | undefined,
  cause?: unknown,
): Promise<void> {
  if (replaced === undefined) return
  const found = await client.head(home)
  if ((found?.etag ?? null) !== replaced) throw replacedMeanwhile(home, cause)
}

/** The storage looks as well, in case the journal was taken for that of a killed run. */
async function completeManifest(
  client: ObjectClient,
  manifest: FinishedObject,
  replaced: string | null | undefined,
): Promise<void> {
  try {
    await completeObject(client, manifest, replaced)
  } catch (failure) {
    if (refusedWith(failure, 'PreconditionFailed', 'ConditionalRequestConflict'))
      throw replacedMeanwhile(manifest.path, failure)
    throw failure
  }
}

function replacedMeanwhile(home: string, cause?: unknown): CatalogueError {
  const message = `${home}: expected the manifest that this run began with, got another one: a run on another machine has published meanwhile`
  return new CatalogueError('OUTPUT_FAILED', message, {
    cause,
    title: 'Another run has published these outputs',
    fix: 'Run again, which begins with what is published now. Let the scheduler start one run at a time.',
  })
}

/** Completes an object. An answer may be lost: the object counts as completed when it is there. */
async function completeObject(
  client: ObjectClient,
  entry: JournalEntry & Partial<Pick<FinishedObject, 'content'>>,
  replaced?: string | null,
): Promise<void> {
  const { path, upload, parts, sha256, content = new Uint8Array() } = entry
  try {
    if (upload === null) await client.put(path, content, { sha256 })
    else await client.complete(path, upload, parts, replaced)
  } catch (failure) {
    if (!(await isInPlace(client, entry))) throw failure
  }
}

/** `finishOrUndo` after a failure; throws both where it fails too. */
async function finishOrUndoAfter(
  client: ObjectClient,
  failure: unknown,
  home: string,
  journal: ObjectJournal,
): Promise<'finished' | 'undone'> {
  try {
    return await finishOrUndo(client, home, journal)
  } catch (undoFailure) {
    const message =
      `${toMessage(failure)}; and undoing the publication failed: ${toMessage(undoFailure)}. ` +
      `The next run, guided by "${journalPathOf(home)}", finishes or undoes it`
    const outputs = 'What the manifest lists is as it was, unless the storage took the new manifest before it failed.'
    throw new CatalogueError('OUTPUT_FAILED', message, { cause: failure, outputs })
  }
}

function toMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

const atOnce = 8

/**
 * The objects that the manifest before the present one listed, and the present one does not: they stay until the next
 * publication, for readers that began with that manifest. `<folder>/.<name>.superseded` beside the manifest.
 */
export async function readSuperseded(client: ObjectClient, home: string): Promise<readonly string[]> {
  const bytes = await client.get(supersededPathOf(home))
  if (bytes === null) return []
  const { data } = z.array(z.string()).safeParse(parseJson(bytes))
  // Objects of a list that can't be parsed stay: nothing depends on their removal.
  return data ?? []
}

/** Removes the objects that no reader needs any more, and notes those that are kept until the next publication. */
export async function removeSuperseded(
  client: ObjectClient,
  home: string,
  { gone, kept }: { readonly gone: readonly string[]; readonly kept: readonly string[] },
): Promise<void> {
  const limit = pLimit(atOnce)
  await Promise.all(gone.map((path) => limit(() => client.remove(path))))
  if (kept.length > 0) await client.put(supersededPathOf(home), Buffer.from(JSON.stringify(kept)))
  else if (gone.length > 0) await client.remove(supersededPathOf(home))
}

function supersededPathOf(home: string): string {
  return `${folderOf(home)}/.${nameOf(home)}.superseded`
}
