// JSON text of values as they were delivered: white space between tokens is left out, and numbers and strings are written
// as JavaScript writes them.
import { emit, emitScalar, emitText } from './json-run'
import { at, skipBlanks, token } from './walk-tokens'

/** Appends the value at `p`; returns the structural character behind it. */
export function emitRaw(t: usize, p: usize): usize {
  if (at(p) == 0x22) return emitString(t)
  if (token(t) != p) {
    emitScalar(p)
    return t
  }
  let depth: u32 = 0
  do {
    const sign = token(t)
    const byte = at(sign)
    if (byte == 0x22) {
      t = emitString(t)
      continue
    }
    emit(sign, sign + 1)
    t += 4
    if (byte == 0x7b || byte == 0x5b) depth++
    else if (byte == 0x7d || byte == 0x5d) {
      depth--
      continue
    }
    const next = skipBlanks(sign + 1)
    if (next < token(t)) emitScalar(next)
  } while (depth > 0)
  return t
}

@inline
function emitString(t: usize): usize {
  emitText(token(t), token(t + 4))
  return t + 8
}

/** Over a value that the walk has passed: the structural character behind it. */
export function skipValue(t: usize, p: usize): usize {
  if (at(p) == 0x22) return t + 8
  if (token(t) != p) return t
  let depth: u32 = 0
  do {
    const byte = at(token(t))
    if (byte == 0x7b || byte == 0x5b) depth++
    else if (byte == 0x7d || byte == 0x5d) depth--
    t += 4
  } while (depth > 0)
  return t
}
