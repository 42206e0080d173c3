import type { Field } from '../../contracts/fields.ts'
import { type GivenName, givenNames, type GivenValues } from '../../contracts/given-values.ts'
import { formatColumnType, type ColumnType } from '../../types/column-types.ts'
import type { ColumnPlan, Step } from '../../records/flatten/table-plan.ts'
import { findTimeZone } from '../../types/time-zone.ts'
import { canBecome, parseColumnType, keepsAmount, missingUnit, needsUnit, unitScaleOf } from './column-type.ts'
import { closest, listChoices } from '../../text/choices.ts'
import { specLocales, toSpecChain, type LocaleChain } from '../locales.ts'
import type { ColumnConfig } from '../../config/schemas/pipeline-schema.ts'
import { expandField, type ExpandedSeed, toScalarColumn, toSnakeCase, type ColumnSeed } from './plan-columns.ts'
import { problemAt, type Problem } from '../../config/problem.ts'
import { selectElements } from './select-elements.ts'
import { planComputed } from './plan-computed.ts'
import { expandFilled, type FilledKind } from './plan-filled.ts'
import {
  describeField,
  isPathProblem,
  type PathProblem,
  resolvePath,
  type ResolvedPath,
  type ResolvedStep,
} from './resolve-path.ts'
import { checkTimeZone } from '../check-time-zone.ts'

export interface ColumnContext {
  /** The record, or an element of the table's `each`. */
  readonly root: Field
  readonly isRecord: boolean
  readonly given?: GivenValues | undefined
  readonly locales: readonly string[]
  readonly timezone: string
  readonly path: Problem['path']
}

export interface PlannedColumns {
  readonly columns: readonly ColumnPlan[]
  readonly problems: readonly Problem[]
}

type ColumnOptions = Exclude<ColumnConfig, string>

/** Columns of one entry of a table's `columns`: several if it names an object or a localized field. */
export function planColumn(config: ColumnConfig, context: ColumnContext): PlannedColumns {
  const options: ColumnOptions = typeof config === 'string' ? { from: config } : config
  if (options.compute !== undefined) return planNamed(options, context)
  const at = (key: string) => (typeof config === 'string' ? context.path : [...context.path, key])
  const problems: Problem[] = [...checkNameAndUnit(options, at), ...checkDate(options, at)]
  const chain = toLocaleChain(options, context.locales, at, problems)
  const type = toColumnType(options, at, problems)
  const { key: origin, path } = readOrigin(options)
  const resolved = resolveOrigin(origin, path, context)
  if (isPathProblem(resolved)) {
    return { columns: [], problems: [...problems, problemAt(at(origin), resolved.message, resolved.suggestion)] }
  }
  const timezone = (options.timezone !== undefined && findTimeZone(options.timezone)) || context.timezone
  const selected = selectElements(resolved, { path, where: options.where }, at, timezone)
  problems.push(...selected.problems)
  const seeds = toSeeds(selected.resolved, options, chain, context)
  if ('message' in seeds) return { columns: [], problems: [...problems, problemAt(at('locale'), seeds.message)] }
  const expanded =
    origin === 'from'
      ? seeds.map((seed) => expandSeed(seed, options, type, context))
      : seeds.map((seed) => expandFilled(seed, origin, options, context.locales))
  problems.push(...expanded.flatMap(({ message, key = origin }) => (message ? [problemAt(at(key), message)] : [])))
  const columns = expanded.flatMap((each) => each.columns)
  const { label } = options
  if (label === undefined) return { columns, problems }
  if (columns.length > 1) problems.push(problemAt(at('label'), describeShared(path, columns)))
  return { columns: columns.map((column) => ({ ...column, label })), problems }
}

function planNamed(options: ColumnOptions, { path }: ColumnContext): PlannedColumns {
  const { columns, problems } = planComputed(options, path)
  return { columns, problems: [...checkNameAndUnit(options, (key) => [...path, key]), ...problems] }
}

function describeShared(path: string, columns: readonly ColumnPlan[]): string {
  const names = listChoices(columns.map(({ name }) => name))
  return `label: expected a path that becomes one column, got "${path}", which becomes ${columns.length}: ${names}`
}

/** A column is the value of a path, or counts values, or says whether there is one. */
export function readOrigin({ from, count, has }: ColumnOptions): { readonly key: Origin; readonly path: string } {
  if (count !== undefined) return { key: 'count', path: count }
  if (has !== undefined) return { key: 'has', path: has }
  return { key: 'from', path: from ?? '' }
}

type Origin = 'from' | FilledKind

function resolveOrigin(origin: Origin, path: string, context: ColumnContext): ResolvedPath | PathProblem {
  if (origin === 'from') return resolveGiven(path, context) ?? resolvePath(context.root, path)
  const resolved = resolvePath(context.root, path)
  // A list means its elements, written with or without `[]`.
  return !isPathProblem(resolved) && resolved.field.kind === 'list' ? resolvePath(context.root, `${path}[]`) : resolved
}

