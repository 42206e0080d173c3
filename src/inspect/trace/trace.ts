import type { Readable } from 'node:stream'
import { newToken } from '../../engine/frame.ts'
import { CatalogueError, interrupted } from '../../errors.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { parseLine } from '../../records/parse-line.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Source } from '../../sources/source.ts'
import { repeatedId } from '../../engine/reading/find-duplicates.ts'
import { listOlderVersions } from '../../engine/reading/list-older-versions.ts'
import { openSources } from '../../engine/reading/open-sources.ts'
import { type ExplainLine, compileExplanation } from './explain-line.ts'
import { findCodes, isCode } from './find-codes.ts'
import { type FindOptions, type FoundLine, type FoundLines, findLines } from './find-lines.ts'
import type { Mention, PublishedRun, TraceReport, TracedId, TracedLine, UnreadablePublication } from './trace-report.ts'
import { toId } from '../../records/reject.ts'
import { isObject } from '../../records/json/json-values.ts'
import { readManifest } from '../../manifest/read-manifest.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { openStorage } from '../../storage/open-storage.ts'

export interface TraceOptions extends Omit<FindOptions, 'pipeline'>, RequiredContext<'env'> {
  readonly stdin: Readable
}

/**
 * Finds the lines of records by id, or by a code that they have, and explains what a run of the plan makes of each: its decision and its rows. Only
 * reads. Throws USAGE for an endpoint, INTERRUPTED when the signal aborts, and errors of reading.
 */
export async function trace(plan: PipelinePlan, ids: readonly string[], options: TraceOptions): Promise<TraceReport> {
  if (plan.source.kind === 'service') throw notLanded(plan.name)
  const { stdin, env, signal } = options
  const { sources, close } = await openSources(plan, { stdin, env, token: newToken() })
  try {
    const input = { records: plan.records, sources }
    const finding = { ...options, pipeline: plan.name }
    const found = await findLines(ids, input, finding)
    const unknown = [...new Set(ids)].filter((id) => found.byId.get(id)?.length === 0 && isCode(id))
    const byCode = unknown.length === 0 ? [] : await findCodes(unknown, input, finding)
    const ofCodes =
      byCode.length === 0 ? null : await findLines([...new Set(byCode.map(({ id }) => id))], input, finding)
    if (signal.aborted) throw interrupted(`${plan.name}: the search`)
    const explain = compileExplanation(plan.records)
    const traceLines = async (id: string, { byId, counts }: FoundLines) => {
      const lines = await explainVersions(id, byId.get(id) ?? [], { plan, sources, explain, signal })
      return { id, lines, more: (counts.get(id) ?? 0) - lines.length }
    }
    const traced: TracedId[] = []
    for (const id of new Set(ids)) {
      const own = byCode.filter(({ written }) => written === id)
      for (const { id: record, written, path } of own)
        traced.push({ ...(await traceLines(record, ofCodes ?? found)), code: { written, path }, mentions: [] })
      if (own.length > 0) continue
      const lines = await traceLines(id, found)
      traced.push({ ...lines, mentions: lines.lines.length > 0 ? [] : listMentions(id, found, plan.records) })
    }
    const published = await readPublished(plan.name, plan.report, { env })
    return { pipeline: plan.name, read: { files: sources.length, ...found.read }, ids: traced, published }
  } finally {
    await close()
  }
}

function notLanded(pipeline: string): CatalogueError {
  const message = `${pipeline}: expected files to search, got an endpoint of the service`
  return new CatalogueError('USAGE', message, {
    fix: 'Land its lines with `catalogue-etl fetch`, and name them with `--from`: `trace CONFIG ID --from landing/*.ndjson`.',
  })
}

interface VersionsContext {
  readonly plan: PipelinePlan
  readonly sources: readonly Source[]
  readonly explain: ExplainLine
  readonly signal: AbortSignal
}

