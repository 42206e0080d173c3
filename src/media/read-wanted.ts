import type { RecordsPlan } from '../plan/records/records-plan.ts'
import type { MediaPlan } from '../plan/media/media-plan.ts'
import { compileChoice, type ListedRow, type WantedFile } from './choose-files.ts'
import { readLinesOf } from './read-lines.ts'

/** The files that a list of rows asks for, in its order. The rows of one record are in memory at a time. */
export async function* readWanted(
  path: string,
  media: MediaPlan,
  { locales }: Pick<RecordsPlan, 'locales'>,
): AsyncGenerator<WantedFile> {
  const choose = compileChoice(media, locales)
  let rows: ListedRow[] = []
  for await (const { text } of readLinesOf(path)) {
    const row = JSON.parse(text) as ListedRow
    const isSame = media.from !== '$' && rows[0]?.[media.recordColumn] === row[media.recordColumn]
    if (!isSame && rows.length > 0) {
      yield* choose(rows)
      rows = []
    }
    rows.push(row)
  }
  if (rows.length > 0) yield* choose(rows)
}
