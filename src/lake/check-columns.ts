import { CatalogueError } from '../errors.ts'
import type { Column } from '../records/flatten/column.ts'
import { isSameTimeZone } from '../types/time-zone.ts'
import type { LakeFormat, TableSnapshot } from './lake-format.ts'

/** Throws TARGET_MISMATCH for columns of another type, unit or time zone than the table has, and for names in other capitals. */
export function checkLakeColumns(
  format: LakeFormat,
  folder: string,
  { fields }: TableSnapshot,
  columns: readonly Column[],
): void {
  const wrong = columns.flatMap((planned) => {
    const found = fields.find(({ name }) => name.toLowerCase() === planned.name.toLowerCase())
    if (found === undefined) return []
    const { column } = found
    const expect = (expected: string, got: string) => [`column "${planned.name}": expected ${expected}, got ${got}`]
    if (found.name !== planned.name) return expect(`the name "${found.name}", as the table has it`, 'other capitals')
    if (found.type !== format.showType(planned))
      return expect(`${found.type}, as the table has it`, format.showType(planned))
    if (column?.unit !== undefined && column.unit !== planned.unit)
      return expect(`money as before, ${column.unit}`, planned.unit ?? 'no money')
    if (column?.timezone !== undefined && !isSameTimeZone(column.timezone, planned.timezone ?? ''))
      return expect(`the day in ${column.timezone}, as before`, `the day in ${planned.timezone ?? 'no time zone'}`)
    return []
  })
  if (wrong.length === 0) return
  throw new CatalogueError('TARGET_MISMATCH', `${folder}: ${wrong.join('; ')}`, {
    fix: 'Make the column what it was, or give the new one another name (`column`). Or begin another table: name another path or namespace.',
  })
}
