import { nameLength, nameMaskAlone, objectSlotMask, objectSlots } from '../../src/kernel/program/node-layout'
import { isName } from './walk-text'
import { at } from './walk-tokens'

/** The member of a name, found by hash: the guess was wrong. */
export function findMember(node: usize, name: usize, length: usize): usize {
  if (length == 0) return 0
  const mask = load<u32>(node, objectSlotMask)
  const slots = load<u32>(node, objectSlots) as usize
  let slot = hashName(name, length) & mask
  let member = load<u32>(slots + ((slot as usize) << 2)) as usize
  while (member != 0) {
    if ((load<u32>(member, nameLength) as usize) == length && isName(member, name, load<u32>(member, nameMaskAlone))) return member
    slot = (slot + 1) & mask
    member = load<u32>(slots + ((slot as usize) << 2)) as usize
  }
  return 0
}

/** `compileScan` has the same function. */
function hashName(name: usize, length: usize): u32 {
  return (length as u32) * 131 + at(name) * 31 + at(name + length - 1) * 7 + at(name + (length >> 1))
}
