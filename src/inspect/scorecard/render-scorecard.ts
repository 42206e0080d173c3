import { html, type Html } from '../../report/html.ts'
import { pageStyle } from '../../report/page-style.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { type Scorecard, type ScoredGroup, toScore } from './scorecard.ts'

/** Renders a scorecard as one HTML page below 200 kB, without scripts, that needs no request when opened. */
export function renderScorecard(card: Scorecard): string {
  let page = ''
  for (const groups of limitSteps) {
    page = renderPage(card, limitGroups(card.groups, groups))
    if (Buffer.byteLength(page) <= mostBytes) break
  }
  return page
}

const mostBytes = 195_000
/** How many groups have a row of their own; tried in this order until the page is small enough. */
const limitSteps = [60, 40, 20, 8]

/** The largest groups, and the sum of the others. */
function limitGroups(groups: readonly ScoredGroup[], most: number): ShownGroup[] {
  const shown = groups.slice(0, most).map((group) => ({ ...group, name: group.name ?? 'none' }))
  const others = groups.slice(most)
  const [first, ...rest] = others
  if (first === undefined) return shown
  const sum = rest.reduce((total, { products, filled }) => {
    return {
      ...total,
      products: total.products + products,
      filled: total.filled.map((count, at) => count + (filled[at] ?? 0)),
    }
  }, first)
  return [...shown, { ...sum, name: `${formatCount(others.length)} others` }]
}

interface ShownGroup extends ScoredGroup {
  readonly name: string
}

function renderPage(card: Scorecard, groups: readonly ShownGroup[]): string {
  const topics = [...new Set(card.cells.map(({ topic }) => topic))]
  const sections = [
    { id: 'overview', title: 'Overview', body: renderOverview(card, groups) },
    ...topics.map((topic, at) => ({ id: `topic-${at}`, title: topic, body: renderTopic(topic, card, groups) })),
    { id: 'worst', title: 'Products that lack most', body: renderWorst(card) },
  ]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${card.only ?? card.pipeline}: scorecard</title>
        <link rel="icon" href="data:," />
        <style>
          ${pageStyle}
        </style>
      </head>
      <body>
        ${renderHead(card)}
        <nav aria-label="Sections">
          <ul>
            ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
          </ul>
        </nav>
        <main>
          ${sections.map(
            ({ id, title, body }) =>
              html`<section id="${id}" aria-labelledby="${id}-title">
                <h2 id="${id}-title">${title}</h2>
                ${body}
              </section> `,
          )}
        </main>
      </body>
    </html> `.text
}

function renderHead({ pipeline, groups, cells, by, only, isActiveOnly, finishedAt, runId }: Scorecard): Html {
  const products = groups.reduce((sum, group) => sum + group.products, 0)
  const noun = isActiveOnly ? 'active product' : 'product'
  return html`<header>
    <p class="pipeline">${pipeline}</p>
    <h1>
      ${only === null ? '' : `${only}: `}${countOf(products, noun)}, ${formatShare(toScore(groups, cells), 1)} complete
    </h1>
    <p class="when">
      By ${by}. ${isActiveOnly ? 'Only active products count.' : 'Products of every status count.'} A field counts if it
      has a value; the run of
      <time datetime="${finishedAt}">${finishedAt.slice(0, 16).replace('T', ' ')} UTC</time> (${runId.slice(0, 8)}).
    </p>
  </header>`
}

function renderOverview({ cells }: Scorecard, groups: readonly ShownGroup[]): Html {
  return html`<table>
      <thead>
        <tr>
          <th scope="col">Group</th>
          <th scope="col" class="n">Products</th>
          <th scope="col" class="n">Complete</th>
          <th scope="col"><span class="hidden">Share</span></th>
        </tr>
      </thead>
      <tbody>
        ${groups.map((group) => {
          const share = toScore([group], cells)
          return html`<tr>
            <th scope="row">${group.name}</th>
            <td class="n">${formatCount(group.products)}</td>
            <td class="n">${formatShare(share, 1)}</td>
            <td>
              <span class="bar" aria-hidden="true"><i style="width:${(100 * share).toFixed(1)}%"></i></span>
            </td>
          </tr>`
        })}
      </tbody>
    </table>
    <p class="note">
      Complete is the share of names, descriptions, price, codes and packshots that have a value. Other images are
      shown, but not asked for.
    </p>`
}

function renderTopic(topic: string, { cells }: Scorecard, groups: readonly ShownGroup[]): Html {
  const shown = cells.flatMap((cell, at) => (cell.topic === topic ? [{ ...cell, at }] : []))
  return html`<div class="wide" role="region" aria-label="${topic} by group" tabindex="0">
    <table class="heat">
      <thead>
        <tr>
          <th scope="col">Group</th>
          ${shown.map(({ label }) => html`<th scope="col">${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${groups.map(
          ({ name, products, filled }) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${shown.map(({ at }) => renderShare(filled[at] ?? 0, products))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function renderShare(filled: number, products: number): Html {
  const share = products === 0 ? 0 : filled / products
  return html`<td class="h${Math.min(4, Math.floor(share * 5))}">${formatShare(filled, products)}</td>`
}

function renderWorst({ worst }: Scorecard): Html {
  if (worst.length === 0) return html`<p>There is no product.</p>`
  return html`<div class="wide" role="region" aria-label="Table of products that lack most" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Id</th>
          <th scope="col">CNK</th>
          <th scope="col">Name</th>
          <th scope="col">Missing</th>
        </tr>
      </thead>
      <tbody>
        ${worst.map(
          ({ id, cnk, name, missing }) =>
            html`<tr>
              <th scope="row"><code>${id}</code></th>
              <td>${cnk}</td>
              <td>${name}</td>
              <td>${missing.length === 0 ? 'nothing' : missing.join(', ')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Never rounds to 0 % or 100 %. */
function formatShare(part: number, whole: number): string {
  if (part <= 0 || whole === 0) return '0 %'
  if (part === whole) return '100 %'
  return `${Math.min(99, Math.max(1, Math.round((100 * part) / whole)))} %`
}
