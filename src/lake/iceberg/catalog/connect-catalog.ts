import type { CatalogAccess } from '../../../config/catalog-access.ts'
import type { ConnectOptions } from '../../connect-lake.ts'
import type { AskedLog, LakeFormat, LakeSession } from '../../lake-format.ts'
import { tableFolder } from '../../lake-plan.ts'
import { checkTable } from '../check-table.ts'
import { iceberg } from '../iceberg-format.ts'
import type { IcebergTable } from '../iceberg-table.ts'
import type { IcebergChange } from '../table-change.ts'
import { CatalogClient } from './catalog-client.ts'
import { readCatalogLog, readCatalogProperties } from './catalog-log.ts'
import { CatalogStorage } from './catalog-storage.ts'
import { CatalogTables } from './catalog-tables.ts'
import { commitToCatalog } from './commit-to-catalog.ts'

/** Iceberg tables of a REST catalog, which says where they are, and by which all commits go. */
export async function connectCatalog(
  access: CatalogAccess,
  options: ConnectOptions,
): Promise<Pick<LakeSession, 'format' | 'storage'>> {
  const client = await CatalogClient.connect(access, options)
  const storage = new CatalogStorage(options, client)
  const tables = new CatalogTables(client, access, storage)
  const readLog = async (session: LakeSession, { folder, version }: AskedLog) => {
    const loaded = await tables.load(folder)
    return loaded && readCatalogLog(session, loaded, version)
  }
  const format: LakeFormat = {
    ...iceberg,
    findFolder: (plan, table) => tables.findFolder(toName(table), tableFolder(plan, toName(table))),
    readLog,
    async readCommits(session, asked, until) {
      const log = await readLog(session, asked)
      return (log?.commits ?? []).filter(({ version }) => version <= until)
    },
    async *readProperties(session, folder) {
      const loaded = await tables.load(folder)
      if (loaded !== null) yield* readCatalogProperties(session, loaded)
    },
    checkTable: (folder: string, table: IcebergTable, plan) => checkTable(folder, table, plan, true),
    create: (table) => tables.create({ ...table, table: toName(table.table) }),
    isTransactional: tables.isTransactional,
    commit: (session, changes: readonly IcebergChange[], commitOptions) =>
      commitToCatalog(session, tables, changes, commitOptions),
  }
  return { format, storage }
}

/** The state has a slash in its name, which no name in a catalog may have. */
function toName(table: string): string {
  return table.replaceAll('/', '_')
}
