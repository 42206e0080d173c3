import { basename } from 'node:path'
import { type BroughtTable, bringTable } from '../../../lake/versions/bring-table.ts'
import type { PublishedManifest } from '../../../manifest/manifest.ts'
import type { RequiredContext } from '../../../run-context.ts'
import { formatColumnType } from '../../../types/column-types.ts'
import { describeTable } from '../../profile/readable-table.ts'
import type { Workbench } from '../../profile/with-duckdb.ts'
import { noSuchTable, type TableSide } from '../recognize-side.ts'
import { chooseKey } from './row-key.ts'
import type { ComparedRun, RunTable } from './run-tables.ts'

type LakeAccess = Workbench & RequiredContext<'env'>

interface LakeTable extends RunTable {
  /** The paths of its data files. */
  readonly files: readonly string[]
}

/**
 * Opens the tables that a run left in lakes, at the versions that its manifest lists; not those that are `known` from its files.
 * Throws SOURCE_NOT_FOUND if a version is not there any more.
 */
export async function openLakeTables(
  { pipeline, databases = [] }: Pick<PublishedManifest, 'pipeline' | 'databases'>,
  known: ReadonlySet<string>,
  access: LakeAccess,
): Promise<LakeTable[]> {
  const opened = new Map<string, LakeTable>()
  for (const { format, catalog, target: path, tables } of databases) {
    const listed = tables.filter(({ name, version }) => version !== undefined && !known.has(name) && !opened.has(name))
    // A manifest has no key to a catalog.
    if (format === undefined || catalog !== undefined || listed.length === 0) continue
    for (const { name, version } of listed) {
      const brought = await bringTable({ target: { format, path }, pipeline }, name, { ...access, version })
      if (brought === null) throw noSuchTable(path.replaceAll('{table}', name))
      opened.set(name, await toLakeTable(name, brought, access))
    }
  }
  return [...opened.values()]
}

/** Opens one table of a lake, as a run of which nothing else is known. */
export async function openLakeTable({ folder, format, version }: TableSide, access: LakeAccess): Promise<ComparedRun> {
  const name = basename(folder)
  const brought = await bringTable({ target: { format, path: folder } }, name, { ...access, version })
  if (brought === null) throw noSuchTable(folder)
  const path = `${folder}@${brought.version}`
  const table = await toLakeTable(name, brought, access)
  return { path, kind: 'table', files: brought.files, finishedAt: null, contract: null, tables: [table] }
}

async function toLakeTable(
  name: string,
  { from, columns, files }: BroughtTable,
  { duckdb }: Workbench,
): Promise<LakeTable> {
  const listed = columns.map((column) => ({ ...column, type: formatColumnType(column) }))
  const table = await describeTable(duckdb, { name, from }, listed)
  const places = new Map(columns.map((column) => [column.name, column.from ?? '']))
  return { ...table, places, key: chooseKey(table.columns, places), files }
}
