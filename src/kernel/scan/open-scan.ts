import type { MemorySpace } from '../../records/memory/memory-space.ts'
import { compileOutcome, type OpenOutcome } from '../../records/block-outcome.ts'
import { compileCondition, type ConditionReading, type Meets } from '../../records/conditions/condition-test.ts'
import { compileConversion } from '../../types/column-types.ts'
import type { Convert } from '../../types/column-type-definition.ts'
import { compileLineProcessing, type ProcessLine, type RecordPlan } from '../../records/process-block.ts'
import { listElements, readCanonical } from './cells.ts'
import { BlockWork } from './block-work.ts'
import { type CompiledFilled, compileFilledColumns } from './count-filled.ts'
import { GivenCells } from './given-cells.ts'
import { loadScan, type ScanModule } from './load-scan.ts'
import type { WalkedCondition } from '../program/condition-nodes.ts'
import type { CompiledScan } from '../program/compile-scan.ts'
import type { ProgramImage, ProgramOffset } from '../program/program-writer.ts'
import type { CellCondition, NumberedCondition } from '../program/condition-cells.ts'
import type { CellConversion, Projection } from '../program/projection.ts'
import { ScanMemory } from '../program/scan-memory.ts'
import { cellBytes, TableMemory } from '../program/table-memory.ts'

/** A plan made ready for `scanBlock`. */
export interface ScanProgram {
  readonly plan: RecordPlan
  readonly memory: ScanMemory
  readonly tables: TableMemory
  readonly module: ScanModule
  /** The address of the scope; see node-layout.ts. */
  readonly scope: number
  readonly work: BlockWork
  readonly finishSteps: FinishSteps
  readonly given: GivenCells
  /** Paths of drift notes, by number. */
  readonly paths: readonly string[]
  /** What the walk leaves out by itself; null if it may accept no line. */
  readonly walked: readonly WalkedCondition<number>[] | null
  readonly openOutcome: () => OpenOutcome
  /** The reference path for fallback lines. It is compiled at the first of them. */
  readonly processLine: ProcessLine
}

export function openScan(
  { plan, projection, tree, scope, headers, given, paths, walked }: CompiledScan,
  space?: MemorySpace,
): ScanProgram {
  const memory = new ScanMemory(space)
  const toAddress = loadTree(memory, tree)
  const layouts = projection.tables.map(({ layout }) => layout)
  return {
    plan,
    memory,
    tables: new TableMemory(memory, toAddress(headers), layouts, projection.hiddenLists),
    module: loadScan(memory),
    scope: toAddress(scope),
    work: new BlockWork(memory, toAddress(scope)),
    finishSteps: compileFinishSteps(projection, memory),
    given: new GivenCells(memory, given, toAddress),
    paths,
    walked: walked?.map((condition) => ({ ...condition, at: toAddress(condition.at) })) ?? null,
    openOutcome: compileOutcome(plan),
    processLine: compileWhenUsed(() => compileLineProcessing(plan)),
  }
}

function compileWhenUsed(compile: () => ProcessLine): ProcessLine {
  let compiled: ProcessLine | undefined
  return (...line) => {
    compiled ??= compile()
    return compiled(...line)
  }
}

function loadTree(memory: ScanMemory, { words, links }: ProgramImage): (offset: ProgramOffset) => number {
  const base = memory.reserve('tree', words.byteLength)
  const placed = memory.wordsIn(base, base + words.byteLength)
  placed.set(words)
  for (const at of links) placed[at] = base + (words[at] as number)
  return (offset) => base + offset
}

/** The work on a line's cells that JavaScript does after the walk. */
export interface FinishSteps {
  readonly recordConditions: readonly CompiledCondition[]
  readonly tables: readonly {
    readonly table: number
    readonly conditions: readonly CompiledCondition[]
    readonly conversions: readonly CompiledConversion[]
    readonly filled: readonly CompiledFilled[]
  }[]
}

export interface CompiledCondition {
  readonly number: number
  readonly meets: Meets<number>
}

export type CompiledConversion = CellConversion & { readonly convert: Convert }

function compileFinishSteps({ recordConditions, tables }: Projection, memory: ScanMemory): FinishSteps {
  const reading = toCellReading(memory)
  const compile = (condition: NumberedCondition): CompiledCondition => {
    return { number: condition.number, meets: compileCondition<CellCondition, number>(condition, reading) }
  }
  const steps = tables.map(({ conditions, conversions, filled }, table) => ({
    table,
    conditions: conditions.map(compile),
    conversions: conversions.map(compileCellConversion),
    filled: compileFilledColumns(filled, memory, reading),
  }))
  return {
    recordConditions: recordConditions.map(compile),
    tables: steps.filter((each) => each.conditions.length + each.conversions.length + each.filled.length > 0),
  }
}

function toCellReading(memory: ScanMemory): ConditionReading<CellCondition, number> {
  return {
    values: ({ cells }) =>
      cells.flatMap((cell) => {
        if (cell.kind === 'elements') return []
        const { isList, from } = cell
        return (row: number) => readCanonical(memory, row + cell.cell * cellBytes, from, isList)
      }),
    elements: ({ cells: [list] }) => {
      if (list?.kind !== 'elements') return () => []
      return (row) => listElements(memory, row + list.cell * cellBytes, list.width)
    },
  }
}

function compileCellConversion(conversion: CellConversion): CompiledConversion {
  const { from, to, unitScale, timezone } = conversion
  return { ...conversion, convert: compileConversion(from, to, unitScale, timezone) }
}
