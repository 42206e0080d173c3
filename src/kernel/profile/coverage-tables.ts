import { resolveContract } from '../../contracts/extended/extend-contract.ts'
import { spaceOf } from '../../codes/schemes.ts'
import { listCodeFields } from '../../contracts/code-fields.ts'
import type { Field } from '../../contracts/fields.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { ColumnPlan, Step, TablePlan } from '../../records/flatten/table-plan.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import { type ColumnCounts, noCounts } from './column-counts.ts'
import { toCoverage, toListLengths } from './to-coverage.ts'
import type { RunProfile } from './run-profile.ts'

/**
 * Tables that are only counted: one of all records, and for each thing that a record should have one of those that lack
 * it. Their columns are what records are grouped by, so the counts of values say how many of a group lack it.
 */
export interface CoverageTables {
  readonly plans: readonly TablePlan[]
  readonly toProfile: (counted: readonly (readonly ColumnCounts[])[]) => Pick<RunProfile, 'coverage' | 'listLengths'>
}

/** What a record should have, and the conditions that a record meets if it lacks it. */
interface Part {
  readonly label: string
  readonly from: string
  readonly lacks: readonly Condition[]
}

type Records = Pick<RecordPlan, 'contract' | 'extra' | 'tables' | 'locales'>

const none: CoverageTables = { plans: [], toProfile: () => ({}) }

/** Names of records appear only with `examples`; statuses are a list of the contract. */
export function listCoverageTables(records: Records, examples: boolean): CoverageTables {
  const root = records.tables.find(({ each }) => each.length === 0)
  const { fields } = resolveContract(records)
  const brand = examples && !choosesBrand(records.tables) ? toBrand(fields, records.locales) : null
  const groups = [toStatus(fields), brand].filter((each) => each !== null)
  const [first] = groups
  if (root === undefined || first === undefined) return none
  const parts = listParts(fields, records.locales)
  const lengths = fields.has('photos') ? [toColumn('photos[]', { kind: 'count', steps: photos }, 'integer')] : []
  const columns = [isThere, ...groups]
  const toPlan = (name: string, where: readonly Condition[], counted: readonly ColumnPlan[]): TablePlan => {
    return { name: `${root.name} ${name}`, each: [], where, columns: counted, isCountedOnly: true }
  }
  const plans = [
    toPlan('coverage', [], [...columns, ...lengths]),
    ...parts.map(({ from, lacks }) => toPlan(`without ${from}`, lacks, columns)),
  ]
  return {
    plans,
    toProfile: ([all = [], ...lacking]) => {
      const coverage = groups.flatMap(({ from }, at) => {
        const read = (table: readonly ColumnCounts[] = []) => ({
          rows: table[0]?.filled ?? 0,
          by: table[1 + at] ?? noCounts,
        })
        return toCoverage(
          from,
          parts,
          read(all),
          parts.map((_, part) => read(lacking[part])),
        )
      })
      const photoCounts = lengths.length === 0 ? undefined : all[columns.length]
      const listLengths = photoCounts === undefined ? [] : toListLengths(root.name, 'photos[]', photoCounts)
      return { ...(coverage.length > 0 && { coverage }), ...(listLengths.length > 0 && { listLengths }) }
    },
  }
}

type Fields = ReadonlyMap<string, Field>

const photos: readonly Step[] = [{ kind: 'field', name: 'photos' }, { kind: 'all' }]

/** True in every row: its count is that of the rows. */
const isThere = toColumn('id', { kind: 'has', steps: [{ kind: 'field', name: 'id' }] }, 'boolean')

function toColumn(from: string, source: ColumnPlan['source'], kind: 'text' | 'integer' | 'boolean'): ColumnPlan {
  return { name: from, from, type: { kind }, list: false, source }
}

function toStatus(fields: Fields): ColumnPlan | null {
  const status = fields.get('status')
  if (status?.kind !== 'scalar' || status.type !== 'text') return null
  return toTextColumn('status', [{ kind: 'field', name: 'status' }])
}

