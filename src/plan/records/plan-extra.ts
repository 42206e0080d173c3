import type { Sections } from '../../config/check-sections.ts'
import type { Problem } from '../../config/problem.ts'
import type { Contract, ContractName } from '../../contracts/contracts.ts'
import { extendChecked, resolveContract } from '../../contracts/extend-contract.ts'
import { type ExtraFields, type ExtraProblem, type ExtraType, extraTypes } from '../../contracts/extra-fields.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { formatEach, planTables } from './plan-tables.ts'

export interface PlannedContract {
  /** With the fields of `contract.extra` that could be added. */
  readonly contract: Contract
  readonly problems: readonly Problem[]
}

/** The contract of a config, with the fields that the config adds. `lost`: those whose types are faulty. */
export function planExtra(
  name: ContractName,
  { contract, tables }: Pick<Sections, 'contract' | 'tables'>,
  lost: ExtraFields,
  locales: readonly string[],
): PlannedContract {
  const { contract: extended, problems } = extendChecked(name, { ...contract?.extra, ...lost })
  // Tables of the config can name their columns, and are checked with these names.
  const collisions = tables === undefined ? findCollisions(name, extended, locales) : []
  const unique = Object.entries(extended.extra ?? {}).filter(([path]) => collisions.every((one) => one.path !== path))
  return {
    contract: resolveContract({ contract: name, extra: Object.fromEntries(unique) }),
    problems: [...problems, ...collisions].map(toProblem),
  }
}

/** The entries whose types are faulty, by the types that were meant: what a config says of these fields is not wrong. */
export function listLostExtra(problems: readonly Problem[]): ExtraFields {
  const lost = problems.flatMap(({ path: [section, key, entry, ...inner], suggestion }) =>
    section === 'contract' && key === 'extra' && typeof entry === 'string' && inner.length === 0
      ? [[entry, toType(suggestion)] as const]
      : [],
  )
  return Object.fromEntries(lost)
}

function toType(text: string | undefined): ExtraType {
  return extraTypes.find((type) => type === text) ?? 'text'
}

function toProblem({ path, message }: ExtraProblem): Problem {
  return { path: ['contract', 'extra', path], atKey: true, message }
}

/** The added fields whose columns or child tables have the name of another one. */
function findCollisions(name: ContractName, extended: Contract, locales: readonly string[]): ExtraProblem[] {
  const { extra } = extended
  if (extra === undefined) return []
  const paths = Object.keys(extra)
  const { tables } = planTables(extended, undefined, locales)
  const documented = planTables(resolveContract({ contract: name }), undefined, locales).tables
  return [...findTables(paths, tables, documented), ...tables.flatMap((table) => findColumns(paths, table))]
}

/** Tables are kept by name: the later one of two has taken the place of the other. */
function findTables(
  paths: readonly string[],
  tables: readonly TablePlan[],
  documented: readonly TablePlan[],
): ExtraProblem[] {
  const eachOf = new Map(tables.map(({ name, each }) => [name, formatEach(each)]))
  const lists = new Set(eachOf.values())
  const replaced = new Set(
    documented.flatMap(({ name, each }) => (eachOf.get(name) === formatEach(each) ? [] : [eachOf.get(name)])),
  )
  return paths.flatMap((path) => {
    const list = listsOf(path).find((each) => !lists.has(each) || replaced.has(each))
    if (list === undefined) return []
    return [{ path, message: `path "${path}": the child table of "${list}" has the name of another one` }]
  })
}

/** `photos[]` and `photos[].credits[]` of `photos[].credits[].name`. */
function listsOf(path: string): string[] {
  return [...path.matchAll(/\[\](?=\.)/g)].map(({ index }) => path.slice(0, index + 2))
}

function findColumns(paths: readonly string[], { name: table, each: steps, columns }: TablePlan): ExtraProblem[] {
  const prefix = formatEach(steps)
  const first = new Map<string, ColumnPlan>()
  return columns.flatMap((column) => {
    const name = column.name.toLowerCase()
    const earlier = first.get(name)
    if (earlier === undefined) {
      first.set(name, column)
      return []
    }
    const path = paths.findLast((each) => [column, earlier].some((one) => isOf(one, prefix, each)))
    if (path === undefined) return []
    const from = [earlier, column].map((one) => `"${one.from}"`).join(' and ')
    return [{ path, message: `path "${path}": column "${column.name}" of table "${table}" would come from ${from}` }]
  })
}

/** True for a column of what the path of an added field leads to. */
function isOf({ source, from }: ColumnPlan, prefix: string, path: string): boolean {
  const whole = prefix === '' ? from : `${prefix}.${from}`
  return source.kind === 'path' && (whole === path || whole.startsWith(`${path}.`))
}
