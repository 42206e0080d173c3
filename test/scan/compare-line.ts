import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { contracts } from '../../src/contracts/contracts.ts'
import type { Row, Scalar } from '../../src/records/flatten/column.ts'
import { emptyDrift } from '../../src/records/drift.ts'
import { compileFlattening } from '../../src/records/flatten/flatten-record.ts'
import { compileConditions } from '../../src/records/flatten/match-conditions.ts'
import { parseLine, parseText } from '../../src/records/parse-line.ts'
import type { RecordPlan } from '../../src/records/process-block.ts'
import { repeatsAnyKey } from '../records/expected-repeats.ts'
import { compileValidation } from '../../src/records/validate/validate-record.ts'
import { compileAnyRecord } from '../../src/scan/any-record.ts'
import { LineScan } from '../../src/scan/line-scan.ts'
import { compileSureRecord } from '../../src/scan/sure-record.ts'
import { compileSureRows } from '../../src/scan/sure-rows.ts'

/** How much the scan is sure of. */
export type Certainty = 'nothing' | 'a record' | 'a valid record' | 'rows'

/** Checks lines of a plan, without their line breaks, against what the plain steps make of them; throws where they differ. */
export function compareLines(plan: RecordPlan): (line: Buffer) => Certainty {
  const scan = new LineScan()
  const contract = contracts[plan.contract]
  const findPlace = compileAnyRecord(scan)
  const isSure = compileSureRecord(scan, contract, plan.drift, plan.locales)!
  const tables = plan.tables.map((table) => {
    const one = { ...plan, tables: [table] }
    return { findRows: compileSureRows(scan, contract, one)!, flatten: compileFlattening([table]), table }
  })
  const validate = compileValidation(contract, plan.drift, plan.locales)
  const findFailing = compileConditions(plan.where)
  return (line) => {
    if (!isUtf8(line)) return 'nothing'
    const place = findPlace(line)
    if (place === null) return 'nothing'
    const raw = { bytes: line, lineBytes: line.length, byteOffset: 0, terminated: true, isUtf8: true }
    const parsed = parseLine(raw, { maxLineBytes: 1e9, exactNumbers: true })
    if (parsed.kind !== 'record') throw new Error(`expected a record, got ${parsed.kind}`)
    assert.deepStrictEqual({ index: parsed.index, total: parsed.total }, place)
    const { mayRepeatKeys } = parsed
    assert.deepStrictEqual({ ...parseText(line.toString(), false), numbers: 'plain', mayRepeatKeys }, parsed)
    assert.equal(repeatsAnyKey(line.toString()), false)
    const [drift, expectedDrift] = [emptyDrift(), emptyDrift()]
    if (!isSure(line, drift)) {
      assert.deepStrictEqual(drift, emptyDrift())
      return 'a record'
    }
    const { record } = validate(parsed.delivered, expectedDrift)
    if (record === null) throw new Error('expected a record that meets the contract')
    assert.deepStrictEqual(sortKeys(drift), sortKeys(expectedDrift))
    let certainty: Certainty = 'rows'
    for (const { findRows, flatten, table } of tables) {
      const rows = findRows(line)
      if (rows === null) certainty = 'a valid record'
      else if (findFailing(record, new Set()) >= 0) assert.deepStrictEqual(rows, [])
      else {
        const flat = flatten(record, parsed.delivered)
        assert.deepStrictEqual(flat.issues, [])
        const isFloat = table.columns.map(({ type }) => type.kind === 'float')
        const expected = flat.rows[0]!.map((row) => row.map((cell, at) => (isFloat[at] ? cell : unsigned(cell))))
        assert.deepStrictEqual(rows, expected)
      }
    }
    return certainty
  }
}

/** The order of counts of drift is no promise. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([key, member]) => [key, sortKeys(member)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Only floats have a sign of zero. */
function unsigned(cell: Row[number]): Row[number] {
  if (Array.isArray(cell)) return (cell as readonly Scalar[]).map((element) => (element === 0 ? 0 : element))
  return cell === 0 ? 0 : cell
}
