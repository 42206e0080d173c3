import type { EncodeGroup } from '../../kernel/encode/encode-block.ts'
import type { EncodingPlan } from '../../kernel/encode/encoding-plan.ts'
import { checkModes } from '../../loads/state/check-modes.ts'
import { CatalogueError } from '../../errors.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { isOfList } from '../../records/flatten/table-plan.ts'
import { listCoverageTables } from '../../kernel/profile/coverage-tables.ts'
import { listFallbackTables } from '../../kernel/profile/fallback-tables.ts'
import { withKeyTables } from '../../kernel/rules/key-columns.ts'
import type { StagingOptions, Outputs } from '../outputs/outputs.ts'
import type { FixedLines } from '../../sources/rejects/fixed-lines.ts'
import { openFiles } from '../outputs/open-files.ts'
import type { OpenSources } from '../reading/open-rereadable.ts'
import type { StagedSet } from '../../storage/staged-set.ts'
import type { RunContext } from '../../run-context.ts'
import { RunOutputs } from '../outputs/run-outputs.ts'
import { readFormerRun } from '../../manifest/former-run.ts'

export interface RunTask {
  /** The plan with the source as this run reads it. */
  readonly plan: PipelinePlan
  readonly encoding: EncodingPlan
  readonly openOutputs: (encodeGroup: EncodeGroup) => Promise<Outputs>
  readonly notes: readonly string[]
  /** Whether unchanged records may be left out. */
  readonly isDelta?: boolean
  readonly fixed?: FixedLines
  /** Opens the sources, if not those of the plan as they are. */
  readonly openSources?: OpenSources
}

interface WholeRunOptions extends Pick<RunContext, 'signal' | 'onWarning'> {
  readonly prune?: boolean | undefined
  readonly limit?: number | undefined
}

/** Plans a run that writes what it reads directly to its outputs. Throws STATE_INVALID, and USAGE for a sample of own outputs. */
export async function toWholeRun(
  plan: PipelinePlan,
  staging: StagingOptions,
  { prune = false, limit, signal = new AbortController().signal, onWarning }: WholeRunOptions,
): Promise<RunTask> {
  const { storage, token } = staging
  const { own: ownPlans } = plan.outputs
  if (ownPlans && limit !== undefined) throw cantSample(plan.name, limit)
  const { path } = plan.report.manifest
  const former = await readFormerRun(path, plan.name, storage)
  await checkModes(plan.records, plan.outputs, former.listed, storage)
  // Loaded lazily, as most runs have no list that orders their rows.
  const lists = plan.records.tables.some(isOfList) ? await import('../lists/listed-tables.ts') : null
  const own = ownPlans ? await import('../outputs/own/own-outputs.ts') : null
  const planned = toPlannedEncoding(plan)
  const encoding = own?.withOwnRows(planned, ownPlans ?? []) ?? planned
  const openOwn = own && (() => own.OwnOutputs.open(plan, { signal, onWarning }))
  return {
    plan,
    encoding: lists?.withListedRows(encoding) ?? encoding,
    openOutputs: (encodeGroup) => {
      const listed = lists && new lists.ListedTables(plan)
      const open = async (set: StagedSet) => {
        const files = await openFiles(plan, { encodeGroup, token }, set)
        return listed?.wrap(files) ?? files
      }
      return RunOutputs.open(plan, { ...staging, former, prune, openFiles: open, openOwn, listed })
    },
    notes: [],
  }
}

/** `--out` puts files elsewhere, but no output of one's own. */
function cantSample(name: string, limit: number): CatalogueError {
  const message = `${name}: a limit (${limit}) can't be combined with an output of your own, whose rows a sample would replace`
  return new CatalogueError('USAGE', message, { fix: 'Look at rows with `catalogue-etl preview CONFIG`.' })
}

/**
 * Plans the encoding of files with the columns to count: for rules, and for the profile the tables of the config, which
 * come first, then fallback tables, and those of coverage, which come last.
 */
export function toPlannedEncoding(plan: PipelinePlan): EncodingPlan {
  return toProfiledEncoding({ records: plan.records, files: plan.outputs.files }, plan)
}

export function toProfiledEncoding(
  { records, files }: EncodingPlan,
  { report: { profile, page }, limits: { rules }, records: { tables, ...asked } }: PipelinePlan,
): EncodingPlan {
  const keyed = withKeyTables(rules, records.tables)
  const checked = rules.length > 0 ? { rules: keyed.rules } : {}
  if (profile === null) return { records: { ...records, tables: keyed.tables }, files, ...checked }
  const fallbacks = listFallbackTables(tables).map(({ plan }) => plan)
  const counted = [...fallbacks, ...listCoverageTables({ ...asked, tables }, page?.examples === true).plans]
  const profiledTables = [...tables.keys(), ...counted.map((_, at) => keyed.tables.length + at)]
  return { records: { ...records, tables: [...keyed.tables, ...counted] }, files, profiledTables, ...checked }
}

/** Columns to count, by table; then for each rule the column that it tests. */
export function listCounted({ records, profiledTables = [], rules = [] }: EncodingPlan): CountedColumns[] {
  const tables = profiledTables.flatMap((table) => records.tables[table] ?? [])
  const columns = rules.map(({ table, column }) => records.tables[table]?.columns[column ?? 0] ?? noColumn)
  return [...tables, ...(rules.length > 0 ? [{ columns }] : [])]
}

interface CountedColumns {
  readonly columns: readonly Column[]
}

/** Placeholder for rules on rows, which count no column. */
const noColumn: Column = { name: '', type: { kind: 'text' }, list: false }
