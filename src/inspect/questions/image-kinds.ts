import { quoteText } from '../../loads/files/sql-text.ts'
import type { ColumnPlan, Step } from '../../records/flatten/table-plan.ts'
import type { Records } from './catalogue.ts'

/** The kinds of photos, as the contract lists them. */
export const imageKinds = ['packshot', 'productshot', 'lifestyle_image', 'pillshot'] as const

export type ImageKind = (typeof imageKinds)[number]

/**
 * SQL that is true for a record with such a photo, for a locale if one is given: a row of the table of `photos[]`, or a column
 * whose `where` asks for the kind. Null if neither is there.
 */
export function findImage(records: Records, kind: ImageKind, locale?: string): string | null {
  const id = records.find('id')
  const photos = records.child('photos[]')
  const type = photos?.find('photoType') ?? null
  if (photos !== null && type !== null && id !== null) {
    const locales = photos.find('locales[]')
    if (locale !== undefined && locales === null) return null
    const suits = locale === undefined ? '' : ` AND list_contains(${locales}, ${quoteText(locale)})`
    return `${id} IN (SELECT ${photos.key} FROM ${photos.from} WHERE ${type} = ${quoteText(kind)}${suits})`
  }
  const column = records.table.columns.find(({ plan }) => plan !== undefined && asksFor(plan, kind, locale))
  return column === undefined ? null : `p."${column.name}" IS NOT NULL`
}

export function needImage(records: Records, kind: ImageKind): string {
  return (
    findImage(records, kind) ??
    records.throwMissing(
      'photos[]',
      `a table of photos[] with photoType, or a column of photos[] where photoType: ${kind}`,
    )
  )
}

function asksFor({ source }: ColumnPlan, kind: ImageKind, locale: string | undefined): boolean {
  if (source.kind !== 'path' || source.steps[0]?.kind !== 'field' || source.steps[0].name !== 'photos') return false
  const only = source.steps.some((step) =>
    listWhere(step).some(({ from, test }) => {
      const isKind = from.endsWith('photoType') && test.kind === 'in' && test.values.length === 1
      return isKind && test.values[0] === kind
    }),
  )
  if (!only) return false
  if (locale === undefined) return source.steps.every((step) => step.kind !== 'choose' || step.others)
  return source.steps.some((step) => step.kind === 'choose' && step.locales.join() === locale && !step.others)
}

function listWhere(step: Step) {
  return 'where' in step ? (step.where ?? []) : []
}