function resolveGiven(from: string, { given }: Pick<ColumnContext, 'given'>): ResolvedPath | null {
  const field = given?.fields.get(from)
  return field === undefined ? null : { steps: [{ kind: 'field', name: from }], field, trail: [field] }
}

function checkNameAndUnit({ column, as, unit }: ColumnOptions, at: (key: string) => Problem['path']): Problem[] {
  const problems: Problem[] = []
  if (column !== undefined && !/^[A-Za-z_]\w*$/.test(column)) {
    problems.push(problemAt(at('column'), `expected a name of letters, digits and _, got "${column}"`))
  }
  if (unit !== undefined && as !== 'float' && !as?.startsWith('decimal')) {
    const message = `unit: expected together with as: decimal(precision,scale) or as: float, got ${as === undefined ? 'no as' : `as: ${as}`}`
    problems.push(problemAt(at('unit'), message))
  }
  return problems
}

function checkDate({ as, timezone }: ColumnOptions, at: (key: string) => Problem['path']): Problem[] {
  if (timezone === undefined) return []
  const unknown = checkTimeZone(timezone, at('timezone'))
  const message = `timezone: expected together with as: date, got ${as === undefined ? 'no as' : `as: ${as}`}`
  return [...(unknown === null ? [] : [unknown]), ...(as === 'date' ? [] : [problemAt(at('timezone'), message)])]
}

function toLocaleChain(
  { locale, fallback }: ColumnOptions,
  locales: readonly string[],
  at: (key: string) => Problem['path'],
  problems: Problem[],
): LocaleChain | null {
  const known = [...new Set([...locales, ...specLocales])]
  const checkLocale = (name: string, path: Problem['path']): void => {
    if (known.includes(name)) return
    problems.push(
      problemAt(path, `unknown locale "${name}", expected one of ${listChoices(known)}`, closest(name, known)),
    )
  }
  if (locale === undefined) {
    if (fallback !== undefined)
      problems.push(problemAt(at('fallback'), 'fallback: expected together with a locale to begin with'))
    return null
  }
  checkLocale(locale, at('locale'))
  if (fallback === undefined) return { locales: [locale], others: false }
  if (fallback === 'spec') return toSpecChain(locale)
  for (const [index, name] of fallback.entries()) checkLocale(name, [...at('fallback'), index])
  return { locales: [locale, ...fallback], others: false }
}

function toColumnType(
  { as }: ColumnOptions,
  at: (key: string) => Problem['path'],
  problems: Problem[],
): ColumnType | null {
  if (as === undefined) return null
  const type = parseColumnType(as)
  if ('kind' in type) return type
  problems.push(problemAt(at('as'), type.message, type.suggestion))
  return null
}

/** One seed, or one per locale if the path enters a localized field and the column names no locale. */
function toSeeds(
  resolved: ResolvedPath,
  options: ColumnOptions,
  chain: LocaleChain | null,
  context: ColumnContext,
): readonly ColumnSeed[] | { readonly message: string } {
  const { steps } = resolved
  const isPending = steps.some(({ kind }) => kind === 'pendingLocale')
  if (chain === null) {
    if (!isPending) return [toSeed(resolved, steps as readonly Step[], options, [])]
    return context.locales.map((locale) => {
      const inLocale = resolveLocale(steps, { locales: [locale], others: false })
      return toSeed(resolved, inLocale, options, [toSnakeCase(locale)])
    })
  }
  const localeStep = { kind: 'locale', ...chain } as const
  if (isPending) return [toSeed(resolved, chooseByValue(resolveLocale(steps, chain), chain), options, [])]
  if (resolved.field.kind === 'localized') {
    const inLocale = chooseByValue([...(steps as readonly Step[]), localeStep], chain)
    return [toSeed({ ...resolved, field: resolved.field.element }, inLocale, options, [])]
  }
  const chosen = chooseByElement(resolved, chain)
  if (chosen !== null) return [toSeed(resolved, chosen, options, [])]
  return {
    message: `locale: expected a localized field, or a list whose elements have locales, got ${describeField(resolved.field)}`,
  }
}

function resolveLocale(steps: readonly ResolvedStep[], chain: LocaleChain): Step[] {
  return steps.map((step) => (step.kind === 'pendingLocale' ? { kind: 'locale', ...chain } : step))
}

/** With conditions on elements, the path chooses the element whose value has the best locale. */
function chooseByValue(steps: readonly Step[], chain: LocaleChain): readonly Step[] {
  return steps.map((step) =>
    step.kind === 'all' && step.where !== undefined
      ? { kind: 'choose', by: 'value', ...chain, where: step.where }
      : step,
  )
}

