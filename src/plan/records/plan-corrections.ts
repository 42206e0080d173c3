import type { Correction } from '../../records/correct-line.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import { formatCell, formatLines, parseListTable } from '../source/parse-list.ts'
import { type ReadListBytes, readList } from '../source/read-list.ts'
import type { CsvRow } from '../../sources/csv-table.ts'

export interface PlannedCorrections {
  readonly corrections: readonly Correction[]
  readonly problems: readonly Problem[]
}

/** Reads the table of corrections that a config names: CSV, or an Excel workbook. */
export function planCorrections(
  { corrections: file }: { readonly corrections?: string | undefined },
  { readListBytes }: { readonly readListBytes?: ReadListBytes | undefined },
): PlannedCorrections {
  // A missing variable is reported separately.
  if (file === undefined || file.includes('${')) return { corrections: [], problems: [] }
  const failed = (message: string, suggestion?: string): PlannedCorrections => {
    const at = problemAt(['rejects', 'corrections'], `${formatCell(file)}: ${message}`, suggestion)
    return { corrections: [], problems: [at] }
  }
  const content = readList(file, { readBytes: readListBytes })
  if ('fault' in content) return failed(content.fault)
  const wanted = ['id', 'path', 'value', 'corrected'].map((column) => ({ column, path: [] }))
  const table = parseListTable(content, wanted, {})
  if ('fault' in table) return failed(table.fault.message, table.fault.suggestion)
  // A row whose last cell is empty waits for somebody who knows the value.
  const known = table.rows.filter(({ cells }) => cells[3]?.trim() !== '')
  const wrong = findWrong(known)
  return wrong === null ? { corrections: known.map(toCorrection), problems: [] } : failed(wrong)
}

function toCorrection({ cells }: CsvRow): Correction {
  const [id = '', path = '', value = '', corrected = ''] = cells.map((cell) => cell.trim().replace(escape, ''))
  return { id, path, value, corrected }
}

/** What `rejects show --to` and spreadsheets put before text that would be a formula. */
const escape = /^'(?=[=+\-@])/

function findWrong(rows: readonly CsvRow[]): string | null {
  const placeless = rows.filter(({ cells: [id = '', path = ''] }) => id.trim() === '' || path.trim() === '')
  if (placeless.length > 0) {
    const lines = formatLines(placeless.map(({ line }) => `none in line ${line}`))
    return `expected the id of a record and the path of a field in each row with a corrected value, got ${lines}; other lines are corrected in a copy of the rejects file`
  }
  const first = new Map<string, CsvRow>()
  for (const row of rows) {
    const { id, path, value, corrected } = toCorrection(row)
    const key = JSON.stringify([id, path, value])
    const earlier = first.get(key)
    if (earlier !== undefined && toCorrection(earlier).corrected !== corrected)
      return `expected one corrected value of ${path} of ${formatCell(id)}, got one in line ${earlier.line} and another in line ${row.line}`
    first.set(key, row)
  }
  return null
}