/** Explains the lines of one id by `duplicates`. Lines that break their contract are not versions. */
async function explainVersions(
  id: string,
  lines: readonly FoundLine[],
  { plan, sources, explain, signal }: VersionsContext,
): Promise<TracedLine[]> {
  const {
    records,
    records: { duplicates },
    outputs: { stateful },
  } = plan
  const alone = lines.map((line) => explain(line))
  const versions = lines.filter((_, at) => alone[at]?.outcome.kind !== 'rejected')
  if (duplicates === 'keep' || versions.length < 2) return alone
  const repetition = duplicates === 'last' ? 'drop' : repeatedId(id)
  let left = duplicates === 'last' ? versions.slice(0, -1) : versions.slice(1)
  if (duplicates === 'last' && stateful !== null && stateful.cursor !== null) {
    const { recordTable } = stateful
    const positions = versions.map(({ position }) => position)
    const older = await listOlderVersions([positions], sources, { records, recordTable, signal })
    left = versions.filter(({ position }) => older.includes(position))
  }
  const stays = versions.find((version) => !left.includes(version))
  return lines.map((line, at) => {
    if (!left.includes(line)) return alone[at] as TracedLine
    const traced = explain(line, repetition)
    return traced.outcome.kind === 'duplicate'
      ? { ...traced, outcome: { kind: 'duplicate', of: stays?.place ?? null } }
      : traced
  })
}

/** Lines with the id as a whole value, or unreadable lines; if there are none, lines with the id within a text. */
function listMentions(id: string, { mentions }: FoundLines, { maxLineBytes }: RecordsPlan): Mention[] {
  const found = (mentions.get(id) ?? []).map(({ line, place }): Mention => {
    const parsed = parseLine(line, { maxLineBytes, exactNumbers: false })
    const unreadable = parsed.kind === 'invalid' ? parsed.issue : null
    return { ...place, ...findMention(id, parsed.kind === 'record' ? parsed.delivered : null), unreadable }
  })
  const exact = found.filter(({ path, unreadable }) => path !== null || unreadable !== null)
  return exact.length > 0 ? exact : found
}

/** Finds a text in a record: the path of the first value equal to it, or null, and the record's id. */
function findMention(text: string, record: unknown): Pick<Mention, 'path' | 'id'> {
  return { path: findPath(text, record, ''), id: toId(record) }
}

function findPath(text: string, value: unknown, path: string): string | null {
  if (Array.isArray(value)) return first(value.map((element) => () => findPath(text, element, `${path}[]`)))
  if (!isObject(value)) return String(value) === text && path !== '' ? path : null
  const members = Object.entries(value)
  return first(
    members.map(
      ([key, member]) =>
        () =>
          findPath(text, member, path === '' ? key : `${path}.${key}`),
    ),
  )
}

function first(searches: readonly (() => string | null)[]): string | null {
  for (const search of searches) {
    const found = search()
    if (found !== null) return found
  }
  return null
}

/**
 * The published run; null if there is none of this pipeline. Inaccessible outputs, for instance in a bucket, don't
 * prevent tracing.
 */
async function readPublished(
  name: string,
  report: ReportPlan,
  context: RequiredContext<'env'>,
): Promise<PublishedRun | UnreadablePublication | null> {
  try {
    return await readRun(name, report, context)
  } catch (error) {
    if (error instanceof CatalogueError) return { unreadable: error.message }
    throw error
  }
}

async function readRun(
  name: string,
  { manifest }: ReportPlan,
  { env }: RequiredContext<'env'>,
): Promise<PublishedRun | null> {
  const storage = await openStorage(manifest.path, env)
  try {
    const published = await readManifest(manifest.path, { ownOrNull: name }, storage)
    const { runId, finishedAt, replayed } = published ?? {}
    return runId === undefined || finishedAt === undefined ? null : { runId, finishedAt, ...(replayed && { replayed }) }
  } finally {
    await storage.close()
  }
}
