import type { ProcessLine, RecordPlan } from '../records/process-block.ts'
import type { CompiledScan, CompiledTree, TreePlan } from './program/compile-scan.ts'
import { loadScan, type ScanModule } from './load-scan.ts'
import type { ProgramOffset, ProgramImage } from './program/program-writer.ts'
import { ScanMemory } from './scan-memory.ts'
import { compileFinishSteps, type FinishSteps } from './line-context.ts'
import { TableMemory } from './table-memory.ts'

/** A tree in a memory, and the module that walks it. */
export interface ScanTree<Plan extends TreePlan = TreePlan> {
  readonly plan: Plan
  readonly memory: ScanMemory
  readonly tables: TableMemory
  readonly module: ScanModule
  /** The address of the scope; see node-layout.ts. */
  readonly scope: number
  readonly finishSteps: FinishSteps
  /** The paths that notes of drift name by number. */
  readonly paths: readonly string[]
}

/** A plan made ready for `scanBlock`, in a memory of its own. */
export interface ScanProgram extends ScanTree<RecordPlan> {
  /** The plain path, for lines that the walk is not sure of; null until `scanBlock` has asked for it. */
  processLine: ProcessLine | null
}

/** Where a tree is put, and the module over that memory. */
export interface ScanSpace {
  readonly memory: ScanMemory
  readonly module: ScanModule
}

export function openScan(scan: CompiledScan): ScanProgram {
  const memory = new ScanMemory()
  return { ...openTree(scan, { memory, module: loadScan(memory) }), processLine: null }
}

export function openTree<Plan extends TreePlan>(
  { plan, projection, tree, scope, headers, paths }: CompiledTree<Plan>,
  { memory, module }: ScanSpace,
): ScanTree<Plan> {
  const toAddress = loadTree(memory, tree)
  const layouts = projection.tables.map(({ layout }) => layout)
  const tables = new TableMemory(memory, toAddress(headers), layouts, projection.hiddenLists)
  return { plan, memory, tables, module, scope: toAddress(scope), finishSteps: compileFinishSteps(projection), paths }
}

function loadTree(memory: ScanMemory, { words, links }: ProgramImage): (place: ProgramOffset) => number {
  const base = memory.reserve('tree', words.byteLength)
  memory.words.set(words, base / 4)
  for (const at of links) memory.words[base / 4 + at] = base + (words[at] as number)
  return (place) => base + place
}
