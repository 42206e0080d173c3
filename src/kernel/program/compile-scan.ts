import type { Contract } from '../../contracts/contracts.ts'
import { resolveContract } from '../../contracts/extended/extend-contract.ts'
import type { ObjectField } from '../../contracts/fields.ts'
import { type GivenName, givenNames, type InterfaceVersion, readGiven } from '../../contracts/given-values.ts'
import type { DriftPolicy } from '../../records/validate/validate-record.ts'
import { hasOwnCode } from '../../records/own-code.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import { type WalkedCondition, writeWalkedConditions } from './condition-nodes.ts'
import { writeFilled } from './filled-nodes.ts'
import { writeElementEffects } from './list-nodes.ts'
import { writeMembers } from './member-nodes.ts'
import * as layout from './node-layout.ts'
import { ProgramWriter, type ProgramOffset, type ProgramImage } from './program-writer.ts'
import { writeLeaf } from './scalar-nodes.ts'
import { hashCell, idCell, indexCell, recordCells, toProjection, totalCell, type Projection } from './projection.ts'
import { toMember, writeNode, writeRecord } from './scan-tree.ts'
import { cellBytes, countHeaders, headerBytes, TableHeaders } from './table-memory.ts'
import { TreeCells } from './tree-cells.ts'
import { type NodeProjection, nothingProjected, type TreeContext, type TreeTable } from './tree-context.ts'
import { Unsupported } from './unsupported.ts'

/** A plan compiled for `openScan`, once for all threads. Plain data: it can be sent to a worker. */
export interface CompiledScan {
  readonly plan: RecordPlan
  readonly projection: Projection
  readonly tree: ProgramImage
  readonly scope: ProgramOffset
  readonly headers: ProgramOffset
  /** Cells of the source's values, in the order of `givenNames`, and the texts of those values. */
  readonly given: GivenOffsets
  /** Paths of drift notes, by number. */
  readonly paths: readonly string[]
  /** What the walk leaves out by itself; null if lines need more than it does, so that none is accepted by it. */
  readonly walked: readonly WalkedCondition<ProgramOffset>[] | null
}

export interface GivenOffsets {
  readonly cells: ProgramOffset
  readonly texts: Readonly<Record<InterfaceVersion, readonly GivenText[]>>
}

interface GivenText {
  readonly at: ProgramOffset
  readonly bytes: number
}

/** Null for a plan that the fast path does not support: `compileProcessing` runs all of it. */
export function compileScan(plan: RecordPlan): CompiledScan | null {
  const compiled = tryCompile(plan)
  return compiled instanceof Unsupported ? null : compiled
}

export function findUnsupported(plan: RecordPlan): string | null {
  const compiled = tryCompile(plan)
  return compiled instanceof Unsupported ? compiled.message : null
}

function tryCompile(plan: RecordPlan): CompiledScan | Unsupported {
  if (plan.tables.some(({ builtin }) => builtin)) return new Unsupported('tables that are computed over all records')
  if (hasOwnCode(plan)) return new Unsupported('code of the config, which is JavaScript')
  const contract = resolveContract(plan)
  // Only the id may be required: the walk checks no other field.
  const required = [...contract.fields].filter(([, field]) => field.kind === 'scalar' && field.required === true)
  if (required.some(([name]) => name !== 'id')) return new Unsupported('fields other than the id that every record has')
  try {
    return compileTree(contract, plan)
  } catch (error) {
    if (error instanceof Unsupported) return error
    throw error
  }
}

function compileTree({ record, fields }: Contract, plan: RecordPlan): CompiledScan {
  const root: ObjectField = { kind: 'object', record, fields, description: '', notes: {} }
  const projection = toProjection(plan, root)
  const layouts = projection.tables.map((table) => table.layout)
  const writer = new ProgramWriter()
  const headers = writer.allocate(countHeaders(layouts, projection.hiddenLists) * headerBytes)
  const tables = new TableHeaders(headers, layouts, projection.hiddenLists)
  const paths: string[] = []
  const unknownFields = unknownKinds[plan.drift.unknownFields]
  const { content } = projection
  const context: TreeContext = { writer, locales: plan.locales, unknownFields, content, paths, writeNode }
  const given = writeGiven(writer)
  const scope = writeScope(context, plan, root, projection, tables, given)
  const walked = writeWalkedConditions(writer, scope, plan, projection, tables)
  return { plan, projection, tree: writer.finish(), scope, headers, given, paths, walked }
}

