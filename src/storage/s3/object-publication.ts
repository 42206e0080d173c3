import { hostname } from 'node:os'
import pLimit from 'p-limit'
import { z } from 'zod'
import { CatalogueError, messageOf } from '../../errors.ts'
import { readOwnIdentity } from '../process-identity.ts'
import type { ObjectClient } from './object-client.ts'
import type { Lease } from './lease.ts'
import {
  type FinishedObject,
  hasJournal,
  type JournalEntry,
  journalPathOf,
  type ObjectJournal,
  parseJson,
  removeObjectJournal,
  type WrittenJournal,
  writeObjectJournal,
} from './object-journal.ts'
import { folderOf, nameOf } from './object-path.ts'
import { refusedWith } from './storage-operation.ts'

export interface ObjectPublication {
  readonly files: readonly FinishedObject[]
  readonly manifest: FinishedObject
  readonly home: string
  readonly removals: readonly string[]
  /** The ETag of the manifest at the beginning of the run; null if there was none, undefined to skip the check. */
  readonly replaced?: string | null | undefined
  /** Default: none, for files of one run alone. */
  readonly lease?: Pick<Lease, 'token' | 'confirm'> | undefined
}

/**
 * Completes the uploads of all files, then of the manifest, which publishes them: a reader who follows the manifest
 * sees either the previous files or the new ones. Resolves with the journal that the next run has to finish, if any.
 * After a kill, `recoverObjects` finishes or undoes the publication. A failure before the manifest is in place is
 * undone here and throws OUTPUT_FAILED.
 *
 * 1. Write the journal, which lists the uploads.
 * 2. Replace the lease. A run that takes it over afterwards finds the journal, and aborts the uploads before it does
 *    anything else: what is completed below is completed before that, or not at all.
 * 3. Complete the files with names of this run, which replace nothing.
 * 4. Complete the manifest, if it still is the one at the run's beginning. That publishes the files.
 * 5. Complete the rejects, which keep their name from run to run.
 * 6. Remove the objects superseded by the previous publication, and note those superseded by this one for the next.
 * 7. Remove the journal.
 */
export async function publishObjects(client: ObjectClient, publication: ObjectPublication): Promise<readonly string[]> {
  const { files, manifest, home, removals, replaced, lease } = publication
  const publisher = { host: hostname(), ...(await readOwnIdentity()) }
  const gone = await readSuperseded(client, home)
  const startedAt = new Date()
  const content = { publisher, startedAt, token: lease?.token, files, manifest, gone, removals }
  const journal = await writeObjectJournal(client, home, content).catch(async (failure) => {
    throw await explain(failure, lease)
  })
  let wasSent = false
  try {
    await lease?.confirm()
    await checkReplaced(client, home, replaced)
    await completeAll(
      client,
      files.filter(({ perRun }) => perRun),
    )
    // Otherwise it would not be known below whether another run has finished or undone this publication meanwhile.
    if (!(await hasJournal(client, home, journal))) throw replacedMeanwhile(home)
    wasSent = true
    await completeManifest(client, manifest, replaced)
  } catch (failure) {
    if ((await finishOrUndoAfter(client, failure, home, journal, wasSent)) === 'finished') return []
    const said = await explain(failure, lease)
    throw said instanceof CatalogueError ? said.withOutputs('The previous outputs are as they were.') : said
  }
  try {
    await finishPublication(client, home, journal)
    return []
  } catch (failure) {
    // The new set is published already. The next run finishes the rest by the journal.
    if (failure instanceof CatalogueError) return [journalPathOf(home)]
    throw failure
  }
}

/** The loss of the lease, if it is what made a publication fail; otherwise the failure. */
async function explain(failure: unknown, lease: ObjectPublication['lease']): Promise<unknown> {
  try {
    await lease?.confirm()
  } catch (thrown) {
    if (thrown instanceof CatalogueError && thrown.code === 'LOCKED') return thrown
  }
  return failure
}

