import { noBytes } from '../../records/memory/copy-bytes.ts'
import type { OutputArena } from '../../records/memory/output-arenas.ts'
import { RowProfiler } from '../profile/profile-rows.ts'
import type { Block } from '../../records/block.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import { compileProcessing } from '../../records/process-block.ts'
import type { KernelSteps } from '../scan/scan-block.ts'
import type { RowRules } from '../rules/row-rules.ts'
import {
  type Counting,
  type EncodedLines,
  type FileEncoding,
  type LineEncoding,
  nothingChecked,
} from './encoding-plan.ts'

/** Encodes by the reference path, which defines the bytes of the fast path. */
export async function createReferenceEncoding(
  files: readonly FileEncoding[],
  { records, profiledTables = [], rules = [] }: Counting,
): Promise<LineEncoding> {
  const process = compileProcessing(records)
  const profiler = new RowProfiler(records.tables, profiledTables)
  const checked = rules.length > 0 ? await openRules(rules, records.tables) : null

  // eslint-disable-next-line require-yield -- it never needs the kernel
  function* encode(block: Block, repeated: RepeatedLines | undefined, arena: OutputArena): KernelSteps<EncodedLines> {
    const { rows, ...outcome } = process(block, repeated)
    profiler.add(rows)
    const { unique, broken } = checked?.add(rows) ?? nothingChecked
    const pieces = files.map(({ table, encodeRows }) => {
      const tableRows = rows[table] ?? []
      return tableRows.length === 0 ? noBytes : arena.add(encodeRows(tableRows))
    })
    return { ...outcome, rowCounts: rows.map(({ length }) => length), unique, broken, pieces, digest: null }
  }

  const collectCounts = () => [...profiler.collect(), ...(checked === null ? [] : [checked.collect()])]
  return { encode, run: () => 0, address: null, collectCounts }
}

async function openRules(...rows: ConstructorParameters<typeof RowRules>): Promise<RowRules> {
  const { RowRules: Rules } = await import('../rules/row-rules.ts')
  return new Rules(...rows)
}
