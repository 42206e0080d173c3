// Text that also comes as an object `{ value, label }`: its label, or its value where it has none.
import { at, endAt, isBlank, skipBlanks, token, walkNull } from './walk-tokens'

/** The structural character of the text that the object stands for; 0 for null. */
export let shownText: usize = 0

const quote: u32 = 0x22
const label: u32 = 1
const value: u32 = 2

/**
 * Passes the object and finds its text. Returns the structural character behind it; 0 where it has another member, one of
 * them twice, or a value that is neither text nor null.
 */
export function passLabelled(t: usize, p: usize): usize {
  let labelText: usize = 0, valueText: usize = 0
  let seen: u32 = 0
  shownText = 0
  t += 4
  let end = p
  if (at(token(t)) == 0x7d) return isBlank(p + 1, token(t)) ? endAt(t + 4, token(t) + 1) : 0
  do {
    const key = token(t), close = token(t + 4), colon = token(t + 8)
    if (at(key) != quote || at(colon) != 0x3a || !isBlank(end + 1, key) || !isBlank(close + 1, colon)) return 0
    const name = nameAt(key, close)
    if (name == 0 || (seen & name) != 0) return 0
    seen |= name
    t += 12
    const start = skipBlanks(colon + 1)
    if (at(start) == quote) {
      if (name == label) labelText = t
      else valueText = t
      t = endAt(t + 8, token(t + 4) + 1)
    } else t = walkNull(t, start)
    if (t == 0) return 0
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  shownText = labelText != 0 ? labelText : valueText
  return at(end) == 0x7d ? endAt(t, end + 1) : 0
}

/** `label`, `value`, or 0. */
function nameAt(key: usize, close: usize): u32 {
  if (close - key != 6) return 0
  const word = load<u32>(key, 1), last = at(key + 5)
  if (word == 0x6562616c && last == 0x6c) return label
  return word == 0x756c6176 && last == 0x65 ? value : 0
}
