// JSON text of values that come in another form than the documented one.
import { emitNull, emitNumber, emitText } from './json-run'
import { passLabelled, shownText } from './walk-labelled'
import { token } from './walk-tokens'

/** A number that comes as text. */
export function emitQuotedNumber(t: usize, p: usize): usize {
  emitNumber(p + 1)
  return t + 8
}

/** The text of an object with a label. */
export function emitLabelled(t: usize, p: usize): usize {
  const next = passLabelled(t, p)
  if (shownText == 0) emitNull()
  else emitText(token(shownText), token(shownText + 4))
  return next
}
