import type { Contract } from '../contracts/contracts.ts'
import { createDriftCounter, type Drift } from '../records/drift.ts'
import type { DriftPolicy } from '../records/validate/validate-record.ts'
import { compileContractTree } from './program/compile-scan.ts'
import { holdsUnknownValue, reportDrift } from './drift-notes.ts'
import type { LineScan } from './line-scan.ts'
import { openTree } from './open-scan.ts'

/**
 * Whether a line surely is a record that meets its contract: then its drift is counted. Where that is not sure nothing is.
 * Null for a contract that the walk does not know.
 */
export function compileSureRecord(
  scan: LineScan,
  contract: Contract,
  drift: DriftPolicy,
  locales: readonly string[],
): ((line: Buffer, drift: Drift) => boolean) | null {
  const plan = { drift, locales, where: [], tables: [], maxLineBytes: 0xff_ff_ff_ff }
  const compiled = compileContractTree(contract, plan)
  if (compiled === null) return null
  const tree = openTree(compiled, scan.openSpace())
  tree.tables.clear()
  return (line, counts) => {
    if (!scan.accepts(tree, line)) return false
    if (drift.unknownValues === 'reject' && holdsUnknownValue(tree)) return false
    reportDrift(tree, createDriftCounter(counts))
    return true
  }
}
