import type { Field, ListField, LocalizedField, ObjectField } from '../contracts/fields.ts'
import type { Step } from '../records/table-plan.ts'
import { writeElementEffects, writeOpens, type Appended } from './element-effects.ts'
import { writeMembers, type Member } from './member-nodes.ts'
import * as layout from './node-layout.ts'
import type { Place, ProgramWriter } from './program-writer.ts'
import { isPlainText, writeLeaf, writeScalar } from './scalar-nodes.ts'
import { Unsupported } from './scan-goals.ts'
import { nothingWanted, type TreeCell, type TreeTable, type Wanted } from './wanted-cells.ts'

export interface TreeContext {
  readonly writer: ProgramWriter
  readonly locales: readonly string[]
  /** One of the kinds of `objectUnknown`. */
  readonly unknownFields: number
  /** The paths that notes of drift name by number: of an object with what stands before its keys. */
  readonly paths: string[]
  /** A list of texts is written in which no null may stand. */
  readonly isBareList?: boolean
}

/** Writes the node of a field, and those of what lies in it. Throws Unsupported. */
export function writeNode(context: TreeContext, field: Field, wanted: Wanted, path: string): Place {
  switch (field.kind) {
    case 'scalar':
      return writeScalar(context.writer, field, wanted, path, context.paths)
    case 'object':
      return writeObject(context, field, wanted, path === '' ? '' : `${path}.`)
    case 'localized':
      return writeLocalized(context, field, wanted, path)
    case 'list':
      return writeList(context, field, wanted, path)
  }
}

/**
 * The nodes of a record: in an envelope, and bare on its line, where a key that could make it an envelope or an error line
 * is left to the plain path.
 */
export function writeRecord(
  context: TreeContext,
  record: ObjectField,
  wanted: Wanted,
): { readonly enveloped: Place; readonly bare: Place } {
  const members = writeFields(context, record, wanted, '')
  const refused = writeLeaf(context.writer, layout.refusedNode, nothingWanted)
  const telling = ['result', 'error'].filter((name) => !record.fields.has(name))
  return {
    enveloped: writeObjectNode(context, members, ''),
    bare: writeObjectNode(context, [...members, ...telling.map((name) => toMember(name, refused))], ''),
  }
}

function writeObject(context: TreeContext, field: ObjectField, wanted: Wanted, prefix: string): Place {
  const { writer } = context
  const members = writeFields(context, field, wanted, prefix)
  const node = writeObjectNode(context, members, prefix)
  const bare = field.bareKey === undefined ? undefined : members.find(({ name }) => name === field.bareKey)
  if (bare !== undefined) writer.link(node, layout.objectBare, bare.node)
  const bareList = field.bareListKey === undefined ? undefined : field.fields.get(field.bareListKey)
  if (bareList?.kind === 'list' && isPlainText(bareList.element)) {
    const texts = enterField(wanted, field.bareListKey ?? '')
    writer.link(node, layout.objectBareList, writeList({ ...context, isBareList: true }, bareList, texts, prefix))
  }
  return node
}

function writeFields(context: TreeContext, { fields }: ObjectField, wanted: Wanted, prefix: string): Member[] {
  return [...fields].map(([name, field]) =>
    toMember(name, writeNode(context, field, enterField(wanted, name), `${prefix}${name}`)),
  )
}

export function toMember(name: string, node: Place): Member {
  return { name, node, isNoted: false }
}

function writeObjectNode(
  { writer, unknownFields, paths }: TreeContext,
  members: readonly Member[],
  prefix: string,
): Place {
  const node = writeMembers(writer, layout.objectNode, members)
  writer.setWord(node, layout.objectUnknown, unknownFields)
  writer.setWord(node, layout.nodePath, paths.push(prefix) - 1)
  return node
}

function writeLocalized(context: TreeContext, field: LocalizedField, wanted: Wanted, path: string): Place {
  const { writer, locales } = context
  const { element } = field
  if (wanted.tables.length > 0) throw new Unsupported('rows of a localized value')
  const ranks = writer.allocate(layout.rankBytes * wanted.cells.length)
  const choices = wanted.cells.map((cell, index) => toLocaleChoice(cell, (ranks + index * layout.rankBytes) as Place))
  const named = new Set([...locales, ...choices.flatMap(({ chain }) => chain)])
  const elementPath = `${path}.*`
  const write = (locale: string | null): Place =>
    writeNode(
      context,
      element,
      { cells: choices.flatMap((choice) => chooseLocale(choice, locale)), tables: [] },
      elementPath,
    )
  const members = [...named].map((name) => ({ name, node: write(name), isNoted: !locales.includes(name) }))
  const node = writeMembers(writer, layout.localizedNode, members)
  writer.setWord(node, layout.nodePath, context.paths.push(path) - 1)
  writer.link(node, layout.localizedOther, writeNode(context, element, nothingWanted, elementPath))
  if (isPlainText(element)) writer.link(node, layout.localizedPlain, write(null))
  for (const [index, { others }] of choices.entries()) {
    writer.setWord(ranks, index * layout.rankBytes + layout.rankOthers, Number(others))
  }
  writer.link(node, layout.localizedRanks, ranks)
  writer.setWord(node, layout.localizedRankCount, choices.length)
  return node
}

