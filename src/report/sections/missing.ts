import { countOf, formatCount } from '../../text/format-count.ts'
import { html, type Html } from '../html.ts'
import { listMissing, type MissingCodes } from '../facts/missing.ts'
import { code, cutTo } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'

export function renderMissing({ manifest, limits }: ReportContext): Section | null {
  const { lists, file } = listMissing(manifest)
  if (lists.length === 0 && file === null) return null
  const body = html`${file && html`<p>${file.text}, each with its line in ${code(file.path)}.</p>`}${lists.map((list) => renderList(list, limits.entries))}`
  return { id: 'missing', title: 'Missing codes', body }
}

function renderList({ key, asked, count, codes }: MissingCodes, most: number): Html {
  const { shown, rest } = cutTo(codes, most, 'code')
  return html`<p>${formatCount(count)} of ${countOf(asked, 'code')} (${code(key)}):</p>
    <ul class="chips">
      ${shown.map(({ text, line }) => html`<li>${code(text)}${line !== null && html` <small>line ${String(line)}</small>`}</li>`)}
    </ul>
    ${rest}`
}
