import { formatCount } from '../../text/format-count.ts'
import { formatShare } from '../format.ts'
import { html, type Html } from '../html.ts'
import { code, cutTo, fold, heatCell, table } from '../parts.ts'
import type { LocalizedProfile, RunProfile } from '../../kernel/profile/run-profile.ts'
import type { ReportContext, Section } from './section.ts'

/** Renders, for each field, the share of rows with a value in each locale, and the fallbacks used. */
export function renderLocales({ profile, limits }: ReportContext): Section | null {
  const localized = (profile?.localized ?? []).filter(({ locales }) => locales.length > 0)
  const fallbacks = profile === null ? null : renderFallbacks(profile, limits.entries)
  if (profile === null || (localized.length === 0 && fallbacks === null)) return null
  const rows = new Map(profile.tables.map((each) => [each.name, each.rows]))
  const locales = listLocales(localized)
  const [first, others] = [localized.slice(0, mostUnfolded), localized.slice(mostUnfolded)]
  const { shown, rest } = cutTo(others, limits.entries, 'field', 'in the profile')
  const body = html`${localized.length > 0 && html`<p>The share of rows that have a value in a language.</p>`}
  ${localized.length > 0 && drawHeat(first, locales.shown, rows)}${locales.rest}
  ${others.length > 0 && fold(`${formatCount(others.length)} more fields`, html`${drawHeat(shown, locales.shown, rows)}${rest}`)}
  ${fallbacks}`
  return { id: 'locales', title: 'Languages', body }
}

const mostUnfolded = 16
const mostLocales = 8

/** In the order of the config, then of appearance. */
function listLocales(localized: readonly LocalizedProfile[]) {
  const names = [...new Set(localized.flatMap(({ locales }) => locales.map(({ locale }) => locale)))]
  return cutTo(names, mostLocales, 'locale', 'in the profile')
}

function drawHeat(
  localized: readonly LocalizedProfile[],
  locales: readonly string[],
  rows: ReadonlyMap<string, number>,
): Html {
  const cells = localized.map(({ table: name, field, locales: own }) => {
    const filled = new Map(own.map((each) => [each.locale, each.filled]))
    const all = rows.get(name) ?? 0
    return html`<tr>
      <th scope="row">${code(field)}<small>${name}</small></th>
      ${locales.map((locale) => heatCell(filled.get(locale), all))}
    </tr>`
  })
  return html`<div class="wide" tabindex="0" role="group" aria-label="Filled share by field and language">
    <table class="heat">
      <caption class="hidden">
        Filled share by field and language
      </caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          ${locales.map((locale) => html`<th scope="col">${locale === '' ? '""' : locale}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${cells}
      </tbody>
    </table>
  </div> `
}

/** Columns with `fallback`, and how often each locale supplied the value. */
function renderFallbacks({ localized }: Pick<RunProfile, 'localized'>, most: number): Html | null {
  const columns = new Map<string, LocalizedProfile['fallbacks'][number][]>()
  for (const { table: name, fallbacks } of localized) {
    for (const each of fallbacks) {
      const column = `${name}.${each.column}`
      columns.set(column, [...(columns.get(column) ?? []), each])
    }
  }
  if (columns.size === 0) return null
  const { shown, rest } = cutTo([...columns], most, 'column', 'in the profile')
  const cells = shown.map(([column, entries]) => {
    const all = entries.reduce((sum, entry) => sum + entry.taken, 0)
    return [
      code(column),
      html`${entries.map((entry, at) => html`${at > 0 && ' · '}${entry.locale} <b>${formatCount(entry.taken)}</b> (${formatShare(entry.taken, all)})`)}`,
    ]
  })
  return html`<h3>Fallbacks used</h3>
    ${table('Fallbacks used', [{ text: 'Column' }, { text: 'Taken from' }], cells)}${rest}`
}
