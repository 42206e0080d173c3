import { type EncodedBlock, type EncodingPlan, nothingChecked } from '../../kernel/encode/encoding-plan.ts'
import { type ColumnCounts, noCounts, type RowCounts } from '../../kernel/profile/column-counts.ts'
import { closeOutcome, compileOutcome } from '../../records/block-outcome.ts'
import { noBytes } from '../../records/memory/copy-bytes.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import { openComputedEncoder } from './computed-encoder.ts'
import type { Computation, FeedRow } from './computation.ts'
import { openComputation } from './computations.ts'

interface OpenTable {
  readonly table: number
  /** The places of its files in the plan. */
  readonly pieces: readonly number[]
  readonly computation: Computation
}

/** The built-in tables of a run: takes their feeds out of its blocks, and makes the blocks of their rows at the end. */
export class BuiltinTables {
  readonly #encoding: EncodingPlan
  readonly #tables: readonly OpenTable[]
  /** Counts of the computed rows, by table. */
  readonly #counts = new Map<number, readonly ColumnCounts[]>()

  private constructor(encoding: EncodingPlan, tables: readonly OpenTable[]) {
    this.#encoding = encoding
    this.#tables = tables
  }

  /** Null without a built-in table that an output holds. */
  static open(encoding: EncodingPlan): BuiltinTables | null {
    const { records, files } = encoding
    const tables = records.tables.flatMap(({ builtin }, table): OpenTable[] => {
      const pieces = files.flatMap((file, at) => (file.table === table ? [at] : []))
      if (builtin === undefined || pieces.length === 0) return []
      return [{ table, pieces, computation: openComputation(builtin) }]
    })
    return tables.length === 0 ? null : new BuiltinTables(encoding, tables)
  }

  /** The block without the feeds, whose rows are no rows of a table. */
  take(block: ProcessedBlock<EncodedBlock>): ProcessedBlock<EncodedBlock> {
    const pieces = [...block.outcome.pieces]
    const rowCounts = [...block.outcome.rowCounts]
    for (const { table, computation, pieces: own } of this.#tables) {
      for (const row of parseFeed(pieces[own[0] ?? -1] ?? noBytes)) computation.add(row)
      for (const at of own) pieces[at] = noBytes
      rowCounts[table] = 0
    }
    return { ...block, outcome: { ...block.outcome, pieces, rowCounts } }
  }

  /** The rows of all tables, as blocks of no lines. The pieces of a block are lent until the next one. */
  async *compute(): AsyncGenerator<ProcessedBlock<EncodedBlock>> {
    for (const { table, pieces, computation } of this.#tables) {
      const encoder = await openComputedEncoder(this.#encoding, table)
      try {
        for (const lines of computation.compute()) yield this.#toBlock(table, pieces, await encoder.encode(lines))
        for (const counts of await encoder.collectCounts()) this.#counts.set(table, counts)
      } finally {
        await encoder.close()
      }
    }
  }

  /** The counts of a run with those of the computed rows in place of those of the feeds. */
  replaceCounts(parts: readonly RowCounts[]): readonly RowCounts[] {
    return parts.map((part, at) =>
      part.map((columns, table) => {
        const counts = this.#counts.get(table)
        return counts === undefined ? columns : at === 0 ? counts : counts.map(() => noCounts)
      }),
    )
  }

  #toBlock(
    table: number,
    own: readonly number[],
    { pieces: computed, rowCounts: [rows = 0] }: Pick<EncodedBlock, 'pieces' | 'rowCounts'>,
  ): ProcessedBlock<EncodedBlock> {
    const { files, records } = this.#encoding
    const { rows: _none, ...outcome } = closeOutcome(compileOutcome(records)())
    const pieces = files.map((_file, at) => computed[own.indexOf(at)] ?? noBytes)
    const rowCounts = records.tables.map((_table, at) => (at === table ? rows : 0))
    const encoded = { ...outcome, ...nothingChecked, digest: '', rowCounts, pieces, room: { address: 0, bytes: 0 } }
    return { blockNumber: -1, bytes: 0, outcome: encoded, locate: locateNothing }
  }
}

/** The rows of a block, as NDJSON has them. One call for all lines is faster than one for each. */
function parseFeed({ buffer, byteOffset, byteLength }: Uint8Array): FeedRow[] {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString()
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as FeedRow[]
}

function locateNothing(): never {
  throw new TypeError('a block of computed rows has no line')
}
