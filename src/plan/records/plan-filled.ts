import type { ColumnConfig } from '../../config/schemas/pipeline-schema.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'
import { type ColumnSeed, enterLocale, type ExpandedSeed } from './plan-columns.ts'
import { describeField } from './resolve-path.ts'

/** What a column says about the filled values that its path leads to: how many there are, or if there is one. */
export type FilledKind = 'count' | 'has'

type Options = Exclude<ColumnConfig, string>

/** The columns of `count` and `has`: one, or one per locale if the path ends at a localized field. */
export function expandFilled(
  seed: ColumnSeed,
  kind: FilledKind,
  options: Options,
  locales: readonly string[],
): ExpandedSeed {
  const misplaced = (['as', 'unit', 'timezone', 'fallback', 'locale'] as const).find((key) =>
    isMisplaced(key, kind, options),
  )
  if (misplaced !== undefined) {
    return { columns: [], message: `${misplaced}: expected together with from, got it beside ${kind}`, key: misplaced }
  }
  const message = findProblem(seed, kind, options)
  if (message !== null) return { columns: [], message }
  const { field } = seed
  const seeds = field.kind === 'localized' ? locales.map((locale) => enterLocale(seed, locale, field.element)) : [seed]
  const prefix = options.column === undefined && kind === 'has' ? ['has'] : []
  const suffix = options.column === undefined && kind === 'count' ? ['count'] : []
  const columns = seeds.map(({ name, from, steps }): ColumnPlan => {
    const type = { kind: kind === 'count' ? 'integer' : 'boolean' } as const
    // No path: rules and exclusions that name the field mean its value.
    return {
      name: [...prefix, ...name, ...suffix].join('_'),
      type,
      list: false,
      from: `${kind} ${from}`,
      source: { kind, steps },
    }
  })
  return { columns }
}

/** `has` may ask for a locale; nothing else has a meaning for a number or a yes. */
function isMisplaced(
  key: 'as' | 'unit' | 'timezone' | 'fallback' | 'locale',
  kind: FilledKind,
  options: Options,
): boolean {
  return options[key] !== undefined && (kind === 'count' || (key !== 'locale' && key !== 'fallback'))
}

function findProblem({ from, field, steps }: ColumnSeed, kind: FilledKind, { where = {} }: Options): string | null {
  if (kind === 'count' && !steps.some((step) => step.kind === 'all')) {
    return `count: expected a path that enters a list with [], as photos[] does, got "${from}"`
  }
  if (kind === 'count' && field.kind === 'localized') {
    return `count: expected the elements of a list, or one value of each, got "${from}", a localized field`
  }
  if (Object.keys(where).length > 0 && steps.some((step) => step.kind === 'index')) {
    return `${kind}: expected [] with where, which chooses among all elements, got "${from}"`
  }
  const end = field.kind === 'localized' ? field.element : field
  const isElement = end.kind === 'object' && steps.at(-1)?.kind === 'all'
  if (end.kind === 'scalar' || isElement) return null
  const inside =
    end.kind === 'object' ? [...end.fields].find(([, { kind: each }]) => each === 'scalar')?.[0] : undefined
  const instead = inside === undefined ? '' : `: name a field of it, such as ${from === '$' ? '' : `${from}.`}${inside}`
  return `${kind}: expected a value, or the elements of a list, got "${from}", which is ${describeField(end)}${instead}`
}
