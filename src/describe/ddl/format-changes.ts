import { CatalogueError } from '../../errors.ts'
import type { PublishedManifest } from '../../manifest/manifest.ts'
import { describeModeColumn, describeTables } from '../../plan/records/describe-tables.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { quoteText } from '../../loads/files/sql-text.ts'
import type { Column } from '../../records/flatten/column.ts'
import { insertRows, type ChangesDialect, type StageStatements } from './changes-dialect.ts'
import type { DdlDialect } from './ddl-dialect.ts'
import { ddlDialects, formatComments, formatCreate, type DdlDialectName } from './format-ddl.ts'
import { listChangedRuns, type ChangedRun, type ChangedTable } from './list-changed-runs.ts'

/** The table of a warehouse with a row for each run whose changes were applied. */
const appliedRuns = '_catalogue_etl_applied'

/** In place of a run: all from the last one that has every record. */
export const sinceStart = 'start'

/**
 * Formats the statements that apply what runs changed to the tables of a warehouse, from the files that they left with `mode:
 * changes`: one transaction a run, in their order. It does nothing if the run was applied, and fails if another run has to come
 * first. `since` names the run after which they begin; without it there is the last run alone. Throws USAGE if there is no such run
 * or no file.
 */
export function formatChanges(
  plan: { readonly name: string; readonly records: RecordsPlan },
  manifest: Pick<PublishedManifest, 'files'>,
  dialectName: DdlDialectName,
  since?: string,
): string {
  const dialect: DdlDialect = ddlDialects[dialectName]
  const tables = describeTables(plan.records)
  const listed = listChangedRuns(manifest, { pipeline: plan.name, tables, dialect })
  const runs = chooseRuns(listed, since)
  const main = findMainTable(plan.name, plan.records)
  const atEnd = dialect.changes.transaction === null ? [withoutTransaction] : []
  return [
    ...[...dialect.notes, ...atEnd].map((note) => `-- ${note}`),
    ...(dialect.settings ?? []),
    ...(dialect.changes.settings ?? []),
    formatAppliedRuns(dialect),
    ...runs.map((run) => formatRun(run, plan.name, main, dialect)),
    '',
  ].join('\n')
}

/** The table that has a row for every record. */
function findMainTable(name: string, { tables }: RecordsPlan): string {
  const main = tables.find(({ each, where }) => each.length === 0 && where.length === 0)
  if (main !== undefined) return main.name
  throw new CatalogueError('USAGE', `pipeline "${name}": expected a table without each and where, got none`, {
    fix: 'Add one: its changes say of which records the other tables lose rows.',
  })
}

const withoutTransaction =
  'The statements of a run are no transaction. If they end early, run them again: each comes to the same as before, and the last one counts the run as applied.'

function chooseRuns(runs: readonly ChangedRun[], since: string | undefined): readonly ChangedRun[] {
  if (since === undefined) return runs.slice(-1)
  const at =
    since === sinceStart ? runs.findLastIndex(({ isWhole }) => isWhole) : runs.findIndex(({ run }) => run === since) + 1
  if (since === sinceStart ? at >= 0 : at > 0) return runs.slice(at)
  const known = runs.slice(-3).map(({ run }) => run)
  throw new CatalogueError(
    'USAGE',
    `--since: expected a run with changes, such as ${known.join(', ')}, got "${since}"`,
    {
      fix: 'The table _catalogue_etl_applied of the warehouse has the runs that were applied. If the files of later ones are gone, load the tables anew.',
    },
  )
}

const appliedColumns: readonly Column[] = [
  { name: 'pipeline', type: { kind: 'text' }, list: false },
  { name: 'run', type: { kind: 'text' }, list: false },
  { name: 'previous_run', type: { kind: 'text' }, list: false },
  { name: 'applied_at', type: { kind: 'timestamp' }, list: false },
]

function formatAppliedRuns(dialect: DdlDialect): string {
  const { changes } = dialect
  const table = dialect.quoteName(appliedRuns)
  const columns = appliedColumns.map(describeModeColumn)
  const index = changes.formatKey?.(['pipeline', 'run'].map((name) => dialect.quoteName(name)))
  return formatCreate({ table, description: '', columns }, { format: 'parquet' }, dialect, {
    ...creating(changes),
    index,
  })
}

const creating = ({ tableOptions }: ChangesDialect) => ({
  command: 'CREATE TABLE IF NOT EXISTS',
  ...(tableOptions !== undefined && { options: tableOptions }),
})

