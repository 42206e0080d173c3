import { emptyDrift } from './drift.ts'
import type { RefusedCorrection } from './correct-line.ts'
import type { Row } from './flatten/column.ts'
import { FoundCodes, type FoundRecord } from './conditions/code-fates.ts'
import { type ConditionalPlan, listConditions } from './conditions/match-conditions.ts'
import { type IdEntries, IdWriter } from './id-entries.ts'
import type { Issue, Reject } from './reject.ts'
import type { OwnCodeError } from './own-code.ts'
import type { StreamError } from './parse-line.ts'
import type { Drift, Ledger } from '../manifest/manifest.ts'

/** One outcome for every line: `lines = blank + rejected + filtered + duplicate + accepted`. */
export type LineCounts = Mutable<Omit<Ledger, 'repeatedIds'>>

/** The outcome of a block. Nothing in it refers to the block's bytes. */
export interface BlockOutcome {
  readonly counts: LineCounts
  readonly rejects: readonly Reject[]
  /** The rows by table, in the order of the lines. */
  readonly rows: readonly Row[][]
  /** Elements left out by the `where` of their table, by table. */
  readonly filteredElements: number[]
  /** The records, then the elements of tables, that each condition left out, counted for the first that they fail; see `listConditions`. */
  readonly filteredByCondition: number[]
  /** The codes of lists that brought something, sorted, each with its fate. */
  readonly foundCodes: ReturnType<FoundCodes['list']>
  readonly foundRecords: readonly FoundRecord[]
  readonly drift: Drift
  /** The numbers of the corrections that lines needed, once for each line. */
  readonly corrected: readonly number[]
  /** The corrections of lines that stay rejected, each with its reason. */
  readonly refused: readonly RefusedCorrection[]
  /** The indexes and totals of the lines that are not blank, in order: what proves completeness. */
  readonly indexes: readonly IndexRun[]
  /** The id of every valid record, in order, and its line within the block. */
  readonly ids: IdEntries
  /** An error line ends the block: the source has failed. */
  readonly streamError: { readonly lineInBlock: number; readonly error: StreamError } | null
  /** A function of the config failed at this line, which ends the block. */
  readonly failure?: { readonly lineInBlock: number; readonly error: OwnCodeError }
  /** The last line of the source has no line break and is no whole JSON. */
  readonly isCut: boolean
}

/** Lines of a block whose record repeats an id, by line within the block: dropped, or rejected with this issue. */
export type RepeatedLines = ReadonlyMap<number, 'drop' | Issue>

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] extends readonly (infer Item)[] ? Item[] : Type[Key] }
export type OpenOutcome = Mutable<Omit<BlockOutcome, 'ids' | 'foundCodes' | 'foundRecords'>> & {
  readonly ids: IdWriter
  readonly foundCodes: FoundCodes
}

export function compileOutcome(plan: ConditionalPlan): () => OpenOutcome {
  const tables = plan.tables.length
  const conditions = listConditions(plan).length
  return () => ({
    counts: { lines: 0, blank: 0, rejected: 0, filtered: 0, duplicate: 0, accepted: 0 },
    rejects: [],
    rows: Array.from({ length: tables }, () => []),
    filteredElements: Array.from({ length: tables }, () => 0),
    filteredByCondition: Array.from({ length: conditions }, () => 0),
    foundCodes: new FoundCodes(),
    drift: emptyDrift(),
    corrected: [],
    refused: [],
    indexes: [],
    ids: new IdWriter(),
    streamError: null,
    isCut: false,
  })
}

export function closeOutcome(outcome: OpenOutcome): BlockOutcome {
  const { foundCodes, ids } = outcome
  return { ...outcome, foundCodes: foundCodes.list(), foundRecords: foundCodes.records, ids: ids.finish() }
}

export function addCount(counts: number[], at: number, count = 1): void {
  counts[at] = (counts[at] ?? 0) + count
}

/**
 * The index that a line states; null if a whole line states none; `unreadable` if the line could not be read, and may
 * have stated one.
 */
export type LineIndex = number | null | 'unreadable'

/**
 * Consecutive lines with the same total: each states the index after that of the line before, or none of them states
 * any.
 */
export interface IndexRun {
  readonly first: LineIndex
  /** Null if the lines state none. */
  readonly total: number | null
  count: number
}

/** Adds the index of a line, or of several consecutive ones. */
export function addIndex(runs: IndexRun[], index: LineIndex, total: number | null, count = 1): void {
  const last = runs.at(-1)
  if (last !== undefined && last.total === total && indexBehind(last) === index) last.count += count
  else runs.push({ first: index, total, count })
}

/** The index of the next line of a run. */
export function indexBehind({ first, count }: IndexRun): LineIndex {
  return typeof first === 'number' ? first + count : first
}

/** The distinct totals that lines state, in order. */
export function listTotals(runs: readonly IndexRun[]): readonly number[] {
  return [...new Set(runs.map(({ total }) => total))].filter((total) => total !== null)
}

export function countIndexes(runs: readonly IndexRun[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0)
}