/** Replaces the only `[]` of the path by a choice by locale, if its elements have `locales`. */
function chooseByElement({ steps, trail }: ResolvedPath, chain: LocaleChain): Step[] | null {
  const lists = steps.flatMap(({ kind }, position) => (kind === 'all' ? [position] : []))
  const [only] = lists
  if (lists.length !== 1 || only === undefined) return null
  const element = trail[only]
  if (element?.kind !== 'object' || !element.fields.has('locales')) return null
  const step = steps[only]
  const where = (step?.kind === 'all' && step.where) || []
  return (steps as readonly Step[]).with(only, { kind: 'choose', by: 'element', ...chain, where })
}

function toSeed(
  { field }: ResolvedPath,
  steps: readonly Step[],
  options: ColumnOptions,
  suffix: readonly string[],
): ColumnSeed {
  const { column } = options
  const { path: from } = readOrigin(options)
  const list = steps.some(({ kind }) => kind === 'all')
  return { name: column === undefined ? toName(steps) : [column, ...suffix], from, steps, field, list }
}

/** Default name from the path: `['brands', '0', 'name', 'nl']`. */
function toName(steps: readonly Step[]): string[] {
  const name = steps.flatMap((step) => {
    switch (step.kind) {
      case 'field':
        return [toSnakeCase(step.name)]
      case 'index':
        return [String(step.index)]
      case 'choose':
        return step.by === 'value' ? [] : step.locales.slice(0, 1).map(toSnakeCase)
      case 'locale':
        return step.locales.slice(0, 1).map(toSnakeCase)
      case 'all':
        return []
    }
  })
  return name.length === 0 ? ['record'] : name
}

function expandSeed(
  seed: ColumnSeed,
  options: ColumnOptions,
  type: ColumnType | null,
  context: ColumnContext,
): ExpandedSeed {
  const { field } = seed
  if (seed.from === '$' && field.kind === 'object') return expandRecord(seed, type, context)
  if (type?.kind === 'json' && field.kind !== 'scalar') return { columns: [toScalarColumn(seed, 'json', type)] }
  const { columns, nestedLists } = expandField(seed, context.locales)
  if (nestedLists.length > 0 && (field.kind !== 'object' || columns.length === 0)) {
    const { from } = nestedLists[0] ?? seed
    return {
      columns: [],
      message: `"${from}" is ${describeField(field)}: give it a table of its own with each: "${from}[]", or as: json`,
    }
  }
  const name = givenNames.find((each) => each === seed.from && context.given?.fields.has(each))
  if (name !== undefined) return expandGiven(columns, name, type)
  if (type === null) return { columns }
  const unfit = columns.find(({ source }) => source.kind === 'path' && !canBecome(source.delivered, type))
  if (unfit !== undefined) {
    const message = `"${seed.from}" is ${formatColumnType(unfit)}, which can't become ${formatColumnType({ type, list: false })}`
    return { columns: [], message, key: 'as' }
  }
  const unclear = columns.find(({ unit }) => unit !== undefined && needsUnit(type))
  if (unclear !== undefined && options.unit === undefined) {
    return { columns: [], message: missingUnit(seed.from, type), key: 'unit' }
  }
  return { columns: columns.map((column) => retype(column, type, options, context)) }
}

/** The column for `$`: the delivered record, or the element of a child table. */
function expandRecord(seed: ColumnSeed, type: ColumnType | null, { isRecord }: ColumnContext): ExpandedSeed {
  if (type !== null && type.kind !== 'json')
    return { columns: [], message: '"$" is an object: it can only be json', key: 'as' }
  const column = toScalarColumn(seed, 'json', { kind: 'json' })
  return { columns: [isRecord ? { ...column, source: { kind: 'delivered' } } : column] }
}

function expandGiven(columns: readonly ColumnPlan[], name: GivenName, type: ColumnType | null): ExpandedSeed {
  if (type !== null && type.kind !== 'text')
    return { columns: [], message: `"${name}" is a value of the source: it can only be text`, key: 'as' }
  return { columns: columns.map((column) => ({ ...column, source: { kind: 'given', name } })) }
}

function retype(
  { unit: delivered, ...column }: ColumnPlan,
  type: ColumnType,
  { unit, timezone }: ColumnOptions,
  context: ColumnContext,
): ColumnPlan {
  const { source } = column
  if (source.kind !== 'path') return column
  const money = delivered && (needsUnit(type) ? unit : keepsAmount(type) ? delivered : undefined)
  return {
    ...column,
    type,
    source: { ...source, unitScale: unitScaleOf(unit) },
    ...(money && { unit: money }),
    ...(type.kind === 'date' && { timezone: timezone ?? context.timezone }),
  }
}
