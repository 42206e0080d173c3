import { existsSync } from 'node:fs'
import { CatalogueError } from '../../../errors.ts'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../../formats/csv.ts'
import type { Row } from '../../../records/flatten/column.ts'
import type { RejectsFileLine } from '../../../records/reject.ts'
import type { RejectFilter } from '../../../sources/rejects/reject-groups.ts'
import { correctionColumns, toCorrectionRows } from '../../../sources/rejects/reject-rows.ts'

export interface WrittenCorrections {
  readonly rows: number
  /** Rejected lines without such a value: they are corrected in a copy of the rejects file. */
  readonly others: number
}

/**
 * Writes a table of rejected values, with an empty column for the right ones, to an Excel workbook or a CSV file, which
 * appears when it is whole. Throws USAGE for another kind of file, and for one that is there already, OUTPUT_FAILED.
 */
export async function writeCorrections(
  path: string,
  rejects: AsyncIterable<RejectsFileLine>,
  filter: RejectFilter,
): Promise<WrittenCorrections> {
  if (!/\.(?:xlsx|csv)$/i.test(path))
    throw new CatalogueError('USAGE', `--to ${path}: expected a file that ends in .xlsx or .csv`)
  if (existsSync(path)) {
    const message = `--to ${path}: expected no file yet, got one, in which somebody may have filled in values`
    throw new CatalogueError('USAGE', message, { fix: 'Name another file, or move this one away.' })
  }
  const written = { rows: 0, others: 0 }
  async function* readRows(): AsyncGenerator<Row> {
    for await (const reject of rejects) {
      const rows = toCorrectionRows(reject, filter)
      written.rows += rows.length
      if (rows.length === 0) written.others++
      yield* rows
    }
  }
  if (/\.xlsx$/i.test(path)) await writeWorkbook(path, readRows())
  else await writeCsv(path, readRows())
  return written
}

async function writeWorkbook(path: string, rows: AsyncIterable<Row>): Promise<void> {
  // Loaded on demand, as most calls write none.
  const { Workbook } = await import('../../../engine/outputs/workbook/write-workbook.ts')
  await Workbook.write(path, [{ name: 'corrections', columns: correctionColumns }], async (workbook) => {
    for await (const row of rows) await workbook.add(0, row)
  })
}

async function writeCsv(path: string, rows: AsyncIterable<Row>): Promise<void> {
  const { writeWholeFile } = await import('../../../engine/whole-file.ts')
  // Spreadsheets run what looks like a formula.
  const dialect = { ...defaultCsvDialect, escapeFormulas: true }
  const encode = createCsvEncoder(correctionColumns, dialect)
  await writeWholeFile(path, false, async (file) => {
    await file.write(Buffer.from(formatCsvHeader(correctionColumns, dialect)))
    for await (const row of rows) await file.write(Buffer.from(encode([row])))
  })
}
