import { labelsOf } from '../../../formats/file-format.ts'
import { nameSheets } from '../../../formats/xlsx/sheet-names.ts'
import { formatWorkbookParts, toSheetPath, type ListedSheet } from '../../../formats/xlsx/workbook-xml.ts'
import type { FilePlan } from '../../../plan/outputs/file-plan.ts'
import { discardAll } from '../../../storage/open-together.ts'
import type { StagedFile, WrittenFile } from '../../../storage/staged-file.ts'
import type { StagedSet } from '../../../storage/staged-set.ts'
import { toHeaderColumns } from '../../../records/flatten/column.ts'
import type { TablePlan } from '../../../records/flatten/table-plan.ts'
import type { OutputFile } from '../output-file.ts'
import { ZipWriter } from './zip-writer.ts'
import { TableSheets, type FinishedSheets, type TableSheetsOptions } from './table-sheets.ts'
import type { FileReport } from '../../../manifest/manifest.ts'

type SheetsReport = Pick<FileReport, 'sheets' | 'cutTexts'>

interface OpenTable {
  readonly table: Pick<TablePlan, 'name' | 'columns'>
  readonly sheets: TableSheets
}

/**
 * A workbook that is being written. A zip holds one file after the other, but tables are written in parallel. Each
 * table is therefore compressed into its own file, and all are assembled at the end.
 */
export class WorkbookFile {
  readonly #staged: StagedFile
  readonly #tables: OpenTable[] = []
  #finishing: Promise<FinishedWorkbook> | undefined
  #discarding: Promise<void> | undefined

  private constructor(staged: StagedFile) {
    this.#staged = staged
  }

  static async open(path: string, set: StagedSet): Promise<WorkbookFile> {
    return set.keep(new WorkbookFile(await set.open(path, { perRun: true })))
  }

  /** Adds a table as an output of its own. The first table to finish finishes all of them. */
  async addTable(plan: FilePlan, table: OpenTable['table'], options: TableSheetsOptions): Promise<OutputFile> {
    const header = toHeaderColumns(table.columns, labelsOf(plan.format))
    const sheets = await TableSheets.open(header, options)
    const at = this.#tables.push({ table, sheets }) - 1
    return {
      plan,
      staged: this.#staged,
      write: (piece) => sheets.write(piece),
      finish: async () => {
        const { written, reports } = await (this.#finishing ??= this.#finish())
        return { ...written, ...reports[at] }
      },
      discard: () => this.discard(),
    }
  }

  discard(): Promise<void> {
    return (this.#discarding ??= discardAll([...this.#tables.map(({ sheets }) => sheets), this.#staged]))
  }

  async #finish(): Promise<FinishedWorkbook> {
    const tables: FinishedTable[] = []
    for (const { table, sheets } of this.#tables) tables.push({ table, sheets, ...(await sheets.finish()) })
    const names = nameSheets(tables.map(({ table, rows }) => ({ name: table.name, sheets: rows.length })))
    await this.#assemble(tables, names)
    const written = await this.#staged.finish()
    return { written, reports: tables.map((table, at) => toSheetsReport(table, names[at] ?? [])) }
  }

  async #assemble(tables: readonly FinishedTable[], names: readonly string[][]): Promise<void> {
    const zip = new ZipWriter((bytes) => this.#staged.write(bytes))
    for (const [path, xml] of formatWorkbookParts(listSheets(tables, names))) await zip.add(path, Buffer.from(xml))
    let number = 0
    for (const { sheets, parts } of tables) {
      for (const [at, part] of parts.entries()) {
        number += 1
        await zip.addCompressed({ path: toSheetPath(number), ...part }, sheets.read(at))
      }
      await sheets.discard()
    }
    await zip.end()
  }
}

interface FinishedTable extends OpenTable, FinishedSheets {}

interface FinishedWorkbook {
  readonly written: WrittenFile
  readonly reports: readonly SheetsReport[]
}

function listSheets(tables: readonly FinishedTable[], names: readonly string[][]): ListedSheet[] {
  return tables.flatMap(({ table, rows }, at) =>
    rows.map((count, sheet) => ({ name: names[at]?.[sheet] ?? '', rows: count, columns: table.columns.length })),
  )
}

function toSheetsReport({ table, rows, cut }: FinishedTable, names: readonly string[]): SheetsReport {
  const sheets = rows.map((count, at) => ({ name: names[at] ?? '', rows: count }))
  const columns = [...cut].sort(([left], [right]) => left - right)
  const cutTexts = Object.fromEntries(columns.map(([column, count]) => [table.columns[column]?.name ?? '', count]))
  return { sheets, ...(cut.size > 0 && { cutTexts }) }
}
