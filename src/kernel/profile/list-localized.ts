import type { Step, TablePlan } from '../../records/flatten/table-plan.ts'
import type { Fallback } from './fallback-tables.ts'
import { formatFieldPath } from './format-field-path.ts'
import type { LocalizedProfile, TableProfile } from './run-profile.ts'

/** The localized fields of the tables, each with its columns by locale and the fallbacks that were taken, by table. */
export function listLocalized(
  tables: readonly TablePlan[],
  profiles: readonly Pick<TableProfile, 'columns'>[],
  fallbacks: ReadonlyMap<number, readonly Fallback[]>,
): LocalizedProfile[] {
  return tables.flatMap(({ name: table, columns }, at) => {
    const fields = new Map<string, LocalizedProfile>()
    const open = (field: string): LocalizedProfile => {
      const opened = fields.get(field) ?? { table, field, locales: [], fallbacks: [] }
      fields.set(field, opened)
      return opened
    }
    for (const [index, { name: column, source }] of columns.entries()) {
      const named = source.kind === 'path' ? findLocale(source.steps) : null
      if (named === null) continue
      const filled = profiles[at]?.columns[index]?.filled ?? 0
      open(named.field).locales.push({ locale: named.locale, filled, column })
    }
    for (const { field, taken } of fallbacks.get(at) ?? []) open(field).fallbacks.push(...taken)
    return [...fields.values()]
  })
}

/** The localized field of a path that takes exactly one locale; null for any other path. */
export function findLocale(steps: readonly Step[]): { readonly field: string; readonly locale: string } | null {
  const step = steps.find(({ kind }) => kind === 'locale')
  if (step?.kind !== 'locale' || step.others || steps.some(({ kind }) => kind === 'choose')) return null
  const [locale, ...others] = step.locales
  if (locale === undefined || others.length > 0) return null
  return { field: formatFieldPath(steps), locale }
}
