import { z } from 'zod'
import { CatalogueError } from '../../errors.ts'
import type { ProcessIdentity } from '../process-identity.ts'
import { anotherPublishes, isLaterFormat, ofLaterVersion } from '../publication-journal.ts'
import type { ObjectClient } from './object-client.ts'
import { folderOf, nameOf } from './object-path.ts'

const format = 'catalogue-etl object publication 1'

const entry = z.object({
  path: z.string(),
  upload: z.string().nullable(),
  parts: z.array(z.object({ PartNumber: z.int(), ETag: z.string() })),
  bytes: z.int(),
  sha256: z.string(),
  perRun: z.boolean(),
})

const journal = z.object({
  format: z.literal(format),
  publisher: z.object({ host: z.string(), pid: z.int(), startTicks: z.string().nullable() }),
  startedAt: z.iso.datetime(),
  token: z.int().optional(),
  files: z.array(entry),
  manifest: entry,
  gone: z.array(z.string()),
  removals: z.array(z.string()),
})

/** An object that is being published, with all of its parts stored. */
export type JournalEntry = Readonly<z.output<typeof entry>>

export type FinishedObject = JournalEntry & { readonly content: Uint8Array }

export interface ObjectJournal {
  readonly publisher: ProcessIdentity & { readonly host: string }
  readonly startedAt: Date
  /** The fencing token of the publisher's lease. */
  readonly token?: number | undefined
  readonly files: readonly JournalEntry[]
  readonly manifest: JournalEntry
  /** Superseded by the publication before this one; removed by this one. */
  readonly gone: readonly string[]
  /** Superseded by this publication; removed by the next. */
  readonly removals: readonly string[]
}

/** A journal that is in the bucket; its ETag tells it from that of another publication. */
export type WrittenJournal = ObjectJournal & { readonly etag: string | null }

/** `<folder>/.<name>.journal` beside the manifest. */
export function journalPathOf(home: string): string {
  return `${folderOf(home)}/.${nameOf(home)}.journal`
}

/** Writes the journal. Throws OUTPUT_FAILED if another run's journal is there and the storage supports conditions. */
export async function writeObjectJournal(
  client: ObjectClient,
  home: string,
  content: ObjectJournal,
): Promise<WrittenJournal> {
  const path = journalPathOf(home)
  const bytes = Buffer.from(JSON.stringify({ format, ...content }, withoutContent))
  await client.put(path, bytes, { onlyNew: true })
  const found = await client.getVersion(path)
  // The answer may have been lost.
  if (found !== null && bytes.equals(found.bytes)) return { ...content, etag: found.etag }
  const message = `${path}: expected no journal, got one: another run publishes these outputs; run again when it has ended`
  throw new CatalogueError('OUTPUT_FAILED', message, anotherPublishes)
}

/** Drops contents, which no recovery needs: an object put whole is stored before the manifest, or not needed. */
function withoutContent(key: string, value: unknown): unknown {
  return key === 'content' ? undefined : value
}

export async function readObjectJournal(client: ObjectClient, home: string): Promise<WrittenJournal | null> {
  const path = journalPathOf(home)
  const version = await client.getVersion(path)
  if (version === null) return null
  const found = parseJson(version.bytes)
  if (isLaterFormat((found as { format?: unknown } | null)?.format, format)) throw ofLaterVersion(path)
  const { data, error } = journal.safeParse(found)
  if (data !== undefined) return { ...data, startedAt: new Date(data.startedAt), etag: version.etag }
  const message =
    `${path}: the journal of an unfinished publication cannot be understood: ` +
    'remove the objects that the manifest does not list, then the journal'
  throw new CatalogueError('OUTPUT_REFUSED', message, {
    cause: error,
    fix: 'Put it in order as the message says, then run again.',
  })
}

/** False once another run has finished or undone this publication. */
export async function hasJournal(client: ObjectClient, home: string, { etag }: WrittenJournal): Promise<boolean> {
  const found = await client.head(journalPathOf(home))
  return found !== null && found.etag === etag
}

export async function removeObjectJournal(client: ObjectClient, home: string, { etag }: WrittenJournal): Promise<void> {
  await client.remove(journalPathOf(home), etag)
}

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    // The caller refuses it like JSON of another shape.
    return null
  }
}
