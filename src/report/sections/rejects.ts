import { countOf, formatCount } from '../../text/format-count.ts'
import { cutEnd, cutStart, widthOf } from '../../text/text-width.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { html, type Html } from '../html.ts'
import { code, cutTo } from '../parts.ts'
import type { Excerpt, RejectExample } from '../../sources/rejects/reject-groups.ts'
import type { ReportContext, Section } from './section.ts'
import type { RejectReason } from '../../manifest/manifest.ts'

/** Rejected lines by reason, the most frequent first, with some examples. */
export function renderRejects(context: ReportContext): Section | null {
  const { manifest, rejects, limits } = context
  const { path, count, reasons = rejects } = manifest.rejects
  if (count === 0) return null
  const { shown, rest } = cutTo(reasons, limits.entries, 'reason')
  const body = html`<p>
      ${countOf(count, 'line')}, as ${count === 1 ? 'it' : 'they'} came and with every reason, in ${code(path)}.
    </p>
    <ol class="reasons">
      ${shown.map((reason) => renderReason(reason, context))}
    </ol>
    ${rest}`
  return { id: 'rejects', title: 'Rejects by reason', body }
}

function renderReason({ code: name, path, count, expected }: RejectReason, context: ReportContext): Html {
  const group = context.rejects.find((each) => each.code === name && each.path === path)
  const list = group?.examples.map((example) => renderExample(example, context.examples)) ?? []
  const place = name === 'other' ? null : path === '' ? 'the whole line' : code(path)
  return html`<li>
    <p><b>${formatCount(count)}</b> <span class="tag">${name}</span> ${place} <small>${expected}</small></p>
    ${
      list.length > 0 &&
      html`<ul>
        ${list}
      </ul>`
    }
  </li> `
}

function renderExample({ source, line, excerpt }: RejectExample, showsValues: boolean): Html {
  return html`<li>${code(source)}, line ${String(line)}${showsValues && drawExcerpt(excerpt)}</li>`
}

/** A part of the line, with a caret below the start of the wrong value. */
function drawExcerpt({ before, value, after, isCut }: Excerpt): Html {
  // Escapes controls before measuring, as one may be shown as several characters.
  const start = keepEnd(escapeControls(before), isCut.before)
  const marked = keepStart(escapeControls(value), isCut.value, mostMarked)
  const end = keepStart(escapeControls(after), isCut.after, mostAround)
  return html`<pre tabindex="0" role="group" aria-label="Excerpt">${start}<mark>${marked}</mark>${end}
<span aria-hidden="true">${' '.repeat(widthOf(start))}^</span></pre>`
}

const mostAround = 32
const mostMarked = 60

function keepEnd(text: string, isCut: boolean): string {
  return !isCut && widthOf(text) <= mostAround ? text : `…${cutEnd(text, mostAround)}`
}

function keepStart(text: string, isCut: boolean, most: number): string {
  return !isCut && widthOf(text) <= most ? text : `${cutStart(text, most)}…`
}
