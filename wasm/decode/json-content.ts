// The canonical text of a record's content, which its hash is made of: src/records/content-hash.ts says what that is. Only
// records that the walk has passed come here.
import {
  choiceNode, codeNode, floatNode, integerNode, labelledNode, timestampNode, objectBareTextNumber, contentBytes, contentKey, contentKeyLength, contentNumber, elementBytes, elementNode, listElements, listNode,
  listSpecial, localizedNode, localizedOther, looseNode, memberNode, mostContentLocales, nodeKind, objectBareList, objectBareListNumber,
  objectBareNumber, objectContent, objectContentCount, objectFirst, objectMembers, objectNode, objectOrder, requiredTextNode, textNode,
} from '../../src/kernel/program/node-layout'
import { emitCode, emitCodeList } from './json-codes'
import { emitQuotedNumber } from './json-forms'
import { passLabelled, shownText } from './walk-labelled'
import { memberAt, noteOrder } from './walk-json'
import { skipValue } from './json-raw'
import { beginJson, breakOff, emit, emitByte, emitNull, emitScalar, emitText, endText, outState, returnTo, runState } from './json-run'
import { seekEscapes } from './walk-text'
import { at, skipBlanks, token } from './walk-tokens'

/** The structural character behind the value that was written or skipped last. */
let behind: usize = 0

/** Puts the content of a record into a cell; false where that can't be done. The text is lost when the arena is used again. */
export function putContent(node: usize, t: usize, p: usize, firstEscape: usize, cell: usize): bool {
  seekEscapes(firstEscape)
  beginJson()
  writeMembers(node, t, p)
  return endText(cell)
}

/** Appends the content of a value; false, with nothing appended, where there is none. */
function writeValue(node: usize, t: usize, p: usize): bool {
  const first = at(p)
  behind = t
  if (first == 0x6e) return false
  switch (load<u32>(node, nodeKind)) {
    case requiredTextNode:
      return writeText(t)
    case codeNode:
      if (first == 0x5b && isEmptyList(t, p)) {
        behind = t + 8
        return false
      }
      behind = first == 0x5b ? emitCodeList(node, t, p) : emitCode(node, t, p)
      return true
    case labelledNode:
      if (first == 0x7b) return writeLabelled(t, p)
      return first == 0x22 ? writeText(t) : writeAsText(p)
    case textNode:
    case looseNode:
    case choiceNode:
      return first == 0x22 ? writeText(t) : writeAsText(p)
    case integerNode:
    case timestampNode:
    case floatNode:
      if (first == 0x22) behind = emitQuotedNumber(t, p)
      else emitScalar(p)
      return true
    case objectNode:
      return first == 0x7b ? writeMembers(node, t, p) : writeBare(node, t, p)
    case localizedNode:
      return first == 0x7b ? writeLocales(node, t, p) : writePlain(node, t, p)
    case listNode:
      return writeList(node, t, p)
    default:
      emitScalar(p)
      return true
  }
}

/** Numbers in a list are not in the index. */
function isEmptyList(t: usize, p: usize): bool {
  return at(token(t + 4)) == 0x5d && skipBlanks(p + 1) == token(t + 4)
}

function writeText(t: usize): bool {
  emitText(token(t), token(t + 4))
  behind = t + 8
  return true
}

/** A number or a boolean where text is expected. */
function writeAsText(p: usize): bool {
  emitByte(0x22)
  emitScalar(p)
  emitByte(0x22)
  return true
}

function writeLabelled(t: usize, p: usize): bool {
  const next = passLabelled(t, p)
  if (shownText != 0) writeText(shownText)
  behind = next
  return shownText != 0
}

/** An object without a filled member is nothing. */
function writeMembers(node: usize, t: usize, p: usize): bool {
  if (at(token(t + 4)) == 0x7d) {
    behind = t + 8
    return false
  }
  const order = load<u32>(node, objectOrder) as usize
  const end = noteOrder(node, t + 4, order)
  const begun = runState(), from = outState()
  let isEmpty = true
  let entry = load<u32>(node, objectContent) as usize
  for (let left = load<u32>(node, objectContentCount); left > 0; left--, entry += contentBytes) {
    const number = load<u32>(entry, contentNumber) as usize
    const found = load<u32>(order + (number << 2)) as usize
    if (found == 0) continue
    const value = skipBlanks(token(found + 8) + 1)
    if (at(value) == 0x6e) continue
    const run = runState(), written = outState()
    writeKey(entry, isEmpty)
    const member = load<u32>((load<u32>(node, objectMembers) as usize) + (number << 2)) as usize
    if (writeValue(load<u32>(member, memberNode) as usize, found + 12, value)) isEmpty = false
    else returnTo(run, written)
  }
  behind = end
  if (isEmpty) returnTo(begun, from)
  else emitByte(0x7d)
  return !isEmpty
}

