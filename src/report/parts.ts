import { countOf } from '../text/format-count.ts'
import { formatShare, toPercent } from './format.ts'
import { escapeText, Html, html, type HtmlPart } from './html.ts'

/** A name from a config, a file or the data, isolated so that right-to-left text around it does not reorder it. */
export function code(text: string): Html {
  // Allows a line break after these characters, none of which is in an escape.
  return new Html(`<code>${escapeText(text).replaceAll(/[_./-](?=\w)/g, '$&<wbr>')}</code>`)
}

export function bar(percent: number): Html {
  const width = Number(percent.toFixed(1))
  return html`<span class="bar" aria-hidden="true"><i style="width:${width}%"></i></span>`
}

/** A share as text on one of five shades; undefined if it was not counted. */
export function heatCell(filled: number | undefined, rows: number): Html {
  if (filled === undefined) return html`<td><span class="hidden">not counted</span></td>`
  const step = Math.min(4, Math.floor(toPercent(filled, rows) / 20))
  return html`<td class="h${step}">${formatShare(filled, rows)}</td>`
}

/** A table with column headings and right-aligned numbers. The first cell of a row is its heading. */
export function table(
  caption: string,
  headings: readonly { readonly text: string; readonly isNumber?: boolean }[],
  rows: readonly (readonly HtmlPart[])[],
): Html {
  const kinds = headings.map(({ isNumber }) => (isNumber ? html` class="n"` : null))
  const toCell = (cell: HtmlPart, at: number) =>
    at === 0 ? html`<th scope="row">${cell}</th>` : html`<td${kinds[at]}>${cell}</td>`
  return html`<table>
    <caption class="hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${headings.map(({ text }, at) => html`<th scope="col" ${kinds[at]}>${text}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map(toCell)}
          </tr>`,
      )}
    </tbody>
  </table> `
}

/** The first entries of a list, a note on how many are left out, and a hint on where those are. */
export function cutTo<Entry>(
  entries: readonly Entry[],
  most: number,
  noun: string,
  where = 'in the manifest',
): { readonly shown: readonly Entry[]; readonly rest: Html | null } {
  const left = entries.length - most
  if (left <= 0) return { shown: entries, rest: null }
  return {
    shown: entries.slice(0, most),
    rest: html`<p class="note">${countOf(left, `more ${noun}`)} ${left === 1 ? 'is' : 'are'} ${where}.</p>`,
  }
}

export function fold(summary: HtmlPart, body: HtmlPart): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${body}
  </details> `
}
