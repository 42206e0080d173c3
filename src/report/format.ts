import { html, type Html } from './html.ts'

/** `12,345` */
export function formatCount(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 line`, `12,345 lines` */
export function countOf(number: number, one: string, many = `${one}s`): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`
}

/** `980 B`, `12.3 kB`, `1.9 GB` */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(1)} ${['B', 'kB', 'MB', 'GB'][power]}`
}

/** `640 ms`, `4.2 s`, `12 min 5 s`, `1 h 3 min` */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

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
