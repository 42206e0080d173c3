import { parseLine } from '../records/parse-line.ts'
import type { MissingIdentifiers } from '../sources/source.ts'
import type { NoteBook } from './reading-notes.ts'
import { scanLines } from './scan-lines.ts'
import type { IdentifierList } from './split-identifiers.ts'

/** Finds out which of the codes that were asked for brought no record. */
export class IdentifierTally {
  readonly #lists: readonly { readonly list: IdentifierList; readonly left: Map<string, string> }[]

  constructor(lists: readonly IdentifierList[]) {
    this.#lists = lists.map((list) => ({
      list,
      left: new Map(list.codes.map((code) => [toComparable(code), String(code)])),
    }))
  }

  /** Ticks off the codes of the record on a line. */
  look(line: Buffer): void {
    const raw = { bytes: line, lineBytes: line.length, byteOffset: 0, terminated: true, isUtf8: true }
    const parsed = parseLine(raw, { maxLineBytes: line.length, exactNumbers: false })
    if (parsed.kind !== 'record') return
    const record = (parsed.delivered ?? {}) as Readonly<Record<string, unknown>>
    for (const { list, left } of this.#lists) {
      for (const field of fieldsOf(list.key)) {
        for (const code of [record[field]].flat()) left.delete(toComparable(code))
      }
    }
  }

  /** In the order asked for. */
  missing(): MissingIdentifiers[] {
    return this.#lists.map(({ list, left }) => ({
      key: list.key,
      asked: list.codes.length,
      missing: [...left.values()],
    }))
  }
}

/** A bar code may be delivered in any of its fields, whichever of them is asked for. */
const barCodeFields = ['ean', 'gtin', 'eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14']

function fieldsOf(key: string): readonly string[] {
  return barCodeFields.includes(key) ? barCodeFields : [key]
}

/** Leading zeros come and go. */
function toComparable(code: unknown): string {
  const text = typeof code === 'string' || typeof code === 'number' ? String(code) : ''
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text
}

/** The same lines, each shown to the tally on its way; what it misses is noted at the end. */
export async function* tallyIdentifiers(
  runs: AsyncIterable<Buffer>,
  tally: IdentifierTally,
  notes: NoteBook,
): AsyncGenerator<Buffer> {
  for await (const run of runs) {
    let start = 0
    for (const { end } of scanLines(run, run.length)) {
      tally.look(run.subarray(start, end))
      start = end
    }
    yield run
  }
  notes.found(tally.missing())
}
