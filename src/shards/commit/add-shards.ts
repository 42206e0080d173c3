import { createHash } from 'node:crypto'
import type { ReadEnd } from '../../engine/reading/read-lines.ts'
import { RunCounters } from '../../engine/reading/run-counters.ts'
import { toProfiledEncoding } from '../../engine/run/run-task.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import type { RowCounts } from '../../profile/column-counts.ts'
import { countRepeatedIds } from '../ids/count-repeated-ids.ts'
import { ExtentReader } from '../ids/extent-file.ts'
import { joinPath } from '../attempt-paths.ts'
import { toPlainCounts, toRowCounts } from '../run/plain-counts.ts'
import type { ShardPlan } from '../shard-plan.ts'
import type { AttemptPaths, SegmentFacts, ShardFacts } from '../shard-result.ts'
import { type EndedAttempt, readFacts } from './choose-attempts.ts'
import { judgeFiles } from './judge-files.ts'

/** A finished attempt, as far as its files are published. */
export interface AddedShard {
  readonly attempt: EndedAttempt
  readonly files: AttemptPaths
  readonly written: Pick<ShardFacts, 'files' | 'rejects'>
  /** Rows by table. */
  readonly rows: readonly number[]
  /** Lines of each segment. */
  readonly lines: readonly number[]
}

/** The whole of a run, from the results of its shards. */
export interface AddedShards {
  readonly counters: RunCounters
  readonly read: ReadEnd
  /** In the order of the plan. */
  readonly shards: readonly AddedShard[]
}

/** Adds up the facts of all shards, one after the other. */
export async function addShards(
  plan: ShardPlan,
  attempts: readonly EndedAttempt[],
  storage: FileStorage,
): Promise<AddedShards> {
  const { pipeline, idBuckets } = plan
  const counters = new RunCounters(pipeline.records, { countsIds: false })
  const values = new ValueCounts(plan)
  const digest = createHash('sha256')
  const segments: SegmentFacts[] = []
  const shards: AddedShard[] = []
  const ids: ExtentReader[] = []
  for (const attempt of attempts) {
    const { facts, files } = await readFacts(attempt, storage)
    counters.addTotals(facts.totals)
    values.add(toRowCounts(facts.rowCounts))
    digest.update(facts.inputDigest)
    segments.push(...facts.segments)
    ids.push(await ExtentReader.open(joinPath(attempt.folder, files.ids), facts.ids.bytes, storage))
    const { files: parts, rejects, totals } = facts
    shards.push({
      attempt,
      files,
      written: { files: parts, rejects },
      rows: totals.rows,
      lines: facts.segments.map(({ lines }) => lines),
    })
  }
  counters.rowCounts = values.parts
  counters.ledger.repeatedIds += await countRepeatedIds(ids, idBuckets)
  return { counters, read: { ...judgeFiles(plan, segments), inputDigest: digest.digest('hex') }, shards }
}

/** The counts of values, joined as they come. */
class ValueCounts {
  readonly #tables: Parameters<typeof toPlainCounts>[0]
  parts: readonly RowCounts[] = []

  constructor({ pipeline }: ShardPlan) {
    const { records, profiledTables = [] } = toProfiledEncoding(pipeline, pipeline)
    this.#tables = profiledTables.flatMap((table) => records.tables[table] ?? [])
  }

  add(counts: RowCounts): void {
    this.parts = [toRowCounts(toPlainCounts(this.#tables, [...this.parts, counts]))]
  }
}
