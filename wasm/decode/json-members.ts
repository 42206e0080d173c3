// The members of objects in JSON text, in the order of the contract; those of localized values as they come.
import {
  localizedOther, memberNext, memberNode, memberNumber, nameMask, nodeKind, objectFirst, objectMemberCount, objectNode,
  objectOrder,
} from '../../src/scan/program/node-layout'
import { emitRaw, skipValue } from './json-raw'
import { emit, emitByte, outState, returnTo, runState } from './json-run'
import { emitValue } from './walk-json'
import { findMember } from './find-member'
import { isName } from './walk-text'
import { at, skipBlanks, token } from './walk-tokens'

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
