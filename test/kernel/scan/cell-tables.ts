import { MemorySpace } from '../../../src/records/memory/memory-space.ts'
import { OutputArena } from '../../../src/records/memory/output-arenas.ts'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { writeRows } from '../../../src/kernel/scan/cells.ts'
import { type ScanModule, loadScan } from '../../../src/kernel/scan/load-scan.ts'
import { OutOfRoom, ScanMemory } from '../../../src/kernel/program/scan-memory.ts'
import { countHeaders, headerBytes, type ColumnLayout, TableMemory } from '../../../src/kernel/program/table-memory.ts'

export interface CellTables {
  readonly tables: TableMemory
  readonly module: ScanModule
  /** Replaces the rows of the one table. */
  readonly fill: (rows: readonly Row[]) => void
  /** Opens an arena in the same memory. Its pieces overwrite those of the arena before. Default: 64 KiB. */
  readonly openArena: (bytes?: number) => OutputArena
}

/** Opens a table of these columns and a hidden cell. */
export function openTables(columns: readonly Column[], seconds: (column: Column) => boolean = () => false): CellTables {
  const space = new MemorySpace()
  const memory = new ScanMemory(space)
  let lists = 0
  const layouts = columns.map<ColumnLayout>((column) => ({
    ...column,
    listNumber: column.list ? lists++ : null,
    seconds: seconds(column),
  }))
  const tableLayouts = [{ columns: layouts, width: columns.length + 1 }]
  const headers = memory.reserve('headers', countHeaders(tableLayouts, 0) * headerBytes)
  const tables = new TableMemory(memory, headers, tableLayouts)
  const { address } = space.take(65_536)
  return {
    tables,
    module: loadScan(memory),
    fill: (rows) => fill(tables, rows),
    openArena: (bytes = 65_536) => new OutputArena(space, { address, bytes }),
  }
}

function fill(tables: TableMemory, rows: readonly Row[]): void {
  for (;;) {
    tables.clear()
    try {
      return writeRows(tables, 0, rows)
    } catch (error) {
      if (!(error instanceof OutOfRoom)) throw error
      tables.memory.reserve(error.region, tables.memory.capacity(error.region) * 2)
    }
  }
}
