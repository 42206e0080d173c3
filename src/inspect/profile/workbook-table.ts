import { readFile } from 'node:fs/promises'
import { CatalogueError } from '../../errors.ts'
import { defaultCsvDialect } from '../../formats/csv.ts'
import type { FileReport } from '../../manifest/manifest.ts'
import { copyTextRows, type TextRow } from './text-rows.ts'

/**
 * Reads the sheets of a table in workbooks of a run, below their header, into a CSV file, and gives SQL that reads it.
 * Columns are those of the manifest, in their order. Throws SOURCE_FAILED.
 */
export async function copySheets(
  paths: readonly string[],
  files: readonly FileReport[],
  copy: string,
): Promise<string> {
  const [{ columns } = { columns: [] }] = files
  return copyTextRows(copy, columns, defaultCsvDialect.listSeparator, readRows(paths, files))
}

async function* readRows(paths: readonly string[], files: readonly FileReport[]): AsyncGenerator<TextRow> {
  const { readCells } = await import('../../sources/workbook/read-workbook.ts')
  const { WorkbookError } = await import('../../sources/workbook/zip-entries.ts')
  for (const [at, { path, sheets = [] }] of files.entries()) {
    const bytes = await readFile(paths[at] ?? path)
    for (const { name } of sheets) {
      try {
        for (const { cells } of readCells(bytes, name).rows.slice(1)) yield cells
      } catch (cause) {
        if (!(cause instanceof WorkbookError)) throw cause
        throw new CatalogueError('SOURCE_FAILED', `${path}: ${cause.message}`, {
          cause,
          fix: 'Add an output such as { format: parquet }, and run the pipeline again.',
        })
      }
    }
  }
}
