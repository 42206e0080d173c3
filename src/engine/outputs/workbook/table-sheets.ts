import { createReadStream } from 'node:fs'
import type { RequiredContext } from '../../../run-context.ts'
import { SheetWriter, type WrittenSheets } from '../../../formats/xlsx/sheet-writer.ts'
import { openStagedFile, type StagedFile } from '../../../storage/staged-file.ts'
import type { Column } from '../../../records/flatten/column.ts'
import { DeflatedPart, type DeflatedBytes } from './deflated-part.ts'

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
