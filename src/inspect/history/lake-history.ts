import { toLakeTarget } from '../../engine/outputs/database-targets.ts'
import { CatalogueError } from '../../errors.ts'
import { bringTable, type BroughtTable, isThere } from '../../lake/versions/bring-table.ts'
import { findVersions, type LoadedVersion } from '../../lake/versions/find-versions.ts'
import type { LakePlan } from '../../plan/outputs/database-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { formatColumnType } from '../../types/column-types.ts'
import { describeTable } from '../profile/readable-table.ts'
import { type AsOf, formatMoment } from './as-of.ts'
import type { AsOfAccess, FoundHistory } from './open-as-of.ts'

/** Opens a table of a lake: a history as it is, any other at the version of the moment. Null if there is none. */
export async function openInLake(
  { name: pipeline, outputs: { s3 } }: PipelinePlan,
  name: string,
  lake: LakePlan,
  asOf: AsOf,
  access: AsOfAccess,
): Promise<FoundHistory | null> {
  const { duckdb, folder, env, signal } = access
  const place = { target: toLakeTarget(pipeline, lake), pipeline }
  const options = { duckdb, folder, env, signal, settings: s3 }
  const bring = async (version?: number) => {
    const brought = await bringTable(place, name, { ...options, version })
    return brought && describe(name, brought, access)
  }
  if (lake.mode === 'history') {
    const { later, isFromStart } = await findVersions(place, name, -Infinity, options)
    const table = await bring()
    return table && { table, since: (isFromStart && later.at(-1)?.startedAt.getTime()) || null }
  }
  const { current, later, isFromStart } = await findVersions(place, name, asOf.at, options)
  const check = (version: number) => isThere(place, name, { ...options, version })
  if (current !== null && (await check(current.version))) {
    const table = await bring(current.version)
    return table && { table, since: null, isOfMoment: true }
  }
  const first = await findFirst(later, check)
  if (first === null) {
    // Says what is missing of it.
    const last = current ?? later[0]
    if (last !== undefined) await bring(last.version)
    return null
  }
  const table = isFromStart && first === later.at(-1) ? await bring(first.version) : null
  if (table !== null) return { table, since: first.startedAt.getTime(), isOfMoment: true }
  throw isRemoved(`${pipeline}: the table "${name}"`, asOf, current, first)
}

/** The first version that is there, from the last one back: what removes versions removes the older ones. */
async function findFirst(
  later: readonly LoadedVersion[],
  check: (version: number) => Promise<boolean>,
): Promise<LoadedVersion | null> {
  let first: LoadedVersion | null = null
  for (const each of later) {
    if (each.version !== first?.version && !(await check(each.version))) return first
    first = each
  }
  return first
}

async function describe(name: string, { from, columns }: BroughtTable, { duckdb }: AsOfAccess) {
  const listed = columns.map((column) => ({ ...column, type: formatColumnType(column) }))
  return describeTable(duckdb, { name, from }, listed)
}

function isRemoved(
  shown: string,
  { written }: AsOf,
  current: LoadedVersion | null,
  { version, startedAt }: LoadedVersion,
): CatalogueError {
  const moment = formatMoment(startedAt.getTime())
  const wanted = current === null ? 'a version' : `version ${current.version}`
  const message = `${shown}: expected ${wanted} as of ${written}, but it is not there any more: the first one is version ${version}, of the load of ${moment}`
  return new CatalogueError('SOURCE_NOT_FOUND', message, {
    title: 'A version of a table is gone',
    fix: `Ask for ${moment} or later. \`lake vacuum\`, and VACUUM and expire_snapshots of other engines, remove what is older than they are told.`,
  })
}
