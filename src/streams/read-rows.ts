import { checkedLater, type OptionKinds, requireOptions } from '../check-options.ts'
import type { ColumnEntry, ExcludeEntry } from '../config/typed-table.ts'
import type { Contract, ContractName } from '../contracts/contracts.ts'
import { toKnownContract } from '../contracts/extended/given-contract.ts'
import { specLocales } from '../plan/locales.ts'
import { BlockCutter, defaultMaxLineBytes, type Block } from '../records/block.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import { addDrift, emptyDrift } from '../records/drift.ts'
import type { Row } from '../records/flatten/column.ts'
import type { AnyLocale, SpecLocale } from '../records/tables/locale.ts'
import type { EachName, RowOf, RowOfList, TableName, TableOf, TableOfList, TableRow } from '../records/tables/row-of.ts'
import { chooseKernel } from '../records/memory/load-kernel.ts'
import type { MemorySpace } from '../records/memory/memory-space.ts'
import { compileProcessing, type RecordPlan } from '../records/process-block.ts'
import { compileRowReader } from '../kernel/scan/cells.ts'
import { openScan } from '../kernel/scan/open-scan.ts'
import { compileScan } from '../kernel/program/compile-scan.ts'
import { scanBlock } from '../kernel/scan/scan-block.ts'
import { CompletenessTracker } from '../sources/completeness.ts'
import { errorLine } from './parse-records.ts'
import { planTable, type TableOptions, tableOptions } from './plan-table.ts'
import { handReject } from './rejected-line.ts'
import { type SplitLinesOptions, splitOptions } from './split-lines.ts'
import { Stage } from './stage.ts'
import { compileTableRow } from '../records/tables/compile-table-row.ts'
import type { RunTimeNames, TypedListOptions, TypedTableOptions } from './typed-table.ts'
import { completenessOptions, judgeCompleteness, type TrackCompletenessOptions } from './track-completeness.ts'
import { validateOptions, type ValidateRecordsOptions } from './validate-records.ts'

/** The options of all stages from `splitLines` to `flattenRecords`. `onReject` gets the rejects of all of them. */
export interface ReadRowsOptions extends TableOptions, ReadOptions {
  /** Or its name. */
  readonly contract: Contract | ContractName
}

interface ReadOptions extends SplitLinesOptions, TrackCompletenessOptions, Omit<ValidateRecordsOptions, 'locales'> {}

/**
 * Bytes → the rows of one table. Does what `splitLines`, `parseRecords`, `trackCompleteness`, `validateRecords` and
 * `flattenRecords` do, several times as fast: lines are decoded as bytes, without making records. The rejects of a
 * chunk are handed over before its rows. Throws USAGE or CONFIG_INVALID for wrong options. Names that are known
 * only at run time give a `TableRow`.
 */
export function readRows<const Options extends ReadRowsOptions>(
  options: Options & RunTimeNames<Options, ReadRowsOptions>,
): Stage<Buffer, TableRow>
export function readRows<
  const Of extends Contract | ContractName,
  const Each extends EachName<Of>,
  const Own extends AnyLocale = SpecLocale,
  const Columns extends ColumnEntry<TableOfList<Of, Each>, Own> = 'all',
  const Excluded extends ExcludeEntry<TableOfList<Of, Each>> = never,
>(
  options: TypedListOptions<Of, Each, Own, Columns, Excluded> & ReadOptions,
): Stage<Buffer, RowOfList<Of, Own, Each, Columns, Excluded>>
export function readRows<
  const Of extends Contract | ContractName,
  const Name extends TableName<Of>,
  const Own extends AnyLocale = SpecLocale,
  const Columns extends ColumnEntry<TableOf<Of, Name>, Own> = 'all',
  const Excluded extends ExcludeEntry<TableOf<Of, Name>> = never,
>(
  options: TypedTableOptions<Of, Name, Own, Columns, Excluded> & ReadOptions,
): Stage<Buffer, RowOf<Of, Own, Name, Columns, Excluded>>
export function readRows(given: object): Stage<Buffer, TableRow> {
  const options = given as ReadRowsOptions
  requireOptions('readRows', options, readOptions)
  const { contract: named, onReject, onDrift, onEnd, completeness, ...others } = options
  const { maxLineBytes = defaultMaxLineBytes, ...rest } = others
  const { unknownFields = 'report', unknownValues = 'report', invalidValues = 'reject', ...entry } = rest
  const { contract, ref } = toKnownContract('readRows', named)
  const { table, where } = planTable(contract, entry)
  const decode = compileDecoding({
    ...ref,
    drift: { unknownFields, unknownValues, invalidValues: invalidValues ?? 'null' },
    locales: entry.locales ?? specLocales,
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
      const { outcome, rows } = decode({ ...block, interfaceVersion: entry.interface })
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

const readOptions: OptionKinds<ReadRowsOptions> = {
  contract: checkedLater,
  ...splitOptions,
  ...completenessOptions,
  ...validateOptions,
  ...tableOptions,
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
