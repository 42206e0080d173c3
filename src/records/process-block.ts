import { type ContractRef, resolveContract } from '../contracts/extended/extend-contract.ts'
import type { Block } from './block.ts'
import {
  addCount,
  addIndex,
  type BlockOutcome,
  closeOutcome,
  compileOutcome,
  type OpenOutcome,
  type RepeatedLines,
} from './block-outcome.ts'
import {
  compileFlattening,
  readsDelivered,
  findUnstorableId,
  type FlatRecord,
  type Store,
} from './flatten/flatten-record.ts'
import { compileCorrections, type CorrectedLine, type Correction } from './correct-line.ts'
import { emptyDrift } from './drift.ts'
import { type Issue, toId, toReject } from './reject.ts'
import { codeFates, FoundCodes } from './conditions/code-fates.ts'
import { compileConditions, compileCodeFinding } from './conditions/match-conditions.ts'
import { compileOwnCheck, type OwnCheck } from './own-check.ts'
import { freezeRecord, hasOwnCode, OwnCodeError } from './own-code.ts'
import { parseAgain, parseLine, type ParsedLine, type ParseOptions } from './parse-line.ts'
import { linesOf, type RawLine } from './raw-line.ts'
import { type TombstoneKind, toTombstoneRow } from './record-table.ts'
import type { Condition } from './conditions/condition.ts'
import type { TablePlan } from './flatten/table-plan.ts'
import { validateExactly } from './validate/validate-exactly.ts'
import { compileValidation, type CanonicalRecord, type DriftPolicy } from './validate/validate-record.ts'

/** All that the decision on a line depends on. Without code of the config it is plain data: it can be sent to a worker. */
export interface RecordPlan extends ContractRef {
  readonly drift: DriftPolicy
  /** The locales that become columns. */
  readonly locales: readonly string[]
  /** Records that don't meet these are filtered. */
  readonly where: readonly Condition[]
  /** Records that it refuses are rejected. Default none. */
  readonly check?: OwnCheck
  readonly tables: readonly TablePlan[]
  readonly maxLineBytes: number
  /** Default none. */
  readonly corrections?: readonly Correction[]
  /** The store that the tables are loaded into: a record that it can't hold is rejected. */
  readonly store?: Store
  /** In a load: the table of records, by its number in `tables`, and the kinds of tombstones that it gets. */
  readonly tombstones?: { readonly table: number; readonly kinds: readonly TombstoneKind[] }
}

export type ProcessBlock = (block: Block, repeated?: RepeatedLines) => BlockOutcome

/** The pure core of a run: block → lines → records → rows. No I/O; the same block gives the same outcome. */
export function compileProcessing(plan: RecordPlan): ProcessBlock {
  const processLine = compileLineProcessing(plan)
  const openOutcome = compileOutcome(plan)
  return (block, repeated) => {
    const outcome = openOutcome()
    let lineInBlock = 0
    for (const line of linesOf(block)) {
      if (!processLine(line, lineInBlock, outcome, repeated?.get(lineInBlock))) break
      lineInBlock++
    }
    return closeOutcome(outcome)
  }
}

/** Adds a line to the outcome of its block; false for an error line or a failure of own code, which end the block. */
export type ProcessLine = (
  line: RawLine,
  lineInBlock: number,
  outcome: OpenOutcome,
  repetition?: 'drop' | Issue,
) => boolean

export function compileLineProcessing(plan: RecordPlan): ProcessLine {
  const parseOptions = { maxLineBytes: plan.maxLineBytes, exactNumbers: true }
  const decide = compileDecision(plan, parseOptions)
  const addTombstone = compileTombstones(plan)
  const findCodes = compileCodeFinding(plan.where)
  const correct = compileCorrecting(plan, decide, parseOptions)
  const process: ProcessLine = (delivered, lineInBlock, outcome, repetition) => {
    const { line, used, refused } = correct?.(delivered, repetition) ?? { line: delivered, used: [], refused: [] }
    outcome.corrected.push(...used)
    outcome.refused.push(...refused)
    const parsed = parseLine(line, parseOptions)
    if (parsed.kind === 'error') {
      outcome.streamError = { lineInBlock, error: parsed.error }
      return false
    }
    const decision = decide(parsed, outcome, repetition, line.interfaceVersion)
    addToOutcome(outcome, line, lineInBlock, parsed, decision)
    if (decision.kind === 'rejected' || decision.kind === 'duplicate') findCodes(decision.record, outcome.foundCodes)
    const fate = decision.kind === 'filtered' ? decision.by : toCodeFate(decision.kind)
    outcome.foundCodes.settle(fate, () => toRecordId(decision, outcome))
    addTombstone?.(outcome, decision)
    return true
  }
  return hasOwnCode(plan) ? stopAtFailure(process) : process
}

function stopAtFailure(process: ProcessLine): ProcessLine {
  return (line, lineInBlock, outcome, repetition) => {
    try {
      return process(line, lineInBlock, outcome, repetition)
    } catch (error) {
      if (!(error instanceof OwnCodeError)) throw error
      outcome.failure = { lineInBlock, error }
      return false
    }
  }
}

/** Looks what would become of a line, without a trace in the outcome. Null without corrections. */
function compileCorrecting(
  { corrections = [] }: RecordPlan,
  decide: Decide,
  parseOptions: ParseOptions,
): ((line: RawLine, repetition: 'drop' | Issue | undefined) => CorrectedLine) | null {
  if (corrections.length === 0) return null
  const correct = compileCorrections(corrections)
  return (delivered, repetition) =>
    correct(delivered, (line) => {
      const parsed = parseLine(line, parseOptions)
      if (parsed.kind === 'error') return null
      const scratch = { drift: emptyDrift(), foundCodes: new FoundCodes() }
      const decision = decide(parsed, scratch, repetition, line.interfaceVersion)
      return decision.kind === 'rejected' ? { id: toId(decision.record), issues: decision.issues } : null
    })
}