/**
 * Finishes a publication whose manifest is in place, and undoes any other. As an answer may have been lost, it first
 * aborts the manifest's upload, so that it can't be completed later. `left`: another run has done either already, maybe
 * finished it and published since. But a manifest that is not in place while its journal is there never was. `wasSent`
 * is false if nobody has tried to complete the manifest. Repeatable.
 */
export async function finishOrUndo(
  client: ObjectClient,
  home: string,
  journal: WrittenJournal,
  wasSent = true,
): Promise<'finished' | 'undone' | 'left'> {
  const { manifest } = journal
  if (manifest.upload !== null) await client.abort(manifest.path, manifest.upload)
  const isPublished = wasSent && (await isInPlace(client, manifest))
  if (wasSent && !isPublished && !(await hasJournal(client, home, journal))) return 'left'
  await (isPublished ? finishPublication(client, home, journal) : undoPublication(client, home, journal))
  return isPublished ? 'finished' : 'undone'
}

async function finishPublication(client: ObjectClient, home: string, journal: WrittenJournal): Promise<void> {
  await completeAll(
    client,
    journal.files.filter(({ perRun }) => !perRun),
  )
  if (!(await hasJournal(client, home, journal))) return
  // A publication of nothing but the rejects or the manifest keeps the set of files.
  if (journal.files.length > 0) await retireObjects(client, home, journal)
  await removeObjectJournal(client, home, journal)
}

/** Removes what was superseded before this publication began. Repeatable. */
async function retireObjects(client: ObjectClient, home: string, journal: ObjectJournal): Promise<void> {
  const current = new Set(journal.files.map(({ path }) => path))
  const gone = journal.gone.filter((path) => !current.has(path))
  const before = new Set(gone)
  await removeSuperseded(client, home, { gone, kept: journal.removals.filter((path) => !before.has(path)) })
}

/** Removes the completed objects and aborts the other uploads. Repeatable. */
async function undoPublication(client: ObjectClient, home: string, journal: WrittenJournal): Promise<void> {
  const limit = pLimit(atOnce)
  await Promise.all(
    journal.files.map((entry) =>
      limit(async () => {
        if (entry.upload !== null) await client.abort(entry.path, entry.upload)
        if (entry.perRun) await client.remove(entry.path)
      }),
    ),
  )
  if (await hasJournal(client, home, journal)) await removeObjectJournal(client, home, journal)
}

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

/**
 * Throws OUTPUT_FAILED if another run has published since this one began. While the journal exists no other run can.
 */
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

/**
 * Completes the manifest under a condition of the storage too, in case another run took the journal for a killed run's.
 */
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

/** Completes an object. As an answer may be lost, an object that exists counts as completed. */
export async function completeObject(
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

/** Calls `finishOrUndo` after a failure; if that fails too, throws both. */
async function finishOrUndoAfter(
  client: ObjectClient,
  failure: unknown,
  home: string,
  journal: WrittenJournal,
  wasSent: boolean,
): ReturnType<typeof finishOrUndo> {
  try {
    return await finishOrUndo(client, home, journal, wasSent)
  } catch (undoFailure) {
    const message =
      `${messageOf(failure)}; and undoing the publication failed: ${messageOf(undoFailure)}. ` +
      `The next run, guided by "${journalPathOf(home)}", finishes or undoes it`
    const outputs = 'What the manifest lists is as it was, unless the storage took the new manifest before it failed.'
    throw new CatalogueError('OUTPUT_FAILED', message, { cause: failure, outputs })
  }
}

const atOnce = 8

/**
 * The objects that the previous manifest listed and the present one does not. They stay until the next publication, for
 * readers of the previous manifest. Noted in `<folder>/.<name>.superseded` beside the manifest.
 */
export async function readSuperseded(client: ObjectClient, home: string): Promise<readonly string[]> {
  const bytes = await client.get(supersededPathOf(home))
  if (bytes === null) return []
  const { data } = z.array(z.string()).safeParse(parseJson(bytes))
  // Objects of a list that can't be parsed stay: nothing depends on their removal.
  return data ?? []
}

/** Removes the objects that no reader needs any more, and notes those to keep until the next publication. */
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
