import { isDeepStrictEqual } from 'node:util'
import type { ShardFacts } from '../shard-result.ts'

/** The members of two results that differ, in words. */
export function describeDifference(one: ShardFacts, other: ShardFacts): string {
  const differs = (Object.keys(names) as (keyof ShardFacts)[]).filter((key) => !isDeepStrictEqual(one[key], other[key]))
  return differs.map((key) => names[key]).join(', ')
}

/** The bytes that were read come first: where they differ, all else may. */
const names: Readonly<Record<keyof ShardFacts, string>> = {
  inputDigest: 'the bytes that were read',
  segments: 'the lines of their files',
  totals: 'the counts',
  files: 'the parts',
  rejects: 'the rejects',
  ids: 'the ids',
  rowCounts: 'the counts of values',
}
