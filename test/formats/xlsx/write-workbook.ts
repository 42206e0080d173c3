import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { WorkbookFile } from '../../../src/engine/outputs/workbook/workbook-file.ts'
import { createSheetEncoder } from '../../../src/formats/xlsx/sheet-encoder.ts'
import type { FilePlan } from '../../../src/plan/outputs/file-plan.ts'
import { createLocalStorage } from '../../../src/storage/local-storage.ts'
import { StagedSet } from '../../../src/storage/staged-set.ts'
import type { Column, Row } from '../../../src/records/flatten/column.ts'

export interface WrittenTable {
  readonly name: string
  readonly columns: readonly Column[]
  /** Pieces of rows, as blocks bring them. */
  readonly pieces: Iterable<readonly Row[]>
}

/** Writes tables as a workbook, one after the other, and gives the reports of their sheets. */
export async function writeWorkbook(path: string, tables: readonly WrittenTable[], rowsPerSheet?: number) {
  const token = randomBytes(8).toString('hex')
  const set = new StagedSet({ storage: createLocalStorage(), token })
  const workbook = await WorkbookFile.open(path, set)
  const files = []
  for (const [at, { name, columns, pieces }] of tables.entries()) {
    const file = await workbook.addTable(
      plan,
      { name, columns: columns as never },
      { path: `${path}.sheets-${at}`, token, rowsPerSheet },
    )
    const encode = createSheetEncoder(columns)
    for (const rows of pieces) await file.write(encode(rows))
    files.push(file)
  }
  const reports = []
  for (const file of files) reports.push(await file.finish(''))
  const [first] = files
  if (first !== undefined) await rename(first.staged.path, path)
  await set.discard()
  return reports
}

const plan: FilePlan = {
  table: 0,
  path: '',
  format: { format: 'xlsx' },
  gzip: false,
  mode: 'snapshot',
  removed: 'drop',
  partitionBy: [],
  rowsPerFile: null,
  bytesPerFile: null,
}
