import type { LakeFormat } from '../lake-format.ts'
import { checkTable } from './check-table.ts'
import { toDataPath } from './delta-table.ts'
import { logFolder } from './log-files.ts'
import { readCommits, readTableLog } from './read-log.ts'
import { commitChange } from './table-change.ts'
import { showDeltaType } from './table-schema.ts'

export const delta: LakeFormat = {
  logFolder,
  dataFolder: (folder) => folder,
  showType: showDeltaType,
  readLog: readTableLog,
  readCommits,
  checkTable,
  locate: toDataPath,
  returnsFiles: true,
  // Columns are known by name.
  numberFields: () => undefined,
  commit: commitChange,
}
