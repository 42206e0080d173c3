import type { DataFile, LakeSession, TableSnapshot } from '../lake-format.ts'
import { fromLocation } from './locations.ts'
import {
  content,
  type ManifestEntry,
  type ManifestFile,
  parseManifest,
  parseManifestList,
  status,
} from './manifests.ts'
import { isPositional, type Positions, readPositions } from './position-deletes.ts'
import { currentSnapshot, type TableMetadata } from './table-metadata.ts'
import { toFields } from './table-schema.ts'

/** A table at one version, with what its files say of it. */
export interface IcebergTable extends TableSnapshot {
  readonly metadata: TableMetadata
  /** The manifests of data files. */
  readonly manifests: readonly Manifest[]
  /** The manifests of delete files. */
  readonly deletes: readonly Manifest[]
  readonly positions: Positions
  readonly files: ReadonlyMap<string, IcebergFile>
}

export interface Manifest {
  readonly file: ManifestFile
  /** The entries that are not deleted. */
  readonly live: readonly ManifestEntry[]
}

export interface IcebergFile extends DataFile {
  readonly deletedRows: readonly number[]
  readonly entry: ManifestEntry
}

/** Null if a manifest or delete file is not there any more. Throws for one that can't be read. */
export async function readIcebergTable(
  session: LakeSession,
  folder: string,
  version: number,
  metadata: TableMetadata,
): Promise<IcebergTable | null> {
  const base = {
    version,
    id: metadata['table-uuid'],
    properties: metadata.properties,
    fields: toFields(metadata),
    metadata,
  }
  const snapshot = currentSnapshot(metadata)
  if (snapshot === null) return { ...base, manifests: [], deletes: [], positions: new Map(), files: new Map() }
  const read = async (location: string) => session.storage.read(fromLocation(folder, location))
  const list = await read(snapshot['manifest-list'])
  if (list === null) return null
  const manifests: Manifest[] = []
  const deletes: Manifest[] = []
  for (const file of parseManifestList(Buffer.from(list))) {
    const bytes = await read(file.manifest_path)
    if (bytes === null) return null
    const live = parseManifest(Buffer.from(bytes), file).filter((entry) => entry.status !== status.deleted)
    const same = file.content === content.deletes ? deletes : manifests
    same.push({ file, live })
  }
  const entries = deletes.flatMap(({ live }) => live)
  const positions = await readPositions(session, folder, entries.filter(isPositional))
  if (positions === null) return null
  const files = manifests.flatMap(({ live }) => live.map((entry) => toFile(entry, positions)))
  return { ...base, manifests, deletes, positions, files: new Map(files.map((file) => [file.path, file])) }
}

function toFile(entry: ManifestEntry, positions: Positions): IcebergFile {
  const { file_path, file_size_in_bytes, record_count } = entry.data_file
  const deletedRows = positions.get(file_path) ?? []
  const deleted = deletedRows.length
  const rows = Number(record_count) - deleted
  return { path: file_path, size: Number(file_size_in_bytes), rows, deleted, deletedRows, entry }
}
