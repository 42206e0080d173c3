import type { EncodeGroup } from '../../encode/encode-block.ts'
import type { EncodingPlan } from '../../encode/encoding-plan.ts'
import { checkModes } from '../../loads/state/check-modes.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { listFallbackTables } from '../../profile/fallback-tables.ts'
import { withKeyTables } from '../../profile/rules/key-columns.ts'
import type { StagingOptions, Outputs } from '../outputs/outputs.ts'
import type { FixedLines } from '../../rejects/fixed-lines.ts'
import { openFiles } from '../outputs/open-files.ts'
import type { StagedSet } from '../../storage/staged-set.ts'
import { RunOutputs } from '../outputs/run-outputs.ts'
import { readFormerRun } from '../../manifest/former-run.ts'

/** The source, the encoding and the outputs of one run. */
export interface RunTask {
  /** With the source as this run asks it. */
  readonly plan: PipelinePlan
  readonly encoding: EncodingPlan
  readonly openOutputs: (encodeGroup: EncodeGroup) => Promise<Outputs>
  /** Notes on how it was chosen, for the report. */
  readonly notes: readonly string[]
  /** True where most records may be left out, as they have not changed. */
  readonly isDelta?: boolean
  /** Corrected lines that take the place of rejected ones. */
  readonly fixed?: FixedLines
}

/** A run whose outputs hold what it reads: every block goes straight into them. Throws STATE_INVALID. */
export async function toWholeRun(
  plan: PipelinePlan,
  staging: StagingOptions,
  { prune = false }: { readonly prune?: boolean | undefined },
): Promise<RunTask> {
  const { storage, token } = staging
  const { path } = plan.report.manifest
  const former = await readFormerRun(path, plan.name, storage)
  await checkModes(plan.records, plan.outputs, former.listed, storage)
  return {
    plan,
    encoding: toPlannedEncoding(plan),
    openOutputs: (encodeGroup) => {
      const open = (set: StagedSet) => openFiles(plan, { encodeGroup, token }, set)
      return RunOutputs.open(plan, { ...staging, former, prune, openFiles: open })
    },
    notes: [],
  }
}

/**
 * The encoding with what is counted of its rows: what breaks the rules and, for the profile, the tables of the config, which come
 * first, and others behind all of them.
 */
export function toPlannedEncoding(plan: PipelinePlan): EncodingPlan {
  return toProfiledEncoding({ records: plan.records, files: plan.outputs.files }, plan)
}

/** The same for the encoding of a load, which has tables and forms of its own. */
export function toProfiledEncoding(
  { records, files }: EncodingPlan,
  { report: { profile }, limits: { rules }, records: { tables } }: PipelinePlan,
): EncodingPlan {
  const keyed = withKeyTables(rules, records.tables)
  const checked = rules.length > 0 ? { rules: keyed.rules } : {}
  if (profile === null) return { records: { ...records, tables: keyed.tables }, files, ...checked }
  const counted = listFallbackTables(tables).map(({ plan }) => plan)
  const profiledTables = [...tables.keys(), ...counted.map((_, at) => keyed.tables.length + at)]
  return { records: { ...records, tables: [...keyed.tables, ...counted] }, files, profiledTables, ...checked }
}

/** The columns of which the encoding collects counts, by table; behind those of tables, for each rule the column that it is on. */
export function listCounted({ records, profiledTables = [], rules = [] }: EncodingPlan): CountedColumns[] {
  const tables = profiledTables.flatMap((table) => records.tables[table] ?? [])
  const columns = rules.map(({ table, column }) => records.tables[table]?.columns[column ?? 0] ?? noColumn)
  return [...tables, ...(rules.length > 0 ? [{ columns }] : [])]
}

interface CountedColumns {
  readonly columns: readonly Column[]
}

/** Stands for the column of a rule on rows, of which nothing is counted. */
const noColumn: Column = { name: '', type: { kind: 'text' }, list: false }
