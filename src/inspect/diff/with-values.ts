import type { Contract } from '../../contracts/contracts.ts'
import type { ObjectField } from '../../contracts/fields.ts'
import { CatalogueError } from '../../errors.ts'
import { compileJoinedList, defaultCsvDialect } from '../../formats/csv.ts'
import { planColumn } from '../../plan/records/plan-column.ts'
import { toRoot } from '../../plan/records/plan-tables.ts'
import type { Cell } from '../../records/flatten/column.ts'
import { compileFlattening } from '../../records/flatten/flatten-record.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'
import type { CanonicalRecord } from '../../records/validate/validate-record.ts'
import { typeOf } from '../../types/column-types.ts'
import { formatSuggestion } from '../../text/choices.ts'

/** What a workbook has beside each difference if nothing is asked for, as far as the contract has it. */
export function listUsualValues({ fields }: Pick<Contract, 'fields'>): string[] {
  return usual.filter(([field]) => fields.has(field)).map(([, path]) => path)
}

const usual = [
  ['cnk', 'cnk'],
  ['name', 'name'],
  ['brands', 'brands[0].name'],
] as const

/** Values of a record that come beside each of its differences. */
export interface WithValues {
  /** The paths as they were asked for. */
  readonly names: readonly string[]
  read(record: unknown): readonly (string | null)[]
}

/**
 * Compiles paths as configs have them: `cnk`, `name.nl`, `brands[0].name`. Of a localized value without a locale it is
 * the Dutch one, or the next best as the specification chooses it. Throws USAGE for a path that the contract lacks.
 */
export function compileWithValues(contract: Contract, paths: readonly string[]): WithValues {
  const root = toRoot(contract)
  const columns = paths.map((path, at) => ({ ...planValue(path, root), name: `with_${at}` }))
  const flatten = compileFlattening([{ name: 'with', each: [], columns, where: [] }])
  const formats = columns.map(compileText)
  return {
    names: paths,
    read(value) {
      const [[row = []] = []] = flatten(value as CanonicalRecord, value).rows
      return formats.map((format, at) => format(row[at] ?? null))
    },
  }
}

function planValue(path: string, root: ObjectField): ColumnPlan {
  const context = { root, isRecord: true, locales: ['nl'], timezone: 'UTC', path: [] }
  const chosen = planColumn({ from: path, locale: 'nl', fallback: 'spec' }, context)
  const { columns, problems } = chosen.problems.length === 0 ? chosen : planColumn(path, context)
  const [column] = columns
  const [problem] = problems
  if (problem === undefined && column !== undefined && columns.length === 1) return column
  const got = problem === undefined ? `"${path}", which has ${columns.length}` : problem.message
  throw new CatalogueError(
    'USAGE',
    `--with ${path}: expected a field with one value, got ${got}${formatSuggestion(problem?.suggestion)}`,
    {
      fix: 'Name fields as in configs: `cnk`, `name.nl`, `brands[0].name`.',
    },
  )
}

function compileText(column: ColumnPlan): (cell: Cell) => string | null {
  const { format } = typeOf(column.type)
  const toText = column.list ? compileJoinedList(column, defaultCsvDialect) : (cell: Cell) => format(cell as never)
  return (cell) => (cell === null ? null : toText(cell))
}
