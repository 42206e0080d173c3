import { resolveContract } from '../../../contracts/extended/extend-contract.ts'
import type { Field } from '../../../contracts/fields.ts'
import { isLakePlan, nameDatabase } from '../../../plan/outputs/database-plan.ts'
import type { FilePlan } from '../../../plan/outputs/file-plan.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../../../plan/records/records-plan.ts'
import type { OutputsPlan } from '../../../plan/outputs/outputs-plan.ts'
import type { SourcePlan } from '../../../plan/source/source-plan.ts'
import type { StatefulPlan } from '../../../plan/loads/stateful-plan.ts'
import { describeConditions } from '../../../plan/conditions/describe-conditions.ts'
import { follow } from '../../../plan/records/describe-tables.ts'
import { toRoot } from '../../../plan/records/plan-tables.ts'
import { describeUnit } from '../../../records/flatten/column.ts'
import { formatColumnType } from '../../../types/column-types.ts'
import type { ColumnPlan, TablePlan } from '../../../records/flatten/table-plan.ts'
import { toFirstRequest } from '../../../service/read/request-plan.ts'
import { explainReference } from '../../../kernel/encode/explain-reference.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag } from '../../parameter.ts'
import { configOptions } from '../../shared-options.ts'
import { formatClient, formatSourceIds, toShownSource } from '../../render/render-source.ts'
import { renderNotes, toProblemJson } from '../../render/render-error.ts'
import { print, colorsFor, columnsOf, log, writeJson, type Colors } from '../../terminal.ts'

