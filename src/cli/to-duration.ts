import { InvalidArgumentError } from 'commander'

/** The milliseconds of an option such as `90s`, `10m` or `1.5h`. */
export function toDurationMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  const ms = Number(number) * (unitMs[unit] ?? 0)
  if (ms > 0 && Number.isSafeInteger(Math.round(ms))) return Math.round(ms)
  throw new InvalidArgumentError('Expected a duration such as 90s, 10m or 1h.')
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
