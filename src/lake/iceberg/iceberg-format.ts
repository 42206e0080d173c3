import type { CommitOptions, LakeFormat, LakeSession } from '../lake-format.ts'
import { tableFolder } from '../lake-plan.ts'
import { checkTable } from './check-table.ts'
import type { IcebergFile } from './iceberg-table.ts'
import { dataFolder, fromLocation, metadataFolder } from './locations.ts'
import { readCommits, readProperties, readTableLog } from './read-log.ts'
import { retainFiles } from './retain-files.ts'
import { commitChange, type IcebergChange, numberFields } from './table-change.ts'
import { showIcebergType } from './table-schema.ts'

export const iceberg: LakeFormat = {
  findFolder: (plan, table) => Promise.resolve(tableFolder(plan, table)),
  logFolder: metadataFolder,
  dataFolder,
  showType: showIcebergType,
  readLog: readTableLog,
  readCommits,
  readProperties,
  checkTable,
  locate: (folder, { path }) => fromLocation(folder, path),
  // Without its delete files no version of a table is read.
  locateDeletions: () => null,
  readDeleted: (_session, _folder, { deletedRows }: IcebergFile) => Promise.resolve(deletedRows),
  // An engine that expires the snapshot which removed a file may remove it for good.
  returnsFiles: false,
  numberFields,
  isTransactional: false,
  async commit(session: LakeSession, [change]: readonly [IcebergChange], options: CommitOptions) {
    const committed = await commitChange(session, change, options)
    return committed && [committed]
  },
  retain: retainFiles,
}
