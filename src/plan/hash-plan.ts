import { createHash } from 'node:crypto'
import { dirname, relative } from 'node:path'
import type { Condition } from '../records/conditions/condition.ts'
import { isNotedOnly } from '../records/conditions/match-conditions.ts'
import { labelsOf } from '../formats/file-format.ts'
import { toHeaderColumns } from '../records/flatten/column.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import type { LimitsPlan } from './limits-plan.ts'
import type { FilePlan } from './outputs/file-plan.ts'
import type { OutputsPlan } from './outputs/outputs-plan.ts'
import type { RecordsPlan } from './records/records-plan.ts'
import type { ReportPlan } from './report-plan.ts'
import type { SourcePlan } from './source/source-plan.ts'
import type { CompletePipelineConfig } from '../config/schemas/pipeline-schema.ts'

interface UnhashedPlan {
  readonly name: string
  readonly source: SourcePlan
  readonly records: RecordsPlan
  readonly limits: LimitsPlan
  readonly outputs: Omit<OutputsPlan, 'configHash'>
  readonly report: Pick<ReportPlan, 'manifest'>
}

/**
 * SHA-256 over everything in the config that shapes the outputs. It uses the config as written for parts that depend on
 * the time, and leaves out addresses and credentials, paths but those of changes, which begin with every record, and
 * corrections: a delta asks for rejected records again.
 */
export function hashPlan(plan: UnhashedPlan, source: CompletePipelineConfig['source']): string {
  const { name, limits } = plan
  const { contractVersion, duplicates, timezone: _timezone, ...recordsPlan } = plan.records
  const { corrections: _corrections, correctionsFile: _correctionsFile, ...records } = recordsPlan
  const { completeness } = limits
  const { format, parts, interface: version, endpoint, filter, sorting, page } = source
  const ids = plan.source.kind === 'service' ? plan.source.sourceIds : null
  const listed = ids === null ? undefined : [ids.summary.field, ...ids.identifiers.map(({ code }) => code)]
  const { matched } = plan.source.sourceIds ?? {}
  const asked = { format, parts, interface: version, endpoint, filter, sorting, page, listed, matched }
  const formats = plan.outputs.files.map((file) => hashedFormat(file, records.tables))
  const shaping = {
    name,
    contractVersion,
    asked,
    records,
    completeness,
    duplicates,
    formats,
    ...(plan.outputs.own && { own: plan.outputs.own }),
    ...hashedState(plan),
  }
  return createHash('sha256').update(JSON.stringify(shaping, withoutShown)).digest('hex')
}

function hashedFormat({ table, format, gzip }: FilePlan, tables: readonly TablePlan[]) {
  const labels = labelsOf(format)
  const header = labels !== undefined && toHeaderColumns(tables[table]?.columns ?? [], labels).map(({ name }) => name)
  return { table, format, gzip, ...(header && { header }) }
}

/** SHA-256 over all that shapes the rows of a table. */
export function hashTable(table: TablePlan): string {
  return createHash('sha256').update(JSON.stringify(table, withoutShown)).digest('hex')
}

/**
 * Leaves out wordings of conditions, labels, which are hashed with a header that has them, conditions that only take notes, and the default decimal separator (hashes are
 * older than that option).
 */
function withoutShown(key: string, value: unknown): unknown {
  if (key === 'where' && Array.isArray(value)) return value.filter((each) => !isNotedOnly(each as Condition))
  return key === 'shown' || key === 'label' || (key === 'decimalSeparator' && value === '.') ? undefined : value
}

/** Parts of a plan that shape stateful outputs; empty for other plans, whose hashes must not change. */
function hashedState({ outputs: { stateful, files }, report }: UnhashedPlan) {
  if (stateful === null) return {}
  const modes = files.map(({ mode, removed, touched, path, partitionBy, rowsPerFile, bytesPerFile }) => {
    const place = mode === 'changes' && { path: relative(dirname(report.manifest.path), path) }
    return { mode, removed, ...(touched && { touched }), ...place, partitionBy, rowsPerFile, bytesPerFile }
  })
  const databases = stateful.databases.map((database) => {
    const { format, mode, removed, tables } = database
    return { format, schema: 'schema' in database ? database.schema : undefined, mode, removed, tables }
  })
  return { modes, databases, cursor: stateful.cursor }
}
