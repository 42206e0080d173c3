import type { Sections } from '../../config/check-sections.ts'
import type { Problem } from '../../config/problem.ts'
import type { Contract, ContractName } from '../../contracts/contracts.ts'
import { extendChecked, resolveContract } from '../../contracts/extended/extend-contract.ts'
import {
  type ExtraFields,
  type ExtraProblem,
  type ExtraType,
  extraTypes,
} from '../../contracts/extended/extra-fields.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { formatEach, planTables } from './plan-tables.ts'

export interface PlannedContract {
  /** The contract with those fields of `contract.extra` that are valid. */
  readonly contract: Contract
  readonly problems: readonly Problem[]
}

/** Extends the contract by the fields of the config. `lost` are fields whose types are invalid. */
export function planExtra(
  name: ContractName,
  { contract, tables }: Pick<Sections, 'contract' | 'tables'>,
  lost: ExtraFields,
  locales: readonly string[],
): PlannedContract {
  const { contract: extended, problems } = extendChecked(name, { ...contract?.extra, ...lost })
  // Configured tables can rename columns, so they are checked with their own names.
  const collisions = tables === undefined ? findCollisions(name, extended, locales) : []
  const unique = Object.entries(extended.extra ?? {}).filter(([path]) => collisions.every((one) => one.path !== path))
  return {
    contract: resolveContract({ contract: name, extra: Object.fromEntries(unique) }),
    problems: [...problems, ...collisions].map(toProblem),
  }
}

/**
 * Entries with invalid types, given the types that were probably meant, so that uses of these fields are not problems
 * too.
 */
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

function findCollisions(name: ContractName, extended: Contract, locales: readonly string[]): ExtraProblem[] {
  const { extra } = extended
  if (extra === undefined) return []
  const paths = Object.keys(extra)
  const { tables } = planTables(extended, undefined, locales)
  const documented = planTables(resolveContract({ contract: name }), undefined, locales).tables
  return [...findTables(paths, tables, documented), ...tables.flatMap((table) => findColumns(paths, table))]
}

/** Tables are unique by name: the later of two has replaced the earlier. */
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

/** `photos[]` and `photos[].credits[]` for `photos[].credits[].name`. */
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

/** Whether a column comes from the path of an added field. */
function isOf({ source, from }: ColumnPlan, prefix: string, path: string): boolean {
  const whole = prefix === '' ? from : `${prefix}.${from}`
  return source.kind === 'path' && (whole === path || whole.startsWith(`${path}.`))
}
