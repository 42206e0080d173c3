import { contracts, type Contract } from '../../src/contracts/contracts.ts'
import type { Field, ObjectField } from '../../src/contracts/fields.ts'
import { productGiven } from '../../src/contracts/given-values.ts'
import { listPaths } from '../../src/describe/list-paths.ts'
import { specLocales } from '../../src/plan/locales.ts'
import { type ColumnDescription, describeTable } from '../../src/plan/records/describe-tables.ts'
import { toSnakeCase } from '../../src/plan/records/plan-columns.ts'
import { formatEach, planTables, toRoot } from '../../src/plan/records/plan-tables.ts'
import { isPathProblem, resolvePath } from '../../src/plan/records/resolve-path.ts'
import type { ColumnPlan, TablePlan } from '../../src/records/flatten/table-plan.ts'
import { formatComment, formatText, formatTypes, toPascal } from './record-types.ts'

/** `rows.ts` and `tables.ts` of `src/records/tables/`: the type of every default table of every contract, as a run plans it. */
export async function formatTableTypes(): Promise<{ readonly rows: string; readonly tables: string }> {
  const all = Object.values(contracts).flatMap((contract: Contract) => listTables(contract))
  const rows = new Interfaces('Row')
  const paths = new Interfaces('Paths')
  for (const table of all) {
    rows.add(table, formatComment(table.description), table.columns.map(formatRowMember).join(''))
    paths.add(
      table,
      `/** Field paths of the rows of \`${table.plan.name}\`, with the columns that they become. */\n`,
      formatPaths(table),
    )
  }
  const byContract = Object.keys(contracts).map((name) => {
    const tables = all.filter(({ contract }) => contract.name === name)
    return `'${name}': {\n${tables.map((each) => `${each.plan.name}: ${toTableName(each, all)}\n`).join('')}}\n`
  })
  const roots = all.flatMap(({ each, contract, plan }) => (each === '' ? [`'${contract.name}': '${plan.name}'\n`] : []))
  const names = all.map(({ type }) => `${type}Row`).join(', ')
  const shapes = all.map((table) => formatTable(table, all)).join('\n\n')
  return {
    rows: await formatTypes(`${head}${jsonCell}\n${rows.text}\n`),
    tables: await formatTypes(
      `${head}import type { ${names} } from './rows.ts'

/** The default tables of every contract, by their names. \`Locale\`: as it is written in names of columns. */
export interface ContractTables<Locale extends string> {\n${byContract.join('')}}

/** The table of the records of every contract. */
export interface RootTables {\n${roots.join('')}}

${paths.text}\n\n${shapes}\n`,
    ),
  }
}

const head = '/* Made from the contracts by `npm run docs`. */\n// oxlint-disable max-lines\n'
const jsonCell = "import type { JsonCell } from '../../types/json-cell.ts'\n"

const parameter = '<Locale extends string>'

interface TableType {
  readonly contract: Contract
  readonly plan: TablePlan
  /** The beginning of the names of its types: `ProductPhotosV4`. */
  readonly type: string
  readonly each: string
  /** The element of a row. */
  readonly root: ObjectField
  readonly description: string
  readonly columns: readonly ColumnDescription[]
}

function listTables(contract: Contract): TableType[] {
  const [, version = ''] = /^(v\d)\//.exec(contract.name) ?? []
  const { tables } = planTables(contract, undefined, specLocales)
  return tables.map((plan) => {
    const each = formatEach(plan.each)
    const { description, columns } = describeTable(plan, contract, tables)
    const type = `${contract.name === 'raw' ? 'RawRecords' : toPascal(plan.name)}${version.toUpperCase()}`
    return {
      contract,
      plan,
      type,
      each,
      root: toElement(contract, each),
      description: description.slice(0, -1),
      columns,
    }
  })
}

function toElement(contract: Contract, each: string): ObjectField {
  const root = toRoot(contract)
  const resolved = each === '' ? null : resolvePath(root, each)
  const field: Field = resolved === null || isPathProblem(resolved) ? root : resolved.field
  if (field.kind !== 'object') throw new Error(`${contract.name}: expected objects in ${each}`)
  return field
}

/** Interfaces of one kind; equal ones are written once. */
class Interfaces {
  readonly #suffix: string
  readonly #texts: string[] = []
  readonly #nameOf = new Map<string, string>()

  constructor(suffix: string) {
    this.#suffix = suffix
  }

  get text(): string {
    return this.#texts.join('\n\n')
  }

  add({ type }: TableType, comment: string, members: string): void {
    const name = `${type}${this.#suffix}`
    const same = this.#nameOf.get(members)
    this.#nameOf.set(members, same ?? name)
    const isByLocale = members.includes('${Locale}')
    const declared = isByLocale ? `${name}${parameter}` : name
    this.#texts.push(
      same === undefined
        ? `${comment}export interface ${declared} {\n${members}}`
        : `${comment}export type ${declared} = ${same}${isByLocale ? '<Locale>' : ''}`,
    )
  }
}

function formatRowMember(column: ColumnDescription): string {
  const { name, description, deprecated } = column
  return `${formatComment(description, deprecated)}${name}: ${formatValue(column)}\n`
}

function formatValue({ type, list, values, nullable, from }: ColumnDescription): string {
  const given = givenFields.get(from)
  const listed = given?.kind === 'scalar' ? given.values : values
  const scalar = type.kind === 'text' ? formatText(listed) : valueTypes[type.kind]
  if (list) return `(${scalar} | null)[] | null`
  // The interface version of records in a stream may not be known.
  if (nullable || given !== undefined) return `${scalar} | null`
  return from === 'position' ? 'number' : scalar
}

