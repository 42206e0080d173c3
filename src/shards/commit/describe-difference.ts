import { isDeepStrictEqual } from 'node:util'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { ShardFacts } from '../shard-result.ts'

/** The members in which two results differ, in words; for parts also the tables and formats. */
export function describeDifference(
  one: ShardFacts,
  other: ShardFacts,
  records: RecordsPlan,
  outputs: OutputsPlan,
): string {
  const differs = (Object.keys(names) as (keyof ShardFacts)[]).filter((key) => !isDeepStrictEqual(one[key], other[key]))
  return differs.map((key) => (key === 'files' ? describeParts(one, other, records, outputs) : names[key])).join(', ')
}

/** The bytes that were read come first: if they differ, all else may. */
const names: Readonly<Record<keyof ShardFacts, string>> = {
  inputDigest: 'the bytes that were read',
  segments: 'the lines of their files',
  totals: 'the counts',
  files: 'the parts',
  rejects: 'the rejects',
  ids: 'the ids',
  unique: 'the values that are to be unique',
  resolution: 'the lines that repeat an id, as they were resolved',
  rowCounts: 'the counts of values',
}

function describeParts(one: ShardFacts, other: ShardFacts, records: RecordsPlan, { files }: OutputsPlan): string {
  const differing = files.filter((_, at) => !isDeepStrictEqual(one.files[at], other.files[at]))
  const shown = differing
    .slice(0, mostShown)
    .map(({ table, format }) => `${records.tables[table]?.name} (${format.format})`)
  return `${names.files} of ${shown.join(', ')}${differing.length > mostShown ? ' and others' : ''}`
}

const mostShown = 3
