import type { FilterValue } from '../../api/filter-values.ts'
import { repairIdentifier, unwrapIdentifier } from '../../api/repair-identifier.ts'
import type { ListEntry } from './parse-list.ts'
import type { ListedIdentifier } from '../pipeline-plan.ts'

/** `entries = identifiers + repeated + empty + invalid`. */
export interface TakenIdentifiers {
  /** Each once, in the order of the list. */
  readonly identifiers: readonly ListedIdentifier[]
  readonly empty: number
  readonly repeated: number
  readonly invalid: readonly ListEntry[]
}

/** The identifiers of a list, repaired where that is sure, repeats dropped. */
export function takeIdentifiers(
  entries: readonly ListEntry[],
  item: FilterValue,
  length: number | undefined,
): TakenIdentifiers {
  const byCode = new Map<string | number, ListedIdentifier>()
  const invalid: ListEntry[] = []
  let empty = 0
  let repeated = 0
  for (const entry of entries) {
    const code = repairIdentifier(entry.written, item, length)
    if (unwrapIdentifier(entry.written) === '') empty++
    else if (code === undefined) invalid.push(entry)
    else if (byCode.has(code)) repeated++
    else byCode.set(code, { code, ...entry })
  }
  return { identifiers: [...byCode.values()], empty, repeated, invalid }
}
