import type { ListField } from '../contracts/fields.ts'
import { writeName } from './member-nodes.ts'
import * as layout from './node-layout.ts'
import type { Place, ProgramWriter } from './program-writer.ts'
import { isPlainText } from './scalar-nodes.ts'
import { Unsupported } from './scan-goals.ts'
import { cellBytes } from './table-memory.ts'
import type { TreeCell, Wanted } from './wanted-cells.ts'

interface WrittenPicks {
  readonly place: Place
  readonly count: number
  /** What is wanted of every element, chosen or not. */
  readonly cells: readonly TreeCell[]
  /** Keys that may not come in an element: no one but the plain path would heed them. */
  readonly refused: readonly string[]
}

/** The choices by locale among the elements of a list, one for all cells that choose alike. Throws Unsupported. */
export function writePicks(writer: ProgramWriter, list: ListField, { cells }: Wanted): WrittenPicks {
  const groups = new Map<string, TreeCell[]>()
  for (const cell of cells) {
    const [step] = cell.steps
    if (step?.kind !== 'choose') continue
    const alike = JSON.stringify(step)
    groups.set(alike, [...(groups.get(alike) ?? []), cell])
  }
  const place = writer.allocate(layout.pickBytes * groups.size)
  const inside = [...groups.values()].map((group, index) =>
    writePick(writer, (place + index * layout.pickBytes) as Place, group),
  )
  return { place, count: groups.size, cells: inside.flat(), refused: groups.size === 0 ? [] : checkElement(list) }
}

/** Whether elements can be told apart; a display order that the contract does not know is heeded all the same. */
function checkElement({ element }: ListField): readonly string[] {
  const fields = element.kind === 'object' ? element.fields : undefined
  const locales = fields?.get('locales')
  const order = fields?.get('displayOrder')
  const isKnown = locales?.kind === 'list' && isPlainText(locales.element)
  const isOrdered = order === undefined || (order.kind === 'scalar' && order.type === 'integer')
  if (!isKnown || !isOrdered) throw new Unsupported('elements without a list of locales')
  return order === undefined ? ['displayOrder'] : []
}

/** Returns the cells of the choice's own row, which the walk fills for every element. */
function writePick(writer: ProgramWriter, pick: Place, group: readonly TreeCell[]): TreeCell[] {
  const [first] = group
  const step = first?.steps[0]
  const chosenBy = first?.chosenBy ?? null
  if (chosenBy === null || step?.kind !== 'choose') throw new Unsupported('a choice without locales')
  const row = writer.allocate(cellBytes * (layout.pickCells + group.length))
  const slot = writer.allocate(4)
  writer.link(slot, 0, row)
  const targets = writer.allocate(layout.targetBytes * group.length)
  for (const [index, target] of group.entries()) {
    writer.link(targets, index * layout.targetBytes, target.slot)
    writer.setWord(targets, index * layout.targetBytes + 4, target.offset)
  }
  const names = writer.allocate(layout.nameBytes * step.locales.length)
  for (const [index, name] of step.locales.entries()) writeName(writer, names, index * layout.nameBytes, name)
  writer.link(pick, layout.pickRow, row)
  writer.link(pick, layout.pickTargets, targets)
  writer.setWord(pick, layout.pickTargetCount, group.length)
  writer.link(pick, layout.pickNames, names)
  writer.setWord(pick, layout.pickNameCount, step.locales.length)
  writer.setWord(pick, layout.pickOthers, Number(step.others))
  const telling = { slot, rank: null, chosenBy: null }
  return [
    {
      ...telling,
      steps: [{ kind: 'field', name: 'locales' }, { kind: 'all' }],
      offset: 0,
      list: { ...chosenBy, isOpen: false },
    },
    { ...telling, steps: [{ kind: 'field', name: 'displayOrder' }], offset: cellBytes, list: null },
    ...group.map((cell, index) => chooseInside(cell, slot, (layout.pickCells + index) * cellBytes)),
  ]
}

function chooseInside(cell: TreeCell, slot: Place, offset: number): TreeCell {
  if (cell.rank !== null) throw new Unsupported('a choice in a localized value')
  return { ...cell, steps: cell.steps.slice(1), slot, offset, chosenBy: null }
}