/** Whether a column chooses one of the brands by conditions: beside it, the fast path does not read the first one. */
function choosesBrand(tables: Records['tables']): boolean {
  return tables.some(({ columns }) =>
    columns.some(({ source }) => {
      const [list, step] = 'steps' in source ? source.steps : []
      return list?.kind === 'field' && list.name === 'brands' && step?.kind === 'choose'
    }),
  )
}

/** The name of the first brand, in the first configured locale that it has. */
function toBrand(fields: Fields, locales: readonly string[]): ColumnPlan | null {
  const brands = fields.get('brands')
  const name =
    brands?.kind === 'list' && brands.element.kind === 'object' ? brands.element.fields.get('name') : undefined
  if (name?.kind !== 'localized' || name.element.kind !== 'scalar') return null
  const steps: readonly Step[] = [
    { kind: 'field', name: 'brands' },
    { kind: 'index', index: 0 },
    { kind: 'field', name: 'name' },
    { kind: 'locale', locales, others: true },
  ]
  return { ...toTextColumn('brands[0].name', steps), groupsRows: true }
}

function toTextColumn(from: string, steps: readonly Step[]): ColumnPlan {
  return toColumn(from, { kind: 'path', steps, delivered: 'text', unitScale: 0 }, 'text')
}

function listParts(fields: Fields, locales: readonly string[]): Part[] {
  const name = fields.get('name')
  const names = name?.kind === 'localized' && name.element.kind === 'scalar' ? locales : []
  return [
    ...names.map((locale) => toPart(`name ${locale}`, [[`name.${locale}`, [toStep('name'), inLocale(locale)]]])),
    ...(fields.get('publicPrice')?.kind === 'scalar'
      ? [toPart('price', [['publicPrice', [toStep('publicPrice')]]])]
      : []),
    ...listPackshots(fields),
    ...listCodes(fields),
  ]
}

function toStep(name: string): Step {
  return { kind: 'field', name }
}

function inLocale(locale: string): Step {
  return { kind: 'locale', locales: [locale], others: false }
}

/** What a record has if any of the paths leads to a value. */
function toPart(label: string, paths: readonly (readonly [from: string, steps: readonly Step[]])[]): Part {
  const lacks = paths.map(([from, steps]): Condition => {
    return { from, steps, test: { kind: 'in', values: [null] }, shown: 'null' }
  })
  return { label, from: paths.map(([from]) => from).join(', '), lacks }
}

/** Photos of v3 have their kind in `type`. */
function listPackshots(fields: Fields): Part[] {
  const list = fields.get('photos')
  const element = list?.kind === 'list' && list.element.kind === 'object' ? list.element.fields : undefined
  const kind = ['photoType', 'type'].find((each) => {
    const field = element?.get(each)
    return field?.kind === 'scalar' && field.values?.includes('packshot') === true
  })
  if (kind === undefined) return []
  const from = `photos[].${kind}`
  const orName = element?.get(kind)?.notes.orFrom
  const step: Step = { kind: 'field', name: kind, ...(orName !== undefined && { orName }) }
  const test = { kind: 'not', values: ['packshot'] } as const
  return [{ label: 'packshot', from, lacks: [{ from, steps: [...photos, step], test, shown: '{not: packshot}' }] }]
}

/** Every GTIN counts as one code, whichever field it is in. */
function listCodes(fields: Fields): Part[] {
  const codes = listCodeFields({ fields }).map(({ path, scheme }) => ({ path, space: spaceOf(scheme) }))
  return Object.entries({ cnk: 'cnk', gtin: 'EAN or GTIN' }).flatMap(([space, label]) => {
    const paths = codes.filter((code) => code.space === space).map(({ path }) => [path, toCodeSteps(path)] as const)
    return paths.length === 0 ? [] : [toPart(label, paths)]
  })
}

function toCodeSteps(path: string): readonly Step[] {
  const name = path.replace('[]', '')
  return name === path ? [toStep(name)] : [toStep(name), { kind: 'all' }]
}