const unknownKinds: Readonly<Record<DriftPolicy['unknownFields'], number>> = {
  report: layout.unknownNoted,
  ignore: layout.unknownIgnored,
  reject: layout.unknownRefused,
}

function writeScope(
  context: TreeContext,
  plan: RecordPlan,
  root: ObjectField,
  projection: Projection,
  tables: TableHeaders<ProgramOffset>,
  given: GivenOffsets,
): ProgramOffset {
  const { writer } = context
  const cellCount = recordCells + projection.recordConditionCells.length
  const scope = writer.allocate(layout.scopeCells + cellBytes * cellCount)
  const slots = writer.allocate(4 * (1 + tables.headerCount))
  // The record's own cells are a row that never moves.
  const recordSlot = slots
  writer.link(recordSlot, 0, (scope + layout.scopeCells) as ProgramOffset)
  const slotOf = (header: number): ProgramOffset => (slots + 4 * (1 + header)) as ProgramOffset
  const cells = new TreeCells(writer, tables, slotOf)
  const treeTables = projection.tables.map((table, number) => cells.toTable(table, number))
  const roots = treeTables.filter(isRoot)
  const recordProjection = toRecordProjection(projection, cells, treeTables, recordSlot)
  const { enveloped, bare } = writeRecord(context, root, recordProjection)
  const rootElement = writer.allocate(layout.elementBytes)
  writeElementEffects(writer, rootElement, 0, [], roots)
  writer.link(scope, layout.scopeEnvelope, writeEnvelope(writer, enveloped, recordSlot))
  writer.link(scope, layout.scopeBare, bare)
  writer.link(scope, layout.scopeRecord, enveloped)
  writer.setWord(scope, layout.scopeHashesContent, Number(projection.content !== null))
  writer.link(scope, layout.scopeVersion, toGivenCell(given, 'interfaceVersion'))
  writer.link(scope, layout.scopeRoot, rootElement)
  writer.link(scope, layout.scopeHeaders, tables.headers)
  writer.setWord(scope, layout.scopeHeaderCount, tables.headerCount)
  writer.setWord(scope, layout.scopeCellCount, cellCount)
  writer.setWord(scope, layout.scopeMaxLineBytes, plan.maxLineBytes)
  writer.setWord(scope, layout.scopeKeepsJson, Number(projection.keepsJson))
  writer.link(scope, layout.scopeNotes, writer.allocate(layout.noteBytes * layout.mostNotes))
  writer.setWord(scope, layout.scopeRefusesValues, Number(plan.drift.unknownValues === 'reject'))
  writer.link(scope, layout.scopeSeries, writer.allocate(layout.seriesBytes * layout.mostSeries))
  writer.link(scope, layout.scopeKnown, writer.allocate(layout.knownBytes * layout.mostKnown))
  const marks = writer.allocate(4 * tables.headerCount)
  writer.link(scope, layout.scopeMarks, marks)
  writeCopies(writer, scope, marks, listCopies(projection, scope, given), tables)
  writer.link(scope, layout.scopeNumbers, writeNumbers(writer))
  writeFilled(writer, scope, marks, projection, tables)
  return scope
}

/** The projection of a record: its id, the cells of its conditions, and the rows of root and child tables. */
function toRecordProjection(
  { recordConditionCells }: Projection,
  cells: TreeCells,
  treeTables: readonly TreeTable[],
  recordSlot: ProgramOffset,
): NodeProjection {
  const id = { steps: [{ kind: 'field', name: 'id' } as const], cell: idCell, list: null, choice: null }
  const own = [id, ...recordConditionCells].flatMap((cell) => cells.toCells(cell, recordSlot))
  return {
    cells: [...own, ...treeTables.filter(isRoot).flatMap((table) => table.cells)],
    tables: treeTables.filter((table) => !isRoot(table)),
  }
}

