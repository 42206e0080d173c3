import { escapeControls } from '../../messages/escape-controls.ts'
import type { FileReport } from '../../loads/state/published-state.ts'

/** Tables that one sheet of a workbook has no room for. */
export function describeSheets(files: readonly FileReport[]): string[] {
  return files.flatMap(({ table, sheets = [] }) => {
    const others = sheets.slice(1).map(({ name, rows }) => `"${name}" (${format(rows)} rows)`)
    return others.length === 0 ? [] : [escapeControls(`${table} continues in ${others.join(' and ')}`)]
  })
}

/** Texts that one cell of a workbook has no room for. */
export function describeCutTexts(files: readonly FileReport[]): string[] {
  return files.flatMap(({ table, cutTexts = {} }) =>
    Object.entries(cutTexts).map(([column, count]) =>
      escapeControls(`${format(count)}× ${table}.${column}, to the 32,767 characters of a cell`),
    ),
  )
}

function format(number: number): string {
  return number.toLocaleString('en')
}
