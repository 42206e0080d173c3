import type { LakeFormat } from '../lake-format.ts'
import { checkTable } from './check-table.ts'
import { dataFolder, fromLocation, metadataFolder } from './locations.ts'
import { readCommits, readTableLog } from './read-log.ts'
import { commitChange, numberFields } from './table-change.ts'
import { showIcebergType } from './table-schema.ts'

export const iceberg: LakeFormat = {
  logFolder: metadataFolder,
  dataFolder,
  showType: showIcebergType,
  readLog: readTableLog,
  readCommits,
  checkTable,
  locate: (folder, { path }) => fromLocation(folder, path),
  // An engine that expires the snapshot which removed a file may remove it for good.
  returnsFiles: false,
  numberFields,
  commit: commitChange,
}
