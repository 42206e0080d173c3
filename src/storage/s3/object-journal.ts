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
  readonly files: readonly JournalEntry[]
  readonly manifest: JournalEntry
  /** Superseded by the publication before this one; removed by this one. */
  readonly gone: readonly string[]
  /** Superseded by this publication; removed by the next. */
  readonly removals: readonly string[]
}

/** `<folder>/.<name>.journal` beside the manifest. */
export function journalPathOf(home: string): string {
  return `${folderOf(home)}/.${nameOf(home)}.journal`
}

/** Writes the journal. Throws OUTPUT_FAILED if another run's journal is there and the storage supports conditions. */
export async function writeObjectJournal(client: ObjectClient, home: string, content: ObjectJournal): Promise<void> {
  const path = journalPathOf(home)
  const text = JSON.stringify({ format, ...content }, withoutContent)
  if (await client.put(path, Buffer.from(text), { onlyNew: true })) return
  const message = `${path}: expected no journal, got one: another run publishes these outputs; run again when it has ended`
  throw new CatalogueError('OUTPUT_FAILED', message, anotherPublishes)
}

/** Drops contents, which no recovery needs: an object put whole is stored before the manifest, or not needed. */
function withoutContent(key: string, value: unknown): unknown {
  return key === 'content' ? undefined : value
}

export async function readObjectJournal(client: ObjectClient, home: string): Promise<ObjectJournal | null> {
  const path = journalPathOf(home)
  const bytes = await client.get(path)
  if (bytes === null) return null
  const found = parseJson(bytes)
  if (isLaterFormat((found as { format?: unknown } | null)?.format, format)) throw ofLaterVersion(path)
  const { data, error } = journal.safeParse(found)
  if (data !== undefined) return { ...data, startedAt: new Date(data.startedAt) }
  const message =
    `${path}: the journal of an unfinished publication cannot be understood: ` +
    'remove the objects that the manifest does not list, then the journal'
  throw new CatalogueError('OUTPUT_REFUSED', message, {
    cause: error,
    fix: 'Put it in order as the message says, then run again.',
  })
}

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    // The caller refuses it like JSON of another shape.
    return null
  }
}
