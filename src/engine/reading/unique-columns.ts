import { type IdEntries, readIdEntries, toEntryWords, toIdText } from '../../records/id-entries.ts'
import { idLength, idLine } from '../../records/id-layout.ts'
import type { RulePlan } from '../../plan/conditions/rule-plan.ts'
import { type BrokenRow, cutValue, mostListed } from '../../kernel/rules/broken-rows.ts'
import type { RepeatedValues } from '../../kernel/rules/judge-rules.ts'
import { toRowKey, type UniqueValues } from '../../kernel/rules/list-unique.ts'
import { IdSet } from './id-set.ts'

/** Values of `unique` columns, in the order of their rules. Keeps each distinct value in memory. */
export class UniqueColumns {
  readonly #columns: readonly RepeatCounter[]

  constructor(rules: readonly RulePlan[]) {
    this.#columns = rules.flatMap(({ test }, rule) => (test.kind === 'unique' ? [new RepeatCounter(rule)] : []))
  }

  /** Adds the values of a block by column. Returns the first rows with repeated values. */
  add(values: readonly UniqueValues[]): BrokenRow[] {
    return this.#columns.flatMap((column, at) => column.add(values[at] ?? noValues))
  }

  get repeated(): readonly RepeatedValues[] {
    return this.#columns
  }
}

const noValues: UniqueValues = { isId: false, values: new Uint32Array(), key: [] }

class RepeatCounter implements RepeatedValues {
  count = 0
  first: string | null = null
  readonly #rule: number
  readonly #values = new IdSet()

  constructor(rule: number) {
    this.#rule = rule
  }

  add({ isId, values, key }: UniqueValues): BrokenRow[] {
    const repeated: BrokenRow[] = []
    for (let at = 0; at < values.length;) {
      const words = toEntryWords(values[at + idLength] as number)
      if (!this.#values.addEntry(values, at, words)) {
        this.count++
        if (this.count <= mostListed) repeated.push(this.#toRow(values.subarray(at, at + words), isId, key))
      }
      at += words
    }
    return repeated
  }

  #toRow(entry: IdEntries, isId: boolean, key: readonly IdEntries[]): BrokenRow {
    const text = toText(entry)
    const value = Buffer.from(text).toString('latin1')
    this.first ??= value
    const row = entry[idLine] as number
    const texts = key.map((entries) => findText(entries, row))
    return { rule: this.#rule, ...toRowKey(isId, text, texts), value: cutValue(value) }
  }
}

function findText(entries: IdEntries, row: number): string | null {
  for (let at = 0; at < entries.length; at += toEntryWords(entries[at + idLength] as number))
    if (entries[at + idLine] === row) return toText(entries.subarray(at))
  return null
}

function toText(entries: IdEntries): string {
  const [{ bytes } = { bytes: Buffer.alloc(0) }] = readIdEntries(entries)
  return toIdText(bytes)
}
