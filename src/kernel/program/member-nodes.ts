import * as layout from './node-layout.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import { Unsupported } from './unsupported.ts'

export interface Member {
  readonly name: string
  readonly node: ProgramOffset
  /** True if the key is noted as that of a locale without columns. */
  readonly isNoted: boolean
  /** The place among the members that are content, from 1 on; 0 for another. */
  readonly rank: number
}

export function writeMembers(writer: ProgramWriter, kind: number, members: readonly Member[]): ProgramOffset {
  const node = writer.allocate(layout.nodeBytes)
  writer.setWord(node, layout.nodeKind, kind)
  if (members.length > layout.mostMembers) throw new Unsupported('objects of too many members')
  const slotCount = 2 ** Math.ceil(Math.log2(2 * members.length + 1))
  const slots = writer.allocate(4 * slotCount)
  const taken = new Set<number>()
  const starts = members.map((member, number) => {
    const start = writer.allocate(layout.memberBytes)
    const hash = writeName(writer, start, 0, member.name)
    writer.link(start, layout.memberNode, member.node)
    writer.setWord(start, layout.memberNumber, number)
    writer.setWord(start, layout.memberNoted, Number(member.isNoted))
    writer.setWord(start, layout.memberRank, member.rank)
    let slot = hash & (slotCount - 1)
    while (taken.has(slot)) slot = (slot + 1) & (slotCount - 1)
    taken.add(slot)
    writer.link(slots, slot * 4, start)
    return start
  })
  // The guess of the next member when there is none: no key consists of zeros.
  const none = writer.allocate(layout.memberBytes)
  writer.setWord(none, layout.nameMask, 0xffff)
  writer.link(none, layout.memberNext, none)
  for (const [index, start] of starts.entries()) writer.link(start, layout.memberNext, starts[index + 1] ?? none)
  const numbered = writer.allocate(4 * starts.length)
  for (const [number, start] of starts.entries()) writer.link(numbered, 4 * number, start)
  writer.link(node, layout.objectMembers, numbered)
  writer.setWord(node, layout.objectMemberCount, starts.length)
  const ordered = kind === layout.localizedNode ? layout.mostContentLocales : starts.length
  writer.link(node, layout.objectOrder, writer.allocate(8 * ordered))
  writer.link(node, layout.objectFirst, starts[0] ?? none)
  writer.link(node, layout.objectSlots, slots)
  writer.setWord(node, layout.objectSlotMask, slotCount - 1)
  return node
}

/** Returns the hash of the name, by the same function as in the module. */
export function writeName(writer: ProgramWriter, start: ProgramOffset, offset: number, name: string): number {
  const bytes = Buffer.from(name)
  const { length } = bytes
  if (length === 0 || length > layout.longestName) throw new Unsupported('names of too many bytes')
  const at = (start + offset) as ProgramOffset
  writer.setBytes(at, Buffer.concat([bytes, Buffer.from('":')]))
  writer.setWord(at, layout.nameMask, 2 ** (length + 2) - 1)
  writer.setWord(at, layout.nameMaskAlone, 2 ** length - 1)
  writer.setWord(at, layout.nameLength, length)
  const [first = 0, last = 0, middle = 0] = [bytes[0], bytes[length - 1], bytes[length >> 1]]
  return length * 131 + first * 31 + last * 7 + middle
}
