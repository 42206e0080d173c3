import { formatCount } from '../../text/format-count.ts'
import { html, type Html } from '../html.ts'

export interface Bar {
  readonly label: string
  readonly count: number
}

/** Bars side by side with their names at both ends. `words` says what they show to those who don't see them. */
export function drawBars(bars: readonly Bar[], ends: readonly [first: string, last: string], words: string): Html {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const step = width / bars.length
  const rects = bars.map(({ label, count }, at) => {
    const tall = toHeight(count, most, height)
    return html`<rect x="${round(at * step)}" y="${height - tall}" width="${round(step * 0.92)}" height="${tall}">
      <title>${label}: ${formatCount(count)}</title>
    </rect>`
  })
  return html`<svg
      class="bars"
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${words}"
    >
      ${rects}
    </svg>
    <p class="ends"><span>${ends[0]}</span><span>${ends[1]}</span></p>`
}

const [width, height] = [300, 72]

/** Bars as small as a word, in one path. */
export function drawSpark(counts: readonly number[]): Html {
  const most = Math.max(1, ...counts)
  const tops = counts.map((count, at) => `V${sparkHeight - toHeight(count, most, sparkHeight)}H${(at + 1) * sparkStep}`)
  return html`<svg
    class="spark"
    viewBox="0 0 ${counts.length * sparkStep} ${sparkHeight}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path d="M0 ${sparkHeight}${tops.join('')}V${sparkHeight}z" />
  </svg>`
}

const [sparkStep, sparkHeight] = [4, 16]

/** In whole units; what is not nothing is seen. */
function toHeight(count: number, most: number, tallest: number): number {
  return count === 0 ? 0 : Math.max(1, Math.round((count / most) * tallest))
}

function round(number: number): number {
  return Number(number.toFixed(1))
}
