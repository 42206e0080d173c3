// Objects, and localized values, whose locales are their members.
import {
  localizedNode, localizedOther, memberNext, memberNode, memberNoted, memberNumber, nameLength, nameMask, nodeKind, nodePath, objectFirst,
  noteKindBits, objectUnknown, otherLocaleNote, silentNote, unknownFieldNote, unknownNoted, unknownRefused,
} from '../../src/scan/program/node-layout'
import { findMember } from './find-member'
import { walkAny } from './walk-any'
import { isNoted, keepsJson, note, noteCount } from './walk-cells'
import { wantsOthers } from './walk-picks'
import { hasEscape, isName } from './walk-text'
import { at, endAt, isBlank, isDigit, skipBlanks, token } from './walk-tokens'
import { walkValue } from './walk-values'

const quote: u32 = 0x22

/** The members of an object, or the locales of a localized value. A key that comes twice is refused. */
export function walkObject(node: usize, t: usize, p: usize): usize {
  t += 4
  let key = token(t)
  if (at(key) == 0x7d) return isBlank(p + 1, key) ? endAt(t + 4, key + 1) : 0
  const firstNote = noteCount()
  let seen: u64 = 0, seenBeyond: u64 = 0
  let guess = node + objectFirst
  let end = p
  do {
    key = token(t)
    if (at(key) != quote || !isBlank(end + 1, key)) return 0
    let member = load<u32>(guess) as usize
    let value: usize
    if (isName(member, key + 1, load<u32>(member, nameMask))) {
      value = key + (load<u32>(member, nameLength) as usize) + 3
    } else {
      const close = token(t + 4), colon = token(t + 8)
      if (at(colon) != 0x3a || !isBlank(close + 1, colon) || hasEscape(close)) return 0
      value = colon + 1
      // A member that is often left out is skipped before the next one is guessed anew.
      member = load<u32>(member, memberNext) as usize
      if (!isName(member, key + 1, load<u32>(member, nameMask))) {
        member = findMember(node, key + 1, close - key - 1)
        if (member != 0) store<u32>(guess, member as u32)
      }
    }
    value = skipBlanks(value)
    if (member != 0) {
      const number = load<u32>(member, memberNumber)
      const bit = (1 as u64) << (number & 63)
      if (number < 64) {
        if ((seen & bit) != 0) return 0
        seen |= bit
      } else {
        if ((seenBeyond & bit) != 0) return 0
        seenBeyond |= bit
      }
      guess = member + memberNext
      if (load<u32>(member, memberNoted) != 0 && !noteLocale(node, key, token(t + 4), value)) return 0
      t = walkValue(load<u32>(member, memberNode) as usize, t + 12, value)
    } else {
      t = walkUnknown(node, t, key, value, firstNote)
    }
    if (t == 0) return 0
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  if (at(end) != 0x7d) return 0
  if (load<u32>(node, nodeKind) == localizedNode && wantsOthers(node)) return 0
  return endAt(t, end + 1)
}

/** A key that is no member: drift of an object, another locale of a localized value. */
function walkUnknown(node: usize, t: usize, key: usize, value: usize, firstNote: u32): usize {
  const name = key + 1, close = token(t + 4), length = close - name
  // `__proto__` is no key like others to JavaScript, and a locale `*` has another key in the canonical form.
  if (at(name) == 0x5f && at(name + 1) == 0x5f) return 0
  // Numbers are no keys like others either: it puts them first.
  if (keepsJson && isDigit(at(name))) return 0
  const path = load<u32>(node, nodePath)
  if (load<u32>(node, nodeKind) == localizedNode) {
    if ((at(name) == 0x2a && length == 1) || isNoted(firstNote, path, name, length)) return 0
    return noteLocale(node, key, close, value) ? walkValue(load<u32>(node, localizedOther) as usize, t + 12, value) : 0
  }
  const unknown = load<u32>(node, objectUnknown)
  if (unknown == unknownRefused) return 0
  if (unknown == unknownNoted || keepsJson) {
    const what = unknown == unknownNoted ? unknownFieldNote : silentNote
    if (isNoted(firstNote, path, name, length) || !note((path << noteKindBits) | what, name, length)) return 0
  }
  return walkAny(t + 12, value, 0)
}

/** Nulls don't count as values in another locale. */
function noteLocale(node: usize, key: usize, close: usize, value: usize): bool {
  const what = at(value) == 0x6e ? silentNote : otherLocaleNote
  return note((load<u32>(node, nodePath) << noteKindBits) | what, key + 1, close - key - 1)
}
