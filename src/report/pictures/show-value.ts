import type { ProfileValue } from '../../kernel/profile/run-profile.ts'

/** A number with its thousands apart: `12,345.60`. Times are cut to their day, or to the month or year they begin. */
export function showMeasure(value: ProfileValue, type: string): string {
  return isTime(type) ? String(value).replace(/T.*$/, '') : groupThousands(String(value))
}

/** The bounds of a histogram of times, as short as all of them allow: years, months or days. */
export function showBounds(bounds: readonly ProfileValue[], type: string): string[] {
  const shown = bounds.map((bound) => showMeasure(bound, type))
  if (!isTime(type)) return shown
  const inner = shown.slice(1, -1)
  const end = ['-01-01', '-01'].find((each) => inner.length > 0 && inner.every((text) => text.endsWith(each)))
  return end === undefined ? shown : shown.map((text) => text.slice(0, -end.length))
}

export function isTime(type: string): boolean {
  return /^(?:timestamp|date)/.test(type)
}

function groupThousands(number: string): string {
  return /^-?\d+(?:\.\d+)?$/.test(number)
    ? number.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','))
    : number
}
