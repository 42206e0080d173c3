import { addDrift, emptyDrift } from '../../records/drift.ts'
import { addCount, type BlockOutcome, type LineCounts } from '../../records/block-outcome.ts'
import { FoundCodes, type FoundRecord } from '../../records/conditions/code-fates.ts'
import { isNotedOnly, listConditions, type PlacedCondition } from '../../records/conditions/match-conditions.ts'
import { IdWriter } from '../../records/id-entries.ts'
import type { RefusedCorrection } from '../../records/correct-line.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import type { Reject } from '../../records/reject.ts'
import { RejectReasons } from '../../records/reject-reasons.ts'
import { addWrongValues, joinWrongValues, noWrongValues } from '../../records/wrong-values.ts'
import { IdSet } from './id-set.ts'
import type { RowCounts } from '../../kernel/profile/column-counts.ts'
import { type BrokenRow, BrokenRows } from '../../kernel/rules/broken-rows.ts'
import type { EncodedBlock } from '../../kernel/encode/encoding-plan.ts'
import type {
  DeepReadonly,
  Doubt,
  Drift,
  FilteredBy,
  Ledger,
  RejectReason,
  RuleReport,
  WrongValues,
} from '../../manifest/manifest.ts'

/** Sums of a run's counters as plain data, to be added to those of later lines. */
export interface RunTotals {
  readonly ledger: Ledger
  readonly drift: Drift
  readonly wrongValues: WrongValues
  readonly rejectReasons: readonly RejectReason[]
  readonly rows: readonly number[]
  readonly filteredElements: readonly number[]
  readonly filteredByCondition: readonly number[]
  readonly foundCodes: DeepReadonly<ReturnType<FoundCodes['list']>>
  /** Missing in totals of earlier versions. */
  readonly broken?: readonly BrokenRow[]
  /** The numbers of lines that needed each correction; missing without corrections. */
  readonly corrected?: readonly number[]
  /** Why lines stay rejected in spite of corrections; missing if there are none. */
  readonly refused?: readonly RefusedCorrection[]
}

export class RunCounters {
  readonly ledger: LineCounts & { repeatedIds: number } = {
    lines: 0,
    blank: 0,
    rejected: 0,
    filtered: 0,
    duplicate: 0,
    accepted: 0,
    repeatedIds: 0,
  }
  readonly drift: Drift = emptyDrift()
  /** Records that `contract.invalidValues: null` would have kept. */
  readonly wrongValues = noWrongValues()
  readonly rejectReasons = new RejectReasons()
  readonly rows: number[]
  /** Elements excluded by the `where` of their table, by table. */
  readonly filteredElements: number[]
  readonly foundCodes = new FoundCodes()
  /** Records with a code of a list whose lines are matched one by one, and those that were replaced, as they came. */
  readonly foundRecords: FoundRecord[] = []
  readonly broken = new BrokenRows()
  /** The numbers of lines that needed each correction. */
  readonly corrected: number[]
  /** Of corrections of lines that stay rejected the first reason, by number. */
  readonly refused = new Map<number, string>()
  /** Counts of the values in all rows, in parts. Known only after all blocks have been encoded. */
  rowCounts: readonly RowCounts[] = []
  rules: readonly RuleReport[] = []
  doubts: readonly Doubt[] = []
  readonly #conditions: readonly PlacedCondition[]
  readonly #filteredByCondition: number[]
  readonly #ids: IdSet | null

  constructor(
    records: Pick<RecordPlan, 'where' | 'tables' | 'corrections'>,
    { countsIds = true }: { readonly countsIds?: boolean | undefined } = {},
  ) {
    this.#ids = countsIds ? new IdSet() : null
    const tables = records.tables.length
    this.corrected = (records.corrections ?? []).map(() => 0)
    this.#conditions = listConditions(records)
    this.#filteredByCondition = this.#conditions.map(() => 0)
    this.rows = Array.from({ length: tables }, () => 0)
    this.filteredElements = Array.from({ length: tables }, () => 0)
  }

