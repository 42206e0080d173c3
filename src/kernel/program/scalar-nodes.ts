import type { Field, ScalarField } from '../../contracts/fields.ts'
import { writeName } from './member-nodes.ts'
import * as layout from './node-layout.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import { Unsupported } from './unsupported.ts'
import type { TreeCell, NodeProjection } from './tree-context.ts'

/** Writes the node of a scalar and adds its path to `paths` if drift notes may name it. */
export function writeScalar(
  writer: ProgramWriter,
  field: ScalarField,
  projection: NodeProjection,
  path: string,
  paths: string[],
): ProgramOffset {
  const node = writeLeaf(writer, toScalarKind(field), projection)
  if (field.values !== undefined) {
    const values = writer.allocate(layout.nameBytes * field.values.length)
    for (const [index, value] of field.values.entries()) writeName(writer, values, index * layout.nameBytes, value)
    writer.setWord(node, layout.nodePath, paths.push(path) - 1)
    writer.link(node, layout.choiceValues, values)
    writer.setWord(node, layout.choiceValueCount, field.values.length)
  } else if (field.code === true) {
    writer.setWord(node, layout.nodePath, paths.push(path) - 1)
    writer.setWord(node, layout.codeLength, field.length ?? 0)
    writer.setWord(node, layout.codeMayBeList, Number(field.required !== true))
  }
  return node
}

function toScalarKind(field: ScalarField): number {
  if (field.values !== undefined) return layout.choiceNode
  if (field.code === true && field.type === 'text') return layout.codeNode
  switch (field.type) {
    case 'text':
      if (field.labelled === true) return layout.labelledNode
      return field.loose === true ? layout.looseNode : layout.textNode
    case 'integer':
      return layout.integerNode
    case 'float':
      return layout.floatNode
    case 'boolean':
      return layout.booleanNode
    case 'timestamp':
      return layout.timestampNode
    case 'json':
      // A value of any form falls back to the reference path.
      return layout.refusedNode
  }
}

export function writeLeaf(writer: ProgramWriter, kind: number, { cells, tables }: NodeProjection): ProgramOffset {
  const node = writer.allocate(layout.nodeBytes)
  writer.setWord(node, layout.nodeKind, kind)
  if (tables.length > 0) throw new Unsupported('rows of a scalar')
  writeTargets(writer, node, cells)
  return node
}

export function writeTargets(writer: ProgramWriter, node: ProgramOffset, cells: readonly TreeCell[]): void {
  const targets = writer.allocate(layout.targetBytes * cells.length)
  for (const [index, { steps, slot, offset, list, rank, onlyNull = false }] of cells.entries()) {
    if (steps.length > 0 || list !== null) throw new Unsupported('a path that ends beyond a scalar')
    const at = index * layout.targetBytes
    writer.link(targets, at + layout.targetSlot, slot)
    writer.setWord(targets, at + layout.targetOffset, offset)
    if (onlyNull) writer.setWord(targets, at + layout.targetRankKept, layout.onlyNull)
    if (rank === null) continue
    if (onlyNull) throw new Unsupported('a localized value in the place of another')
    writer.link(targets, at + layout.targetRankKept, rank.kept)
    writer.setWord(targets, at + layout.targetRank, rank.rank)
  }
  writer.link(node, layout.nodeTargets, targets)
  writer.setWord(node, layout.nodeTargetCount, cells.length)
}

/** True for text, which a localized value may be in place of an object. */
export function isPlainText(field: Field): boolean {
  return field.kind === 'scalar' && toScalarKind(field) === layout.textNode
}
