import {
  booleanNode,
  choiceNode,
  codeMayBeList,
  codeNode,
  floatNode,
  integerNode,
  labelledNode,
  listNode,
  localizedNode,
  localizedPlain,
  looseNode,
  nodeKind,
  nodeTargetCount,
  objectBare,
  objectBareList,
  objectBareText,
  objectNode,
  requiredTextNode,
  skippedNode,
  textNode,
  timestampNode,
  localizedOther,
  memberNext,
  memberNode,
  memberNoted,
  memberNumber,
  nameLength,
  nameMask,
  nodePath,
  objectFirst,
  noteKindBits,
  objectUnknown,
  otherLocaleNote,
  silentNote,
  unknownFieldNote,
  unknownNoted,
  unknownRefused,
  elementBytes,
  elementNode,
  listElements,
  listOpenCount,
  listOpens,
  listOrOne,
  listPickCount,
  listPosition,
  listSpecial,
  nullElementNote,
} from '../../src/kernel/program/node-layout'
import { findMember } from './find-member'
import { walkAny } from './walk-any'
import { isNoted, keepsJson, note, noteCount, put, beginElement, closeLists, openLists } from './walk-cells'
import { walkCodeList } from './walk-code-list'
import { putJson } from './walk-json'
import { passLabelled, shownText } from './walk-labelled'
import { walkBoolean, walkCodeNumber, walkFloat, walkInteger, walkQuotedFloat } from './walk-numbers'
import { resetRanks, wantsOthers, beginPicks, resetPicks, resolvePicks } from './walk-picks'
import { escapesNow, walkChoiceText, walkCodeText, walkText, hasEscape, isName } from './walk-text'
import { at, endAt, isBlank, token, walkNull, isDigit, skipBlanks } from './walk-tokens'

// Values against the tree: a function a kind of node. Each gets the node, the next structural character `t` in the index and
// the address `p` of the value, and returns the structural character behind the value: only white space is between.
// It returns 0 for a value that is not certainly valid.

const quote: u32 = 0x22

export function walkValue(node: usize, t: usize, p: usize): usize {
  const first = at(p)
  switch (load<u32>(node, nodeKind)) {
    case textNode:
      return first == quote ? walkText(node, t, p) : first == 0x6e ? walkNull(t, p) : walkFloat(node, t, p)
    case requiredTextNode:
      return first == quote ? walkText(node, t, p) : 0
    case codeNode:
      return first == quote ? walkCodeText(node, t, p) : first == 0x6e ? walkNull(t, p) : walkOtherCode(node, t, p)
    case integerNode:
    case timestampNode:
      return first == 0x6e ? walkNull(t, p) : walkInteger(node, t, p)
    case floatNode:
      return first == 0x6e ? walkNull(t, p) : first == quote ? walkQuotedFloat(node, t, p) : walkFloat(node, t, p)
    case booleanNode:
      return first == 0x6e ? walkNull(t, p) : walkBoolean(node, t, p)
    case choiceNode:
      return first == quote ? walkChoiceText(node, t, p) : walkLoose(node, t, p)
    case looseNode:
      return first == quote ? walkText(node, t, p) : walkLoose(node, t, p)
    case labelledNode:
      return walkLabelled(node, t, p)
    case objectNode:
    case localizedNode:
    case listNode:
      return load<u32>(node, nodeTargetCount) == 0 || first == 0x6e ? walkNested(node, t, p) : walkKept(node, t, p)
    case skippedNode:
      return walkAny(t, p, 0)
    default:
      return 0
  }
}

function walkNested(node: usize, t: usize, p: usize): usize {
  switch (load<u32>(node, nodeKind)) {
    case objectNode:
      if (at(p) == 0x7b) return walkObject(node, t, p)
      return at(p) == 0x6e ? walkNull(t, p) : walkBare(node, t, p)
    case localizedNode:
      return walkLocalized(node, t, p)
    default:
      return walkList(node, t, p)
  }
}

/** Walks a value whose JSON text fills cells too. */
function walkKept(node: usize, t: usize, p: usize): usize {
  const escape = escapesNow()
  const next = walkNested(node, t, p)
  return next != 0 && putJson(node, t, p, escape) ? next : 0
}

function walkLoose(node: usize, t: usize, p: usize): usize {
  const first = at(p)
  if (first == 0x6e) return walkNull(t, p)
  return first == 0x74 || first == 0x66 ? walkBoolean(node, t, p) : walkFloat(node, t, p)
}

