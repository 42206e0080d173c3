import type { ScalarType } from '../../contracts/field-kinds.ts'
import type { Field, ObjectField, ScalarField } from '../../contracts/fields.ts'
import type { ColumnType } from '../../types/column-types.ts'
import type { ColumnPlan, Step } from '../../records/flatten/table-plan.ts'

export interface ColumnSeed {
  /** Parts of the column's name in snake case: `['name', 'nl']`. */
  readonly name: readonly string[]
  readonly from: string
  readonly steps: readonly Step[]
  readonly field: Field
  /** True if the path enters a list, so that the column holds a list. */
  readonly list: boolean
}

/** A list of objects, whose elements become rows of a child table. */
export interface NestedList {
  readonly from: string
  readonly name: readonly string[]
}

export interface ExpandedField {
  readonly columns: readonly ColumnPlan[]
  readonly nestedLists: readonly NestedList[]
}

/** The columns of a seed, or the problem of one, at the key of the config that it is about. */
export interface ExpandedSeed {
  readonly columns: readonly ColumnPlan[]
  readonly message?: string
  readonly key?: string
}

/**
 * Expands a field to one column per leaf: objects by member, localized fields by locale, lists of scalars as one list
 * column.
 */
export function expandField(seed: ColumnSeed, locales: readonly string[]): ExpandedField {
  const { field } = seed
  switch (field.kind) {
    case 'scalar':
      return { columns: [toFieldColumn(seed, field)], nestedLists: [] }
    case 'object':
      return join(listOwn(field).map(([name, member]) => expandField(enterField(seed, name, member), locales)))
    case 'localized':
      return join(locales.map((locale) => expandField(enterLocale(seed, locale, field.element), locales)))
    case 'list':
      if (field.element.kind === 'object') return { columns: [], nestedLists: [{ from: seed.from, name: seed.name }] }
      return expandField(enterAll(seed, field.element), locales)
  }
}

/** Members with columns of their own, without those that another member falls back to. */
function listOwn({ fields }: ObjectField): readonly (readonly [string, Field])[] {
  const fallbacks = new Set([...fields.values()].map(({ notes }) => notes.orFrom))
  return [...fields].filter(([name]) => !fallbacks.has(name))
}

export function toFieldStep(name: string, { notes }: Field): Step {
  return { kind: 'field', name, ...(notes.orFrom !== undefined && { orName: notes.orFrom }) }
}

function toFieldColumn(seed: ColumnSeed, { type, money }: ScalarField): ColumnPlan {
  const column = toScalarColumn(seed, type)
  return money === true ? { ...column, unit: 'delivered' } : column
}

/**
 * The column of a leaf, by default with the type of the contract. `unitScale` is the number of decimals in the
 * delivered number.
 */
export function toScalarColumn(
  seed: ColumnSeed,
  delivered: ScalarType | 'json',
  as?: ColumnType,
  unitScale = 0,
): ColumnPlan {
  return {
    name: seed.name.join('_'),
    type: as ?? { kind: delivered },
    list: seed.list,
    from: seed.from,
    source: { kind: 'path', steps: seed.steps, delivered, unitScale },
  }
}

function enterField(seed: ColumnSeed, name: string, field: Field): ColumnSeed {
  const from = seed.from === '' ? name : `${seed.from}.${name}`
  return {
    ...seed,
    name: [...seed.name, toSnakeCase(name)],
    from,
    steps: [...seed.steps, toFieldStep(name, field)],
    field,
  }
}

export function enterLocale(seed: ColumnSeed, locale: string, field: Field): ColumnSeed {
  const step = { kind: 'locale', locales: [locale], others: false } as const
  return {
    ...seed,
    name: [...seed.name, toSnakeCase(locale)],
    from: `${seed.from}.${locale}`,
    steps: [...seed.steps, step],
    field,
  }
}

function enterAll(seed: ColumnSeed, field: Field): ColumnSeed {
  return { ...seed, from: `${seed.from}[]`, steps: [...seed.steps, { kind: 'all' }], field, list: true }
}

function join(parts: readonly ExpandedField[]): ExpandedField {
  return {
    columns: parts.flatMap(({ columns }) => columns),
    nestedLists: parts.flatMap(({ nestedLists }) => nestedLists),
  }
}

/** `weightWithUnit` → `weight_with_unit`, `eanGtin13` → `ean_gtin13`, `en_AU` → `en_au`. */
export function toSnakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
}