interface LocaleChoice {
  readonly cell: TreeCell
  readonly chain: readonly string[]
  readonly others: boolean
  /** Where the best rank so far is kept. */
  readonly kept: Place
  /** Only one locale will do, also as empty text: it has no rank. */
  readonly isOnly: boolean
}

function toLocaleChoice(cell: TreeCell, kept: Place): LocaleChoice {
  const [step, ...steps] = cell.steps
  if (step?.kind !== 'locale' || cell.rank !== null) throw new Unsupported('a path that does not name a locale once')
  const { locales: chain, others } = step
  return { cell: { ...cell, steps }, chain, others, kept, isOnly: chain.length === 1 && !others }
}

/** The cells that want the value of a locale; null for text without one, which suits every locale. */
function chooseLocale({ cell, chain, kept, isOnly }: LocaleChoice, locale: string | null): TreeCell[] {
  const rank = locale === null ? chain.length : chain.indexOf(locale)
  if (rank < 0) return []
  return [isOnly ? cell : { ...cell, rank: { kept, rank } }]
}

function writeList(context: TreeContext, field: ListField, wanted: Wanted, path: string): Place {
  const { writer } = context
  if (wanted.cells.some(({ rank }) => rank !== null)) throw new Unsupported('a list in a localized value')
  const position = writer.allocate(4)
  const special = Math.max(0, ...[...wanted.cells, ...wanted.tables].map(({ steps: [step] }) => toIndex(step) + 1))
  if (special > mostSpecial) throw new Unsupported('elements so far behind')
  const elements = writer.allocate(layout.elementBytes * (special + 1))
  for (let index = 0; index <= special; index++) {
    const element = enterElement(wanted, index < special ? index : null, position)
    writeElementEffects(writer, elements, index * layout.elementBytes, element.appended, element.begun)
    const node = context.isBareList
      ? writeLeaf(writer, layout.requiredTextNode, element.inside)
      : writeNode(context, field.element, element.inside, `${path}[]`)
    writer.link(elements, index * layout.elementBytes + layout.elementNode, node)
  }
  const node = writer.allocate(layout.nodeBytes)
  writer.setWord(node, layout.nodeKind, layout.listNode)
  writer.link(node, layout.listElements, elements)
  writer.setWord(node, layout.listSpecial, special)
  writer.setWord(node, layout.listOrOne, Number(field.orOne === true))
  if (wanted.tables.length > 0) writer.link(node, layout.listPosition, position)
  writeOpens(writer, node, wanted)
  return node
}

const mostSpecial = 64

/** What is wanted of an element: tables whose path is at its end begin a row, list cells that are get a cell. */
interface ElementWanted {
  readonly appended: readonly Appended[]
  readonly begun: readonly TreeTable[]
  readonly inside: Wanted
}

function enterElement({ cells, tables }: Wanted, index: number | null, position: Place): ElementWanted {
  const isHere = ({ steps: [step] }: { readonly steps: readonly Step[] }): boolean =>
    step?.kind === 'all' || (step?.kind === 'index' && step.index === index)
  if (cells.some(({ steps: [step] }) => step?.kind !== 'all' && step?.kind !== 'index')) {
    throw new Unsupported('a path that ends at a list, or chooses of it')
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

function enterField({ cells, tables }: Wanted, name: string): Wanted {
  const enter = <Goal extends { readonly steps: readonly Step[] }>(goals: readonly Goal[]): Goal[] =>
    goals.flatMap((goal) => {
      const [step, ...steps] = goal.steps
      if (step?.kind !== 'field') throw new Unsupported('a path that ends at an object')
      return step.name === name ? [{ ...goal, steps }] : []
    })
  return { cells: enter(cells), tables: enter(tables) }
}

function toIndex(step: Step | undefined): number {
  return step?.kind === 'index' ? step.index : -1
}
