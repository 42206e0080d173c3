import { typeOf } from '../../types/column-types.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { closest, listChoices } from '../../text/choices.ts'
import type { FileOutputConfig } from '../../config/schemas/output-schema.ts'
import type { FilePlan } from './file-plan.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

type Sharing = Pick<FilePlan, 'partitionBy' | 'rowsPerFile' | 'bytesPerFile'>

/** How the rows of a table are distributed over files: by those `partitionBy` columns that it has. */
export function toSharing(output: FileOutputConfig, { columns }: Pick<TablePlan, 'columns'>): Sharing {
  const names = new Set(columns.map(({ name }) => name))
  return {
    partitionBy: (output.partitionBy ?? []).filter((name) => names.has(name)),
    rowsPerFile: output.rowsPerFile ?? null,
    bytesPerFile: output.bytesPerFile ?? null,
  }
}

export function isShared({ partitionBy, rowsPerFile, bytesPerFile }: FileOutputConfig): boolean {
  return partitionBy !== undefined || rowsPerFile !== undefined || bytesPerFile !== undefined
}

export function checkSharing(
  { partitionBy = [] }: FileOutputConfig,
  tables: readonly Pick<TablePlan, 'columns'>[],
  path: Problem['path'],
): Problem[] {
  const columns = tables.flatMap((table) => table.columns)
  const names = [...new Set(columns.filter(makesFolders).map(({ name }) => name))]
  return partitionBy.flatMap((name, index) => {
    const at = [...path, 'partitionBy', index]
    if (partitionBy.indexOf(name) < index) return [problemAt(at, `partitionBy: expected "${name}" once, got it twice`)]
    const column = columns.find((each) => each.name === name)
    if (column === undefined) {
      const message = `partitionBy: unknown column "${name}", expected one of ${listChoices(names)}`
      return [problemAt(at, message, closest(name, names))]
    }
    if (makesFolders(column)) return []
    const got = `"${name}", ${column.list ? 'a list' : `of type ${column.type.kind}`}`
    return [problemAt(at, `partitionBy: expected a column of text, integer, boolean or date, got ${got}`)]
  })
}

/** Whether values of a column survive as folder names unchanged. */
function makesFolders({ type, list }: Pick<ColumnPlan, 'type' | 'list'>): boolean {
  return !list && typeOf(type).namesFolders
}
