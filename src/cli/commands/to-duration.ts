import { InvalidArgumentError } from 'commander'
import { millisecondsIn } from '../../config/number-shapes.ts'

/** The milliseconds of an option such as `90s`, `10m` or `1.5h`. */
export function toDurationMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  const ms = Number(number) * (unit in millisecondsIn ? millisecondsIn[unit as keyof typeof millisecondsIn] : 0)
  if (ms > 0 && Number.isSafeInteger(Math.round(ms))) return Math.round(ms)
  throw new InvalidArgumentError('Expected a duration such as 90s, 10m or 1h.')
}
