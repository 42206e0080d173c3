/**
 * How long a Retry-After header asks to wait, in milliseconds: whole seconds or a date, the date by the clock of
 * whoever sent it, where it gave its `date`. Null where there is none or nobody can tell what it says.
 */
export function parseRetryAfter(
  value: string | undefined,
  { now, date }: { readonly now: number; readonly date: Date | null },
): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  // Date.parse takes much for a date, numbers for instance; a date of HTTP begins with its weekday.
  const time = /^[A-Za-z]{3,9},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, time - (date?.getTime() ?? now))
}