function formatRun(run: ChangedRun, pipeline: string, main: string, dialect: DdlDialect): string {
  const { changes } = dialect
  const [begin, commit] = changes.transaction ?? []
  const { due, gap, message, table } = formatConditions(run, pipeline, dialect)
  const placed = run.tables.map((each, at) => toPlaced(each, `catalogue_${run.run}_${at + 1}`, due, dialect))
  const [parent, others] = [placed.find(({ name }) => name === main), placed.filter(({ name }) => name !== main)]
  if (parent === undefined) throw new TypeError(`run ${run.run}: expected files of the table "${main}"`)
  const ids = `SELECT ${parent.id} AS record FROM ${parent.stage}`
  const removed = `${ids} WHERE ${parent.change} = 'removed'`
  const deleteRows = (each: Placed, query: string) =>
    changes.formatDelete(
      each.table,
      each.id,
      run.isWhole ? `SELECT ${each.id} AS record FROM ${each.table} WHERE ${due}` : query,
    )
  const applied = [pipeline, run.run, run.after ?? ''].map(quoteText)
  return [
    `\n-- What run ${run.run} changed${run.after === null ? '' : `, after run ${run.after}`}.`,
    ...run.tables.flatMap((each) => [
      ...(run.isWhole ? formatTable(each, dialect) : []),
      ...formatAdded(each, dialect),
    ]),
    ...placed.map(({ statements }) => statements.load),
    begin,
    changes.formatRefusal(gap, message, table),
    ...placed.map(({ statements }) => statements.empty),
    ...others.toReversed().map((each) => deleteRows(each, ids)),
    deleteRows(parent, removed),
    changes.formatUpsert(parent.table, { columns: parent.columns, idColumn: parent.id, query: selectRows(parent) }),
    ...others.map((each) => insertRows(each.table, each.columns, selectRows(each))),
    insertRows(
      table,
      appliedColumns.map(({ name }) => dialect.quoteName(name)),
      `SELECT ${[...applied, changes.now].join(', ')} FROM (SELECT 1 AS one) AS run WHERE ${due}`,
    ),
    commit,
    ...placed.map(({ statements }) => statements.drop),
  ]
    .filter((statement) => typeof statement === 'string')
    .join('\n')
}

/** A run is due if the one that it comes after is the last one applied. */
function formatConditions({ run, after }: ChangedRun, pipeline: string, { quoteName }: DdlDialect) {
  const table = quoteName(appliedRuns)
  const count = (column?: string, value = '') => {
    const narrowed = column === undefined ? '' : ` AND ${quoteName(column)} = ${quoteText(value)}`
    return `(SELECT count(*) FROM ${table} WHERE ${quoteName('pipeline')} = ${quoteText(pipeline)}${narrowed})`
  }
  const due = after === null ? `${count()} = 0` : `${count('run', after)} > 0 AND ${count('previous_run', after)} = 0`
  const message =
    after === null
      ? `run ${run} has every record, but other runs are applied: delete the rows of the pipeline from ${appliedRuns} to begin anew`
      : `run ${run} comes after run ${after}, which is not the last one applied: apply the runs between first, with --since`
  return { table, due, gap: `${count('run', run)} = 0 AND NOT (${due})`, message }
}

interface Placed {
  readonly name: string
  /** Quoted, as what follows. */
  readonly table: string
  readonly id: string
  readonly columns: readonly string[]
  readonly stage: string
  readonly change: string
  readonly statements: StageStatements
}

function toPlaced(
  { description, columns, fileColumns, files }: ChangedTable,
  name: string,
  due: string,
  dialect: DdlDialect,
): Placed {
  const { quoteName, changes } = dialect
  const [first] = files
  const stage = quoteName(name)
  const statements = changes.formatStage({
    name: stage,
    columns: fileColumns,
    files,
    due,
    formatColumns: () =>
      fileColumns.map((column) => `${quoteName(column.name)} ${dialect.formatType(column, first)}`).join(', '),
    formatLoads: (table) => files.map((each) => dialect.formatLoad(table, fileColumns, each, true)).join('\n'),
  })
  const [id = ''] = description.key
  return {
    name: description.name,
    table: quoteName(description.name),
    id: quoteName(id),
    columns: columns.map((column) => quoteName(column.name)),
    stage,
    change: quoteName('_change'),
    statements,
  }
}

function selectRows({ columns, stage, change }: Placed): string {
  return `SELECT ${columns.join(', ')} FROM ${stage} WHERE ${change} <> 'removed'`
}

function formatTable({ description, columns, files: [files] }: ChangedTable, dialect: DdlDialect): string[] {
  const {
    name,
    key: [id = ''],
  } = description
  const described = columns.map(
    (column) => description.columns.find((each) => each.name === column.name) ?? describeModeColumn(column),
  )
  const created = { table: dialect.quoteName(name), description: description.description, columns: described }
  const index = dialect.changes.formatIndex?.(dialect.quoteName(id))
  return [
    formatCreate(created, files, dialect, { ...creating(dialect.changes), index }),
    ...formatComments(created, dialect),
  ]
}

function formatAdded({ description, added, files: [files] }: ChangedTable, dialect: DdlDialect): string[] {
  const { addColumn } = dialect.changes
  return added.map((column) => {
    const what = `${dialect.quoteName(column.name)} ${dialect.formatType(column, files)};`
    const alter = `ALTER TABLE ${dialect.quoteName(description.name)} ${addColumn ?? 'ADD COLUMN'} ${what}`
    return addColumn === null ? `-- Unless the table has it: ${alter}` : alter
  })
}
