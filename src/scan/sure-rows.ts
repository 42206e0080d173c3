import type { Contract } from '../contracts/contracts.ts'
import type { Row } from '../records/flatten/column.ts'
import type { RecordPlan } from '../records/process-block.ts'
import { compileRowReader } from './cells.ts'
import { compileContractTree } from './program/compile-scan.ts'
import type { LineScan } from './line-scan.ts'
import { openTree } from './open-scan.ts'
import { scopeCells } from './program/node-layout.ts'
import { findFailing, finishRows } from './apply-decoded-line.ts'

/** The rows that a table gets of a line whose record meets the contract; null where the walk is not sure of them. */
export type SureRows = (line: Buffer) => readonly Row[] | null

/** Null for a table that the walk does not know. */
export function compileSureRows(
  scan: LineScan,
  contract: Contract,
  { where, tables, locales }: Pick<RecordPlan, 'where' | 'tables' | 'locales'>,
): SureRows | null {
  const drift = { unknownFields: 'ignore', unknownValues: 'report' } as const
  const plan = { drift, locales, where, tables, maxLineBytes: 0xff_ff_ff_ff }
  const compiled = compileContractTree(contract, plan)
  if (compiled === null) return null
  const tree = openTree(compiled, scan.openSpace())
  tree.tables.clear()
  const readRows = compileRowReader(tree.tables, 0)
  return (line) =>
    scan.withRoom(tree, () => {
      if (!scan.accepts(tree, line)) return null
      if (findFailing(tree.memory, tree.scope + scopeCells, tree.finishSteps.recordConditions, new Set()) !== null)
        return []
      return finishRows(tree, { filteredElements: [], filteredByCondition: [] }) ? readRows() : null
    })
}
