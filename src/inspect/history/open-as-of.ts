import { CatalogueError } from '../../errors.ts'
import { formatDateTime, formatSqlType, quoteName } from '../../loads/files/sql-text.ts'
import type { StateTable } from '../../manifest/manifest.ts'
import { requireManifest } from '../../manifest/read-manifest.ts'
import { isServerPlan, nameDatabase } from '../../plan/outputs/database-plan.ts'
import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { parseColumnType } from '../../types/column-types.ts'
import { listChoices } from '../../text/choices.ts'
import { openListedTables } from '../profile/published-tables.ts'
import type { ReadableTable } from '../profile/readable-table.ts'
import type { Workbench } from '../profile/with-duckdb.ts'
import { type AsOf, formatMoment } from './as-of.ts'
import { openTargetHistory } from './target-history.ts'

/** What a table of a history, or of a lake, held at a moment. */
export interface AsOfTable extends ReadableTable {
  /** The columns as files have them, without those of the validity. */
  readonly stored: readonly Column[]
  /** The path in the record that a column comes from, by its name. */
  readonly places: ReadonlyMap<string, string>
  /** Position in the tables of the plan. */
  readonly at: number
}

/** The rows of a table before they are cut to a moment. */
export interface FoundHistory {
  readonly table: ReadableTable
  /** When its first load began, in milliseconds; null if that is not known. */
  readonly since: number | null
  /** Whether the rows are those of the moment already. */
  readonly isOfMoment?: boolean
}

export interface AsOfAccess extends Workbench, RequiredContext<'env'>, Pick<RunContext, 'signal'> {
  readonly storage: FileStorage
}

export interface OpenedAsOf {
  readonly tables: readonly AsOfTable[]
  /** Sentences about what the history does not know. */
  readonly notes: readonly string[]
  /** The run that published the history. */
  readonly runId: string | null
}

/**
 * Opens the tables of a pipeline as they were at a moment: from files with `mode: history`, else from databases with it,
 * else from the versions of tables in a lake. Throws SOURCE_NOT_FOUND without a history, and USAGE before its first load.
 */
export async function openAsOf(
  plan: PipelinePlan,
  asOf: AsOf,
  access: AsOfAccess,
  wanted?: string,
): Promise<OpenedAsOf> {
  const published = await requireManifest(plan.report.manifest.path, plan.name, access.storage)
  const tables: AsOfTable[] = []
  const elsewhere: string[] = []
  for (const [at, { name }] of plan.records.tables.entries()) {
    if (wanted !== undefined && wanted !== name) continue
    const files = published.files.filter((file) => file.table === name && file.mode === 'history')
    const [table] = await openListedTables({ files }, access)
    const state = published.state?.tables.find((each) => each.table === name && each.mode === 'history')
    const found =
      table === undefined ? await openTargetHistory(plan, at, asOf, access) : { table, since: toSince(state) }
    if (found !== null) tables.push(await cut(plan, at, found, asOf, access))
    else elsewhere.push(...listServers(plan, at).map((server) => `"${name}" is left out: its history is in ${server}`))
  }
  if (tables.length === 0) throw hasNoHistory(plan)
  const notes = [...noteEnd(asOf, published.state?.startedAt ?? published.startedAt), ...elsewhere]
  return { tables, notes, runId: published.runId ?? null }
}

function noteEnd({ from, written }: AsOf, lastLoad: string | undefined): string[] {
  if (lastLoad === undefined || from <= Date.parse(lastLoad)) return []
  return [`the last load began on ${lastLoad}: what changed between then and ${written} is not known`]
}

function toSince(state: StateTable | undefined): number | null {
  return state?.since === undefined ? null : Date.parse(state.since)
}

async function cut(
  plan: PipelinePlan,
  at: number,
  found: FoundHistory,
  asOf: AsOf,
  { duckdb }: AsOfAccess,
): Promise<AsOfTable> {
  const { name, from, columns: all } = found.table
  const { columns: planned = [] } = plan.records.tables[at] ?? {}
  await checkBegun(plan, found, asOf, duckdb)
  const columns = found.isOfMoment ? all : all.filter(({ name: column }) => !validity.has(column))
  const time = formatDateTime(new Date(asOf.at))
  const holds = found.isOfMoment ? 'true' : `valid_from <= ${time} AND (valid_to IS NULL OR valid_to > ${time})`
  const stored = columns.map((column): Column => {
    const { unit, timezone } = planned.find((each) => each.name === column.name) ?? {}
    const { type, list } = parseColumnType(column.type) ?? { type: { kind: 'text' }, list: false }
    return { name: column.name, type, list, ...(unit && { unit }), ...(timezone && { timezone }) }
  })
  const cells = stored.map(
    (column) => `${quoteName(column.name)}::${formatSqlType(column)} AS ${quoteName(column.name)}`,
  )
  const places = new Map(planned.map((column) => [column.name, column.from]))
  return { name, at, columns, stored, places, from: `(SELECT ${cells.join(', ')} FROM ${from} WHERE ${holds})` }
}

const validity = new Set(listModeColumns({ mode: 'history', removed: 'drop' }).map(({ name }) => name))

/** A history knows nothing of the time before its first load, though many of its versions began earlier. */
async function checkBegun(
  { name: pipeline }: PipelinePlan,
  { table, since, isOfMoment = false }: FoundHistory,
  { at, written }: AsOf,
  duckdb: AsOfAccess['duckdb'],
): Promise<void> {
  const begin = since ?? (isOfMoment ? null : await readFirst(duckdb, table))
  if (begin === null || at >= begin) return
  const first = formatMoment(begin)
  const message = `${pipeline}: the history of "${table.name}" begins on ${first.slice(0, 10)}, with the load of ${first}, so it can't say what there was as of ${written}`
  throw new CatalogueError('USAGE', message, { fix: `Ask for ${first} or later.` })
}

async function readFirst(duckdb: AsOfAccess['duckdb'], { from }: ReadableTable): Promise<number | null> {
  const [[first] = []] = await duckdb.readAll(`SELECT epoch_ms(min(valid_from))::DOUBLE FROM ${from}`)
  return typeof first === 'number' ? first : null
}

/** Servers with a history of a table, which answers SQL there alone. */
function listServers({ outputs: { stateful } }: PipelinePlan, at: number): string[] {
  const servers = stateful?.databases.filter(isServerPlan) ?? []
  return servers.filter(({ mode, tables }) => mode === 'history' && tables.includes(at)).map(nameDatabase)
}

function hasNoHistory(plan: PipelinePlan): CatalogueError {
  const { name, records, outputs } = plan
  const servers = [...new Set(records.tables.flatMap((_, at) => listServers(plan, at)))]
  if (servers.length > 0) {
    const message = `${name}: expected a history in files, in a DuckDB file or in a lake, got one in ${servers.join(' and ')}`
    return new CatalogueError('SOURCE_NOT_FOUND', message, {
      title: 'The history is in a database that --as-of does not read',
      fix: 'Ask for it there, by SQL: rows whose `valid_from` is not after the moment, and whose `valid_to` is after it, or null. Or add an output of files with `mode: history`.',
    })
  }
  const modes = [...new Set([...outputs.files, ...(outputs.stateful?.databases ?? [])].map(({ mode }) => mode))]
  const message = `${name}: expected tables that know what they held earlier, got outputs with mode ${listChoices(modes)}`
  return new CatalogueError('SOURCE_NOT_FOUND', message, {
    title: 'No history is kept',
    fix: 'Add an output with `mode: history`, or one in a lake: it knows every day from its first run on.',
  })
}
