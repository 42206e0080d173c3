import { formatJsonIfHeld, mayLoseDigits } from '../types/json-text.ts'
import { isObject } from '../records/json/json-values.ts'
import { parseText, type ParsedLine } from '../records/parse-line.ts'
import { ForeignLines } from './foreign-lines.ts'
import { misuse } from '../check-options.ts'
import { toItems, type ParsedRecord } from './parse-records.ts'
import { Stage } from './stage.ts'

/** An element of a list as the package stream-json gives it: its position and the parsed value. */
export interface KeyedValue {
  readonly key: number
  readonly value: unknown
}

/**
 * Parsed values → the items of `parseRecords`, for sources that parse themselves: records, envelopes `{"meta":
 * {"total", "index"}, "result": …}`, or the `{ key, value }` of stream-json. The values are not changed. A number
 * beyond 2^53 from JSON.parse has lost digits already: `validateRecords` rejects it in a field of whole numbers or
 * codes. Bigints and LosslessNumbers keep theirs.
 */
export function fromRecords(): Stage<unknown, ParsedRecord> {
  const lines = new ForeignLines()
  return new Stage({
    take(item) {
      const value = isKeyedValue(item) ? item.value : item
      const text = toText(value)
      return toItems(parseValue(value, text), lines.next(text))
    },
  })
}

function isKeyedValue(item: unknown): item is KeyedValue {
  return isObject(item) && typeof item['key'] === 'number' && 'value' in item && Object.keys(item).length === 2
}

function toText(value: unknown): string {
  const text = value instanceof Uint8Array || typeof value === 'string' ? undefined : formatJsonIfHeld(value)
  if (text === undefined) throw misuse('fromRecords', 'parsed records, and parseRecords() for text and bytes', value)
  return text
}

/** A copy of the value; the value itself if its text would not tell rounded digits from others. */
function parseValue(value: unknown, text: string): ParsedLine {
  if (!mayLoseDigits(text)) return parseText(text, true)
  const parsed = parseText(text, false)
  if (parsed.kind !== 'record') return parsed
  const { numbers: _numbers, ...rest } = parsed
  return { ...rest, delivered: isObject(value) && 'result' in value ? value['result'] : value } as ParsedLine
}
