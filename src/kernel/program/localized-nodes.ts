import type { LocalizedField } from '../../contracts/fields.ts'
import { writeMembers } from './member-nodes.ts'
import * as layout from './node-layout.ts'
import type { ProgramOffset } from './program-writer.ts'
import { isPlainText, writeTargets } from './scalar-nodes.ts'
import { Unsupported } from './unsupported.ts'
import {
  type NodeProjection,
  nothingProjected,
  splitProjection,
  type TreeCell,
  type TreeContext,
} from './tree-context.ts'

/** Writes a node with a member for every locale that has columns or is chosen. Throws Unsupported. */
export function writeLocalized(
  context: TreeContext,
  field: LocalizedField,
  projection: NodeProjection,
  path: string,
): ProgramOffset {
  const { writer, locales } = context
  const { element } = field
  const { here, inside } = splitProjection(projection)
  if (projection.tables.length > 0) throw new Unsupported('rows of a localized value')
  const ranks = writer.allocate(layout.rankBytes * inside.cells.length)
  const choices = inside.cells.map((cell, index) => {
    const kept = (ranks + index * layout.rankBytes) as ProgramOffset
    if (cell.pick !== null) writer.link(cell.pick, layout.pickRank, kept)
    return toLocaleChoice(cell, kept)
  })
  const named = new Set([...locales, ...choices.flatMap(({ chain }) => chain)])
  const elementPath = `${path}.*`
  const write = (locale: string | null): ProgramOffset =>
    context.writeNode(
      context,
      element,
      { cells: choices.flatMap((choice) => chooseLocale(choice, locale)), tables: [] },
      elementPath,
    )
  const members = [...named].map((name) => ({ name, node: write(name), isNoted: !locales.includes(name), rank: 0 }))
  const node = writeMembers(writer, layout.localizedNode, members)
  writer.setWord(node, layout.nodePath, context.paths.push(path) - 1)
  writer.link(node, layout.localizedOther, context.writeNode(context, element, nothingProjected, elementPath))
  if (isPlainText(element)) writer.link(node, layout.localizedPlain, write(null))
  for (const [index, { others }] of choices.entries()) {
    writer.setWord(ranks, index * layout.rankBytes + layout.rankOthers, Number(others))
  }
  writeTargets(writer, node, here)
  writer.link(node, layout.localizedRanks, ranks)
  writer.setWord(node, layout.localizedRankCount, choices.length)
  return node
}

interface LocaleChoice {
  readonly cell: TreeCell
  readonly chain: readonly string[]
  readonly others: boolean
  readonly kept: ProgramOffset
  /** True if only one locale is wanted, even if its text is empty: it needs no rank. */
  readonly isOnly: boolean
}

function toLocaleChoice(cell: TreeCell, kept: ProgramOffset): LocaleChoice {
  const [step, ...steps] = cell.steps
  if (step?.kind !== 'locale' || cell.rank !== null) throw new Unsupported('a path that does not name a locale once')
  const { locales: chain, others } = step
  const isOnly = chain.length === 1 && !others && cell.pick === null
  return { cell: { ...cell, steps, pick: null }, chain, others, kept, isOnly }
}

/** The cells that want the value of a locale; null is text without a locale, which suits all. */
function chooseLocale({ cell, chain, kept, isOnly }: LocaleChoice, locale: string | null): TreeCell[] {
  const rank = locale === null ? chain.length : chain.indexOf(locale)
  if (rank < 0) return []
  return [isOnly ? cell : { ...cell, rank: { kept, rank } }]
}
