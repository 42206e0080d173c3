import {
  booleanNode,
  choiceNode,
  codeNode,
  floatNode,
  integerNode,
  labelledNode,
  listElements,
  listNode,
  listSpecial,
  elementBytes,
  elementNode,
  localizedNode,
  localizedOther,
  looseNode,
  memberNode,
  nameLength,
  nodeKind,
  objectBareList,
  objectBareListNumber,
  objectBareNumber,
  objectBareTextNumber,
  objectIsDelivered,
  objectMembers,
  objectNode,
  requiredTextNode,
  textNode,
  timestampNode,
  memberNext,
  memberNumber,
  nameMask,
  objectFirst,
  objectMemberCount,
  objectOrder,
} from '../../src/kernel/program/node-layout'
import { findMember } from './find-member'
import { emitCode, emitCodeList } from './json-codes'
import { emitRaw, skipValue } from './json-raw'
import { emitLabelled, emitQuotedNumber } from './json-forms'
import {
  beginJson,
  emit,
  emitByte,
  emitName,
  emitNumber,
  emitScalar,
  emitText,
  endJson,
  outState,
  returnTo,
  runState,
} from './json-run'
import { seekEscapes, isName } from './walk-text'
import { at, skipBlanks, token } from './walk-tokens'

// JSON text of values in canonical form, as the contract's schema gives it: members in the order of the contract and unknown
// ones behind them, codes as padded text, a single element as a list. Only values that the walk has passed come here.

/** Puts the JSON text of an object, a list or a localized value into its cells; its first escape is given. */
export function putJson(node: usize, t: usize, p: usize, firstEscape: usize): bool {
  seekEscapes(firstEscape)
  beginJson()
  if (load<u32>(node, nodeKind) == objectNode && load<u32>(node, objectIsDelivered) != 0) emitRaw(t, p)
  else emitValue(node, t, p)
  return endJson(node)
}

/** Appends the value; returns the structural character behind it. */
export function emitValue(node: usize, t: usize, p: usize): usize {
  const first = at(p)
  if (first == 0x6e) {
    emit(p, p + 4)
    return t
  }
  switch (load<u32>(node, nodeKind)) {
    case requiredTextNode:
      return emitString(t)
    case codeNode:
      return first == 0x5b ? emitCodeList(node, t, p) : emitCode(node, t, p)
    case integerNode:
    case timestampNode:
    case floatNode:
      if (first == 0x22) return emitQuotedNumber(t, p)
      emitNumber(p)
      return t
    case booleanNode:
      emitScalar(p)
      return t
    case labelledNode:
      if (first == 0x7b) return emitLabelled(t, p)
      return first == 0x22 ? emitString(t) : emitAsText(t, p)
    case textNode:
    case looseNode:
    case choiceNode:
      return first == 0x22 ? emitString(t) : emitAsText(t, p)
    case objectNode:
      return first == 0x7b ? emitMembers(node, t, p) : emitBare(node, t, p)
    case localizedNode:
      return emitLocalized(node, t, p)
    case listNode:
      return emitList(node, t, p)
    default:
      return emitRaw(t, p)
  }
}

function emitString(t: usize): usize {
  emitText(token(t), token(t + 4))
  return t + 8
}

/** A number or a boolean where text is expected. */
function emitAsText(t: usize, p: usize): usize {
  emitByte(0x22)
  emitScalar(p)
  emitByte(0x22)
  return t
}

/** The id of an object, a text, or a list of texts, in place of the object. An empty list is an empty object. */
function emitBare(node: usize, t: usize, p: usize): usize {
  const isList = at(p) == 0x5b
  emitByte(0x7b)
  if (isList && at(token(t + 4)) == 0x5d) t += 8
  else {
    const number = load<u32>(node + (isList ? objectBareListNumber : at(p) == 0x22 ? objectBareTextNumber : objectBareNumber))
    const member = load<u32>((load<u32>(node, objectMembers) as usize) + ((number as usize) << 2)) as usize
    emitName(member, load<u32>(member, nameLength) as usize)
    t = emitValue(isList ? (load<u32>(node, objectBareList) as usize) : (load<u32>(member, memberNode) as usize), t, p)
  }
  emitByte(0x7d)
  return t
}

function emitLocalized(node: usize, t: usize, p: usize): usize {
  if (at(p) == 0x7b) return emitMembers(node, t, p)
  emitByte(0x7b)
  if (at(p) == 0x22) {
    emitByte(0x22)
    emitByte(0x2a)
    emitByte(0x22)
    emitByte(0x3a)
    t = emitValue(load<u32>(node, localizedOther) as usize, t, p)
  } else t += 8
  emitByte(0x7d)
  return t
}

