import { typeOf } from '../../types/column-types.ts'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../formats/csv.ts'
import type { LimitsPlan } from '../../plan/limits-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { Column, Row } from '../../records/flatten/column.ts'
import type { RunCounters } from '../reading/run-counters.ts'

/** Formats a CSV of rows that break rules, at most the first thousand of each rule. */
export function formatBroken(
  records: RecordsPlan,
  limits: LimitsPlan,
  counters: Pick<RunCounters, 'rules' | 'broken'>,
): { readonly rows: number; readonly pieces: readonly Uint8Array[] } {
  const rows = listRows(records, limits, counters)
  const pieces = [formatCsvHeader(columns, defaultCsvDialect), createCsvEncoder(columns, defaultCsvDialect)(rows)]
  return { rows: rows.length, pieces }
}

const columns: readonly Column[] = [
  { name: 'rule', type: { kind: 'text' }, list: false },
  { name: 'severity', type: { kind: 'text' }, list: false },
  { name: 'table', type: { kind: 'text' }, list: false },
  { name: 'id', type: { kind: 'text' }, list: false },
  { name: 'position', type: { kind: 'integer' }, list: true },
  { name: 'column', type: { kind: 'text' }, list: false },
  { name: 'value', type: { kind: 'text' }, list: false },
]

function listRows(
  records: RecordsPlan,
  { rules }: LimitsPlan,
  { rules: reports, broken }: Pick<RunCounters, 'rules' | 'broken'>,
): Row[] {
  return reports.flatMap(({ table, column = null, expected, severity, listed = 0 }, at) => {
    if (listed === 0) return []
    const { type } = records.tables[rules[at]?.table ?? 0]?.columns[rules[at]?.column ?? 0] ?? {}
    const show = typeOf(type ?? { kind: 'text' }).showCanonical
    return broken.of(at).map(({ id, positions, value }): Row => {
      const place = positions.length === 0 ? null : positions
      return [expected, severity, table, id, place, column, value === null ? null : String(show(value))]
    })
  })
}