  add(outcome: Omit<BlockOutcome, 'rows'> & Pick<EncodedBlock, 'rowCounts' | 'broken'>): void {
    for (const [result, count] of Object.entries(outcome.counts)) this.ledger[result as keyof LineCounts] += count
    addCounts(this.rows, outcome.rowCounts)
    addCounts(this.filteredElements, outcome.filteredElements)
    addCounts(this.#filteredByCondition, outcome.filteredByCondition)
    this.foundCodes.join(outcome.foundCodes)
    for (const number of outcome.corrected) addCount(this.corrected, number)
    this.#addRefused(outcome.refused)
    // One by one: a block may have more records than a call can have arguments.
    for (const record of outcome.foundRecords) this.foundRecords.push(record)
    addDrift(this.drift, outcome.drift)
    this.broken.add(outcome.broken)
    for (const reject of outcome.rejects) {
      addWrongValues(this.wrongValues, reject)
      this.rejectReasons.add(reject)
    }
    this.ledger.repeatedIds += outcome.rejects.filter(isRepeat).length
    this.ledger.repeatedIds += this.#ids?.add(outcome.ids) ?? 0
  }

  /** The sums so far, without the counts of values. */
  toTotals(): RunTotals {
    const { ledger, drift, wrongValues, rows, filteredElements } = this
    const rejectReasons = this.rejectReasons.listHeld()
    const foundCodes = this.foundCodes.list()
    const filteredByCondition = this.#filteredByCondition
    const broken = this.broken.list()
    return {
      ledger,
      drift,
      wrongValues,
      rejectReasons,
      rows,
      filteredElements,
      filteredByCondition,
      foundCodes,
      broken,
      ...(this.corrected.length > 0 && { corrected: this.corrected }),
      ...(this.refused.size > 0 && { refused: [...this.refused].map(([number, reason]) => ({ number, reason })) }),
    }
  }

  #addRefused(refused: readonly RefusedCorrection[]): void {
    for (const { number, reason } of refused) if (!this.refused.has(number)) this.refused.set(number, reason)
  }

  addTotals(totals: RunTotals): void {
    for (const [result, count] of Object.entries(totals.ledger)) this.ledger[result as keyof Ledger] += count
    addCounts(this.rows, totals.rows)
    addCounts(this.filteredElements, totals.filteredElements)
    addCounts(this.#filteredByCondition, totals.filteredByCondition)
    this.foundCodes.join(totals.foundCodes)
    addDrift(this.drift, totals.drift)
    joinWrongValues(this.wrongValues, totals.wrongValues)
    this.rejectReasons.addCounted(totals.rejectReasons)
    this.broken.add(totals.broken ?? [])
    addCounts(this.corrected, totals.corrected ?? [])
    this.#addRefused(totals.refused ?? [])
  }

  /** Whether a valid record had this id; false if ids are not counted. */
  hasId(id: string): boolean {
    const entry = new IdWriter()
    entry.add(id, 0)
    return this.#ids?.has(entry.finish()) ?? false
  }

  conditionAt(number: number): PlacedCondition | undefined {
    return this.#conditions[number]
  }

  /** Conditions in config order. Each record counts for the first condition it fails. */
  get filteredBy(): FilteredBy[] {
    return this.#conditions.flatMap(({ table, condition }, at) => {
      const { by = 'where' as const, from, shown } = condition
      return isNotedOnly(condition)
        ? []
        : { table, by, path: from, condition: shown, filtered: this.#filteredByCondition[at] ?? 0 }
    })
  }
}

function addCounts(sums: number[], counts: readonly number[]): void {
  for (const [at, count] of counts.entries()) sums[at] = (sums[at] ?? 0) + count
}

function isRepeat({ issues }: Reject): boolean {
  return issues[0]?.code === 'duplicate_id'
}
