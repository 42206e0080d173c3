import { compileFormat } from '../../kernel/encode/encode-block.ts'
import { type EncodedBlock, type EncodingPlan, nothingChecked } from '../../kernel/encode/encoding-plan.ts'
import { noCounts, type RowCounts } from '../../kernel/profile/column-counts.ts'
import { RowProfiler } from '../../kernel/profile/profile-rows.ts'
import { closeOutcome, compileOutcome } from '../../records/block-outcome.ts'
import type { EncodeRows, Row } from '../../records/flatten/column.ts'
import { noBytes } from '../../records/memory/copy-bytes.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import { Feed } from './feed.ts'

interface OpenTable {
  readonly table: number
  /** The places of its files in the plan. */
  readonly pieces: readonly number[]
  readonly feed: Feed
  /** Null without a profile. */
  readonly profiler: RowProfiler | null
}

/** The built-in tables of a run: takes their feeds out of its blocks, and makes the blocks of their rows at the end. */
export class BuiltinTables {
  readonly #encoding: EncodingPlan
  readonly #tables: readonly OpenTable[]

  private constructor(encoding: EncodingPlan, tables: readonly OpenTable[]) {
    this.#encoding = encoding
    this.#tables = tables
  }

  /** Null without a built-in table that an output holds. */
  static open(encoding: EncodingPlan): BuiltinTables | null {
    const { records, files, profiledTables = [] } = encoding
    const tables = records.tables.flatMap(({ builtin }, table): OpenTable[] => {
      const pieces = files.flatMap((file, at) => (file.table === table ? [at] : []))
      if (builtin === undefined || pieces.length === 0) return []
      const profiler = profiledTables.includes(table) ? new RowProfiler(records.tables, [table]) : null
      return [{ table, pieces, feed: new Feed(builtin), profiler }]
    })
    return tables.length === 0 ? null : new BuiltinTables(encoding, tables)
  }

  /** The block without the feeds, whose rows are no rows of a table. */
  take(block: ProcessedBlock<EncodedBlock>): ProcessedBlock<EncodedBlock> {
    const pieces = [...block.outcome.pieces]
    const rowCounts = [...block.outcome.rowCounts]
    for (const { table, feed, pieces: own } of this.#tables) {
      feed.add(pieces[own[0] ?? -1] ?? noBytes)
      for (const at of own) pieces[at] = noBytes
      rowCounts[table] = 0
    }
    return { ...block, outcome: { ...block.outcome, pieces, rowCounts } }
  }

  /** The rows of all tables, as blocks of no lines. */
  *compute(): Generator<ProcessedBlock<EncodedBlock>> {
    for (const { table, pieces, feed, profiler } of this.#tables) {
      const encoders = pieces.map((at) => this.#openEncoder(at))
      for (const rows of inParts(feed.compute(), rowsPerBlock)) {
        profiler?.add(Array.from({ length: table + 1 }, () => rows))
        yield this.#toBlock(table, rows, new Map(pieces.map((at, index) => [at, encoders[index]?.(rows)])))
      }
    }
  }

  /** The counts of a run with those of the computed rows in place of those of the feeds. */
  replaceCounts(parts: readonly RowCounts[]): readonly RowCounts[] {
    const own = new Map(this.#tables.map(({ table, profiler }) => [table, profiler?.collect()[0]]))
    return parts.map((part, at) =>
      part.map((columns, table) => {
        const counts = own.get(table)
        return counts === undefined ? columns : at === 0 ? counts : counts.map(() => noCounts)
      }),
    )
  }

  #openEncoder(at: number): EncodeRows {
    const { files, records } = this.#encoding
    const { table, format } = files[at] as EncodingPlan['files'][number]
    return compileFormat(format, records.tables[table])
  }

  #toBlock(
    table: number,
    rows: readonly Row[],
    own: ReadonlyMap<number, Uint8Array | undefined>,
  ): ProcessedBlock<EncodedBlock> {
    const { files, records } = this.#encoding
    const { rows: _none, ...outcome } = closeOutcome(compileOutcome(records)())
    const pieces = files.map((_file, at) => own.get(at) ?? noBytes)
    const rowCounts = records.tables.map((_table, at) => (at === table ? rows.length : 0))
    const encoded = { ...outcome, ...nothingChecked, digest: '', rowCounts, pieces, room: { address: 0, bytes: 0 } }
    return { blockNumber: -1, bytes: 0, outcome: encoded, locate: locateNothing }
  }
}

function* inParts(rows: Iterable<Row>, most: number): Generator<Row[]> {
  let part: Row[] = []
  for (const row of rows) {
    part.push(row)
    if (part.length < most) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

function locateNothing(): never {
  throw new TypeError('a block of computed rows has no line')
}

const rowsPerBlock = 5000
