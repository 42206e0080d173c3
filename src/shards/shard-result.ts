import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type ErrorCode, errorDefinitions } from '../errors.ts'
import type { RunTotals } from '../engine/reading/run-counters.ts'
import type { WrittenFile } from '../storage/staged-file.ts'
import type { SegmentEvidence } from './run/evidence-log.ts'
import type { PlainColumnCounts } from './run/plain-counts.ts'
import type { DeepReadonly, SourceReport, StageReport } from '../manifest/manifest.ts'
import { tryJson } from '../manifest/try-json.ts'

export interface SegmentFacts extends Pick<SourceReport, 'lines' | 'bytes' | 'landed' | 'notes'> {
  readonly evidence: SegmentEvidence
  /** The verdict of a source that knows more than its lines: a landed file. */
  readonly verdict: SourceReport['completeness'] | null
}

/** All facts of an attempt that are added up. Two attempts of a shard have the same ones. */
export interface ShardFacts {
  readonly segments: readonly SegmentFacts[]
  readonly inputDigest: string
  readonly totals: RunTotals
  readonly rowCounts: readonly (readonly PlainColumnCounts[])[]
  readonly files: readonly WrittenFile[]
  readonly rejects: WrittenFile
  readonly ids: WrittenFile
  /**
   * Files with the values of each column with a `unique` rule, in the order of the rules, each followed by those of the
   * column's key.
   */
  readonly unique: readonly WrittenFile[]
  /**
   * SHA-256 of the lines of all shards that `duplicates` leaves out, as `resolveIds` found them; null without a
   * resolution.
   */
  readonly resolution: string | null
}

const errorCode = z.custom<ErrorCode>((code) => typeof code === 'string' && code in errorDefinitions)

/** The result of an attempt: `shard.json`, which is published after all its other files. */
const shardResult = z.object({
  format: z.literal(1),
  planId: z.string(),
  shard: z.int().nonnegative(),
  attempt: z.string(),
  host: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  stages: z.array(z.custom<StageReport>()),
  /** SHA-256 of the facts: the same in all attempts of a shard. */
  digest: z.string(),
  /** Null if the shard failed. Its shape is not checked, as the digest shows any change. */
  facts: z.custom<ShardFacts>((value) => typeof value === 'object').nullable(),
  /** Why the shard failed, if any attempt would fail in the same way. */
  failure: z.object({ code: errorCode, message: z.string() }).nullable(),
  /**
   * Paths relative to the folder of the attempt. Parts are in the order of the plan's files; in a bucket they have their
   * final paths.
   */
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

/** Parses a result; null for any other file, or one that was changed. */
export function parseShardResult(bytes: Uint8Array): ShardResult | null {
  const { data } = shardResult.safeParse(tryJson(bytes))
  return data !== undefined && digestFacts(data.facts) === data.digest ? data : null
}
