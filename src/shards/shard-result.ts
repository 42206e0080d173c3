import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type ErrorCode, errorDefinitions } from '../errors.ts'
import type { RunTotals } from '../engine/reading/run-counters.ts'
import type { WrittenFile } from '../storage/staged-file.ts'
import type { SegmentEvidence } from './run/evidence-log.ts'
import type { PlainColumnCounts } from './run/plain-counts.ts'
import type { DeepReadonly, SourceReport, StageReport } from '../manifest/manifest.ts'
import { tryJson } from '../manifest/try-json.ts'

/** What one segment of a shard delivered. */
export interface SegmentFacts extends Pick<SourceReport, 'lines' | 'bytes' | 'landed' | 'notes'> {
  readonly evidence: SegmentEvidence
  /** The verdict of a source that knows more than its lines: a landed file. */
  readonly verdict: SourceReport['completeness'] | null
}

/** Everything of an attempt that can be added up, and nothing that two attempts of the same shard may differ in. */
export interface ShardFacts {
  readonly segments: readonly SegmentFacts[]
  readonly inputDigest: string
  readonly totals: RunTotals
  /** The counts of values, by table and column. */
  readonly rowCounts: readonly (readonly PlainColumnCounts[])[]
  /** The parts, in the order of the plan's files. */
  readonly files: readonly WrittenFile[]
  readonly rejects: WrittenFile
  readonly ids: WrittenFile
  /** The values of each column that is to be unique, in the order of their rules, each followed by those of its key. */
  readonly unique: readonly WrittenFile[]
  /** SHA-256 of the lines of all shards that `duplicates` leaves out, as `resolveIds` found them; null where none are. */
  readonly resolution: string | null
}

const errorCode = z.custom<ErrorCode>((code) => typeof code === 'string' && code in errorDefinitions)

/** The result of an attempt: `shard.json`, which appears when everything else of it is in place. */
const shardResult = z.object({
  format: z.literal(1),
  planId: z.string(),
  shard: z.int().nonnegative(),
  /** Unique to the attempt. */
  attempt: z.string(),
  host: z.string(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  finishedAt: z.string(),
  stages: z.array(z.custom<StageReport>()),
  /** SHA-256 of the facts: two attempts of a shard have the same. */
  digest: z.string(),
  /** Null if the shard failed. Its digest says that it is as it was written. */
  facts: z.custom<ShardFacts>((value) => typeof value === 'object').nullable(),
  /** Why a shard failed in a way that no repetition mends. */
  failure: z.object({ code: errorCode, message: z.string() }).nullable(),
  /** Below the folder of the attempt; parts in a bucket where they were uploaded to, in the order of the plan's files. */
  files: z
    .object({ parts: z.array(z.string()), rejects: z.string(), ids: z.string(), unique: z.array(z.string()) })
    .nullable(),
})

export type ShardResult = DeepReadonly<z.output<typeof shardResult>>
export type ShardFailure = NonNullable<ShardResult['failure']>
export type AttemptPaths = NonNullable<ShardResult['files']>

export function digestFacts(facts: ShardFacts | null): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

/** A result from its bytes; null for a file that is none, or that was changed. */
export function parseShardResult(bytes: Uint8Array): ShardResult | null {
  const { data } = shardResult.safeParse(tryJson(bytes))
  return data !== undefined && digestFacts(data.facts) === data.digest ? data : null
}
