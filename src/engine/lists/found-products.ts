import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { FoundRecord } from '../../records/conditions/code-fates.ts'
import { nameCondition } from '../../records/conditions/match-conditions.ts'
import { compileSuccessions, type Replaceable, type Succession } from '../../records/replacements.ts'
import type { RunCounters } from '../reading/run-counters.ts'

type Counted = Pick<RunCounters, 'foundRecords' | 'hasId' | 'conditionAt'>

/** The records that lines of a list may be about, by code and by id. */
export class FoundProducts {
  readonly #byCode = new Map<string, FoundRecord[]>()
  readonly #byId = new Map<string, FoundRecord>()
  readonly #counters: Counted
  readonly follow: (id: string) => Succession

  constructor(kind: SourcePlan['kind'], counters: Counted) {
    this.#counters = counters
    for (const record of counters.foundRecords) this.#add(record)
    this.follow = compileSuccessions(
      (id) => this.find(id) ?? (kind === 'service' || counters.hasId(id) ? current : undefined),
    )
  }

  listOf(key: string, code: string): readonly FoundRecord[] {
    return this.#byCode.get(`${key}:${code}`) ?? []
  }

  find(id: string): FoundRecord | undefined {
    return this.#byId.get(id)
  }

  /** The condition that a fate stands for; null for another fate. */
  describeFate(fate: number): { readonly from: string; readonly text: string } | null {
    const placed = this.#counters.conditionAt(fate)
    if (placed === undefined) return null
    return { from: placed.condition.from, text: `filtered by ${nameCondition(placed.condition)}` }
  }

  /** Of a repeated id the line with the best fate says what its record is. */
  #add(record: FoundRecord): void {
    for (const { key, code } of record.codes) {
      const name = `${key}:${code}`
      const known = this.#byCode.get(name)
      if (known === undefined) this.#byCode.set(name, [record])
      else known.push(record)
    }
    if (record.id === null) return
    const before = this.#byId.get(record.id)
    if (before === undefined || record.fate < before.fate) this.#byId.set(record.id, record)
  }
}

/** Nothing is known of a record without a listed code but that it is not replaced. The service was not asked for it. */
const current: Replaceable = { status: 'active', replacement: null }
