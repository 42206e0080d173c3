import type { StagedFile, WrittenFile } from '../storage/staged-file.ts'
import { toFileKey, type WantedFile } from './choose-files.ts'
import { KeyIndex } from './key-index.ts'
import type { KnownFile, KnownFiles } from './known-files.ts'
import { redactAddress, type MediaEntry, type MissingReason } from './media-entry.ts'

export interface WrittenEntries {
  readonly lines: number
  readonly statuses: Readonly<Record<MediaEntry['status'], number>>
  readonly reasons: ReadonlyMap<MissingReason, number>
  readonly names: KeyIndex
}

/** Writes entries into two staged files: all of them, and those missing or stale. */
export class EntryWriter {
  readonly #all: StagedFile
  readonly #missing: StagedFile
  readonly #statuses = { current: 0, stale: 0, missing: 0 }
  readonly #reasons = new Map<MissingReason, number>()
  readonly #names = new KeyIndex()
  #lines = 0

  constructor(all: StagedFile, missing: StagedFile) {
    this.#all = all
    this.#missing = missing
  }

  async add(entry: MediaEntry): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(entry)}\n`)
    const { status, reason, file } = entry
    this.#lines++
    this.#statuses[status]++
    if (reason !== undefined) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
    if (file !== undefined) this.#names.set(file, 0)
    await this.#all.write(bytes)
    if (status !== 'current') await this.#missing.write(bytes)
  }

  async finish(): Promise<WrittenEntries & { readonly all: WrittenFile; readonly missing: WrittenFile }> {
    const [all, missing] = [await this.#all.finish(), await this.#missing.finish()]
    const { ...statuses } = this.#statuses
    return { all, missing, lines: this.#lines, statuses, reasons: this.#reasons, names: this.#names }
  }
}

export function toEntry(file: WantedFile, known: KnownFiles): MediaEntry {
  const { record, id, format, locale, url } = file
  const own = { record, id, format, locale }
  if (url === null) return { ...own, status: 'missing', reason: 'no-address' }
  const found = known.get(toFileKey(file))
  const why = found === null ? { reason: 'failed' as const } : toReason(found)
  if (found?.stored) return { ...own, status: why.reason === undefined ? 'current' : 'stale', ...found.stored, ...why }
  return { ...own, status: 'missing', url: redactAddress(url), ...why }
}

function toReason({ reason, detail }: KnownFile): Pick<MediaEntry, 'reason' | 'detail'> {
  return { ...(reason !== null && { reason }), ...(detail !== null && { detail }) }
}
