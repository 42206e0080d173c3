import { toComparableCode } from '../records/flatten/comparable-code.ts'
import { parseLine } from '../records/parse-line.ts'
import type { MissingIdentifiers } from '../sources/source.ts'
import { listIdentifierFields } from '../api/identifier-fields.ts'
import type { ReadLog } from './read-log.ts'
import { scanLines } from './scan-lines.ts'
import type { IdentifierList } from '../api/split-identifiers.ts'

interface Tallied {
  readonly list: IdentifierList
  readonly left: Set<string>
  /** Whether any record has a field that says which of the codes it is for. */
  isTold: boolean
}

/** Finds out which of the codes that were asked for brought no record. */
export class IdentifierTally {
  readonly #lists: readonly Tallied[]
  #records = 0

  constructor(lists: readonly IdentifierList[]) {
    this.#lists = lists.map((list) => ({ list, left: new Set(list.codes.map(toComparableCode)), isTold: false }))
  }

  /** Ticks off the codes of the record on a line. */
  look(line: Buffer): void {
    const raw = { bytes: line, lineBytes: line.length, byteOffset: 0, terminated: true, isUtf8: true }
    const parsed = parseLine(raw, { maxLineBytes: line.length, exactNumbers: false })
    if (parsed.kind !== 'record') return
    const record = (parsed.delivered ?? {}) as Readonly<Record<string, unknown>>
    this.#records++
    for (const tallied of this.#lists) {
      for (const field of listIdentifierFields(tallied.list.key)) {
        tallied.isTold ||= Object.hasOwn(record, field)
        for (const code of [record[field]].flat()) tallied.left.delete(toComparableCode(code))
      }
    }
  }

  /** In the order asked for. Without the lists that the records don't show their part in. */
  missing(): MissingIdentifiers[] {
    const told = this.#lists.filter(({ isTold }) => isTold || this.#records === 0)
    return told.map(({ list, left }) => ({
      key: list.key,
      asked: list.codes.length,
      missing: list.codes.filter((code) => left.has(toComparableCode(code))).map(String),
    }))
  }
}

/** The same lines, each shown to the tally on its way; what it misses is noted at the end. */
export async function* tallyIdentifiers(
  runs: AsyncIterable<Buffer>,
  tally: IdentifierTally,
  notes: ReadLog,
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
