import { html, type Html } from './html.ts'

/** `73 %`; neither 0 nor 100 % where that is not so exactly. */
export function formatShare(part: number, whole: number): string {
  const percent = toPercent(part, whole)
  if (percent > 0 && percent < 1) return '< 1 %'
  if (percent > 99 && percent < 100) return '> 99 %'
  return `${Math.round(percent)} %`
}

/** From 0 to 100; 0 of nothing. */
export function toPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, (part / whole) * 100)
}

/** An ISO 8601 time, to the second. */
export function formatTime(iso: string): Html {
  const shown = iso.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')
  return html`<time datetime="${iso}">${shown}</time>`
}
