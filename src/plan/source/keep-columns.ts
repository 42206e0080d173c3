import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { CsvRow } from '../../sources/csv-table.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import { type ColumnType, compileConversion, formatColumnType } from '../../types/column-types.ts'
import { parseColumnType } from '../records/column-type.ts'
import { toSnakeCase } from '../records/plan-columns.ts'
import { formatCell, formatLines } from './parse-list.ts'

type KeepConfig = NonNullable<NonNullable<CompletePipelineConfig['sourceIds']>['keep']>[number]

/** A column of the list that is kept, and how its cells are read. */
export interface KeptColumn {
  readonly column: Column
  /** Undefined for a text that is no value of the type. */
  readonly read: (written: string) => Scalar | undefined
}

/** Plans a column of the list as a column of rows: `list_price`. */
export function planKept(config: KeepConfig, path: Problem['path']): KeptColumn | Problem {
  const { column: named, as = 'text', label } = typeof config === 'object' ? config : { column: config }
  const type = parseColumnType(as)
  if (!('kind' in type)) return problemAt([...path, 'as'], type.message, type.suggestion)
  const column = { name: `list_${toName(named)}`, type, list: false, ...(label !== undefined && { label }) }
  return { column, read: compileReading(type) }
}

/** Reads cells of text as values of a type; numbers may have a comma before their decimals. */
function compileReading(type: ColumnType): KeptColumn['read'] {
  if (type.kind === 'text') return (written) => (written === '' ? null : written)
  const convert = compileConversion('text', type)
  return (written) => convert(written.trim().replace(/^([+-]?\d+),(\d+)$/, '$1.$2'))
}

/** A name of letters, digits and _: `Prix d’achat` becomes `prix_d_achat`. */
function toName(named: string | number): string {
  const plain = String(named)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^\p{Letter}\d]+/gu, '_')
    .replaceAll(/^_|_$/g, '')
  return plain === '' ? 'column' : toSnakeCase(plain)
}

/** The cells of a kept column that are no value of its type. */
export function checkKept(
  { column: { type }, read }: KeptColumn,
  rows: readonly CsvRow[],
  at: number,
  path: Problem['path'],
): Problem[] {
  const wrong = rows.filter(({ cells }) => read(cells[at] ?? '') === undefined)
  if (wrong.length === 0) return []
  const got = formatLines(wrong.map(({ line, cells }) => `${formatCell(cells[at] ?? '')} in line ${line}`))
  return [problemAt(path, `expected ${formatColumnType({ type, list: false })} in every row of the list, got ${got}`)]
}
