import { countFilled } from '../../kernel/profile/column-counts.ts'
import { findLocale } from '../../kernel/profile/list-localized.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { Doubt } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'

type Counters = Pick<RunCounters, 'rows' | 'rowCounts'> & { readonly drift: Pick<RunCounters['drift'], 'otherLocales'> }

/** Doubts from the profile's counts: rows without a key, and locales without a value. */
export function listRowDoubts(records: Pick<RecordPlan, 'locales' | 'tables'>, counters: Counters): Doubt[] {
  return [...listLostKeys(records, counters), ...listEmptyLocales(records, counters)]
}

function listLostKeys({ tables }: Pick<RecordPlan, 'tables'>, { rows, rowCounts }: Counters): Doubt[] {
  return tables.flatMap(({ name, columns }, table) =>
    columns.flatMap(({ source, name: column }, index): Doubt[] => {
      const count = source.kind === 'key' ? (rows[table] ?? 0) - countFilled(rowCounts, table, index) : 0
      if (count === 0) return []
      const [subject, records] =
        count === 1 ? ['1 row', 'its record has'] : [`${formatCount(count)} rows`, 'their records have']
      return [
        { kind: 'keys', severity: 'look', count, text: `${subject} of ${name} without ${column}: ${records} no id` },
      ]
    }),
  )
}

/** Doubts about locales without a value, with other locales of the same language that records have. */
function listEmptyLocales(
  { locales, tables }: Pick<RecordPlan, 'locales' | 'tables'>,
  { rows, rowCounts, drift }: Counters,
): Doubt[] {
  const others = Object.keys(drift.otherLocales).filter((locale) => locale !== '')
  return locales.flatMap((locale): Doubt[] => {
    const columns = tables.flatMap((table, at) =>
      (rows[at] ?? 0) === 0
        ? []
        : [...table.columns.entries()].flatMap(([index, { source }]) =>
            source.kind === 'path' && findLocale(source.steps)?.locale === locale ? [{ table: at, index }] : [],
          ),
    )
    const isEmpty = columns.every(({ table, index }) => countFilled(rowCounts, table, index) === 0)
    if (columns.length === 0 || !isEmpty) return []
    const near = others.filter((other) => languageOf(other) === languageOf(locale))
    const [subject, are] =
      columns.length === 1 ? ['its column', 'is'] : [`its ${formatCount(columns.length)} columns`, 'are']
    const text = `no record has a value in the locale ${locale}: ${subject} ${are} empty`
    const severity = near.length > 0 ? 'look' : 'note'
    return [
      { kind: 'locale', severity, count: columns.length, text, ...(near.length > 0 ? { near } : { values: others }) },
    ]
  })
}

/** `nl` for `nl-BE` */
export function languageOf(locale: string): string {
  return (locale.split(/[-_]/)[0] ?? '').toLowerCase()
}
