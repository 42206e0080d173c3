import type { Contract } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import { findLineBreak } from '../../records/raw-line.ts'
import type { ComparedFields } from './choose-fields.ts'
import { compileComparison, type RecordComparison, wholeRecord } from './compare-records.ts'
import type { LinesSide, TableDiff } from './diff-report.ts'
import type { DifferenceFile } from './difference-file.ts'
import { compileGroups } from './difference-group.ts'
import { FieldCounts } from './field-counts.ts'
import type { LineStore } from './line-store.ts'
import { compilePrints, type LinePrints } from './print-lines.ts'
import { type OpenSide, readAgain, readIds } from './read-side.ts'
import { fates, RecordIndex } from './record-index.ts'
import type { WithValues } from './with-values.ts'

export interface Comparing {
  readonly contract: Contract
  readonly fields: ComparedFields
  readonly store: LineStore
  readonly file: DifferenceFile | null
  readonly withValues: WithValues
}

export interface ComparedSides {
  readonly old: LinesSide
  readonly new: LinesSide
  readonly table: TableDiff
}

/**
 * Compares two sides by reading the old one for prints, then the new one, storing the lines whose prints differ, and
 * then those lines of the old side again. Only ids and prints are in memory. Differences come in the order of the old
 * lines, followed by new records in their order.
 */
export async function compareSides(old: OpenSide, next: OpenSide, comparing: Comparing): Promise<ComparedSides> {
  const { contract, fields, file } = comparing
  const print = compilePrints(fields.ignored)
  const index = new RecordIndex()
  const oldSide = await indexOld(old, print, index)
  const newSide = await indexNew(next, print, index, comparing)
  const comparison = compileComparison(contract, fields)
  const counts = new FieldCounts()
  const changed = await compareChanged(old, print, index, comparison, counts, comparing)
  if (file !== null) await addNewRecords(index, comparison, comparing)
  const table = {
    name: contract.plural,
    key: ['id'],
    new: index.count(fates.new),
    removed: index.count(fates.removed),
    changed,
    unchanged: index.count(fates.unchanged, fates.changed) - changed,
    fields: counts.list(),
  }
  return { old: oldSide, new: newSide, table }
}

type Print = (bytes: Buffer) => LinePrints

async function indexOld(side: OpenSide, print: Print, index: RecordIndex): Promise<LinesSide> {
  let repeated = 0
  const read = await readIds(side, print, ({ ids, firstLine }, prints) => {
    for (const { id, line } of ids) if (index.addOld(id, firstLine + line, prints, 2 * line)) repeated++
  })
  return { ...read, lines: { ...read.lines, repeated } }
}

async function indexNew(
  side: OpenSide,
  print: Print,
  index: RecordIndex,
  { store, file }: Comparing,
): Promise<LinesSide> {
  let repeated = 0
  const read = await readIds(side, print, ({ ids, own }, prints) => {
    const lines = new LineCursor(own)
    for (const { id, line } of ids) {
      const keep = (isNew: boolean) => (isNew && file === null ? 0 : store.add(lines.at(line)))
      if (index.addNew(id, prints, 2 * line, keep)) repeated++
    }
  })
  return { ...read, lines: { ...read.lines, repeated } }
}

class LineCursor {
  readonly #bytes: Buffer
  #line = 0
  #start = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  at(line: number): Buffer {
    for (; this.#line < line; this.#line++) this.#start = findLineBreak(this.#bytes, this.#start) + 1
    return this.#bytes.subarray(this.#start, findLineBreak(this.#bytes, this.#start))
  }
}

async function compareChanged(
  side: OpenSide,
  print: Print,
  index: RecordIndex,
  comparison: RecordComparison,
  counts: FieldCounts,
  comparing: Comparing,
): Promise<number> {
  const { contract, store, file } = comparing
  const groupOf = compileGroups(contract.fields)
  const readWith = compileReading(comparison, comparing)
  const numbers = index.listNumbers(fates.changed, ...(file === null ? [] : [fates.removed]))
  numbers.sort((a, b) => index.lineOf(a) - index.lineOf(b))
  if (numbers.length === 0) return 0
  let changed = 0
  const lines = Uint32Array.from(numbers, (number) => index.lineOf(number))
  let read = 0
  for await (const { at, line } of readAgain(side, lines)) {
    const number = numbers[at] as number
    if (!index.isPrint(number, print(line), 0)) throw changedMeanwhile(side)
    read += 1
    const isRemoved = index.fateOf(number) === fates.removed
    if (isRemoved) {
      const { id, text } = comparison.show(line)
      const difference = { id, field: wholeRecord, element: null, old: text, new: null }
      await file?.add({ difference, group: 'gone', with: readWith(line, null) })
      continue
    }
    const stored = store.read(index.storedOf(number))
    const differences = comparison.compare(line, stored)
    if (differences.length === 0) continue
    changed += 1
    counts.add(differences)
    if (file === null) continue
    const values = readWith(line, stored)
    for (const difference of differences) await file.add({ difference, group: groupOf(difference.field), with: values })
  }
  if (read < numbers.length) throw changedMeanwhile(side)
  return changed
}

async function addNewRecords(index: RecordIndex, comparison: RecordComparison, comparing: Comparing): Promise<void> {
  const { store, file } = comparing
  const readWith = compileReading(comparison, comparing)
  for (const number of index.listNumbers(fates.new)) {
    const line = store.read(index.storedOf(number))
    const { id, text } = comparison.show(line)
    const difference = { id, field: wholeRecord, element: null, old: null, new: text }
    await file?.add({ difference, group: 'new', with: readWith(null, line) })
  }
}

type ReadWith = (old: Buffer | null, next: Buffer | null) => readonly (string | null)[]

/** The values of `--with`: those that the new record lacks are the last known ones, as replaced products lose their codes. */
function compileReading(comparison: RecordComparison, { withValues }: Comparing): ReadWith {
  if (withValues.names.length === 0) return () => []
  const read = (line: Buffer | null) => (line === null ? [] : withValues.read(comparison.read(line)))
  return (old, next) => {
    const [before, after] = [read(old), read(next)]
    return withValues.names.map((_, at) => after[at] ?? before[at] ?? null)
  }
}

function changedMeanwhile({ side }: OpenSide): CatalogueError {
  return new CatalogueError('SOURCE_CHANGED', `${side.path}: expected the same lines in both readings, got others`)
}
