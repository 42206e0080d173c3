import { countAllowed, type CountLimit } from '../../plan/count-limit.ts'
import type { ChangeCounts, EditLoss } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'

/** The removals of a published load that exceed the limit and were allowed only as the config was edited. */
export function listLoadLoss(
  of: string,
  { removed, changed, touched, unchanged }: ChangeCounts,
  edits: readonly string[],
  limit: CountLimit,
): EditLoss[] {
  const before = removed + changed + touched + unchanged
  const isBeyond = edits.length > 0 && removed > countAllowed(limit, before)
  return isBeyond ? [{ of, removed, before, changed: [...edits] }] : []
}

/** `4,000 of 5,887 published records are removed: more than maxRemoved allows, but …` */
export function describeEditLoss({ of, removed, before, changed }: EditLoss): string {
  const counts = `${formatCount(removed)} of ${formatCount(before)} published ${of} are removed`
  return `${counts}: more than maxRemoved allows, but ${formatEdits(changed)} since the last run`
}

/** `where` and `source.filter` of the config changed, in words. */
export function formatEdits(keys: readonly string[]): string {
  const quoted = keys.map((key) => `\`${key}\``)
  return `${[quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' and ')} of the config changed`
}
