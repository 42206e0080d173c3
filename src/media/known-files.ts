import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { parseObject } from '../records/json/json-values.ts'
import { outputOperation } from '../storage/output-operation.ts'
import { toFileKey } from './choose-files.ts'
import { KeyIndex } from './key-index.ts'
import { mediaEntry, missingReasons, storedFile, toStored, type StoredFile } from './media-entry.ts'
import { readLinesOf } from './read-lines.ts'

const journalLine = z.object({
  key: z.string(),
  /** `done`: obtained by the current download; `failed`: not. */
  state: z.enum(['done', 'failed']),
  at: z.number(),
  stored: storedFile.nullable().catch(null),
  reason: z.enum(missingReasons).nullable(),
  detail: z.string().nullable(),
  /** Name of the file until it was complete. */
  part: z.string().nullable(),
})

type JournalLine = Readonly<Omit<z.output<typeof journalLine>, 'key'>>

/** The latest facts about a file. `known` means from an earlier download, with `at` 0. */
export type KnownFile = Omit<JournalLine, 'state'> & { readonly state: 'known' | JournalLine['state'] }

/**
 * All facts about files: lines of the last published manifest, and of a journal with the outcomes since. The journal is
 * only appended to, a line at once, so it survives a kill. Memory holds only the place of each file's last line.
 */
export class KnownFiles {
  readonly #places = new KeyIndex()
  readonly #paths: readonly [previous: string, journal: string]
  readonly #previous: number | null
  readonly #journal: number
  #end: number

  private constructor(paths: readonly [previous: string, journal: string], previous: number | null, journal: number) {
    this.#paths = paths
    this.#previous = previous
    this.#journal = journal
    this.#end = 0
  }

  /** Opens both files, creates the journal if needed, and cuts off an incomplete last line. */
  static async open(previousPath: string, journalPath: string): Promise<KnownFiles> {
    return outputOperation(journalPath, 'opened', async () => {
      const previous = openIfThere(previousPath)
      const known = new KnownFiles([previousPath, journalPath], previous, openSync(journalPath, 'a+'))
      await known.#readAll()
      return known
    })
  }

  async #readAll(): Promise<void> {
    const [previous, journal] = this.#paths
    for await (const { text, offset } of readLinesOf(previous)) {
      const entry = mediaEntry.safeParse(parseObject(text)).data
      if (entry !== undefined) this.#places.set(toFileKey(entry), 2 * offset)
    }
    for await (const { text, offset } of readLinesOf(journal)) {
      this.#end = offset + Buffer.byteLength(text) + 1
      const line = journalLine.safeParse(parseObject(text)).data
      if (line !== undefined) this.#places.set(line.key, 2 * offset + 1)
    }
    if (fstatSync(this.#journal).size > this.#end) ftruncateSync(this.#journal, this.#end)
  }

  get(key: string): KnownFile | null {
    const place = this.#places.get(key)
    return place === null ? null : this.at(place)
  }

  /** The place of a file's facts, for `at`. Throws if there are none. */
  placeOf(key: string): number {
    const place = this.#places.get(key)
    if (place === null) throw new TypeError(`nothing is known of ${key}`)
    return place
  }

  at(place: number): KnownFile {
    const isJournal = place % 2 === 1
    const value = parseObject(
      readLineAt(isJournal ? this.#journal : (this.#previous ?? this.#journal), Math.floor(place / 2)),
    )
    return isJournal ? toKnown(value) : { ...nothing, stored: toStored(value) }
  }

  /** Appends the outcome of a file; it survives a kill from then on. */
  add(key: string, known: KnownFile): void {
    const bytes = Buffer.from(`${JSON.stringify({ key, ...known })}\n`)
    for (let at = 0; at < bytes.length;) at += writeSync(this.#journal, bytes, at)
    this.#places.set(key, 2 * this.#end + 1)
    this.#end += bytes.length
  }

  /** Whether no killed download is being resumed. */
  get isEmpty(): boolean {
    return this.#end === 0
  }

  /** Yields every line of the journal; later lines of a file override earlier ones. */
  async *journal(): AsyncGenerator<KnownFile> {
    for await (const { text } of readLinesOf(this.#paths[1])) yield toKnown(parseObject(text))
  }

  /** Yields every file that was ever named, in both. */
  async *files(): AsyncGenerator<StoredFile> {
    for await (const { text } of readLinesOf(this.#paths[0])) {
      const stored = toStored(parseObject(text))
      if (stored !== null) yield stored
    }
    for await (const { stored } of this.journal()) if (stored !== null) yield stored
  }

  close(): void {
    closeSync(this.#journal)
    if (this.#previous !== null) closeSync(this.#previous)
  }
}

const nothing: KnownFile = { state: 'known', at: 0, stored: null, reason: null, detail: null, part: null }

function toKnown(value: unknown): KnownFile {
  return journalLine.safeParse(value).data ?? nothing
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw thrown
  }
}

function readLineAt(file: number, offset: number): string {
  for (let length = 2048; ; length *= 4) {
    const bytes = Buffer.alloc(length)
    const read = readSync(file, bytes, 0, length, offset)
    const end = bytes.subarray(0, read).indexOf(10)
    if (end >= 0 || read < length) return bytes.toString('utf8', 0, end < 0 ? read : end)
  }
}
