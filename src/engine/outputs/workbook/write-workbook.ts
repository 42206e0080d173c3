import { createSheetEncoder } from '../../../formats/xlsx/sheet-encoder.ts'
import type { FilePlan } from '../../../plan/outputs/file-plan.ts'
import type { Column, EncodeRows, Row } from '../../../records/flatten/column.ts'
import { renameFile } from '../../../storage/file-system.ts'
import { createLocalStorage } from '../../../storage/local-storage.ts'
import { outputOperation } from '../../../storage/output-operation.ts'
import { StagedSet } from '../../../storage/staged-set.ts'
import { clearStale, holdToken } from '../../frame.ts'
import type { OutputFile } from '../output-file.ts'
import { WorkbookFile } from './workbook-file.ts'

export interface SheetPlan {
  readonly name: string
  readonly columns: readonly Column[]
}

interface OpenSheet {
  readonly file: OutputFile
  readonly encode: EncodeRows
  batch: Row[]
}

/** A workbook that is no output of a pipeline: a file on this machine, which appears under its name when finished. */
export class Workbook {
  readonly #path: string
  readonly #set: StagedSet
  readonly #sheets: readonly OpenSheet[]
  readonly #release: () => void

  private constructor(path: string, set: StagedSet, sheets: readonly OpenSheet[], release: () => void) {
    this.#path = path
    this.#set = set
    this.#sheets = sheets
    this.#release = release
  }

  static async open(path: string, plans: readonly SheetPlan[]): Promise<Workbook> {
    const sheetsPaths = plans.map((_, at) => `${path}.sheets-${at}`)
    await clearStale([path, ...sheetsPaths])
    const { token, release } = holdToken()
    const set = new StagedSet({ storage: createLocalStorage(), token })
    try {
      const workbook = await WorkbookFile.open(path, set)
      const sheets: OpenSheet[] = []
      for (const [at, { name, columns }] of plans.entries()) {
        const table = { name, columns: columns.map((column) => ({ ...column, from: '', source: nothing })) }
        const file = await workbook.addTable(toFilePlan(path), table, { path: sheetsPaths[at] ?? path, token })
        sheets.push({ file, encode: createSheetEncoder(columns), batch: [] })
      }
      return new Workbook(path, set, sheets, release)
    } catch (thrown) {
      release()
      await set.discard()
      throw thrown
    }
  }

  /** Writes a workbook, which appears when `fill` has ended, or not at all. */
  static async write(
    path: string,
    plans: readonly SheetPlan[],
    fill: (workbook: Workbook) => Promise<void>,
  ): Promise<void> {
    const workbook = await Workbook.open(path, plans)
    try {
      await fill(workbook)
      await workbook.finish()
    } catch (thrown) {
      await workbook.discard()
      throw thrown
    }
  }

  /** Adds a row to a sheet. Returns a promise if the caller has to wait before adding more. */
  add(sheet: number, row: Row): Promise<void> | undefined {
    const open = this.#sheets[sheet] as OpenSheet
    open.batch.push(row)
    return open.batch.length < batchRows ? undefined : flush(open)
  }

  async finish(): Promise<void> {
    for (const sheet of this.#sheets) await flush(sheet)
    // The first sheet to finish finishes all of them.
    for (const { file } of this.#sheets) await file.finish('')
    const [first] = this.#sheets
    if (first !== undefined)
      await outputOperation(this.#path, 'put in place', () => renameFile(first.file.staged.path, this.#path))
    await this.discard()
  }

  async discard(): Promise<void> {
    this.#release()
    await this.#set.discard()
  }
}

const batchRows = 256
const nothing = { kind: 'nothing' } as const

async function flush(sheet: OpenSheet): Promise<void> {
  const piece = sheet.encode(sheet.batch)
  sheet.batch = []
  await sheet.file.write(piece)
}

function toFilePlan(path: string): FilePlan {
  return {
    table: 0,
    path,
    format: { format: 'xlsx' },
    gzip: false,
    mode: 'snapshot',
    removed: 'drop',
    partitionBy: [],
    rowsPerFile: null,
    bytesPerFile: null,
  }
}
