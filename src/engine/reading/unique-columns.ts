import type { RulePlan } from '../../plan/pipeline-plan.ts'
import { type IdEntries, readIdEntries, toEntryWords, toIdText } from '../../records/id-entries.ts'
import { idLength } from '../../records/id-layout.ts'
import type { RepeatedValues } from '../../rules/judge-rules.ts'
import { IdSet } from './id-set.ts'

/** The values of the columns that are to be unique, in the order of their rules. Takes memory for each different value. */
export class UniqueColumns {
  readonly #columns: readonly UniqueColumn[]

  constructor(rules: readonly RulePlan[]) {
    this.#columns = rules.flatMap(({ test }) => (test.kind === 'unique' ? [new UniqueColumn()] : []))
  }

  /** Adds the values of a block, by column. */
  add(values: readonly IdEntries[]): void {
    for (const [at, column] of this.#columns.entries()) column.add(values[at] ?? new Uint32Array())
  }

  get repeated(): readonly RepeatedValues[] {
    return this.#columns
  }
}

class UniqueColumn implements RepeatedValues {
  count = 0
  first: string | null = null
  readonly #values = new IdSet()

  add(entries: IdEntries): void {
    for (let at = 0; at < entries.length;) {
      const words = toEntryWords(entries[at + idLength] as number)
      if (!this.#values.addEntry(entries, at, words)) this.#addRepeated(entries.subarray(at, at + words))
      at += words
    }
  }

  #addRepeated(entry: IdEntries): void {
    this.count++
    if (this.first !== null) return
    const [{ bytes } = { bytes: Buffer.alloc(0) }] = readIdEntries(entry)
    this.first = Buffer.from(toIdText(bytes)).toString('latin1')
  }
}