function walkLabelled(node: usize, t: usize, p: usize): usize {
  if (at(p) == quote) return walkText(node, t, p)
  if (at(p) != 0x7b) return at(p) == 0x6e ? walkNull(t, p) : walkFloat(node, t, p)
  t = passLabelled(t, p)
  if (t == 0 || hasEscape(token(t))) return 0
  if (shownText != 0) put(node, token(shownText) + 1, token(shownText + 4) - token(shownText) - 1)
  return t
}

function walkOtherCode(node: usize, t: usize, p: usize): usize {
  if (at(p) != 0x5b) return walkCodeNumber(node, t, p)
  return load<u32>(node, codeMayBeList) != 0 ? walkCodeList(node, t, p) : 0
}

/** The id of an object, a text, or a list of texts, in place of the object. */
function walkBare(node: usize, t: usize, p: usize): usize {
  if (at(p) == 0x5b) {
    const list = load<u32>(node, objectBareList) as usize
    return list == 0 || at(token(t + 4)) == 0x5d ? walkEmptyList(t, p) : walkList(list, t, p)
  }
  if (at(p) == quote) {
    const text = load<u32>(node, objectBareText) as usize
    return text == 0 ? 0 : walkText(text, t, p)
  }
  const bare = load<u32>(node, objectBare) as usize
  return bare == 0 ? 0 : walkInteger(bare, t, p)
}

function walkLocalized(node: usize, t: usize, p: usize): usize {
  switch (at(p)) {
    case 0x7b: {
      resetRanks(node)
      return walkObject(node, t, p)
    }
    case 0x5b:
      return walkEmptyList(t, p)
    case quote: {
      const plain = load<u32>(node, localizedPlain) as usize
      if (plain == 0) return 0
      resetRanks(node)
      return walkText(plain, t, p)
    }
    default:
      return walkNull(t, p)
  }
}

/** An empty list is how some encoders write an empty object. */
function walkEmptyList(t: usize, p: usize): usize {
  const close = token(t + 4)
  return at(close) == 0x5d && isBlank(p + 1, close) ? endAt(t + 8, close + 1) : 0
}

// Objects, and localized values, whose locales are their members.

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

// Lists: cells are appended and rows begun element by element.

export function walkList(node: usize, t: usize, p: usize): usize {
  const isList = at(p) == 0x5b
  if (!isList) {
    if (at(p) == 0x6e) return walkNull(t, p)
    if (load<u32>(node, listOrOne) == 0) return 0
  }
  const opens = load<u32>(node, listOpens) as usize, openCount = load<u32>(node, listOpenCount)
  openLists(opens, openCount)
  resetPicks(node)
  t = isList ? walkElements(node, t, p) : walkElement(node, 0, t, p)
  closeLists(opens, openCount)
  return t
}

function walkElements(node: usize, t: usize, p: usize): usize {
  t += 4
  if (at(token(t)) == 0x5d && isBlank(p + 1, token(t))) return endAt(t + 4, token(t) + 1)
  let index: u32 = 0, end = p
  do {
    t = walkElement(node, index++, t, skipBlanks(end + 1))
    if (t == 0) return 0
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  return at(end) == 0x5d ? endAt(t, end + 1) : 0
}

@inline
function walkElement(node: usize, index: u32, t: usize, p: usize): usize {
  const special = load<u32>(node, listSpecial)
  const element = (load<u32>(node, listElements) as usize) + (min(index, special) as usize) * elementBytes
  const position = load<u32>(node, listPosition) as usize
  if (position != 0) store<u32>(position, index + 1)
  const value = load<u32>(element, elementNode) as usize
  const isNull = at(p) == 0x6e || (at(p) == 0x5b && isEmptyCode(value, t, p))
  if (isNull && !note((load<u32>(node, nodePath) << noteKindBits) | nullElementNote, p, 0)) return 0
  if (!beginElement(element, isNull)) return 0
  if (load<u32>(node, listPickCount) == 0 || isNull) return walkValue(value, t, p)
  beginPicks(node)
  t = walkValue(value, t, p)
  resolvePicks(node)
  return t
}

/** An empty list in place of a code is null. */
function isEmptyCode(node: usize, t: usize, p: usize): bool {
  return load<u32>(node, nodeKind) == codeNode && at(token(t + 4)) == 0x5d && isBlank(p + 1, token(t + 4))
}
