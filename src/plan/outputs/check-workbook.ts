import { isDatabase, type OutputConfig } from '../../config/schemas/output-schema.ts'
import { problemAt, type Problem } from '../../config/problem.ts'
import type { ModeContext } from './output-mode.ts'
import { isShared } from './plan-sharing.ts'

type WorkbookConfig = Extract<OutputConfig, { format: 'xlsx' }>

export interface WorkbookContext extends ModeContext {
  readonly others: readonly OutputConfig[]
}

const mostSheetColumns = 16_384

/** Problems of a workbook: keys of other formats, a pipeline with state, more columns than a sheet holds. */
export function checkWorkbook(
  output: WorkbookConfig,
  { tables, others, isIncremental, path }: WorkbookContext,
): Problem[] {
  const keys = ['mode', 'removed', 'touched', 'partitionBy', 'rowsPerFile', 'bytesPerFile'] as const
  const foreign = keys.filter((key) => output[key] !== undefined && output[key] !== 'snapshot')
  const state = describeState(others, isIncremental)
  const broad = tables.filter(({ columns }) => columns.length > mostSheetColumns)
  return [
    ...foreign.map((key) => problemAt([...path, key], describeForeign(key, output[key]))),
    ...(state === null ? [] : [problemAt([...path, 'format'], `format: ${expectedNoState}, got ${state}`)]),
    ...broad.map(({ name, columns }) => {
      const message = `table "${name}": expected at most ${mostSheetColumns} columns, which a sheet has, got ${columns.length}`
      return problemAt([...path, 'format'], message)
    }),
  ]
}

function describeForeign(key: string, value: unknown): string {
  if (key === 'mode') return `mode: expected snapshot, as each run writes a workbook anew, got ${String(value)}`
  return `${key}: expected only in other formats, as a workbook is one file that each run writes anew, got it with xlsx`
}

const expectedNoState =
  'expected no xlsx in a pipeline that keeps a state, as a workbook holds what one run reads: give it a config of its own'

/** Why a pipeline keeps state; null if it keeps none. */
function describeState(others: readonly OutputConfig[], isIncremental: boolean): string | null {
  if (isIncremental) return 'incremental'
  for (const output of others) {
    if (output.format === 'own') continue
    const { format, mode = 'snapshot' } = output
    if (isDatabase(output)) return `a ${format} output`
    if (format === 'xlsx') continue
    if (mode !== 'snapshot') return `a ${format} output with mode: ${mode}`
    if (isShared(output)) return `a ${format} output in several files`
  }
  return null
}
