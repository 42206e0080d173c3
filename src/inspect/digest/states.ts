import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import type { FileReport, PublishedManifest } from '../../manifest/manifest.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { chooseKey } from '../diff/runs/row-key.ts'
import type { RunTable } from '../diff/runs/run-tables.ts'
import type { ReadableTable } from '../profile/readable-table.ts'
import type { Workbench } from '../profile/with-duckdb.ts'

/** The table of records at both ends of a span. */
export interface States {
  readonly basis: 'changes' | 'history' | 'runs'
  readonly old: RunTable
  readonly next: RunTable
  readonly since: string | null
  readonly until: string | null
  readonly notes: readonly string[]
}

export interface StatesAccess extends Workbench, RequiredContext<'env'> {
  readonly plan: PipelinePlan
  readonly published: PublishedManifest
  readonly storage: FileStorage
}

/** A table of records without the columns that its mode adds. */
export function toTable(table: ReadableTable, places: ReadonlyMap<string, string>): RunTable {
  const columns = table.columns.filter(({ name }) => places.has(name))
  return { ...table, columns, places, key: chooseKey(columns, places) }
}

export function toPlaces(columns: FileReport['columns']): Map<string, string> {
  return new Map(columns.flatMap(({ name, from }) => (from === '' ? [] : [[name, from]])))
}

export function quotePaths(paths: readonly string[]): string {
  return `[${paths.map(quoteText).join(', ')}]`
}

export function quoteId(table: RunTable): string {
  return `CAST(${quoteName(table.key.columns[0] ?? '')} AS VARCHAR)`
}
