/** What became of a price. Zero and negative amounts are no price: such a product gets one (`came`), or loses it (`went`). */
export interface PriceChange {
  readonly direction: 'up' | 'down' | 'came' | 'went'
  /** New less old, with the digits after the point of the longer one. Null if one of them is no price. */
  readonly amount: string | null
  /** Of the old price, rounded to two digits after the point. */
  readonly percent: string | null
}

/** Compares two amounts of one unit, exactly. Null if neither is a price or both are the same, or if a text is no number. */
export function comparePrices(old: string | null, next: string | null): PriceChange | null {
  if (!isAmount(old) || !isAmount(next)) return null
  const [before, after] = [parsePrice(old), parsePrice(next)]
  if (before === null && after === null) return null
  if (before === null) return { direction: 'came', amount: null, percent: null }
  if (after === null) return { direction: 'went', amount: null, percent: null }
  const scale = Math.max(before.scale, after.scale)
  const [from, to] = [scaleTo(before, scale), scaleTo(after, scale)]
  if (from === to) return null
  return {
    direction: to > from ? 'up' : 'down',
    amount: formatScaled(to - from, scale),
    percent: formatScaled(divideRounded((to - from) * 10_000n, from), 2),
  }
}

/** True for the text of an amount that `comparePrices` takes, or none. */
export function isAmount(text: string | null): boolean {
  return parseAmount(text) !== undefined
}

interface Amount {
  readonly digits: bigint
  readonly scale: number
}

function parseAmount(text: string | null): Amount | null | undefined {
  if (text === null) return null
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? []
  return whole === undefined ? undefined : { digits: BigInt(whole + fraction), scale: fraction.length }
}

function parsePrice(text: string | null): Amount | null {
  const amount = parseAmount(text) ?? null
  return amount !== null && amount.digits > 0n ? amount : null
}

function scaleTo({ digits, scale }: Amount, to: number): bigint {
  return digits * 10n ** BigInt(to - scale)
}

/** Rounds half away from zero. `by` is positive. */
function divideRounded(value: bigint, by: bigint): bigint {
  const doubled = 2n * (value < 0n ? -value : value) + by
  const rounded = doubled / (2n * by)
  return value < 0n ? -rounded : rounded
}

function formatScaled(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const sign = value < 0n ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
