import { createReadStream } from 'node:fs'
import type { RequiredContext } from '../../../run-context.ts'
import { SheetWriter, type WrittenSheets } from '../../../formats/xlsx/sheet-writer.ts'
import { type StagedFile, openStagedFile } from '../../../storage/staged-file.ts'
import type { Column } from '../../../records/flatten/column.ts'
import { crc32 } from 'node:zlib'
import { BlockWriter } from '../../../storage/block-writer.ts'
import { GzipWriter } from '../../../storage/gzip-writer.ts'

export interface TableSheetsOptions extends RequiredContext<'token'> {
  /** Local path beside which compressed sheets are stored until the workbook is assembled. */
  readonly path: string
  readonly rowsPerSheet?: number | undefined
}

export interface FinishedSheets extends WrittenSheets {
  readonly parts: readonly DeflatedBytes[]
}

/** Sheets of one table of a workbook. Each table is compressed into its own file while it is written. */
export class TableSheets {
  readonly #staged: StagedFile
  readonly #writer: SheetWriter
  readonly #parts: DeflatedBytes[] = []
  #open: DeflatedPart | null = null

  private constructor(columns: readonly Column[], staged: StagedFile, rowsPerSheet: number | undefined) {
    this.#staged = staged
    this.#writer = new SheetWriter(columns, this.#target(), rowsPerSheet)
  }

  static async open(columns: readonly Column[], options: TableSheetsOptions): Promise<TableSheets> {
    return new TableSheets(columns, await openStagedFile(options.path, options), options.rowsPerSheet)
  }

  write(piece: Uint8Array): Promise<void> | undefined {
    return this.#writer.write(piece)
  }

  async finish(): Promise<FinishedSheets> {
    const written = await this.#writer.finish()
    await this.#staged.finish()
    return { ...written, parts: this.#parts }
  }

  /** The compressed bytes of a sheet, from the file that holds all sheets one after the other. */
  read(part: number): AsyncIterable<Uint8Array> {
    const start = this.#parts.slice(0, part).reduce((sum, { compressedBytes }) => sum + compressedBytes, 0)
    const end = start + (this.#parts[part]?.compressedBytes ?? 0) - 1
    return createReadStream(this.#staged.path, { start, end, highWaterMark: chunkBytes })
  }

  async discard(): Promise<void> {
    this.#open?.destroy()
    await this.#staged.discard()
  }

  #target() {
    return {
      begin: () => {
        this.#open = new DeflatedPart(this.#staged)
      },
      write: (bytes: Uint8Array) => this.#open?.write(bytes),
      end: async () => {
        if (this.#open !== null) this.#parts.push(await this.#open.end())
      },
    }
  }
}

const chunkBytes = 256 * 1024

interface DeflatedBytes {
  readonly crc: number
  readonly bytes: number
  readonly compressedBytes: number
}

/** Compresses one file of a zip while appending it to a staged file. */
class DeflatedPart {
  readonly #deflate: GzipWriter
  readonly #blocks: BlockWriter
  #crc = 0
  #bytes = 0
  #compressedBytes = 0

  constructor(staged: StagedFile) {
    this.#deflate = new GzipWriter(async (chunk) => {
      this.#compressedBytes += chunk.length
      await staged.write(chunk)
    }, 'deflate')
    this.#blocks = new BlockWriter((block) => this.#compress(block))
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return this.#blocks.write(bytes)
  }

  async end(): Promise<DeflatedBytes> {
    await this.#blocks.flush()
    await this.#deflate.end()
    return { crc: this.#crc, bytes: this.#bytes, compressedBytes: this.#compressedBytes }
  }

  destroy(): void {
    this.#deflate.destroy()
  }

  #compress(block: Uint8Array): Promise<void> {
    this.#crc = crc32(block, this.#crc)
    this.#bytes += block.length
    return this.#deflate.write(block)
  }
}