function isRoot({ steps }: TreeTable): boolean {
  return steps.length === 0
}

/** Writes `{"meta": {"total", "index"}, "result": …}`. A line with other keys falls back to the reference path. */
function writeEnvelope(writer: ProgramWriter, record: ProgramOffset, recordSlot: ProgramOffset): ProgramOffset {
  const writeCount = (cell: number): ProgramOffset => {
    const target = {
      steps: [],
      slot: recordSlot,
      offset: cell * cellBytes,
      list: null,
      choice: null,
      pick: null,
      rank: null,
    }
    return writeLeaf(writer, layout.integerNode, { ...nothingProjected, cells: [target] })
  }
  const writeClosed = (...members: Parameters<typeof toMember>[]): ProgramOffset => {
    const node = writeMembers(
      writer,
      layout.objectNode,
      members.map(([name, member]) => toMember(name, member)),
    )
    writer.setWord(node, layout.objectUnknown, layout.unknownRefused)
    return node
  }
  const meta = writeClosed(['total', writeCount(totalCell)], ['index', writeCount(indexCell)])
  return writeClosed(['meta', meta], ['result', record])
}

interface Copy {
  readonly table: number
  readonly cell: number
  readonly from: ProgramOffset
}

/** Cells that are the same in all rows of a line: the record's id, and values of the source. */
function listCopies(projection: Projection, scope: ProgramOffset, given: GivenOffsets): Copy[] {
  const ofRecord = (cell: number) => (scope + layout.scopeCells + cell * cellBytes) as ProgramOffset
  return projection.tables.flatMap(({ keyCells, hashCells, givenCells }, table) => [
    ...keyCells.map((cell) => ({ table, cell, from: ofRecord(idCell) })),
    ...hashCells.map((cell) => ({ table, cell, from: ofRecord(hashCell) })),
    ...givenCells.map(({ cell, name }) => ({ table, cell, from: toGivenCell(given, name) })),
  ])
}

function toGivenCell({ cells }: GivenOffsets, name: GivenName): ProgramOffset {
  return (cells + givenNames.indexOf(name) * cellBytes) as ProgramOffset
}

function writeCopies(
  writer: ProgramWriter,
  scope: ProgramOffset,
  marks: ProgramOffset,
  copies: readonly Copy[],
  tables: TableHeaders<ProgramOffset>,
): void {
  const start = writer.allocate(layout.copyBytes * copies.length)
  for (const [index, { table, cell, from }] of copies.entries()) {
    const at = index * layout.copyBytes
    writer.link(start, at + layout.copyTable, tables.tableHeader(table))
    writer.link(start, at + layout.copyMark, (marks + 4 * (1 + table)) as ProgramOffset)
    writer.setWord(start, at + layout.copyOffset, cell * cellBytes)
    writer.link(start, at + layout.copyFrom, from)
  }
  writer.link(scope, layout.scopeCopies, start)
  writer.setWord(scope, layout.scopeCopyCount, copies.length)
}

function writeGiven(writer: ProgramWriter): GivenOffsets {
  const write = (name: GivenName, version: InterfaceVersion): GivenText => {
    const bytes = Buffer.from(readGiven(name, version) ?? '')
    const at = writer.allocate(bytes.length)
    writer.setBytes(at, bytes)
    return { at, bytes: bytes.length }
  }
  const texts = (version: InterfaceVersion) => givenNames.map((name) => write(name, version))
  return { cells: writer.allocate(cellBytes * givenNames.length), texts: { v3: texts('v3'), v4: texts('v4') } }
}

function writeNumbers(writer: ProgramWriter): ProgramOffset {
  const start = writer.allocate(8 * layout.numberCount)
  for (let number = 0; number < layout.numberCount; number++) {
    writer.setBytes((start + 8 * number) as ProgramOffset, Buffer.from(String(number)))
  }
  return start
}
