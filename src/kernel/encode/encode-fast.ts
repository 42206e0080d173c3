import { noBytes } from '../../records/memory/copy-bytes.ts'
import { createCellProfiler } from '../profile/profile-cells.ts'
import type { Block } from '../../records/block.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import type { MemorySpace } from '../../records/memory/memory-space.ts'
import type { OutputArena } from '../../records/memory/output-arenas.ts'
import type { CompiledScan } from '../program/compile-scan.ts'
import {
  createCsvTableEncoder,
  createReferenceTableEncoder,
  createTableEncoder,
  type EncodeTable,
} from '../scan/table-encoder.ts'
import { openScan, type ScanProgram } from '../scan/open-scan.ts'
import type { TableMemory } from '../program/table-memory.ts'
import { scanBlock } from '../scan/scan-block.ts'
import type { CellRules } from '../rules/cell-rules.ts'
import {
  type Counting,
  type EncodedLines,
  type FileEncoding,
  type LineEncoding,
  nothingChecked,
} from './encoding-plan.ts'

/**
 * Encodes by the fast path: cells are copied from the bytes of the lines. Encoders of rows write the cells that it
 * doesn't support.
 */
export async function createFastEncoding(
  scan: CompiledScan,
  files: readonly FileEncoding[],
  space: MemorySpace,
  counting: Counting,
): Promise<LineEncoding> {
  const program = openScan(scan, space)
  const { tables } = program
  const profiler = createCellProfiler(program, counting.profiledTables ?? [])
  const checked = await openRules(tables, counting)
  const encodings = files.map((file) => ({ table: file.table, encodeTable: compileFile(program, file) }))

  function encode(
    block: Block,
    repeated: RepeatedLines | undefined,
    arena: OutputArena,
    mostRegionBytes: number,
  ): EncodedLines {
    const { fallbackLines: _, ...outcome } = scanBlock(program, block, repeated, mostRegionBytes)
    profiler.add()
    const { unique, broken } = checked?.add() ?? nothingChecked
    const rowCounts = tables.layouts.map((_layout, table) => tables.rows(table).count)
    const pieces = encodings.map(({ table, encodeTable }) => (rowCounts[table] === 0 ? noBytes : encodeTable(arena)))
    return { ...outcome, rowCounts, unique, broken, pieces }
  }

  return { encode, collectCounts: () => [...profiler.collect(), ...(checked === null ? [] : [checked.collect()])] }
}

async function openRules(tables: TableMemory, { records, rules = [] }: Counting): Promise<CellRules | null> {
  if (rules.length === 0) return null
  const { CellRules: Rules } = await import('../rules/cell-rules.ts')
  return new Rules(tables, rules, records.tables)
}

function compileFile({ module, tables }: ScanProgram, { table, format, encodeRows }: FileEncoding): EncodeTable {
  switch (format.format) {
    case 'csv':
      return createCsvTableEncoder(module, tables, table, format.dialect, encodeRows)
    case 'ndjson':
      return createTableEncoder(tables, table, module.encodeNdjson, encodeRows)
    case 'copy':
      return createTableEncoder(tables, table, module.encodeCopy, encodeRows)
    case 'parquet':
      return createTableEncoder(tables, table, module.encodeBatch, encodeRows)
    case 'xlsx':
      return createReferenceTableEncoder(tables, table, encodeRows)
  }
}
