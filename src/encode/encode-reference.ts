import { noBytes } from '../memory/copy-bytes.ts'
import type { OutputArena } from '../memory/output-arenas.ts'
import { RowProfiler } from '../profile/profile-rows.ts'
import type { Block } from '../records/block.ts'
import type { RepeatedLines } from '../records/block-outcome.ts'
import { compileProcessing, type RecordPlan } from '../records/process-block.ts'
import type { EncodedLines, FileEncoding, LineEncoding } from './encoding-plan.ts'

/** Encodes by the reference path, which defines the bytes that the fast path has to give. */
export function createReferenceEncoding(
  records: RecordPlan,
  files: readonly FileEncoding[],
  profiledTables: readonly number[] = [],
): LineEncoding {
  const process = compileProcessing(records)
  const profiler = new RowProfiler(records.tables, profiledTables)

  function encode(block: Block, repeated: RepeatedLines | undefined, arena: OutputArena): EncodedLines {
    const { rows, ...outcome } = process(block, repeated)
    profiler.add(rows)
    const pieces = files.map(({ table, encodeRows }) => {
      const tableRows = rows[table] ?? []
      return tableRows.length === 0 ? noBytes : arena.add(encodeRows(tableRows))
    })
    return { ...outcome, rowCounts: rows.map(({ length }) => length), pieces }
  }

  return { encode, collectCounts: () => profiler.collect() }
}
