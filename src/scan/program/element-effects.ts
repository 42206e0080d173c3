import * as layout from './node-layout.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import { Unsupported } from './projection.ts'
import type { TreeTable, NodeProjection } from './projected-cells.ts'

/** Where elements of list cells are appended to: the header of the list region, and the slot of the newest cell. */
export interface Appended {
  readonly header: ProgramOffset
  readonly slot: ProgramOffset
}

/** What happens where an element begins; its node is written by the caller. */
export function writeElementEffects(
  writer: ProgramWriter,
  elements: ProgramOffset,
  at: number,
  appended: readonly Appended[],
  begun: readonly TreeTable[],
): void {
  const appends = writer.allocate(layout.appendBytes * appended.length)
  for (const [index, { header, slot }] of appended.entries()) {
    writer.link(appends, index * layout.appendBytes + layout.appendList, header)
    writer.link(appends, index * layout.appendBytes + layout.appendSlot, slot)
  }
  const begins = writer.allocate(layout.beginBytes * begun.length)
  for (const [index, table] of begun.entries()) writeBegin(writer, begins, index * layout.beginBytes, table)
  writer.link(elements, at + layout.elementAppends, appends)
  writer.setWord(elements, at + layout.elementAppendCount, appended.length)
  writer.link(elements, at + layout.elementBegins, begins)
  writer.setWord(elements, at + layout.elementBeginCount, begun.length)
}

function writeBegin(writer: ProgramWriter, begins: ProgramOffset, at: number, table: TreeTable): void {
  const { header, slot, positions, passed } = table
  const pairs = writer.allocate(layout.positionBytes * positions.length)
  for (const [index, { offset, depth }] of positions.entries()) {
    const kept = passed[depth]
    if (kept === undefined) throw new Unsupported('a position of no list')
    writer.setWord(pairs, index * layout.positionBytes, offset)
    writer.link(pairs, index * layout.positionBytes + 4, kept)
  }
  writer.link(begins, at + layout.beginTable, header)
  writer.link(begins, at + layout.beginSlot, slot)
  writer.link(begins, at + layout.beginPositions, pairs)
  writer.setWord(begins, at + layout.beginPositionCount, positions.length)
}

/** Cells of list columns that hold the elements of this list, or of lists in them. */
export function writeOpens(writer: ProgramWriter, node: ProgramOffset, { cells }: NodeProjection): void {
  const opened = cells.filter(({ steps: [step], list }) => step?.kind === 'all' && list?.isOpen === false)
  const opens = writer.allocate(layout.openBytes * opened.length)
  for (const [index, { list, slot, offset }] of opened.entries()) {
    const at = index * layout.openBytes
    if (list !== null) writer.link(opens, at + layout.openList, list.header)
    writer.link(opens, at + layout.openSlot, slot)
    writer.setWord(opens, at + layout.openOffset, offset)
  }
  writer.link(node, layout.listOpens, opens)
  writer.setWord(node, layout.listOpenCount, opened.length)
}
