import { Command } from 'commander'
import type { FilePlan, PipelinePlan, SourcePlan, StatefulPlan } from '../../plan/pipeline-plan.ts'
import { describeUnit, formatColumnType } from '../../records/flatten/column.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { toFirstRequest } from '../../service/request-plan.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { withConfigOptions } from './command-options.ts'
import { formatClient, formatSourceIds, toShownSource } from '../render/render-source.ts'
import { renderNotes, toProblemJson } from '../render/render-error.ts'
import { print, colorsFor, columnsOf, log, writeJson, type Colors, type Terminal } from '../terminal.ts'

interface PlanOptions extends ConfigOptions {
  readonly json?: true
}

export function createPlanCommand(terminal: Terminal): Command {
  return withConfigOptions(new Command('plan'))
    .description('Shows what a run would read and write: request, tables, columns, types and files. Reads no data.')
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .option('--json', 'write the plan as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl plan pipelines/products.yaml --json')
    .action((file: string, options: PlanOptions) => showPlan(file, options, terminal))
}

async function showPlan(file: string, options: PlanOptions, terminal: Terminal): Promise<void> {
  const { plan, notes } = await loadPlan(file, { ...options, needsService: false, takesExports: true }, terminal)
  if (options.json) return writeJson(terminal, { ...toPlanJson(plan), notes: notes.map(toProblemJson) })
  if (notes.length > 0)
    log(terminal, renderNotes(notes, colorsFor(terminal.stderr, terminal.env), columnsOf(terminal.stderr)))
  print(terminal, renderPlan(plan, colorsFor(terminal.stdout, terminal.env)))
}

function toPlanJson(plan: PipelinePlan) {
  const {
    name,
    contract,
    contractVersion,
    configHash,
    source,
    records,
    completeness,
    duplicates,
    files,
    maxRemoved,
    stateful,
    rejects,
    manifest,
  } = plan
  return {
    pipeline: name,
    contract: { name: contract, version: contractVersion, ...(records.extra && { extra: records.extra }) },
    configHash,
    source:
      source.kind === 'files' ? { ...source, sourceIds: source.sourceIds?.summary ?? null } : toShownSource(source),
    request: source.kind === 'files' ? null : toFirstRequest(toShownSource(source)),
    locales: records.locales,
    completeness,
    duplicates,
    tables: records.tables.map((table) => ({
      name: table.name,
      columns: table.columns.map((column) => ({
        name: column.name,
        type: formatColumnType(column),
        from: column.from,
        ...(column.unit && { unit: column.unit }),
        ...(column.timezone && { timezone: column.timezone }),
      })),
    })),
    files: files.map((file) => ({
      table: records.tables[file.table]?.name,
      path: file.path,
      ...file.format,
      gzip: file.gzip,
      ...(stateful && toKeepingJson(file)),
    })),
    ...(stateful && toStatefulJson(stateful, records.tables)),
    maxRemoved,
    rejects,
    manifest,
  }
}

function toKeepingJson({ mode, removed, partitionBy, rowsPerFile, bytesPerFile }: FilePlan) {
  return { mode, ...(mode === 'merge' && { removed }), partitionBy, rowsPerFile, bytesPerFile }
}

function toStatefulJson({ incremental, databases }: StatefulPlan, tables: readonly TablePlan[]) {
  return {
    incremental: incremental && { overlapMs: incremental.overlapMs, fullEveryMs: incremental.fullEveryMs },
    databases: databases.map(({ tables: own, ...database }) => ({
      ...database,
      tables: own.map((table) => tables[table]?.name),
    })),
  }
}

function renderPlan(plan: PipelinePlan, colors: Colors): string {
  const { records, files } = plan
  return [
    `${colors.bold(plan.name)}  ${plan.contract}, config ${plan.configHash.slice(0, 12)}`,
    ...renderExtra(records),
    ...renderSource(plan.source),
    ...renderDatabases(plan),
    ...records.tables.flatMap((table, at) =>
      renderTable(
        table,
        files.filter((file) => file.table === at),
        colors,
      ),
    ),
    '',
    `rejects   ${plan.rejects.path}`,
    `manifest  ${plan.manifest.path}`,
  ].join('\n')
}

function renderExtra({ extra = {} }: PipelinePlan['records']): string[] {
  const fields = Object.entries(extra).map(([path, type]) => `${path}: ${type}`)
  return fields.length === 0 ? [] : [`extra ${fields.join(', ')}`]
}

function renderSource(source: SourcePlan): string[] {
  if (source.kind === 'files') {
    const list = source.sourceIds === null ? [] : [`list  ${formatSourceIds(source.sourceIds.summary)}`]
    return [`reads ${source.files.join(', ')}${source.parts ? ' (parts of one stream)' : ''}`, ...list]
  }
  const shown = toShownSource(source)
  const { method, path, body } = toFirstRequest(shown)
  return [
    `reads ${method} ${shown.baseUrl ?? '{base_url}'}${path}`,
    ...(body === undefined ? [] : [`  ${JSON.stringify(body)}`]),
    ...(shown.sourceIds === null ? [] : [`list  ${formatSourceIds(shown.sourceIds)}`]),
    `asks  ${formatClient(source)}`,
  ]
}

function renderDatabases({ stateful }: PipelinePlan): string[] {
  return (stateful?.databases ?? []).map((database) => {
    const where = database.format === 'duckdb' ? database.path : (database.url?.shown ?? '{url}')
    return `loads ${where}, schema "${database.schema}", ${database.mode}`
  })
}

function describeSource({ from, unit, timezone }: ColumnPlan): string {
  if (timezone !== undefined) return `${from} (the day in ${timezone})`
  return unit === undefined ? from : `${from} (${describeUnit(unit)})`
}

function renderTable({ name, columns }: TablePlan, files: readonly FilePlan[], colors: Colors): string[] {
  const width = Math.max(...columns.map((column) => column.name.length))
  const types = columns.map((column) => formatColumnType(column))
  const typeWidth = Math.max(...types.map((type) => type.length))
  return [
    '',
    `${colors.bold(name)}  ${columns.length} columns`,
    ...files.map((file) => colors.dim(`  → ${file.path}${file.mode === 'snapshot' ? '' : `  ${file.mode}`}`)),
    ...columns.map(
      (column, at) =>
        `  ${column.name.padEnd(width)}  ${(types[at] ?? '').padEnd(typeWidth)}  ${colors.dim(describeSource(column))}`,
    ),
  ]
}
