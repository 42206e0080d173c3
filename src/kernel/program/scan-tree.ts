import type { Field, ObjectField } from '../../contracts/fields.ts'
import { isContent } from '../../records/flatten/content-hash.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { writeList } from './list-nodes.ts'
import { writeLocalized } from './localized-nodes.ts'
import { writeMembers, type Member } from './member-nodes.ts'
import * as layout from './node-layout.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import { isPlainText, writeLeaf, writeTargets, writeScalar } from './scalar-nodes.ts'
import { Unsupported } from './unsupported.ts'
import { type NodeProjection, nothingProjected, splitProjection, type TreeContext } from './tree-context.ts'

export function writeNode(context: TreeContext, field: Field, projection: NodeProjection, path: string): ProgramOffset {
  switch (field.kind) {
    case 'scalar':
      return writeScalar(context.writer, field, projection, path, context.paths)
    case 'object':
      return writeObject(context, field, projection, path === '' ? '' : `${path}.`)
    case 'localized':
      return writeLocalized(context, field, projection, path)
    case 'list':
      return writeList(context, field, projection, path)
  }
}

/**
 * Writes the nodes of a record: in an envelope, and bare on its line. A bare record with a key that could make it an
 * envelope or an error line falls back to the reference path.
 */
export function writeRecord(
  context: TreeContext,
  record: ObjectField,
  projection: NodeProjection,
): { readonly enveloped: ProgramOffset; readonly bare: ProgramOffset } {
  const { writer } = context
  const { here, inside } = splitProjection(projection)
  const members = writeFields(context, record, inside, '')
  const ambiguous = ['result', 'error'].filter((name) => !record.fields.has(name))
  const write = (names: readonly string[]): ProgramOffset => {
    const node = writeObjectNode(context, [...members, ...refuse(writer, names)], '')
    writeTargets(writer, node, here)
    writer.setWord(node, layout.objectIsDelivered, 1)
    return node
  }
  return { enveloped: write([]), bare: write(ambiguous) }
}

function refuse(writer: ProgramWriter, names: readonly string[]): Member[] {
  return names.map((name) => toMember(name, writeLeaf(writer, layout.refusedNode, nothingProjected)))
}

function writeObject(
  { refused = [], ...context }: TreeContext,
  field: ObjectField,
  projection: NodeProjection,
  prefix: string,
): ProgramOffset {
  const { writer } = context
  const { here, inside } = splitProjection(projection)
  const members = [...writeFields(context, field, inside, prefix), ...refuse(writer, refused)]
  const node = writeObjectNode(context, members, prefix)
  writeTargets(writer, node, here)
  const bare = members.findIndex(({ name }) => name === field.bareKey)
  if (bare >= 0) {
    writer.link(node, layout.objectBare, members[bare]?.node ?? node)
    writer.setWord(node, layout.objectBareNumber, bare)
  }
  const bareText = members.findIndex(({ name }) => name === field.bareTextKey)
  if (bareText >= 0) {
    writer.link(node, layout.objectBareText, members[bareText]?.node ?? node)
    writer.setWord(node, layout.objectBareTextNumber, bareText)
  }
  const bareList = members.findIndex(({ name }) => name === field.bareListKey)
  if (bareList >= 0) writeBareList(context, field, node, bareList, inside, prefix)
  return node
}

function writeBareList(
  context: TreeContext,
  { fields, bareListKey = '' }: ObjectField,
  node: ProgramOffset,
  number: number,
  projection: NodeProjection,
  prefix: string,
): void {
  const { writer } = context
  const list = fields.get(bareListKey)
  if (list?.kind !== 'list' || !isPlainText(list.element)) return
  const texts = enterFields(projection)(bareListKey)
  writer.link(node, layout.objectBareList, writeList({ ...context, isBareList: true }, list, texts, prefix))
  writer.setWord(node, layout.objectBareListNumber, number)
}

function writeFields(
  context: TreeContext,
  { fields }: ObjectField,
  projection: NodeProjection,
  prefix: string,
): Member[] {
  const enter = enterFields(projection)
  const content = listContent(context, fields, prefix)
  return [...fields].map(([name, field]) => {
    const node = writeNode(context, field, enter(name), `${prefix}${name}`)
    return { ...toMember(name, node), rank: content.indexOf(name) + 1 }
  })
}

/** The members that are content, in the order of their names. */
function listContent({ content }: TreeContext, fields: ObjectField['fields'], prefix: string): string[] {
  if (content === null) return []
  return [...fields.keys()].filter((name) => isContent(fields.get(name)!, prefix + name, content.without)).toSorted()
}

export function toMember(name: string, node: ProgramOffset): Member {
  return { name, node, isNoted: false, rank: 0 }
}

function writeObjectNode(
  { writer, unknownFields, paths }: TreeContext,
  members: readonly Member[],
  prefix: string,
): ProgramOffset {
  const node = writeMembers(writer, layout.objectNode, members)
  writer.setWord(node, layout.objectUnknown, unknownFields)
  writer.setWord(node, layout.nodePath, paths.push(prefix) - 1)
  return node
}

function enterFields({ cells, tables }: NodeProjection): (name: string) => NodeProjection {
  const cellsOf = groupByField(cells)
  const tablesOf = groupByField(tables)
  return (name) => ({ cells: cellsOf.get(name) ?? [], tables: tablesOf.get(name) ?? [] })
}

function groupByField<Item extends { readonly steps: readonly Step[] }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const [step, ...steps] = item.steps
    if (step?.kind !== 'field') throw new Unsupported('a path that ends at an object')
    addTo(groups, step.name, { ...item, steps })
    if (step.orName !== undefined) addTo(groups, step.orName, { ...item, steps, onlyNull: true })
  }
  return groups
}

function addTo<Item>(groups: Map<string, Item[]>, name: string, item: Item): void {
  const group = groups.get(name)
  if (group === undefined) groups.set(name, [item])
  else group.push(item)
}
