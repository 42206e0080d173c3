import type { ColumnProfile } from '../../kernel/profile/run-profile.ts'

/** `median 12.50`; of a time its day. Empty for columns without quantiles, and if all values are one. */
export function describeMedian({ quantiles, type, min, max }: ColumnProfile): string {
  if (quantiles === undefined || min === max) return ''
  const { p50 } = quantiles
  return `median ${type.startsWith('timestamp') ? String(p50).slice(0, 10) : p50}`
}

/** A bar for each part of a histogram, as high as the part has values; a dot for one without. Empty for fewer than three parts. */
export function drawHistogram({ histogram }: ColumnProfile): string {
  const { counts = [] } = histogram ?? {}
  if (counts.length < 3) return ''
  const most = Math.max(...counts)
  return counts.map((count) => (count === 0 ? '·' : bars[Math.ceil((count / most) * bars.length) - 1])).join('')
}

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
