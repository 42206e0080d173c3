// JSON text of values in canonical form, as the contract's schema gives it: members in the order of the contract and unknown
// ones behind them, codes as padded text, a single element as a list. Only values that the walk has passed come here.
import {
  booleanNode, choiceNode, codeNode, floatNode, integerNode, listElements, listNode, listSpecial, elementBytes, elementNode,
  localizedNode, localizedOther, looseNode, memberNode, nameLength, nodeKind, objectBareList, objectBareListNumber, objectBareNumber,
  objectIsDelivered, objectMembers, objectNode, requiredTextNode, textNode, timestampNode,
} from '../../src/scan/program/node-layout'
import { emitCode, emitCodeList } from './json-codes'
import { emitMembers } from './json-members'
import { emitRaw } from './json-raw'
import { beginJson, emit, emitByte, emitName, emitNumber, emitScalar, emitText, endJson } from './json-run'
import { seekEscapes } from './walk-text'
import { at, skipBlanks, token } from './walk-tokens'

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
    case textNode:
    case requiredTextNode:
      return emitString(t)
    case codeNode:
      return first == 0x5b ? emitCodeList(node, t, p) : emitCode(node, t, p)
    case integerNode:
    case timestampNode:
    case floatNode:
      emitNumber(p)
      return t
    case booleanNode:
      emitScalar(p)
      return t
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

/** The id of an object, or a list of texts, in place of the object. An empty list is an empty object. */
function emitBare(node: usize, t: usize, p: usize): usize {
  const isList = at(p) == 0x5b
  emitByte(0x7b)
  if (isList && at(token(t + 4)) == 0x5d) t += 8
  else {
    const number = isList ? load<u32>(node, objectBareListNumber) : load<u32>(node, objectBareNumber)
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
