import type { ListField } from '../../contracts/fields.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { writeElementEffects, writeOpens, type Appended } from './element-effects.ts'
import * as layout from './node-layout.ts'
import { writePicks } from './pick-nodes.ts'
import type { ProgramOffset } from './program-writer.ts'
import { writeLeaf, writeTargets } from './scalar-nodes.ts'
import { Unsupported } from './projection.ts'
import type { TreeContext } from './tree-context.ts'
import { splitProjection, type TreeCell, type TreeTable, type NodeProjection } from './projected-cells.ts'

/** Throws Unsupported. */
export function writeList(context: TreeContext, field: ListField, wanted: NodeProjection, path: string): ProgramOffset {
  const { writer } = context
  const { here, inside } = splitProjection(wanted)
  if (inside.cells.some(({ rank }) => rank !== null)) throw new Unsupported('a list in a localized value')
  const position = writer.allocate(4)
  const special = Math.max(0, ...[...inside.cells, ...inside.tables].map(({ steps: [step] }) => toIndex(step) + 1))
  if (special > mostSpecial) throw new Unsupported('elements so far behind')
  const picks = writePicks(writer, field, inside)
  // Each would keep a rank of its own.
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
  if (wanted.tables.length > 0) writer.link(node, layout.listPosition, position)
  writer.link(node, layout.listPicks, picks.place)
  writer.setWord(node, layout.listPickCount, picks.count)
  writer.link(node, layout.listPickRow, picks.row)
  writer.setWord(node, layout.listPickCells, picks.rowCells)
  writeOpens(writer, node, inside)
  writeTargets(writer, node, here)
  return node
}

const mostSpecial = 64

/** What is wanted of an element: tables whose path is at its end begin a row, list cells that are get a cell. */
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
  const inside = cells.filter(isHere).map(enterCell)
  const passing = tables.filter(isHere).map(({ steps: [step, ...rest], passed, ...table }) => ({
    ...table,
    steps: rest,
    passed: step?.kind === 'all' ? [...passed, position] : passed,
  }))
  const begun = passing.filter(({ steps }) => steps.length === 0)
  return {
    appended: inside.flatMap(({ appended }) => (appended === null ? [] : [appended])),
    begun,
    inside: {
      cells: [...inside.map(({ cell }) => cell), ...begun.flatMap((table) => table.cells)],
      tables: passing.filter(({ steps }) => steps.length > 0),
    },
  }
}

/** Behind the last `[]` of its path a list cell has become the cell of an element. */
function enterCell(cell: TreeCell) {
  const [step, ...steps] = cell.steps
  const { list } = cell
  if (list === null || step?.kind === 'index') return { cell: { ...cell, steps }, appended: null }
  if (steps.some(({ kind }) => kind === 'all')) {
    return { cell: { ...cell, steps, list: { ...list, isOpen: true } }, appended: null }
  }
  return { cell: { ...cell, steps, slot: list.slot, offset: 0, list: null }, appended: list }
}

function toIndex(step: Step | undefined): number {
  return step?.kind === 'index' ? step.index : -1
}
