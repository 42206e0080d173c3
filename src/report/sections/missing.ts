import { countOf, formatCount } from '../../text/format-count.ts'
import { html, type Html } from '../html.ts'
import { code, cutTo } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'
import type { MissingIdentifiers } from '../../manifest/manifest.ts'

/** Codes of the config or of its list that brought no record. A delta says nothing of them: most have not changed. */
export function renderMissing({ manifest, limits }: ReportContext): Section | null {
  const { missingIds, sources, state } = manifest
  if (state?.kind === 'delta') return null
  const lists = sources.flatMap(({ notes }) => notes?.missing ?? []).filter(({ missing }) => missing.length > 0)
  const isFile = missingIds !== undefined && missingIds.rows > 0
  if (lists.length === 0 && !isFile) return null
  const body = html`${
    isFile &&
    html`<p>
      ${countOf(missingIds.notFound, 'identifier was', 'identifiers were')} not
      found${missingIds.bad > 0 && html`, ${countOf(missingIds.bad, 'entry is', 'entries are')} none`}: each with its
      line in ${code(missingIds.path)}.
    </p>`
  }${lists.map((list) => renderList(list, limits.entries))}`
  return { id: 'missing', title: 'Missing codes', body }
}

function renderList({ key, asked, missing, inFile }: MissingIdentifiers, most: number): Html {
  const codes =
    inFile?.map(({ line, written }) => ({ text: written.trim(), line })) ?? missing.map((text) => ({ text }))
  const { shown, rest } = cutTo(codes, most, 'code')
  return html`<p>${formatCount(missing.length)} of ${countOf(asked, 'code')} (${code(key)}):</p>
    <ul class="chips">
      ${shown.map((each) => html`<li>${code(each.text)}${'line' in each && html` <small>line ${String(each.line)}</small>`}</li>`)}
    </ul>
    ${rest}`
}
