/** The least and the greatest of some values, in plain encoding without lengths, each with a buffer of its own. */
export interface Bounds {
  readonly min: Uint8Array
  readonly max: Uint8Array
  /** False where long text was cut: then no value is beyond them, but none may be as far. */
  readonly isMinExact: boolean
  readonly isMaxExact: boolean
}

export function toExactBounds([min, max]: readonly [Uint8Array, Uint8Array]): Bounds {
  return { min, max, isMinExact: true, isMaxExact: true }
}

/**
 * Zero has two signs that are equal: the least says the negative one, the greatest the other, as the format asks. Null
 * where there was a NaN: DuckDB has it above all numbers, and would leave out row groups by the bounds of these.
 */
export function toDoubleBounds({ min, max, ...exactness }: Bounds): Bounds | null {
  const [least, greatest] = [readDouble(min), readDouble(max)]
  if (least > greatest) return null
  return { ...exactness, min: least === 0 ? toDouble(-0) : min, max: greatest === 0 ? toDouble(0) : max }
}

function readDouble({ buffer }: Uint8Array): number {
  return new DataView(buffer).getFloat64(0, true)
}

function toDouble(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value, true)
  return bytes
}

/** Text of more than 64 bytes is cut between characters; the last of what is left of the greatest is raised. */
export function toTextBounds(least: Uint8Array, greatest: Uint8Array): Bounds {
  const min = least.length > mostTextBytes ? cutText(least) : least
  const raised = greatest.length > mostTextBytes ? raiseText(cutText(greatest)) : greatest
  const max = raised ?? greatest
  return { min, max, isMinExact: min === least, isMaxExact: max === greatest }
}

function cutText(text: Uint8Array): Uint8Array {
  let end = mostTextBytes
  while (((text[end] as number) & 0xc0) === 0x80) end -= 1
  return text.slice(0, end)
}

/** The least text, of no more characters, that is greater than all that begin with this one; null where there is none. */
function raiseText(text: Uint8Array): Uint8Array | null {
  const characters = Array.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(text))
  while (characters.length > 0) {
    const code = (characters.pop() as string).codePointAt(0) as number
    if (code === lastCode) continue
    const next = code + 1 === firstSurrogate ? behindSurrogates : code + 1
    return new Uint8Array(Buffer.from(characters.join('') + String.fromCodePoint(next)))
  }
  return null
}

const mostTextBytes = 64
const lastCode = 0x10ffff
const firstSurrogate = 0xd800
const behindSurrogates = 0xe000
