import { html, type Html } from './html.ts'

/** Formats a share such as `73 %`. Never rounds to 0 or 100 %. */
export function formatShare(part: number, whole: number): string {
  const percent = toPercent(part, whole)
  if (percent > 0 && percent < 1) return '< 1 %'
  if (percent > 99 && percent < 100) return '> 99 %'
  return `${Math.round(percent)} %`
}

/** From 0 to 100; 0 if `whole` is 0. */
export function toPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, (part / whole) * 100)
}

export function formatTime(iso: string): Html {
  const shown = iso.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')
  return html`<time datetime="${iso}">${shown}</time>`
}
