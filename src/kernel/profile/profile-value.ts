import { typeOf, type ColumnType } from '../../types/column-types.ts'
import type { ProfileValue } from './run-profile.ts'

/**
 * A canonical value as NDJSON writes it. A whole number that a JSON reader would round is a text of its digits; a text
 * that was cut within a character loses the rest of that character.
 */
export function compileProfileValue(type: ColumnType): (value: string) => ProfileValue {
  const { format, parseCanonical, showCanonical } = typeOf(type)
  return showCanonical ?? ((value) => format(parseCanonical(value)))
}
