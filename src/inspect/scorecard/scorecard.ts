import { CatalogueError } from '../../errors.ts'
import { quoteText } from '../../loads/files/sql-text.ts'
import type { ProfiledPlan } from '../profile/published-tables.ts'
import { listRecords, type Records } from '../questions/catalogue.ts'
import { type OpenContext, withPublished } from '../sql/open-published.ts'
import { readRows, type ResultRow } from '../sql/result-text.ts'
import { closest, formatSuggestion } from '../../text/choices.ts'
import { checkTargetOfRun } from '../check-target.ts'
import { listScoreCells, type ScoreCell } from './score-cells.ts'

export interface ScorecardOptions extends OpenContext {
  /** A path such as `brands[0].name`, or `brand` or `organization`. */
  readonly by: string
  /** Only the group of this name. */
  readonly only?: string | undefined
  readonly most: number
  /** Where it will be written: not over files of the run. */
  readonly paths: readonly string[]
  /** Products of every status, not only active ones. */
  readonly all: boolean
}

/** How complete products are, by group. */
export interface Scorecard {
  readonly pipeline: string
  readonly runId: string
  readonly finishedAt: string
  readonly by: string
  readonly only: string | null
  readonly isActiveOnly: boolean
  readonly cells: readonly Omit<ScoreCell, 'sql'>[]
  /** The largest first. */
  readonly groups: readonly ScoredGroup[]
  /** The products that lack most of what is scored, the worst first. */
  readonly worst: readonly PoorProduct[]
}

export interface ScoredGroup {
  /** Null for products without one. */
  readonly name: string | null
  readonly products: number
  /** How many products have each cell. */
  readonly filled: readonly number[]
}

export interface PoorProduct {
  readonly id: string
  readonly cnk: string | null
  readonly name: string | null
  readonly group: string | null
  readonly missing: readonly string[]
}

/** Counts what the last run published. Throws USAGE if the tables don't say by what to group. */
export async function makeScorecard(plan: ProfiledPlan, options: ScorecardOptions): Promise<Scorecard> {
  const { only, all, most } = options
  const by = otherNames[options.by] ?? options.by
  return withPublished(plan, options, async ({ published, tables, read }) => {
    for (const path of options.paths) await checkTargetOfRun(path, plan.report.manifest.path, published)
    const { finishedAt = '', runId = '' } = published
    const catalogue = { tables, locales: plan.records.locales, finishedAt }
    const [records] = listRecords('scorecard', catalogue)
    if (records === undefined)
      throw new CatalogueError('USAGE', 'scorecard: expected a table with a row a record, got none')
    const cells = listScoreCells(records)
    if (cells.length === 0) records.throwMissing('name', 'columns such as name, publicPrice, cnk')
    const scored = selectScored(records, cells, { by, all })
    const where = only === undefined ? '' : `\nWHERE group_name = ${quoteText(only)}`
    const groups = (await readRows(await read(selectGroups(scored, cells, where)))).map((row) => toGroup(row, cells))
    if (groups.length === 0 && only !== undefined) {
      const known = await readRows(await read(selectGroups(scored, cells, '')))
      throw noGroup(
        by,
        only,
        known.flatMap((row) => toGroup(row, cells).name ?? []),
      )
    }
    const worst = (await readRows(await read(selectWorst(scored, cells, where, most)))).map((row) => toPoor(row, cells))
    const isActiveOnly = !all && records.find('status') !== null
    const shown = cells.map(({ topic, label, isScored }) => ({ topic, label, isScored }))
    return { pipeline: plan.name, runId, finishedAt, by, only: only ?? null, isActiveOnly, cells: shown, groups, worst }
  })
}

const otherNames: Readonly<Record<string, string>> = { brand: 'brands[0].name', organization: 'organizations[0].name' }

/** The share of all scored cells that are filled. */
export function toScore(groups: readonly ScoredGroup[], cells: Scorecard['cells']): number {
  let [filled, asked] = [0, 0]
  for (const group of groups) {
    for (const [at, { isScored }] of cells.entries()) {
      if (!isScored) continue
      asked += group.products
      filled += group.filled[at] ?? 0
    }
  }
  return asked === 0 ? 0 : filled / asked
}

function selectScored(
  records: Records,
  cells: readonly ScoreCell[],
  { by, all }: { by: string; all: boolean },
): string {
  const group = records.needFirst(by)
  const joins = group.join
  const values = [
    `${records.need('id')} AS id`,
    `${records.find('cnk') ?? 'NULL'} AS cnk`,
    `${records.anyLocale('name') ?? 'NULL'} AS name`,
    `${group.sql} AS group_name`,
    ...cells.map(({ sql }, at) => `(${sql}) AS has${at}`),
  ]
  const where = all ? '' : `\nWHERE ${records.active}`
  return `WITH scored AS (SELECT ${values.join(',\n  ')}\n${records.from}${joins}${where})`
}

function selectGroups(scored: string, cells: readonly ScoreCell[], where: string): string {
  const counts = cells.map((_, at) => `count(*) FILTER (WHERE has${at}) AS n${at}`)
  return `${scored}\nSELECT group_name, count(*) AS products, ${counts.join(', ')} FROM scored${where}
GROUP BY group_name ORDER BY products DESC, group_name`
}

function selectWorst(scored: string, cells: readonly ScoreCell[], where: string, most: number): string {
  const missing = cells.flatMap(({ isScored }, at) => (isScored ? [`CAST(NOT has${at} AS INTEGER)`] : []))
  return `${scored}\nSELECT *, ${missing.join(' + ') || '0'} AS missing FROM scored${where}
ORDER BY missing DESC, id LIMIT ${most}`
}

function toGroup(row: ResultRow, cells: readonly ScoreCell[]): ScoredGroup {
  const filled = cells.map((_, at) => Number(row[`n${at}`]))
  return { name: toText(row['group_name']), products: Number(row['products']), filled }
}

function toPoor(row: ResultRow, cells: readonly ScoreCell[]): PoorProduct {
  const missing = cells.flatMap(({ topic, label, isScored }, at) => {
    if (!isScored || row[`has${at}`] === true) return []
    return [topic === 'Price and codes' ? label : `${topic.toLowerCase()} ${label}`]
  })
  return {
    id: String(row['id']),
    cnk: toText(row['cnk']),
    name: toText(row['name']),
    group: toText(row['group_name']),
    missing,
  }
}

function toText(value: unknown): string | null {
  return value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)
}

function noGroup(by: string, only: string, names: readonly string[]): CatalogueError {
  const message = `scorecard: expected a value of ${by}, got "${only}"${formatSuggestion(closest(only, names))}`
  return new CatalogueError('USAGE', message, { fix: 'Without it the scorecard lists all of them.' })
}
