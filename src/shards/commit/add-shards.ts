import { createHash } from 'node:crypto'
import type { ReadEnd } from '../../engine/reading/read-lines.ts'
import { RunCounters } from '../../engine/reading/run-counters.ts'
import { listCounted, toPlannedEncoding } from '../../engine/run/run-task.ts'
import { findRepeatedValues, type UniqueReaders } from '../ids/find-repeated-values.ts'
import { listUniqueColumns, listUniqueFiles } from '../ids/unique-files.ts'
import { judgeRules } from '../../kernel/rules/judge-rules.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { RowCounts } from '../../kernel/profile/column-counts.ts'
import { ExtentReader } from '../ids/extent-file.ts'
import { findRepeated } from '../ids/find-repeated.ts'
import { joinPath } from '../../storage/paths.ts'
import { toPlainCounts, toRowCounts } from '../run/plain-counts.ts'
import type { ShardPlan } from '../shard-plan.ts'
import type { AttemptPaths, SegmentFacts, ShardFacts } from '../shard-result.ts'
import { CatalogueError } from '../../errors.ts'
import { type EndedAttempt, formatNumbers, readFacts } from './choose-attempts.ts'
import { judgeFiles } from './judge-files.ts'

export interface AddedShard {
  readonly attempt: EndedAttempt
  readonly files: AttemptPaths
  readonly written: Pick<ShardFacts, 'files' | 'rejects'>
  readonly rows: readonly number[]
  readonly lines: readonly number[]
}

/** The totals of a run, from the results of its shards. */
export interface AddedShards {
  readonly counters: RunCounters
  readonly read: ReadEnd
  readonly shards: readonly AddedShard[]
}

/** Adds up the facts of all shards, in order. Throws SHARDS_DIFFER if ids were resolved again between attempts. */
export async function addShards(
  plan: ShardPlan,
  attempts: readonly EndedAttempt[],
  storage: FileStorage,
  signal: AbortSignal = new AbortController().signal,
): Promise<AddedShards> {
  const { pipeline, idBuckets } = plan
  const counters = new RunCounters(pipeline.records, { countsIds: false })
  const values = new ValueCounts(plan)
  const digest = createHash('sha256')
  const segments: SegmentFacts[] = []
  const shards: AddedShard[] = []
  const ids: ExtentReader[] = []
  const unique = listUniqueFiles(plan).map((): ExtentReader[] => [])
  const resolutions = new Map<string | null, number[]>()
  for (const attempt of attempts) {
    const { facts, files } = await readFacts(attempt, storage)
    resolutions.set(facts.resolution, [...(resolutions.get(facts.resolution) ?? []), attempt.shard])
    counters.addTotals(facts.totals)
    values.add(toRowCounts(facts.rowCounts))
    digest.update(facts.inputDigest)
    segments.push(...facts.segments)
    ids.push(await ExtentReader.open(joinPath(attempt.folder, files.ids), facts.ids.bytes, storage))
    for (const [at, readers] of unique.entries()) {
      const path = joinPath(attempt.folder, files.unique[at] ?? '')
      readers.push(await ExtentReader.open(path, facts.unique[at]?.bytes ?? 0, storage))
    }
    const { files: parts, rejects, totals } = facts
    shards.push({
      attempt,
      files,
      written: { files: parts, rejects },
      rows: totals.rows,
      lines: facts.segments.map(({ lines }) => lines),
    })
  }
  checkResolutions(resolutions)
  counters.rowCounts = values.parts
  counters.ledger.repeatedIds += await findRepeated(ids, { buckets: idBuckets, counts: 'first', signal })
  const repeated = await findRepeatedValues(toUniqueReaders(plan, unique), { buckets: idBuckets, signal })
  for (const { rows } of repeated) counters.broken.add(rows)
  counters.rules = judgeRules(pipeline.records, pipeline.limits, {
    rows: counters.rows,
    rowCounts: counters.rowCounts,
    repeated,
    broken: counters.broken,
  })
  return { counters, read: { ...judgeFiles(plan, segments), inputDigest: digest.digest('hex') }, shards }
}

/** The files of all shards by column. Attempts list a column's file followed by those of its key. */
function toUniqueReaders(plan: ShardPlan, files: readonly (readonly ExtentReader[])[]): UniqueReaders[] {
  let next = 0
  return listUniqueColumns(plan).map(({ rule, isId, key }) => {
    const [values = [], ...others] = files.slice(next, (next += 1 + key.columns.length))
    return { rule, isId, values, key: others }
  })
}

/**
 * Throws SHARDS_DIFFER if ids were resolved again between the attempts of two shards: a line might be in both of them,
 * or in none.
 */
function checkResolutions(resolutions: ReadonlyMap<string | null, readonly number[]>): void {
  if (resolutions.size < 2) return
  const shards = [...resolutions.values()].map(formatNumbers).join(' and ')
  const message = `shards ${shards} left out different lines, as the repeated ids were resolved again in between`
  throw new CatalogueError('SHARDS_DIFFER', message, {
    fix: 'Remove the folder `attempts` of the plan, and run all shards again.',
  })
}

class ValueCounts {
  readonly #tables: Parameters<typeof toPlainCounts>[0]
  parts: readonly RowCounts[] = []

  constructor({ pipeline }: ShardPlan) {
    this.#tables = listCounted(toPlannedEncoding(pipeline))
  }

  add(counts: RowCounts): void {
    this.parts = [toRowCounts(toPlainCounts(this.#tables, [...this.parts, counts]))]
  }
}
