import { listIdentifierFields, type IdentifierList } from '../endpoints/split-identifiers.ts'
import { toComparableCode } from '../../records/conditions/condition-test.ts'
import { cutMembers } from './cut-members.ts'
import type { LineBatch } from './line-batch.ts'
import type { ReadLog } from './read-log.ts'
import type { MissingIdentifiers } from '../../manifest/manifest.ts'

interface TalliedList {
  readonly list: IdentifierList
  readonly fields: readonly string[]
  readonly left: Set<string>
  /** True once a record has a field for the codes of the list. */
  isShown: boolean
}

/** Finds out which of the codes that were asked for brought no record. */
export class IdentifierTally {
  readonly #lists: readonly TalliedList[]
  readonly #fields: ReadonlySet<string>
  #records = 0

  constructor(lists: readonly IdentifierList[]) {
    this.#lists = lists.map((list) => {
      const left = new Set(list.codes.map(toComparableCode))
      return { list, fields: listIdentifierFields(list.key), left, isShown: false }
    })
    this.#fields = new Set(this.#lists.flatMap(({ fields }) => fields))
  }

  /** Ticks off the codes of the record on a line, as far as that is no broken JSON. */
  add(line: Buffer): void {
    const members = cutMembers(line, this.#fields)
    this.#records++
    for (const tallied of this.#lists) {
      for (const field of tallied.fields) {
        const value = members.get(field)
        if (value === undefined) continue
        tallied.isShown = true
        for (const code of toCodes(value)) tallied.left.delete(toComparableCode(code))
      }
    }
  }

  /** In the order asked for. Without the lists that the records don't show their part in. */
  missing(): MissingIdentifiers[] {
    const shown = this.#lists.filter(({ isShown }) => isShown || this.#records === 0)
    return shown.map(({ list, left }) => ({
      key: list.key,
      asked: list.codes.length,
      missing: list.codes.filter((code) => left.has(toComparableCode(code))).map(String),
    }))
  }
}

/** The same batches, their records shown to the tally on their way; what it misses is logged at the end. */
export async function* tallyIdentifiers(
  batches: AsyncIterable<LineBatch>,
  tally: IdentifierTally,
  log: ReadLog,
): AsyncGenerator<LineBatch> {
  for await (const batch of batches) {
    let start = 0
    for (const { kind, end } of batch.lines) {
      if (kind === 'record') tally.add(batch.bytes.subarray(start, end))
      start = end
    }
    yield batch
  }
  log.setMissing(tally.missing())
}

/** A code, or several in a list. */
function toCodes(value: string): unknown[] {
  try {
    return [JSON.parse(value) as unknown].flat()
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