/** All elements are of the same kind, also where the first ones fill other cells. */
function emitList(node: usize, t: usize, p: usize): usize {
  const elements = load<u32>(node, listElements) as usize
  const element = load<u32>(elements + (load<u32>(node, listSpecial) as usize) * elementBytes, elementNode) as usize
  if (at(p) != 0x5b) {
    emitByte(0x5b)
    t = emitValue(element, t, p)
    emitByte(0x5d)
    return t
  }
  emit(p, p + 1)
  t += 4
  if (at(token(t)) == 0x5d && skipBlanks(p + 1) == token(t)) {
    emit(token(t), token(t) + 1)
    return t + 4
  }
  let end = p
  do {
    t = emitValue(element, t, skipBlanks(end + 1))
    end = token(t)
    emit(end, end + 1)
    t += 4
  } while (at(end) == 0x2c)
  return t
}

// The members of objects in JSON text, in the order of the contract; those of localized values as they come.

/** The number of a key that is no member. */
const unknownNumber: u32 = 0xffffffff

/** Appends an object; it is begun again where its members turn out not to be in order. */
export function emitMembers(node: usize, t: usize, p: usize): usize {
  const first = t
  const run = runState(), written = outState()
  const isOrdered = load<u32>(node, nodeKind) == objectNode
  emit(p, p + 1)
  t += 4
  let end = token(t)
  if (at(end) == 0x7d) {
    emit(end, end + 1)
    return t + 4
  }
  let guess = node + objectFirst
  let last: u32 = 0
  do {
    const key = token(t)
    const member = memberAt(node, guess, t, key)
    if (isOrdered) {
      const number = member == 0 ? unknownNumber : load<u32>(member, memberNumber)
      if (number < last) {
        returnTo(run, written)
        return emitInOrder(node, first, p)
      }
      last = number
    }
    if (member != 0) guess = member + memberNext
    t = emitMember(node, member, t, key)
    end = token(t)
    emit(end, end + 1)
    t += 4
  } while (at(end) == 0x2c)
  return t
}

/** Appends a key, the colon and the value. */
function emitMember(node: usize, member: usize, t: usize, key: usize): usize {
  const colon = token(t + 8)
  emit(key, token(t + 4) + 1)
  emit(colon, colon + 1)
  const value = skipBlanks(colon + 1)
  t += 12
  if (member != 0) return emitValue(load<u32>(member, memberNode) as usize, t, value)
  return load<u32>(node, nodeKind) == objectNode ? emitRaw(t, value) : emitValue(load<u32>(node, localizedOther) as usize, t, value)
}

/** Appends the members by number, then the unknown ones as they come. */
function emitInOrder(node: usize, t: usize, p: usize): usize {
  const order = load<u32>(node, objectOrder) as usize
  const count = load<u32>(node, objectMemberCount) as usize
  const first = t + 4
  t = noteOrder(node, first, order)
  emitByte(0x7b)
  let isFirst = true
  for (let number: usize = 0; number < count; number++) {
    const found = load<u32>(order + (number << 2)) as usize
    if (found == 0) continue
    if (!isFirst) emitByte(0x2c)
    isFirst = false
    emitMember(node, memberAt(node, node + objectFirst, found, token(found)), found, token(found))
  }
  emitUnknown(node, first, isFirst)
  emitByte(0x7d)
  return t
}

/** Notes the position in the index of the key of every member; returns the structural character behind the object. */
export function noteOrder(node: usize, t: usize, order: usize): usize {
  memory.fill(order, 0, (load<u32>(node, objectMemberCount) as usize) << 2)
  let end: usize = 0
  let guess = node + objectFirst
  do {
    const member = memberAt(node, guess, t, token(t))
    if (member != 0) {
      guess = member + memberNext
      store<u32>(order + ((load<u32>(member, memberNumber) as usize) << 2), t as u32)
    }
    t = skipValue(t + 12, skipBlanks(token(t + 8) + 1))
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  return t
}

function emitUnknown(node: usize, t: usize, isFirst: bool): void {
  let end: usize = 0
  do {
    const key = token(t)
    if (memberAt(node, node + objectFirst, t, key) == 0) {
      if (!isFirst) emitByte(0x2c)
      isFirst = false
      t = emitMember(node, 0, t, key)
    } else t = skipValue(t + 12, skipBlanks(token(t + 8) + 1))
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
}

export function memberAt(node: usize, guess: usize, t: usize, key: usize): usize {
  const guessed = load<u32>(guess) as usize
  return isName(guessed, key + 1, load<u32>(guessed, nameMask)) ? guessed : findMember(node, key + 1, token(t + 4) - key - 1)
}