/** Blank lines bring no code. */
function toCodeFate(kind: Exclude<LineDecision['kind'], 'filtered'>): number {
  return kind === 'blank' ? codeFates.rejected : codeFates[kind]
}

function toRecordId(decision: LineDecision, { rejects }: Pick<OpenOutcome, 'rejects'>): string | null {
  if (decision.kind === 'rejected') return rejects.at(-1)?.id ?? null
  return decision.kind === 'blank' ? null : String(decision.record['id'])
}

type ContentLine = Exclude<ParsedLine, { kind: 'error' }>

type LineDecision =
  | { readonly kind: 'blank' }
  | { readonly kind: 'rejected'; readonly issues: readonly Issue[]; readonly record: unknown }
  | { readonly kind: 'duplicate'; readonly record: CanonicalRecord }
  /** By the condition at this position of `where`. */
  | { readonly kind: 'filtered'; readonly by: number; readonly record: CanonicalRecord }
  | { readonly kind: 'accepted'; readonly flat: FlatRecord; readonly record: CanonicalRecord }

type Decide = (
  line: ContentLine,
  outcome: Pick<OpenOutcome, 'drift' | 'foundCodes'>,
  repetition: 'drop' | Issue | undefined,
  from: RawLine['interfaceVersion'],
) => LineDecision

/** The order of the decisions: contract, repetition, `where`, `check`, conversion into rows. */
function compileDecision(plan: RecordPlan, parseOptions: ParseOptions): Decide {
  const contract = resolveContract(plan)
  const validate = validateExactly(contract, compileValidation(contract, plan.drift, plan.locales), plan.drift)
  const findFailing = compileConditions(plan.where)
  const check = plan.check && compileOwnCheck(plan.check)
  const flatten = compileFlattening(plan.tables, plan.store)
  const hasDelivered = readsDelivered(plan.tables)
  return (line, { drift, foundCodes }, repetition, from) => {
    if (line.kind === 'blank') return line
    if (line.kind === 'invalid') return { kind: 'rejected', issues: [line.issue], record: null }
    const { record, issues, delivered, isChanged } = validate(line, drift, true)
    if (issues !== null) return { kind: 'rejected', issues, record: delivered }
    if (repetition === 'drop') return { kind: 'duplicate', record }
    if (repetition !== undefined) return { kind: 'rejected', issues: [repetition], record }
    const by = findFailing(record, foundCodes)
    if (by >= 0) return { kind: 'filtered', by, record }
    if (check !== undefined) {
      freezeRecord(record)
      const refused = check(record)
      if (refused.length > 0) return { kind: 'rejected', issues: refused, record }
    }
    const flat = flatten(record, isChanged && hasDelivered ? parseAgain(line.text, parseOptions) : delivered, from)
    return flat.issues.length > 0
      ? { kind: 'rejected', issues: flat.issues, record }
      : { kind: 'accepted', flat, record }
  }
}

/** Adds the tombstone of a record without rows to the table of records, if the plan has one. */
function compileTombstones({
  tombstones,
  store,
}: RecordPlan): ((outcome: OpenOutcome, decision: LineDecision) => void) | null {
  if (tombstones === undefined) return null
  const { table, kinds } = tombstones
  const isHeld = (id: string): boolean => store === undefined || findUnstorableId(id, store) === null
  return ({ rows, rejects }, decision) => {
    if (decision.kind !== 'filtered' && decision.kind !== 'rejected') return
    if (!kinds.includes(decision.kind)) return
    const id = decision.kind === 'filtered' ? String(decision.record['id']) : (rejects.at(-1)?.id ?? null)
    if (id !== null && isHeld(id)) rows[table]?.push(toTombstoneRow(id, decision.kind))
  }
}

function addToOutcome(
  outcome: OpenOutcome,
  line: RawLine,
  lineInBlock: number,
  parsed: ContentLine,
  decision: LineDecision,
): void {
  outcome.counts.lines++
  outcome.counts[decision.kind]++
  if (parsed.kind === 'blank' || decision.kind === 'blank') return
  const index = parsed.kind === 'invalid' ? (parsed.index ?? 'unreadable') : parsed.index
  addIndex(outcome.indexes, index, parsed.total)
  if (parsed.kind === 'invalid' && !line.terminated) outcome.isCut = true
  if (decision.kind === 'rejected') {
    outcome.rejects.push(toReject(line, lineInBlock, parsed.index, decision.record, decision.issues))
    return
  }
  addId(outcome, decision.record, lineInBlock)
  if (decision.kind === 'filtered') addCount(outcome.filteredByCondition, decision.by)
  if (decision.kind === 'accepted') addRows(outcome, decision.flat)
}

/** Only a raw record has no id. */
function addId({ ids }: OpenOutcome, { id }: CanonicalRecord, lineInBlock: number): void {
  if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint') ids.add(String(id), lineInBlock)
}

function addRows(outcome: OpenOutcome, { rows, filtered, filteredByCondition }: FlatRecord): void {
  // One by one: a record may have more elements than a call can have arguments.
  for (const [table, tableRows] of rows.entries()) for (const row of tableRows) outcome.rows[table]?.push(row)
  for (const [table, count] of filtered.entries()) addCount(outcome.filteredElements, table, count)
  // The conditions of the tables come behind those of the records.
  const first = outcome.filteredByCondition.length - filteredByCondition.length
  for (const [at, count] of filteredByCondition.entries()) addCount(outcome.filteredByCondition, first + at, count)
}