/** Keys have the comma before them; the first has the brace. */
function writeKey(entry: usize, isFirst: bool): void {
  const key = load<u32>(entry, contentKey) as usize
  if (isFirst) emitByte(0x7b)
  emit(isFirst ? key + 1 : key, key + (load<u32>(entry, contentKeyLength) as usize))
}

/** A number, a text, or a list of texts, in place of the object. */
function writeBare(node: usize, t: usize, p: usize): bool {
  const isList = at(p) == 0x5b
  if (isList && at(token(t + 4)) == 0x5d) {
    behind = t + 8
    return false
  }
  const number = load<u32>(node + (isList ? objectBareListNumber : at(p) == 0x22 ? objectBareTextNumber : objectBareNumber))
  let entry = load<u32>(node, objectContent) as usize
  let left = load<u32>(node, objectContentCount)
  while (left > 0 && load<u32>(entry, contentNumber) != number) {
    left--
    entry += contentBytes
  }
  if (left == 0) {
    behind = skipValue(t, p)
    return false
  }
  writeKey(entry, true)
  const member = load<u32>((load<u32>(node, objectMembers) as usize) + ((number as usize) << 2)) as usize
  writeValue(isList ? (load<u32>(node, objectBareList) as usize) : (load<u32>(member, memberNode) as usize), t, p)
  emitByte(0x7d)
  return true
}

/** Text without a locale; an empty list is how some encoders write an empty object. */
function writePlain(node: usize, t: usize, p: usize): bool {
  if (at(p) != 0x22) {
    behind = t + 8
    return false
  }
  emitByte(0x7b)
  emitByte(0x22)
  emitByte(0x2a)
  emitByte(0x22)
  emitByte(0x3a)
  writeValue(load<u32>(node, localizedOther) as usize, t, p)
  emitByte(0x7d)
  return true
}

/** By locale, in the order of their texts. */
function writeLocales(node: usize, t: usize, p: usize): bool {
  if (at(token(t + 4)) == 0x7d) {
    behind = t + 8
    return false
  }
  const order = load<u32>(node, objectOrder) as usize
  const count = sortLocales(order, t + 4)
  const end = behind
  const begun = runState(), from = outState()
  let isEmpty = true
  for (let index: usize = 0; index < count; index++) {
    const found = load<u32>(order + (index << 2)) as usize
    const key = token(found)
    const run = runState(), written = outState()
    emitByte(isEmpty ? 0x7b : 0x2c)
    emit(key, token(found + 4) + 1)
    emitByte(0x3a)
    const member = memberAt(node, node + objectFirst, found, key)
    const element = member == 0 ? load<u32>(node, localizedOther) : load<u32>(member, memberNode)
    if (writeValue(element as usize, found + 12, skipBlanks(token(found + 8) + 1))) isEmpty = false
    else returnTo(run, written)
  }
  behind = end
  if (isEmpty) returnTo(begun, from)
  else emitByte(0x7d)
  return !isEmpty
}

/** Notes the keys of an object in their order; how many there are. They differ, and have no escapes. */
function sortLocales(order: usize, t: usize): usize {
  let count: usize = 0
  let end: usize = 0
  do {
    if (count == mostContentLocales || !isAscii(token(t) + 1, token(t + 4))) {
      breakOff()
      count = 0
    }
    let slot = order + (count << 2)
    for (; slot > order && comesBefore(token(t), token(load<u32>(slot - 4) as usize)); slot -= 4) {
      store<u32>(slot, load<u32>(slot - 4))
    }
    store<u32>(slot, t as u32)
    count++
    t = skipValue(t + 12, skipBlanks(token(t + 8) + 1))
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  behind = t
  return count
}

/** JavaScript compares other characters by their halves. */
function isAscii(from: usize, to: usize): bool {
  for (; from < to; from++) if (at(from) >= 0x80) return false
  return true
}

/** Compares two keys from their opening quotes; they differ at their closing ones at the latest. */
function comesBefore(key: usize, other: usize): bool {
  do {
    key++
    other++
  } while (at(key) == at(other))
  return at(key) < at(other)
}

/** Elements keep their places; one that is not in a list is a list of one. */
function writeList(node: usize, t: usize, p: usize): bool {
  const elements = load<u32>(node, listElements) as usize
  const element = load<u32>(elements + (load<u32>(node, listSpecial) as usize) * elementBytes, elementNode) as usize
  emitByte(0x5b)
  if (at(p) != 0x5b) writeElement(element, t, p)
  else if (isEmptyList(t, p)) behind = t + 8
  else {
    t += 4
    let end = p
    do {
      if (at(end) == 0x2c) emitByte(0x2c)
      writeElement(element, t, skipBlanks(end + 1))
      end = token(behind)
      t = behind + 4
    } while (at(end) == 0x2c)
    behind = t
  }
  emitByte(0x5d)
  return true
}

function writeElement(node: usize, t: usize, p: usize): void {
  if (writeValue(node, t, p)) return
  if (at(p) == 0x6e || load<u32>(node, nodeKind) == codeNode) emitNull()
  else {
    emitByte(0x7b)
    emitByte(0x7d)
  }
}
