import { compileProcessing, type RecordPlan } from '../../../src/records/process-block.ts'
import { isDeepStrictEqual } from 'node:util'
import { BlockCutter } from '../../../src/records/block.ts'
import type { Row } from '../../../src/records/flatten/column.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'
import type { RepeatedLines } from '../../../src/records/block-outcome.ts'
import type { RowCounts } from '../../../src/kernel/profile/column-counts.ts'
import { listCoverageTables } from '../../../src/kernel/profile/coverage-tables.ts'
import { listFallbackTables } from '../../../src/kernel/profile/fallback-tables.ts'
import { GroupedCells } from '../../../src/kernel/profile/grouped-cells.ts'
import { createCellProfiler } from '../../../src/kernel/profile/profile-cells.ts'
import { RowProfiler } from '../../../src/kernel/profile/profile-rows.ts'
import { toRunProfile } from '../../../src/kernel/profile/to-run-profile.ts'
import { readRows } from '../../../src/kernel/scan/cells.ts'
import { compileScan } from '../../../src/kernel/program/compile-scan.ts'
import { openScan } from '../../../src/kernel/scan/open-scan.ts'
import { scanBlock } from '../../../src/kernel/scan/scan-block.ts'

/** Compares inputs of a plan, one after the other, with the reference path. */
export interface ScanComparison {
  /** Returns the number of lines, and of the lines that the reference path decided. */
  (input: Buffer | string, repeated?: RepeatedLines): { readonly lines: number; readonly fallbackLines: number }
}

/** Throws for a plan that the fast path does not support. */
export function compareScan(asked: RecordPlan, blockBytes = 4096): ScanComparison {
  const fallbacks = listFallbackTables(asked.tables).map((each) => each.plan)
  const counted = [...fallbacks, ...listCoverageTables(asked, true).plans]
  const plan = { ...asked, tables: [...asked.tables, ...counted] }
  const compiled = compileScan(plan)
  if (compiled === null) throw new Error('the fast way does not know this plan')
  const program = openScan(compiled)
  const process = compileProcessing(plan)
  const positions = [...plan.tables.keys()]
  const groups = new GroupedCells(program.tables, positions)
  const cells = createCellProfiler(program, positions, groups)
  const reference = new RowProfiler(plan.tables, positions)
  program.work.setParts({ counted: cells.parts, pieces: [] })
  let blocks = 0
  return (input, repeated) => {
    const cutter = new BlockCutter({ maxLineBytes: plan.maxLineBytes, blockBytes })
    const counts = { lines: 0, fallbackLines: 0 }
    for (const bare of [...cutter.push(Buffer.from(input)), ...cutter.end()]) {
      const block = { ...bare, interfaceVersion: versions[blocks++ % versions.length] }
      const { fallbackLines, ...outcome } = scanBlock(program, block, repeated)
      groups.add()
      const rows = plan.tables.map((_, table) => readRows(program.tables, table))
      const expected = process(block, repeated)
      const [found, wanted] = [toComparable(plan, { ...outcome, rows }), toComparable(plan, expected)]
      if (!isDeepStrictEqual(found, wanted)) throw new DifferentOutcome(block.bytes, found, wanted)
      reference.add(expected.rows)
      counts.lines += outcome.counts.lines
      counts.fallbackLines += fallbackLines
    }
    const [found, wanted] = [cells, reference].map((profiler) => toPublished(asked, profiler.collect()))
    if (!isDeepStrictEqual(found, wanted)) throw new DifferentOutcome(Buffer.from(input), found, wanted)
    return counts
  }
}

/** Interface versions of the sources of consecutive blocks. */
const versions = ['v3', undefined, 'v4'] as const

function toPublished(records: RecordPlan, counts: RowCounts): unknown {
  return toRunProfile({ pipeline: '', runId: '', records, examples: true, rows: [], parts: [counts] })
}

/** A difference with the line and both outcomes. */
export class DifferentOutcome extends Error {
  readonly input: Buffer
  readonly found: unknown
  readonly wanted: unknown

  constructor(input: Buffer, found: unknown, wanted: unknown) {
    super(`the fast way differs on ${JSON.stringify(input.toString('latin1'))}`)
    this.input = input
    this.found = found
    this.wanted = wanted
  }
}

type Rows = readonly (readonly Row[])[]

/** Drops what may differ: the sign of zero but in floats, and the order of counts of drift. */
function toComparable(
  { tables }: RecordPlan,
  { rows, ...outcome }: { readonly rows: Rows; readonly drift: unknown },
): unknown {
  const isFloat = tables.map(({ columns }) => columns.map(({ type }) => type.kind === 'float'))
  return {
    ...outcome,
    drift: sortKeys(outcome.drift),
    rows: rows.map((table, at) =>
      table.map((row) => row.map((cell, index) => (isFloat[at]?.[index] ? cell : unsigned(cell)))),
    ),
  }
}

function unsigned(cell: Row[number]): Row[number] {
  if (Array.isArray(cell)) return (cell as readonly Scalar[]).map((element) => (element === 0 ? 0 : element))
  return cell === 0 ? 0 : cell
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([key, member]) => [key, sortKeys(member)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}
