import type { Column } from '../../records/flatten/column.ts'
import type { FieldMetadata } from '../../formats/parquet/arrow-schema.ts'
import type { FieldIds } from '../../formats/parquet/parquet-type.ts'
import {
  openFormatWriter,
  type FileFormat,
  type FormatWriter,
  type FormatWriterOptions,
} from '../../formats/file-format.ts'
import type { StagedFile } from '../../storage/staged-file.ts'
import type { StagedSet } from '../../storage/staged-set.ts'
import { createSliceEncoder, type ColumnBatch } from './column-batch.ts'
import type { SliceOf } from './merge-batches.ts'
import { formatPartNumber, formatPartPath, type PartPlace } from './part-paths.ts'
import type { StateFile } from '../merge-result.ts'

type MeasuredRowGroup = Parameters<NonNullable<FormatWriterOptions['onRowGroup']>>[0]

export interface WriterTarget {
  readonly path: string
  readonly format: FileFormat
  readonly gzip: boolean
  readonly columns: readonly Column[]
  readonly fields?: FieldMetadata | undefined
  /** By column, for table formats that know columns by ids. Default: none. */
  readonly fieldIds?: readonly FieldIds[] | undefined
  readonly rowsPerFile: number | null
  readonly bytesPerFile: number | null
  /** Folders above the partitions and the suffix of names, as an appending run has them. */
  readonly place: PartPlace
  /** Gets each row group with the path of its file, for statistics. Default: not called. */
  readonly onRowGroup?: ((path: string, group: MeasuredRowGroup) => void) | undefined
  /** Decides what is written if there is no row. */
  readonly empty: 'a file' | 'nothing'
}

export interface WriterOptions {
  readonly set: StagedSet
  readonly runId: string
  readonly metadata: Readonly<Record<string, string>>
}

/** Writes the ordered rows of an output: one partition after the other, never more than one file at a time. */
export class OutputWriter {
  readonly #target: WriterTarget
  readonly #options: WriterOptions
  readonly #encode: ReturnType<typeof createSliceEncoder>
  readonly #batchRows: number
  readonly #files: StateFile[] = []
  #folders: readonly string[] = []
  #number = 0
  #open: { readonly staged: StagedFile; readonly writer: FormatWriter; rows: number } | null = null
  #slices: SliceOf<ColumnBatch>[] = []
  #sliceRows = 0

  constructor(target: WriterTarget, options: WriterOptions) {
    this.#target = target
    this.#options = options
    this.#encode = createSliceEncoder(target.format, target.columns)
    this.#batchRows = chooseBatchRows(target)
  }

  /** Takes rows of one partition, which is given by its folders. All rows of a partition have to be adjacent. */
  async write({ batch, from, to }: SliceOf<ColumnBatch>, folders: readonly string[]): Promise<void> {
    if (folders.join('/') !== this.#folders.join('/')) {
      await this.#endFile()
      this.#folders = folders
      this.#number = 0
    }
    for (let start = from; start < to;) {
      const end = Math.min(to, start + this.#room() - this.#sliceRows)
      this.#slices.push({ batch, from: start, to: end })
      this.#sliceRows += end - start
      if (this.#sliceRows >= this.#room()) await this.#writePiece()
      start = end
    }
  }

  async finish(): Promise<readonly StateFile[]> {
    await this.#endFile()
    if (this.#files.length === 0 && this.#target.empty === 'a file') {
      await this.#openNext()
      await this.#endFile()
    }
    return this.#files
  }

  #room(): number {
    const { rowsPerFile } = this.#target
    return rowsPerFile === null ? this.#batchRows : Math.min(this.#batchRows, rowsPerFile - (this.#open?.rows ?? 0))
  }

  async #writePiece(): Promise<void> {
    const rows = this.#sliceRows
    if (rows === 0) return
    const piece = this.#encode(this.#slices)
    this.#slices = []
    this.#sliceRows = 0
    if (this.#open !== null && this.#open.rows > 0 && !this.#open.writer.hasRoom(piece)) await this.#closeFile()
    const open = this.#open ?? (await this.#openNext())
    await open.writer.write(piece)
    open.rows += rows
    if (open.rows === this.#target.rowsPerFile) await this.#closeFile()
  }

  async #openNext() {
    const { path, gzip, rowsPerFile, bytesPerFile, place } = this.#target
    this.#number += 1
    const isNumbered = rowsPerFile !== null || bytesPerFile !== null
    const destination = formatPartPath(path, {
      folders: [...place.folders, ...this.#folders],
      suffix: place.suffix + (isNumbered ? formatPartNumber(this.#number) : ''),
    })
    const staged = await this.#options.set.open(destination, { gzip, perRun: true })
    const { columns, format, fields, fieldIds, onRowGroup } = this.#target
    const { metadata } = this.#options
    const writer = await openFormatWriter(staged, format, {
      columns,
      bytesPerFile,
      metadata,
      fields,
      fieldIds,
      onRowGroup: onRowGroup && ((group) => onRowGroup(staged.destination, group)),
    })
    return (this.#open = { staged, writer, rows: 0 })
  }

  async #endFile(): Promise<void> {
    await this.#writePiece()
    await this.#closeFile()
  }

  async #closeFile(): Promise<void> {
    if (this.#open === null) return
    const { staged, writer, rows } = this.#open
    this.#open = null
    await writer.finish(this.#options.runId)
    const { bytes, sha256 } = await staged.finish()
    this.#files.push({ path: staged.destination, rows, bytes, sha256, staged })
  }
}

/** Files exceed their size by a batch at most, so the batches of small files are small. */
function chooseBatchRows({ bytesPerFile }: WriterTarget): number {
  return bytesPerFile === null ? mostBatchRows : Math.max(1, Math.min(mostBatchRows, Math.floor(bytesPerFile / 16_384)))
}

/** The engine's batch size. */
const mostBatchRows = 2048
