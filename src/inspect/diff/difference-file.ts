import { createRowEncoder, type FileFormat, type FormatWriter, openFormatWriter } from '../../formats/file-format.ts'
import { readToolVersion } from '../../package-file.ts'
import { renameFile } from '../../storage/file-system.ts'
import { outputOperation } from '../../storage/output-operation.ts'
import { openStagedFile, type StagedFile } from '../../storage/staged-file.ts'
import { clearStale, holdToken } from '../../engine/frame.ts'
import type { Column, EncodeRows, Row } from '../../records/flatten/column.ts'
import { checkTarget } from '../check-target.ts'
import type { DifferenceGroup } from './difference-group.ts'
import { toFileFormat } from '../target-format.ts'
import type { Difference } from './diff-report.ts'
import { comparePrices } from './price-change.ts'

/** A difference, what it is about, and the values of `--with`. */
export interface FoundDifference {
  readonly difference: Difference
  readonly group: DifferenceGroup
  readonly with: readonly (string | null)[]
}

/** What is known once both sides are open. */
export interface DifferenceFacts {
  /** The names of the values that come with each difference. */
  readonly with: readonly string[]
  /** Most digits that a price has after the point. */
  readonly priceScale: number
}

export interface DifferenceFile {
  readonly path: string
  /** True for a workbook, which has the usual values beside each difference if nothing is asked for. */
  readonly isForPeople: boolean
  readonly rows: number
  /** Comes before everything but `discard`. */
  begin(facts: DifferenceFacts): Promise<void>
  /** Adds a difference. Returns a promise if the caller has to wait before adding more. */
  add(found: FoundDifference): Promise<void> | undefined
  finish(): Promise<void>
  discard(): Promise<void>
}

/** Opens a file that appears under its name when finished. Throws USAGE if it would replace a compared file. */
export async function openDifferenceFile(path: string, inputs: readonly string[]): Promise<DifferenceFile> {
  const { format, gzip } = toFileFormat(path)
  await checkTarget(path, inputs, comparedFiles)
  await clearStale([path])
  if (format.format !== 'xlsx') return new DifferenceTable(path, format, gzip)
  const { DifferenceWorkbook } = await import('./difference-workbook.ts')
  return new DifferenceWorkbook(path)
}

/** A row for each difference. Amount and percent of prices come with the values that people ask for. */
class DifferenceTable implements DifferenceFile {
  readonly path: string
  readonly isForPeople = false
  rows = 0
  readonly #format: FileFormat
  readonly #gzip: boolean
  #open: OpenTable | null = null
  #batch: Row[] = []

  constructor(path: string, format: FileFormat, gzip: boolean) {
    this.path = path
    this.#format = format
    this.#gzip = gzip
  }

  async begin({ with: names }: DifferenceFacts): Promise<void> {
    const prices = names.length === 0 ? [] : ['amount', 'percent']
    const columns = ['id', ...names, 'field', 'element', 'old', 'new', ...prices].map(toTextColumn)
    const { token, release } = holdToken()
    const staged = await openStagedFile(this.path, { token, gzip: this.#gzip })
    const options = { columns, metadata: {}, runIdKey: 'catalogue-etl.version' }
    const writer = await openFormatWriter(staged, this.#format, options)
    this.#open = { staged, release, writer, encode: createRowEncoder(this.#format, columns) }
  }

  add(found: FoundDifference): Promise<void> | undefined {
    const { id, field, element, old, new: next } = found.difference
    this.rows += 1
    this.#batch.push([id, ...found.with, field, element, old, next, ...toPriceCells(found)])
    return this.#batch.length < batchRows ? undefined : this.#writeBatch()
  }

  async finish(): Promise<void> {
    if (this.#batch.length > 0) await this.#writeBatch()
    const { staged, writer, release } = this.#open as OpenTable
    await writer.finish(readToolVersion().version)
    await staged.finish()
    await outputOperation(this.path, 'put in place', () => renameFile(staged.path, this.path))
    release()
  }

  async discard(): Promise<void> {
    if (this.#open === null) return
    this.#open.release()
    await this.#open.writer.abort()
    await this.#open.staged.discard()
  }

  async #writeBatch(): Promise<void> {
    const { encode, writer } = this.#open as OpenTable
    const piece = encode(this.#batch)
    this.#batch = []
    await writer.write(piece)
  }
}

interface OpenTable {
  readonly staged: StagedFile
  readonly writer: FormatWriter
  readonly encode: EncodeRows
  readonly release: () => void
}

function toTextColumn(name: string): Column {
  return { name, type: { kind: 'text' }, list: false }
}

function toPriceCells({ difference, group, with: values }: FoundDifference): (string | null)[] {
  if (values.length === 0) return []
  const change = group === 'prices' ? comparePrices(difference.old, difference.new) : null
  return [change?.amount ?? null, change?.percent ?? null]
}

const batchRows = 1024

export const comparedFiles = 'those that are compared'