export const planCommand = defineCommand({
  description: 'Shows what a run would read and write: request, tables, columns, types and files. Reads no data.',
  otherNames: ['explain', 'tables', 'columns', 'dry-run'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: { ...configOptions, json: flag('write the plan as JSON') },
  examples: ['catalogue-etl plan pipelines/products.yaml --json'],
  async run({ config, json, ...options }, terminal) {
    const { plan, notes } = await loadPlan(config, { ...options, needsService: false, takesExports: true }, terminal)
    const slow = explainReference(plan.records)
    if (json) return writeJson(terminal, { ...toPlanJson(plan), slow, notes: notes.map(toProblemJson) })
    if (notes.length > 0)
      log(terminal, renderNotes(notes, colorsFor(terminal.stderr, terminal.env), columnsOf(terminal.stderr)))
    print(terminal, renderPlan(plan, colorsFor(terminal.stdout, terminal.env)))
    if (slow !== null) print(terminal, `slow      ${slow}`)
  },
})

function toPlanJson(plan: PipelinePlan) {
  const {
    name,
    source,
    records,
    records: { contract, contractVersion, duplicates },
    outputs: { configHash, files, own, stateful },
    limits: { completeness, maxRemoved, rules, ratios },
    report: { rejects, manifest },
  } = plan
  return {
    pipeline: name,
    contract: { name: contract, version: contractVersion, ...(records.extra && { extra: records.extra }) },
    configHash,
    source:
      source.kind === 'files' ? { ...source, sourceIds: source.sourceIds?.summary ?? null } : toShownSource(source),
    request: source.kind === 'files' ? null : toFirstRequest(toShownSource(source)),
    where: listConditionsInWords(plan, null),
    ...(records.check && { check: { version: records.check.version, ...records.check.module } }),
    locales: records.locales,
    completeness,
    duplicates,
    tables: records.tables.map((table) => ({
      name: table.name,
      where: listConditionsInWords(plan, table),
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
    ...(own && { own: own.map((output) => ({ name: output.name, ...output.module })) }),
    ...(stateful && toStatefulJson(stateful, records.tables)),
    maxRemoved,
    ...(rules.length + ratios.length > 0 && { expect: listRules(plan) }),
    rejects,
    manifest,
  }
}

function toKeepingJson({ mode, removed, touched, partitionBy, rowsPerFile, bytesPerFile }: FilePlan) {
  return {
    mode,
    ...(mode === 'merge' && { removed }),
    ...(mode === 'changes' && { touched }),
    partitionBy,
    rowsPerFile,
    bytesPerFile,
  }
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
  const {
    records,
    outputs: { files },
  } = plan
  return [
    `${colors.bold(plan.name)}  ${plan.records.contract}, config ${plan.outputs.configHash.slice(0, 12)}`,
    ...renderExtra(records),
    ...renderSource(plan.source),
    ...listConditionsInWords(plan, null).map((words, at) => `${at === 0 ? 'where' : 'and  '} ${words}`),
    ...renderCheck(records),
    ...renderDatabases(plan.outputs),
    ...(plan.outputs.own ?? []).map(({ name, module }) => `hands rows to ${name}${module ? `, ${module.use}` : ''}`),
    ...records.tables.flatMap((table, at) =>
      renderTable(
        table,
        plan,
        files.filter((file) => file.table === at),
        colors,
      ),
    ),
    '',
    ...listRules(plan).map(renderRule),
    `rejects   ${plan.report.rejects.path}`,
    `manifest  ${plan.report.manifest.path}`,
  ].join('\n')
}

function listRules({ records: { tables }, limits: { rules, ratios } }: PipelinePlan) {
  return [...rules, ...ratios].map(({ table, column, expected, severity }) => {
    const { name = '', columns = [] } = tables[table] ?? {}
    return { table: name, ...(column !== null && { column: columns[column]?.name }), expected, severity }
  })
}

function renderRule({ table, column, expected, severity }: ReturnType<typeof listRules>[number]): string {
  const subject = column === undefined ? table : `${table}.${column}`
  return `expects   ${subject}: ${expected}${severity === 'error' ? ', else nothing is published' : ''}`
}

function renderCheck({ check }: PipelinePlan['records']): string[] {
  if (check === undefined) return []
  const schema = check.module === undefined ? 'a schema of the config' : check.module.use
  return [`check ${schema}, version ${check.version}`]
}

function renderExtra({ extra = {} }: RecordsPlan): string[] {
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

function renderDatabases({ stateful }: OutputsPlan): string[] {
  return (stateful?.databases ?? []).map((database) => {
    const { mode } = database
    if (isLakePlan(database)) return `loads ${nameDatabase(database)}, ${mode}`
    const where = database.format === 'duckdb' ? database.path : (database.url?.shown ?? '{url}')
    return `loads ${where}, schema "${database.schema}", ${mode}`
  })
}

function describeSource({ source, ...column }: ColumnPlan, row: Field | undefined, timezone: string): string {
  if (source.kind === 'own') return source.module?.use ?? 'a function of the config'
  const steps = 'steps' in source ? source.steps : []
  const asked = steps.flatMap((step, at) => {
    const where = 'where' in step ? (step.where ?? []) : []
    const element = follow(row, steps.slice(0, at + 1)).field
    return describeConditions(where, element, column.timezone ?? timezone)
  })
  return `${describeValue(column)}${asked.length === 0 ? '' : `, of elements with ${asked.join(' and ')}`}`
}

function describeValue({ from, unit, timezone }: Omit<ColumnPlan, 'source'>): string {
  if (timezone !== undefined) return `${from} (the day in ${timezone})`
  return unit === undefined ? from : `${from} (${describeUnit(unit)})`
}

function listConditionsInWords(plan: PipelinePlan, table: TablePlan | null): string[] {
  return describeConditions(table?.where ?? plan.records.where, fieldOfRows(plan, table), plan.records.timezone)
}

/** The record or list element from which a table makes a row. */
function fieldOfRows({ records, records: { contract } }: PipelinePlan, table: TablePlan | null): Field | undefined {
  const root = toRoot(resolveContract({ contract, extra: records.extra }))
  return follow(root, table?.each ?? []).field
}

function renderTable(table: TablePlan, plan: PipelinePlan, files: readonly FilePlan[], colors: Colors): string[] {
  const { name, columns } = table
  const conditions = listConditionsInWords(plan, table)
  const row = fieldOfRows(plan, table)
  const width = Math.max(...columns.map((column) => column.name.length))
  const types = columns.map((column) => formatColumnType(column))
  const typeWidth = Math.max(...types.map((type) => type.length))
  return [
    '',
    `${colors.bold(name)}  ${columns.length} columns`,
    ...conditions.map((words, at) => `  ${at === 0 ? 'where' : 'and'} ${words}`),
    ...files.map((file) => colors.dim(`  → ${file.path}${file.mode === 'snapshot' ? '' : `  ${file.mode}`}`)),
    ...columns.map(
      (column, at) =>
        `  ${column.name.padEnd(width)}  ${(types[at] ?? '').padEnd(typeWidth)}  ${colors.dim(describeSource(column, row, plan.records.timezone))}`,
    ),
  ]
}
