import type { CommitOptions, LakeFormat, LakeSession } from '../lake-format.ts'
import { tableFolder } from '../lake-plan.ts'
import { checkTable } from './check-table.ts'
import { type DeltaFile, toDataPath } from './delta-table.ts'
import { locateVector, readVector } from './deletion-vectors.ts'
import { logFolder } from './log-files.ts'
import { readCommits, readProperties, readTableLog } from './read-log.ts'
import { retainFiles } from './retain-files.ts'
import { commitChange, type DeltaChange } from './table-change.ts'
import { showDeltaType } from './table-schema.ts'

export const delta: LakeFormat = {
  findFolder: (plan, table) => Promise.resolve(tableFolder(plan, table)),
  logFolder,
  dataFolder: (folder) => folder,
  showType: showDeltaType,
  readLog: readTableLog,
  readCommits,
  readProperties,
  checkTable,
  locate: toDataPath,
  locateDeletions: (folder, { add: { deletionVector } }: DeltaFile) =>
    deletionVector ? locateVector(folder, deletionVector) : null,
  readDeleted: async ({ storage }, folder, { add: { deletionVector } }: DeltaFile) =>
    deletionVector ? readVector(storage, folder, deletionVector) : [],
  returnsFiles: true,
  // Columns are known by name.
  numberFields: () => undefined,
  isTransactional: false,
  async commit(session: LakeSession, [change]: readonly [DeltaChange], options: CommitOptions) {
    const committed = await commitChange(session, change, options)
    return committed && [committed]
  },
  retain: retainFiles,
}
