import type { Retention, RetainedFiles, LakeSession } from '../lake-format.ts'
import type { AddFile } from './actions.ts'
import { toDataPath } from './delta-table.ts'
import { locateVector } from './deletion-vectors.ts'
import { logFolder } from './log-files.ts'
import { type DeltaLog, readCommit } from './read-log.ts'

/**
 * Keeps the files of the newest version, of the one that the state names, and those that were removed from the table since a time. The
 * log stays: its older part is for the engines that clean it up.
 */
export async function retainFiles(
  session: LakeSession,
  { folder, log, before }: DeltaRetention,
): Promise<RetainedFiles> {
  const needed = new Set<string>()
  const keep = (file: Pick<AddFile, 'path' | 'deletionVector'>) => {
    needed.add(toDataPath(folder, file))
    const vector = file.deletionVector && locateVector(folder, file.deletionVector)
    if (vector) needed.add(vector.path)
  }
  for (const table of [log.newest, log.asked]) for (const { add } of table?.files.values() ?? []) keep(add)
  for (const removed of log.newest.replayed.tombstones.values())
    if ((removed.deletionTimestamp ?? 0) >= before) keep(removed)
  // A checkpoint may have left out tombstones that a longer time asks for.
  for await (const { path, modifiedAt } of session.storage.list(logFolder(folder), () => false)) {
    const version = /[\\/]_delta_log[\\/](\d{20})\.json$/.exec(path)?.[1]
    if (version === undefined || modifiedAt.getTime() < before) continue
    for (const { remove, cdc } of await readCommit(session, folder, Number(version))) {
      if (remove) keep(remove)
      if (cdc) needed.add(toDataPath(folder, cdc))
    }
  }
  return { needed, owns }
}

interface DeltaRetention extends Retention {
  readonly log: DeltaLog
}

/**
 * As VACUUM, leaves alone what begins with `_` or `.`, but for change feeds; and, unlike it, all that is no data file or deletion
 * vector.
 */
function owns(path: string): boolean {
  const name = /^_change_data\/(?<name>.*)$/.exec(path)?.groups?.['name'] ?? path
  return (
    /\.parquet$|(?:^|\/)deletion_vector_[^/]+\.bin$/.test(name) && name.split('/').every((part) => !/^[._]/.test(part))
  )
}
