import type { ListField } from '../../contracts/fields.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import * as layout from './node-layout.ts'
import { writePicks } from './pick-nodes.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import { Unsupported } from './unsupported.ts'
import { writeLeaf, writeTargets } from './scalar-nodes.ts'
import {
  type NodeProjection,
  splitProjection,
  type TreeCell,
  type TreeContext,
  type TreeTable,
} from './tree-context.ts'

export function writeList(
  context: TreeContext,
  field: ListField,
  projection: NodeProjection,
  path: string,
): ProgramOffset {
  const { writer } = context
  const { here, inside } = splitProjection(projection)
  if (inside.cells.some(({ rank }) => rank !== null)) throw new Unsupported('a list in a localized value')
  const position = writer.allocate(4)
  const special = Math.max(0, ...[...inside.cells, ...inside.tables].map(({ steps: [step] }) => toIndex(step) + 1))
  if (special > mostSpecial) throw new Unsupported('elements so far behind')
  const picks = writePicks(writer, field, inside)
  // Each element's node would keep a rank of its own.
  if (special > 0 && picks.cells.some(({ pick }) => pick !== null)) throw new Unsupported('ranks of single elements')
  const elements = writer.allocate(layout.elementBytes * (special + 1))
  for (let index = 0; index <= special; index++) {
    const element = enterElement(inside, index < special ? index : null, position)
    writeElementEffects(writer, elements, index * layout.elementBytes, element.appended, element.begun)
    const cells = [...element.inside.cells, ...picks.cells]
    const node = context.isBareList
      ? writeLeaf(writer, layout.requiredTextNode, element.inside)
      : context.writeNode(
          { ...context, refused: picks.refused },
          field.element,
          { ...element.inside, cells },
          `${path}[]`,
        )
    writer.link(elements, index * layout.elementBytes + layout.elementNode, node)
  }
  const node = writer.allocate(layout.nodeBytes)
  writer.setWord(node, layout.nodeKind, layout.listNode)
  writer.link(node, layout.listElements, elements)
  writer.setWord(node, layout.listSpecial, special)
  writer.setWord(node, layout.nodePath, context.paths.push(`${path}[]`) - 1)
  writer.setWord(node, layout.listOrOne, Number(field.orOne === true))
  if (projection.tables.length > 0) writer.link(node, layout.listPosition, position)
  writer.link(node, layout.listPicks, picks.start)
  writer.setWord(node, layout.listPickCount, picks.count)
  writer.link(node, layout.listPickRow, picks.row)
  writer.setWord(node, layout.listPickCells, picks.rowCells)
  writeOpens(writer, node, inside)
  writeTargets(writer, node, here)
  return node
}

const mostSpecial = 64

/** The projection of an element. Tables whose path ends here begin a row; list cells whose path ends here get a cell. */
interface ElementProjection {
  readonly appended: readonly Appended[]
  readonly begun: readonly TreeTable[]
  readonly inside: NodeProjection
}

function enterElement(
  { cells, tables }: NodeProjection,
  index: number | null,
  position: ProgramOffset,
): ElementProjection {
  const isHere = ({ steps: [step] }: { readonly steps: readonly Step[] }): boolean =>
    step?.kind === 'all' || (step?.kind === 'index' && step.index === index)
  if (cells.some(({ steps: [step] }) => step?.kind !== 'all' && step?.kind !== 'index' && step?.kind !== 'choose')) {
    throw new Unsupported('a path that does not say which elements of a list')
  }
  const entered = cells.filter(isHere).map(enterCell)
  const passing = tables.filter(isHere).map(({ steps: [step, ...rest], passed, ...table }) => ({
    ...table,
    steps: rest,
    passed: step?.kind === 'all' ? [...passed, position] : passed,
  }))
  const begun = passing.filter(({ steps }) => steps.length === 0)
  return {
    appended: entered.flatMap(({ appended }) => (appended === null ? [] : [appended])),
    begun,
    inside: {
      cells: [...entered.flatMap((each) => each.cells), ...begun.flatMap((table) => table.cells)],
      tables: passing.filter(({ steps }) => steps.length > 0),
    },
  }
}

interface EnteredCell {
  readonly cells: readonly TreeCell[]
  readonly appended: Appended | null
}

/**
 * Behind the last `[]` of its path, a list cell becomes the cell of an element, or the cells of an element's
 * conditions.
 */
function enterCell(cell: TreeCell): EnteredCell {
  const [step, ...steps] = cell.steps
  const { list, element } = cell
  if (list === null || step?.kind === 'index') return { cells: [{ ...cell, steps }], appended: null }
  if (steps.some(({ kind }) => kind === 'all')) {
    return { cells: [{ ...cell, steps, list: { ...list, isOpen: true } }], appended: null }
  }
  if (element !== undefined) return { cells: element.cells, appended: { ...list, isFirst: element.isFirst } }
  return { cells: [{ ...cell, steps, slot: list.slot, offset: 0, list: null }], appended: { ...list, isFirst: false } }
}

function toIndex(step: Step | undefined): number {
  return step?.kind === 'index' ? step.index : -1
}

/** A list region to which an element appends a cell: its header, and the slot of the newest cell. */
export interface Appended {
  readonly header: ProgramOffset
  readonly slot: ProgramOffset
  readonly isFirst: boolean
}

/** Writes what happens when an element begins. The caller writes its node. */
export function writeElementEffects(
  writer: ProgramWriter,
  elements: ProgramOffset,
  at: number,
  appended: readonly Appended[],
  begun: readonly TreeTable[],
): void {
  const appends = writer.allocate(layout.appendBytes * appended.length)
  for (const [index, { header, slot, isFirst }] of appended.entries()) {
    writer.link(appends, index * layout.appendBytes + layout.appendList, header)
    writer.link(appends, index * layout.appendBytes + layout.appendSlot, slot)
    writer.setWord(appends, index * layout.appendBytes + layout.appendIsFirst, Number(isFirst))
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
