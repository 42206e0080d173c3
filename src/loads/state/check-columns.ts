import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { describeUnit, type Column } from '../../records/flatten/column.ts'
import { formatColumnType, parseColumnType } from '../../types/column-types.ts'
import { isSameTimeZone } from '../../types/time-zone.ts'
import { invalid } from '../../manifest/read-manifest.ts'
import type { PublishedState } from '../../manifest/manifest.ts'

/**
 * Throws STATE_INVALID if a column has another type, unit or time zone than in the published tables: old and new values
 * could not share a column. Columns may be added or dropped; one that returns to a history has to be what it was.
 */
export function checkColumns(path: string, { tables }: PublishedState, records: RecordsPlan): void {
  for (const { table, mode, columns } of tables) {
    const planned = records.tables.find(({ name }) => name === table)?.columns ?? []
    const now = new Map(planned.map((column) => [column.name, column]))
    for (const { name, ...before } of columns) {
      const column = now.get(name)
      const [was, is] = column === undefined ? [] : findDifference(before, column)
      if (was === undefined) continue
      const published = mode === 'history' ? 'as it is in the versions that were published' : 'as it was published'
      const message = `expected column "${name}" of table "${table}" to stay ${was}, ${published}, got ${is}`
      throw unfit(path, message)
    }
    if (mode === 'history') checkSpelling(path, table, columns, [...now.keys()])
  }
}

type StateColumn = PublishedState['tables'][number]['columns'][number]

/** The column before and now, if they differ. A property that earlier versions did not record is no difference. */
function findDifference(before: Omit<StateColumn, 'name'>, column: Column): readonly [string, string] | [] {
  const { type, unit, timezone } = before
  const now = formatColumnType(column)
  if (type !== now) return [type, now]
  if (unit !== undefined && unit !== column.unit) {
    return [describeUnit(unit), column.unit === undefined ? 'no money' : describeUnit(column.unit)]
  }
  if (timezone === undefined || isSameTimeZone(timezone, column.timezone ?? '')) return []
  return [`the day in ${timezone}`, `the day in ${column.timezone ?? 'no time zone'}`]
}

/** Readers of a history take two columns whose names differ only in case for one. */
function checkSpelling(path: string, table: string, columns: readonly StateColumn[], now: readonly string[]): void {
  const before = new Map(columns.map(({ name }) => [name.toLowerCase(), name]))
  const respelled = now.find((name) => (before.get(name.toLowerCase()) ?? name) !== name)
  if (respelled === undefined) return
  const name = before.get(respelled.toLowerCase())
  const message = `expected column "${name}" of table "${table}" to keep its capitals, as it is in the versions that were published, got "${respelled}"`
  throw unfit(path, message)
}

function unfit(path: string, message: string): CatalogueError {
  const fix =
    'Make the column what it was, or give the new one another name (`column`). `catalogue-etl state reset CONFIG` begins anew: the earlier versions of a history are lost.'
  return new CatalogueError('STATE_INVALID', `${path}: ${message}`, { fix })
}

export function listFormerColumns(
  path: string,
  state: PublishedState | null,
  { name, columns }: { readonly name: string; readonly columns: readonly Pick<Column, 'name'>[] },
): Column[] {
  const history = state?.tables.find(({ table, mode }) => table === name && mode === 'history')
  const names = new Set(columns.map((column) => column.name))
  return (history?.columns ?? [])
    .filter((column) => !names.has(column.name))
    .map(({ name: former, type: written, unit, timezone }) => {
      const type = parseColumnType(written)
      if (type === null) throw invalid(path, `state.tables: expected the type of a column, got "${written}"`)
      return { name: former, ...type, ...(unit && { unit }), ...(timezone && { timezone }) }
    })
}