const givenFields = productGiven().fields

const valueTypes = {
  integer: 'number | bigint',
  float: 'number',
  boolean: 'boolean',
  timestamp: 'Date',
  date: 'string',
  decimal: 'string',
  json: 'JsonCell',
} as const

/** Paths into lists of objects are those of their tables. */
function formatPaths(table: TableType): string {
  const { columns } = listPaths(table.root, specLocales)
  const given = [...(table.each === '' ? (table.contract.given?.fields.keys() ?? []) : [])]
  const members = [...columns, ...given]
    .filter((path) => !path.includes('['))
    .map((path) => [path, namesOf(table, path)] as const)
    .filter(([, names]) => names.length > 0)
  const lines = members.map(([path, names]) => {
    return `${formatPathComment(table, path)}'${path}': ${names.map(formatName).join(' | ')}\n`
  })
  return lines.join('')
}

function formatPathComment({ root }: TableType, path: string): string {
  const resolved = resolvePath(root, path)
  if (isPathProblem(resolved)) return ''
  const deprecated = resolved.trail.find(({ notes }) => notes.deprecated !== undefined)?.notes.deprecated ?? false
  return formatComment(resolved.field.description || (resolved.trail.at(-1)?.description ?? ''), deprecated)
}

/** The names of the columns of a path; those by locale are asked for with one that no field has. */
function namesOf({ contract, plan, each }: TableType, path: string): string[] {
  const config = { ...(each !== '' && { each }), columns: [path], exclude: [], where: {} }
  const { tables, problems } = planTables(contract, { [plan.name]: config }, [placeholder])
  if (problems.length > 0) return []
  return (tables[0]?.columns ?? []).filter(({ source }) => !isKey(source)).map(({ name }) => name)
}

const placeholder = 'xx'

function formatName(name: string): string {
  const parts = name.split('_')
  if (!parts.includes(placeholder)) return `'${name}'`
  return `\`${parts.map((part) => (part === placeholder ? '${Locale}' : part)).join('_')}\``
}

function isKey({ kind }: ColumnPlan['source']): boolean {
  return kind === 'key' || kind === 'position'
}

/** The names of the columns by locale, which are text. */
function listLocalized({ contract, plan }: TableType): string[] {
  const { tables } = planTables(contract, undefined, [placeholder])
  const columns = tables.find(({ name }) => name === plan.name)?.columns ?? []
  const localized = columns.filter(({ name }) => name.split('_').includes(placeholder))
  const other = localized.find(({ type, list }) => type.kind !== 'text' || list)
  if (other !== undefined) throw new Error(`expected text in ${other.name} of ${plan.name}`)
  return localized.map(({ name }) => name)
}

/** The type of a table, with its locales if it or a list in it has columns by locale. */
function toTableName(table: TableType, all: readonly TableType[]): string {
  const { contract, each, type } = table
  const inside = all.filter((other) => other.contract === contract && isInside(other.each, each))
  return `${type}Table${[table, ...inside].some((other) => listLocalized(other).length > 0) ? '<Locale>' : ''}`
}

function isInside(list: string, each: string): boolean {
  return list !== each && list.startsWith(each === '' ? '' : `${each}.`)
}

function formatTable(table: TableType, all: readonly TableType[]): string {
  const { contract, type, plan, each, root } = table
  const inside = all.filter((other) => other.contract === contract && isInside(other.each, each))
  const direct = inside.filter((other) => !inside.some((nearer) => isInside(other.each, nearer.each)))
  const lists = direct.map((other) => `'${toRelative(other.each, each)}': ${toTableName(other, all)}\n`)
  const relative = direct.length === 0 ? '' : `lists: {\n${lists.join('')}}\n`
  const keys = plan.columns.filter(({ source }) => isKey(source)).map(({ name }) => `'${name}'`)
  const localized = listLocalized(table)
  const { columns } = listPaths(root, specLocales)
  const items = columns.filter((path) => /^[^[]+\[0\]$/.test(path)).map((path) => path.slice(0, -'[0]'.length))
  const prefix = each.split('.').at(-1)?.replace('[]', '') ?? ''
  return `export interface ${type}Table${toTableName(table, all).endsWith('>') ? parameter : ''} {
each: '${each}'
prefix: '${toSnakeCase(prefix)}'
row: ${type}Row
paths: ${type}Paths${localized.length > 0 ? '<Locale>' : ''}
keys: ${formatUnion(keys)}
localized: ${formatUnion(localized.map(formatName))}
deprecated: ${formatUnion(listMarked(table, 'deprecated').map(formatName))}
volatile: ${formatUnion(listMarked(table, 'volatile').map(formatName))}
items: ${formatUnion(items.map((path) => `'${path}'`))}
${relative === '' ? 'lists: {}\n' : relative}}`
}

function toRelative(path: string, each: string): string {
  return each === '' ? path : path.slice(each.length + 1)
}

function formatUnion(members: readonly string[]): string {
  return members.length === 0 ? 'never' : members.join(' | ')
}

/** Columns that the words \`deprecated\` and \`volatile\` leave out. */
function listMarked({ contract, plan, each }: TableType, word: 'deprecated' | 'volatile'): string[] {
  const config = { ...(each !== '' && { each }), columns: 'all', where: {} } as const
  const listNames = (exclude: string[]) =>
    planTables(contract, { [plan.name]: { ...config, exclude } }, [placeholder]).tables[0]?.columns.map(
      ({ name }) => name,
    ) ?? []
  const kept = new Set(listNames([word]))
  return listNames([]).filter((name) => !kept.has(name))
}
