import { listIdentifierFields, type IdentifierList } from '../endpoints/split-identifiers.ts'
import { toComparableCode } from '../../codes/code-text.ts'
import { cutMembers } from './cut-members.ts'
import type { LineBatch } from './line-batch.ts'
import type { ReadLog } from './read-log.ts'
import type { MissingIdentifiers } from '../../manifest/manifest.ts'

interface TalliedList {
  readonly list: IdentifierList
  readonly fields: readonly string[]
  readonly left: Set<string>
  isShown: boolean
}

/** Finds out which of the requested codes brought no record. */
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

  /** Ticks off the codes of the record on a line, as far as its JSON can be read. */
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

  /** In the order of the request. Lists whose fields no record has are left out. */
  missing(): MissingIdentifiers[] {
    const shown = this.#lists.filter(({ isShown }) => isShown || this.#records === 0)
    return shown.map(({ list, left }) => ({
      key: list.key,
      asked: list.codes.length,
      missing: list.codes.filter((code) => left.has(toComparableCode(code))).map(String),
    }))
  }
}

/** Yields the same batches and counts their records in the tally; logs the missing codes at the end. */
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

function toCodes(value: string): unknown[] {
  try {
    return [JSON.parse(value) as unknown].flat()
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
