import { html, type Html } from '../../report/html.ts'
import {
  type BrandGroup,
  describeEntry,
  describeSpan,
  describeUnits,
  groupEntries,
  hasSeveralPrices,
  summarize,
} from './digest-groups.ts'
import type { Digest } from './digest-schema.ts'

/** A digest as the body of a mail: tables with inline styles, no script, no image, nothing that is loaded. */
export function renderHtml(digest: Digest, most: number): string {
  const { groups, left } = groupEntries(digest, most)
  const several = hasSeveralPrices(digest)
  const notes = [...digest.notes, describeUnits(digest)].filter((note) => note !== null)
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>${digest.pipeline}: ${summarize(digest)}</title>
      </head>
      <body style="${styles.body}">
        <main style="${styles.main}">
          <h1 style="${styles.title}">${digest.pipeline}: ${summarize(digest)}</h1>
          <p style="${styles.text}">${describeSpan(digest)}</p>
          ${notes.map((note) => html`<p style="${styles.text}">${note}</p>`)}
          ${groups.map((group) => renderGroup(group, several))}
          ${left > 0 && html`<p style="${styles.text}">… and ${left} more.</p>`}
        </main>
      </body>
    </html>`
  return `${page.text}\n`
}

function renderGroup({ brand, sections }: BrandGroup, several: boolean): Html {
  return html`<h2 style="${styles.brand}">${brand}</h2>
    ${sections.map(
      ({ title, entries }) =>
        html`<table style="${styles.table}">
          <caption style="${styles.caption}">
            ${title}
          </caption>
          <thead>
            <tr>
              ${['Code', 'Product', 'Change'].map((name) => html`<th scope="col" style="${styles.head}">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${entries.map(
              (entry) =>
                html`<tr>
                  <td style="${styles.cell}">${entry.code ?? entry.id}</td>
                  <td style="${styles.cell}">${entry.name ?? entry.id}</td>
                  <td style="${styles.cell}">${describeEntry(entry, several)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
    )}`
}

const font = 'font-family:Arial,Helvetica,sans-serif;color:#1a1a1a'

/** Mail programs read no style sheet. */
const styles = {
  body: `margin:0;padding:0;background:#ffffff;${font}`,
  main: 'display:block;max-width:760px;margin:0 auto;padding:16px',
  title: `margin:0 0 8px;font-size:20px;line-height:1.3;${font}`,
  text: `margin:0 0 8px;font-size:14px;line-height:1.4;${font}`,
  brand: `margin:24px 0 8px;font-size:17px;line-height:1.3;border-bottom:2px solid #1a1a1a;${font}`,
  table: 'width:100%;border-collapse:collapse;margin:0 0 12px;table-layout:fixed',
  caption: `text-align:left;font-size:14px;font-weight:bold;padding:4px 0;${font}`,
  head: `text-align:left;font-size:12px;padding:4px 8px 4px 0;border-bottom:1px solid #767676;${font}`,
  cell: `text-align:left;vertical-align:top;font-size:14px;padding:4px 8px 4px 0;border-bottom:1px solid #dddddd;overflow-wrap:anywhere;${font}`,
}
