import type { Correction } from '../../records/correct-line.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Field } from '../../contracts/fields.ts'
import { isPathProblem, type PathProblem, resolvePath } from './resolve-path.ts'
import { formatCell, formatLines, parseListTable } from '../source/parse-list.ts'
import { type ReadListBytes, readList } from '../source/read-list.ts'
import type { CsvRow } from '../../sources/csv-table.ts'

export interface PlannedCorrections {
  readonly corrections: readonly Correction[]
  readonly problems: readonly Problem[]
}

/** Reads the table of corrections that a config names: CSV, or an Excel workbook. `root` is null if the records may have any field. */
export function planCorrections(
  { corrections: file }: { readonly corrections?: string | undefined },
  root: Field | null,
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
  const wrong = findWrong(known) ?? (root && findUnknown(known, root))
  if (wrong !== null) return failed(wrong.message, wrong.suggestion)
  return { corrections: known.map(toCorrection), problems: [] }
}

/** The first path of a field that records don't have: its correction would never do anything. */
function findUnknown(rows: readonly CsvRow[], root: Field): PathProblem | null {
  const first = new Map(rows.toReversed().map((row) => [toCorrection(row).path, row.line]))
  for (const [path, line] of [...first].toSorted(([, one], [, other]) => one - other)) {
    const found = resolvePath(root, path)
    if (isPathProblem(found) && found.isUnknownField)
      return {
        ...found,
        message: `expected paths of fields, as rejects have them, got in line ${line} an ${found.message}`,
      }
  }
  return null
}

function toCorrection({ cells }: CsvRow): Correction {
  const [id = '', path = '', value = '', corrected = ''] = cells.map((cell) => cell.trim().replace(escape, ''))
  return { id, path, value, corrected }
}

/** What `rejects show --to` and spreadsheets put before text that would be a formula. */
const escape = /^'(?=[=+\-@])/

function findWrong(rows: readonly CsvRow[]): PathProblem | null {
  const placeless = rows.filter(({ cells: [id = '', path = ''] }) => id.trim() === '' || path.trim() === '')
  if (placeless.length > 0) {
    const lines = formatLines(placeless.map(({ line }) => `none in line ${line}`))
    return {
      message: `expected the id of a record and the path of a field in each row with a corrected value, got ${lines}; other lines are corrected in a copy of the rejects file`,
    }
  }
  const first = new Map<string, CsvRow>()
  for (const row of rows) {
    const { id, path, value, corrected } = toCorrection(row)
    const key = JSON.stringify([id, path, value])
    const earlier = first.get(key)
    if (earlier !== undefined && toCorrection(earlier).corrected !== corrected)
      return {
        message: `expected one corrected value of ${path} of ${formatCell(id)}, got one in line ${earlier.line} and another in line ${row.line}`,
      }
    first.set(key, row)
  }
  return null
}
