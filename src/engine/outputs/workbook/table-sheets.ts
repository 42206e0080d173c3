import { createReadStream } from 'node:fs'
import type { RequiredContext } from '../../../run-context.ts'
import { SheetWriter, type WrittenSheets } from '../../../formats/xlsx/sheet-writer.ts'
import { openStagedFile, type StagedFile } from '../../../storage/staged-file.ts'
import type { Column } from '../../../records/flatten/column.ts'
import { DeflatedPart, type DeflatedBytes } from './deflated-part.ts'

export interface TableSheetsOptions extends RequiredContext<'token'> {
  /** The compressed sheets are beside this path on this machine until the workbook is put together. */
  readonly path: string
  readonly rowsPerSheet?: number | undefined
}

export interface FinishedSheets extends WrittenSheets {
  /** The sheets, in the order of their rows. */
  readonly parts: readonly DeflatedBytes[]
}

/** The sheets of one table on their way into a workbook: compressed while they are written, each table in a file of its own. */
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

  /** The compressed bytes of a sheet: they lie one behind the other. */
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
