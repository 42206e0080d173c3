import { readIdEntries, toIdText } from '../../records/id-entries.ts'
import type { Issue } from '../../records/reject.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import type { LinePosition } from './list-older-versions.ts'
import type { LineReader } from './read-lines.ts'
import type { LineOutcome } from './source-reading.ts'

/** The lines left out by `duplicates: last | reject`, by block. */
export interface ExcludedLines {
  readonly linesOf: (blockNumber: number) => RepeatedLines | undefined
  /** Digest of the input, to check that a later reading has the same. */
  readonly inputDigest: string
}

/** Lists the older versions of each record, in line order. */
export type ListOlder = (versions: Iterable<readonly LinePosition[]>) => Promise<readonly LinePosition[]>

/**
 * Reads everything once to find the valid line to keep for each id: the first with `reject`; with `last` the one that
 * `listOlder` leaves, or the last one. A reading of its own is needed because the line to keep is known only at the end,
 * and written rows can't be undone. Only ids and positions are kept in memory.
 */
export async function findDuplicates(
  reader: LineReader<LineOutcome>,
  mode: 'last' | 'reject',
  listOlder: ListOlder | null,
): Promise<ExcludedLines> {
  const first = new Map<string, LinePosition>()
  const repeated = new Map<string, LinePosition[]>()
  for await (const { blockNumber: block, outcome } of reader.blocks()) {
    for (const { bytes, lineInBlock: line } of readIdEntries(outcome.ids)) {
      const id = toIdText(bytes)
      const earlier = first.get(id)
      if (earlier === undefined) {
        first.set(id, { block, line })
        continue
      }
      const versions = repeated.get(id)
      if (versions === undefined) repeated.set(id, [earlier, { block, line }])
      else versions.push({ block, line })
    }
  }
  const { inputDigest } = reader.end()
  const excluded = new Map<number, Map<number, 'drop' | Issue>>()
  const leaveOut = ({ block, line }: LinePosition, how: 'drop' | Issue): void => {
    const lines = excluded.get(block)
    if (lines === undefined) excluded.set(block, new Map([[line, how]]))
    else lines.set(line, how)
  }
  if (mode === 'last') for (const each of await (listOlder ?? listAllButLast)(repeated.values())) leaveOut(each, 'drop')
  else for (const [id, versions] of repeated) for (const each of versions.slice(1)) leaveOut(each, repeatedId(id))
  return { linesOf: (blockNumber) => excluded.get(blockNumber), inputDigest }
}

function listAllButLast(records: Iterable<readonly LinePosition[]>): Promise<readonly LinePosition[]> {
  return Promise.resolve([...records].flatMap((versions) => versions.slice(0, -1)))
}

export function repeatedId(id: string): Issue {
  return { code: 'duplicate_id', path: 'id', message: `expected an id once in the stream, got "${id}" again` }
}
