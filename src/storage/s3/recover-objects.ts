import { hostname } from 'node:os'
import { CatalogueError } from '../../errors.ts'
import { isRunning } from '../process-identity.ts'
import type { ObjectClient } from './object-client.ts'
import type { Lease } from './lease.ts'
import { anotherPublishes } from '../publication-journal.ts'
import { journalPathOf, readObjectJournal, type ObjectJournal } from './object-journal.ts'
import { finishOrUndo } from './object-publication.ts'

/**
 * Finishes or undoes the publication whose journal is beside this manifest. `finished`: its manifest is in place;
 * `undone`: otherwise; `none`: there is no journal. Repeatable after a kill. Throws OUTPUT_FAILED while the publisher
 * may still be active: its process runs, or it is on another machine and began less than ten minutes ago. A publisher
 * whose lease this run has taken over may be active, but can't publish any more.
 */
export async function recoverObjects(
  client: ObjectClient,
  home: string,
  now: () => number,
  lease?: Pick<Lease, 'token'>,
): Promise<'none' | 'finished' | 'undone'> {
  const journal = await readObjectJournal(client, home)
  if (journal === null) return 'none'
  const isTakenOver = lease !== undefined && journal.token !== undefined && journal.token < lease.token
  if (!isTakenOver) await refuseLivePublisher(journal, home, now)
  const end = await finishOrUndo(client, home, journal)
  return end === 'left' ? 'none' : end
}

async function refuseLivePublisher(journal: ObjectJournal, home: string, now: () => number): Promise<void> {
  const { publisher, startedAt } = journal
  if (publisher.host === hostname()) {
    if (publisher.pid === process.pid || !(await isRunning(publisher))) return
  } else if (now() - startedAt.getTime() > longestPublicationMs) return
  const message = `${journalPathOf(home)}: process ${publisher.pid} of "${publisher.host}" publishes these outputs since ${startedAt.toISOString()}`
  throw new CatalogueError('OUTPUT_FAILED', message, anotherPublishes)
}

/** The longest time that a publication can take: it needs a few requests for each file. */
const longestPublicationMs = 10 * 60_000
