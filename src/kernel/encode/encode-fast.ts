import { noBytes } from '../../records/memory/copy-bytes.ts'
import type { GroupedCells } from '../profile/grouped-cells.ts'
import { createCellProfiler } from '../profile/profile-cells.ts'
import type { Block } from '../../records/block.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import type { MemorySpace } from '../../records/memory/memory-space.ts'
import type { OutputArena } from '../../records/memory/output-arenas.ts'
import type { CompiledScan } from '../program/compile-scan.ts'
import {
  createTableEncoder,
  type KernelFormat,
  slackBytes,
  toCsvFormat,
  type TableEncoder,
} from '../scan/table-encoder.ts'
import { batchPiece, copyPiece, ndjsonPiece } from '../program/block-layout.ts'
import { openScan, type ScanProgram } from '../scan/open-scan.ts'
import type { TableMemory } from '../program/table-memory.ts'
import { type KernelSteps, scanSteps } from '../scan/scan-block.ts'
import type { CellRules } from '../rules/cell-rules.ts'
import {
  type Counting,
  type EncodedLines,
  type FileEncoding,
  type LineEncoding,
  type PieceFormat,
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
  const groups = await openGroups(tables, counting.profiledTables ?? [])
  const profiler = createCellProfiler(program, counting.profiledTables ?? [], groups)
  const checked = await openRules(tables, counting)
  const encoders = files.map((file) => ({ table: file.table, ...compileFile(program, file) }))
  const pieces = encoders.flatMap(({ piece }) => (piece === null ? [] : [piece]))
  program.work.setParts({ counted: profiler.parts, pieces })

  function* encode(
    block: Block,
    repeated: RepeatedLines | undefined,
    arena: OutputArena,
    mostRegionBytes: number,
  ): KernelSteps<EncodedLines> {
    program.work.setRoom(arena.end, arena.limit - slackBytes)
    const { fallbackLines: _, ...outcome } = yield* scanSteps(program, block, repeated, mostRegionBytes)
    groups?.add()
    const { unique, broken } = checked?.add() ?? nothingChecked
    const rowCounts = tables.layouts.map((_layout, table) => tables.rows(table).count)
    return { ...outcome, rowCounts, unique, broken, pieces: takePieces(rowCounts, arena), digest: program.work.digest }
  }

  /** The kernel's pieces are one after the other at the beginning of the arena; the others follow. */
  function takePieces(rowCounts: readonly number[], arena: OutputArena): Uint8Array[] {
    const taken = encoders.map(({ table, piece }) => {
      const bytes = piece === null ? -1 : program.work.resultOf(piece)
      return rowCounts[table] === 0 ? noBytes : bytes < 0 ? null : arena.addWritten(bytes)
    })
    return taken.map((piece, file) => piece ?? (encoders[file] as TableEncoder).encode(arena))
  }

  return {
    encode,
    run: () => program.module.runBlock(program.work.address),
    address: program.work.address,
    collectCounts: () => [...profiler.collect(), ...(checked === null ? [] : [checked.collect()])],
  }
}

/** Null if no rows are grouped. */
async function openGroups(tables: TableMemory, positions: readonly number[]): Promise<GroupedCells | null> {
  const isGrouped = positions.some((at) => tables.layouts[at]?.columns.some(({ groupsRows }) => groupsRows))
  if (!isGrouped) return null
  const { GroupedCells: Groups } = await import('../profile/grouped-cells.ts')
  return new Groups(tables, positions)
}

async function openRules(tables: TableMemory, { records, rules = [] }: Counting): Promise<CellRules | null> {
  if (rules.length === 0) return null
  const { CellRules: Rules } = await import('../rules/cell-rules.ts')
  return new Rules(tables, rules, records.tables)
}

function compileFile({ module, tables }: ScanProgram, { table, format, encodeRows }: FileEncoding): TableEncoder {
  return createTableEncoder(module, tables, table, toKernelFormat(format), encodeRows)
}

/** Null for a format that only the reference encoder writes. */
export function toKernelFormat(format: PieceFormat): KernelFormat | null {
  switch (format.format) {
    case 'csv':
      return toCsvFormat(format.dialect)
    case 'ndjson':
      return [ndjsonPiece]
    case 'copy':
      return [copyPiece]
    case 'parquet':
      return [batchPiece]
    case 'xlsx':
    case 'rows':
      return null
  }
}
