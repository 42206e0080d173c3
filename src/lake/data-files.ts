import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatMixedFiles, quoteText } from '../loads/files/sql-text.ts'
import type { DataFile, LakeSession } from './lake-format.ts'

/** The rows of data files that are not deleted, as SQL that may follow FROM; with `file_index` and `file_row_number`. */
export async function selectFiles(session: LakeSession, folder: string, files: readonly DataFile[]): Promise<string> {
  const paths: string[] = []
  const deleted: string[] = []
  for (const [index, file] of files.entries()) {
    paths.push(await session.toLocal(session.format.locate(folder, file)))
    if (file.deleted === 0) continue
    for (const row of await session.format.readDeleted(session, folder, file)) deleted.push(`${index},${row}\n`)
  }
  const from = formatMixedFiles(paths)
  if (deleted.length === 0) return from
  const list = join(session.folder, `deleted-${randomUUID()}.csv`)
  await writeFile(list, deleted.join(''))
  return `(SELECT f.*, f.file_index, f.file_row_number FROM ${from} f
    ANTI JOIN read_csv(${quoteText(list)}, header = false, columns = {'at': 'BIGINT', 'row': 'BIGINT'}) d
    ON d."at" = f.file_index AND d."row" = f.file_row_number)`
}
