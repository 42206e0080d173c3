import type { ScalarField } from '../contracts/fields.ts'
import type { LinePosition } from '../records/parse-line.ts'
import { compileTree, type TreePlan } from './program/compile-scan.ts'
import type { LineScan } from './line-scan.ts'
import { scopeCells } from './program/node-layout.ts'
import { openTree } from './open-scan.ts'
import { indexCell, totalCell } from './program/projection.ts'
import { readCount } from './apply-decoded-line.ts'
import { cellBytes } from './table-memory.ts'

/**
 * The place of a line that surely is a record, whatever its contract, with an id, and without a number that JavaScript may
 * not hold exactly; null for what only parsing can tell.
 */
export function compileAnyRecord(scan: LineScan): (line: Buffer) => LinePosition | null {
  const compiled = compileTree({ record: 'record', fields: new Map([['id', id]]) }, plan, true)
  const tree = openTree(compiled, scan.openSpace())
  tree.tables.clear()
  const cells = tree.scope + scopeCells
  return (line) =>
    scan.accepts(tree, line)
      ? {
          index: readCount(tree.memory, cells + indexCell * cellBytes),
          total: readCount(tree.memory, cells + totalCell * cellBytes),
        }
      : null
}

/** Text or a number. */
const id: ScalarField = { kind: 'scalar', type: 'text', code: true, description: '', notes: {} }

const plan: TreePlan = {
  drift: { unknownFields: 'ignore', unknownValues: 'report' },
  locales: [],
  where: [],
  tables: [],
  maxLineBytes: 0xff_ff_ff_ff,
}
