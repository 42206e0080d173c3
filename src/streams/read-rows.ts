import type { ColumnEntry, ExcludeEntry } from '../config/typed-table.ts'
import type { Contract } from '../contracts/contracts.ts'
import { type ContractRef, toContractRef } from '../contracts/extended/extend-contract.ts'
import { specLocales } from '../plan/locales.ts'
import { BlockCutter, defaultMaxLineBytes, type Block } from '../records/block.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import { addDrift, emptyDrift } from '../records/drift.ts'
import type { Row } from '../records/flatten/column.ts'
import type { AnyLocale, SpecLocale } from '../records/tables/locale.ts'
import type { EachName, RowOf, RowOfList, TableName, TableOf, TableOfList } from '../records/tables/row-of.ts'
import { chooseKernel } from '../records/memory/load-kernel.ts'
import type { MemorySpace } from '../records/memory/memory-space.ts'
import { compileProcessing, type RecordPlan } from '../records/process-block.ts'
import { compileRowReader } from '../kernel/scan/cells.ts'
import { openScan } from '../kernel/scan/open-scan.ts'
import { compileScan } from '../kernel/program/compile-scan.ts'
import { scanBlock } from '../kernel/scan/scan-block.ts'
import { CompletenessTracker } from '../sources/completeness.ts'
import { errorLine } from './parse-records.ts'
import { misusedBy, requireCallbacks, requireTable } from './misuse.ts'
import { planTable, type TableOptions } from './plan-table.ts'
import { handReject } from './rejected-line.ts'
import type { SplitLinesOptions } from './split-lines.ts'
import { Stage } from './stage.ts'
import { compileTableRow, type TableRow } from './table-row.ts'
import type { RunTimeNames, TypedListOptions, TypedTableOptions } from './typed-table.ts'
import { judgeCompleteness, type TrackCompletenessOptions } from './track-completeness.ts'
import type { ValidateRecordsOptions } from './validate-records.ts'

/** The options of all stages from `splitLines` to `flattenRecords`. `onReject` gets the rejects of all of them. */
export interface ReadRowsOptions extends TableOptions, ReadOptions {
  readonly contract: Contract
}

interface ReadOptions extends SplitLinesOptions, TrackCompletenessOptions, Omit<ValidateRecordsOptions, 'locales'> {}

/**
 * Bytes → the rows of one table. Does what `splitLines`, `parseRecords`, `trackCompleteness`, `validateRecords` and
 * `flattenRecords` do, several times as fast: lines are decoded as bytes, without making records. The rejects of a
 * chunk are handed over before its rows. Throws CONFIG_INVALID with every problem of the options. Names that are known
 * only at run time give a `TableRow`.
 */
export function readRows<const Options extends ReadRowsOptions>(
  options: Options & RunTimeNames<Options, ReadRowsOptions>,
): Stage<Buffer, TableRow>
export function readRows<
  const Of extends Contract,
  const Each extends EachName<Of>,
  const Own extends AnyLocale = SpecLocale,
  const Columns extends ColumnEntry<TableOfList<Of, Each>, Own> = 'all',
  const Excluded extends ExcludeEntry<TableOfList<Of, Each>> = never,
>(
  options: TypedListOptions<Of, Each, Own, Columns, Excluded> & ReadOptions,
): Stage<Buffer, RowOfList<Of, Own, Each, Columns, Excluded>>
export function readRows<
  const Of extends Contract,
  const Name extends TableName<Of>,
  const Own extends AnyLocale = SpecLocale,
  const Columns extends ColumnEntry<TableOf<Of, Name>, Own> = 'all',
  const Excluded extends ExcludeEntry<TableOf<Of, Name>> = never,
>(
  options: TypedTableOptions<Of, Name, Own, Columns, Excluded> & ReadOptions,
): Stage<Buffer, RowOf<Of, Own, Name, Columns, Excluded>>
export function readRows(given: object): Stage<Buffer, TableRow> {
  const options = given as ReadRowsOptions
  requireTable('readRows', options)
  const { contract, onReject, onDrift, onEnd, completeness, maxLineBytes = defaultMaxLineBytes, ...rest } = options
  requireCallbacks('readRows', { onReject, onDrift, onEnd })
  const { unknownFields = 'report', unknownValues = 'report', invalidValues = 'reject', ...tableOptions } = rest
  const { table, where } = planTable(contract, tableOptions)
  const decode = compileDecoding({
    ...requireKnown(contract),
    drift: { unknownFields, unknownValues, invalidValues: invalidValues ?? 'null' },
    locales: tableOptions.locales ?? specLocales,
    where,
    tables: [table],
    maxLineBytes,
  })
  const toTableRow = compileTableRow(table.columns)
  const cutter = new BlockCutter({ maxLineBytes })
  const tracker = new CompletenessTracker()
  const drift = emptyDrift()
  let lines = 0

  async function* toRows(blocks: Iterable<Block>): AsyncGenerator<Iterable<TableRow>> {
    for (const block of blocks) {
      const { outcome, rows } = decode({ ...block, interfaceVersion: tableOptions.interface })
      for (const reject of outcome.rejects) await handReject(reject, lines + reject.lineInBlock + 1, onReject)
      tracker.add(outcome)
      addDrift(drift, outcome.drift)
      yield toIterable(rows, toTableRow)
      const { streamError, failure } = outcome
      if (streamError !== null) throw errorLine(streamError.error, lines + streamError.lineInBlock + 1)
      if (failure !== undefined) throw failure.error.at(`line ${lines + failure.lineInBlock + 1}`)
      lines += outcome.counts.lines
    }
  }

  function* cutWholeLines(chunk: Buffer): Generator<Block> {
    yield* cutter.push(chunk)
    // Rows must not wait for lines that a slow source sends later.
    yield* cutter.flush()
  }

  return new Stage({
    bytes: 'taken',
    take: (chunk) => toRows(cutWholeLines(chunk)),
    async *end(verdict) {
      yield* toRows(cutter.end())
      await onDrift?.(drift)
      await judgeCompleteness(tracker, { onEnd, completeness }, verdict)
    },
  })
}

function requireKnown(contract: Contract): ContractRef {
  const known = toContractRef(contract)
  if (known !== null) return known
  const expected = 'contract to be one of this package, or one that extendContract gave (validateRecords takes others)'
  throw misusedBy('readRows', expected, `another one, named "${contract.name}"`)
}

type Decode = (block: Block) => { readonly outcome: Omit<BlockOutcome, 'rows'>; readonly rows: readonly Row[] }

/** The fast path, with the reference path for lines that it does not support, or for all. */
export function compileDecoding(plan: RecordPlan, space?: MemorySpace): Decode {
  const scan = chooseKernel().target === 'reference' ? null : compileScan(plan)
  if (scan === null) {
    const process = compileProcessing(plan)
    return (block) => {
      const outcome = process(block)
      return { outcome, rows: outcome.rows[0] ?? [] }
    }
  }
  const program = openScan(scan, space)
  const readCells = compileRowReader(program.tables, 0)
  return (block) => ({ outcome: scanBlock(program, block), rows: readCells() })
}

function* toIterable<From, To>(items: readonly From[], convert: (item: From) => To): Generator<To> {
  for (const item of items) yield convert(item)
}
