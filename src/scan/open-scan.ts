import type { ProcessLine, RecordPlan } from '../records/process-block.ts'
import type { CompiledScan } from './compile-scan.ts'
import { loadScan, type ScanModule } from './load-scan.ts'
import type { Place, ProgramImage } from './program-writer.ts'
import { ScanMemory } from './scan-memory.ts'
import { compileSettling, type Settling } from './settling.ts'
import { TableMemory } from './table-memory.ts'

/** A plan made ready for `scanBlock`: a memory of its own with the tree in it, and the module that walks it. */
export interface ScanProgram {
  readonly plan: RecordPlan
  readonly memory: ScanMemory
  readonly tables: TableMemory
  readonly module: ScanModule
  /** The address of the scope; see node-layout.ts. */
  readonly scope: number
  readonly settling: Settling
  /** The paths that notes of drift name by number. */
  readonly paths: readonly string[]
  /** The plain path, for lines that the walk is not sure of; null until `scanBlock` has asked for it. */
  processLine: ProcessLine | null
}

export function openScan({ plan, goals, tree, scope, paths }: CompiledScan): ScanProgram {
  const memory = new ScanMemory()
  const layouts = goals.tables.map(({ layout }) => layout)
  const tables = new TableMemory(memory, layouts, goals.hiddenLists)
  const toAddress = loadTree(memory, tree)
  const settling = compileSettling(goals)
  const module = loadScan(memory)
  return { plan, memory, tables, module, scope: toAddress(scope), settling, paths, processLine: null }
}

function loadTree(memory: ScanMemory, { words, links }: ProgramImage): (place: Place) => number {
  const base = memory.reserve('tree', words.byteLength)
  memory.words.set(words, base / 4)
  for (const at of links) memory.words[base / 4 + at] = base + (words[at] as number)
  return (place) => base + place
}
