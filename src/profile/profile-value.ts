import { compileFormat } from '../formats/format-cell.ts'
import type { ColumnType } from '../records/flatten/column.ts'
import type { ProfileValue } from './run-profile.ts'

/**
 * A canonical value as NDJSON writes it. A whole number that a JSON reader would round is a text of its digits; a text
 * that was cut within a character loses the rest of that character.
 */
export function compileProfileValue(type: ColumnType): (value: string) => ProfileValue {
  const format = compileFormat(type)
  switch (type.kind) {
    case 'text':
    case 'json':
      return toText
    case 'boolean':
      return (value) => value === 'true'
    case 'float':
      return Number
    case 'integer':
      return (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)
    case 'timestamp':
    case 'date':
      return (value) => format(Number(value))
    case 'decimal':
      return (value) => format(BigInt(value))
  }
}

function toText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return bytes.toString('utf8', 0, wholeCharacters(bytes))
}

function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > 0 && ((bytes[start] as number) & 0xc0) === 0x80) start--
  const first = bytes[start] ?? 0
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  return start + length > bytes.length ? Math.max(start, 0) : bytes.length
}
