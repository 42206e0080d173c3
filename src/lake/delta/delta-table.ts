import { CatalogueError } from '../../errors.ts'
import { joinPath } from '../../storage/paths.ts'
import type { DataFile, TableSnapshot } from '../lake-format.ts'
import { type AddFile, countRows, type ReplayedLog } from './actions.ts'
import { parseSchema } from './table-schema.ts'

/** A table at one version, with what its log says of it. */
export interface DeltaTable extends TableSnapshot {
  readonly replayed: ReplayedLog
  readonly files: ReadonlyMap<string, DeltaFile>
}

export interface DeltaFile extends DataFile {
  readonly add: AddFile
}

export function toDeltaTable(replayed: ReplayedLog): DeltaTable {
  const { version, metaData } = replayed
  const files = [...replayed.files.values()].map((add) => ({
    path: add.path,
    size: add.size,
    rows: countRows(add),
    deleted: add.deletionVector?.cardinality ?? 0,
    add,
  }))
  return {
    version,
    id: metaData.id,
    properties: metaData.configuration ?? {},
    fields: parseSchema(metaData.schemaString),
    files: new Map(files.map((file) => [file.path, file])),
    replayed,
  }
}

/** Throws TARGET_MISMATCH for a file outside of the table's folder, as clones have them. */
export function toDataPath(folder: string, { path }: Pick<DataFile, 'path'>): string {
  const decoded = tryDecode(path)
  if (decoded === null || /^(?:\w+:|\/)|(?:^|\/)\.\.(?:\/|$)/.test(decoded)) {
    const message = `${folder}: expected data files in its folder, got "${path}"`
    throw new CatalogueError('TARGET_MISMATCH', message, { fix: 'Name another path: the next run fills a new table.' })
  }
  return joinPath(folder, decoded)
}

function tryDecode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
