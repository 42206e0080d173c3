import { toCatalogueError } from '../../errors.ts'
import { nameOf } from '../../storage/s3/object-path.ts'
import type { LakeSession, RetainedFiles, Retention } from '../lake-format.ts'
import { putVersion } from '../put-version.ts'
import { fromLocation, metadataFolder, metadataPath, toLocation } from './locations.ts'
import { parseManifest, parseManifestList, status } from './manifests.ts'
import { type IcebergLog, listVersions, readMetadata } from './read-log.ts'
import { writeHint } from './table-change.ts'
import { currentSnapshot, formatMetadata, type Snapshot, type TableMetadata } from './table-metadata.ts'

/**
 * Keeps the versions that were the newest at some time since, the one that the state names and those that branches and tags name, and
 * makes a version that has forgotten the others. Null if another commit came first.
 */
export async function retainFiles(session: LakeSession, retention: IcebergRetention): Promise<RetainedFiles | null> {
  const { folder, log, before, dryRun } = retention
  const { metadata, version: newest } = log.newest
  const versions = await listKept(session, retention)
  const kept = new Map<bigint, Snapshot>()
  for (const version of versions) {
    const snapshot = currentSnapshot(version === newest ? metadata : await readMetadata(session, folder, version))
    if (snapshot !== null) kept.set(snapshot['snapshot-id'], snapshot)
  }
  const named = new Set(Object.values(metadata.refs).map((ref) => ref['snapshot-id']))
  for (const each of metadata.snapshots)
    if (named.has(each['snapshot-id']) || Number(each['timestamp-ms']) >= before) kept.set(each['snapshot-id'], each)
  const isForgetting = metadata.snapshots.some((each) => !kept.has(each['snapshot-id']))
  const files = [...versions].map((version) => metadataPath(folder, version))
  const left = isForgetting ? forget(retention, { snapshots: kept, files: new Set(files) }) : metadata
  const newestFiles = [...log.newest.files.values()].map(({ path }) => fromLocation(folder, path))
  const logged = left['metadata-log'].flatMap((each) => readFileOf(each) ?? [])
  const needed = new Set([...files, ...logged.map((file) => fromLocation(folder, file)), ...newestFiles])
  for (const snapshot of kept.values()) await addReached(session, folder, snapshot['manifest-list'], needed)
  if (isForgetting && !dryRun && !(await commit(session, retention, left))) return null
  return { needed, owns }
}

function readFileOf(logged: object): string | null {
  const { 'metadata-file': file } = logged as { readonly 'metadata-file'?: unknown }
  return typeof file === 'string' ? file : null
}

/** The versions that were the newest at some time since, and those from the one on that the state names. */
async function listKept(
  { storage }: LakeSession,
  { folder, version: named, log, before }: IcebergRetention,
): Promise<ReadonlySet<number>> {
  const there = await listVersions(storage, folder)
  const times = new Map<string, number>()
  for await (const { path, modifiedAt } of storage.list(metadataFolder(folder), () => false))
    times.set(nameOf(path.replaceAll('\\', '/')), modifiedAt.getTime())
  const isYounger = (version: number) => (times.get(`v${version}.metadata.json`) ?? Infinity) >= before
  const from = Math.min(named ?? Infinity, log.newest.version)
  // A load compares each version with the one before, from the one that the state names on.
  const isKept = (version: number, at: number) =>
    version >= from || isYounger(version) || isYounger(there[at + 1] ?? version + 1)
  return new Set(there.filter(isKept))
}

interface IcebergRetention extends Retention {
  readonly log: IcebergLog
}

interface Kept {
  readonly snapshots: ReadonlyMap<bigint, unknown>
  /** The paths of the metadata of versions. */
  readonly files: ReadonlySet<string>
}

/** The metadata without other snapshots. Where the history lacks one it begins anew, as the specification asks. */
function forget({ folder, log, now }: IcebergRetention, { snapshots, files }: Kept): TableMetadata {
  const { metadata, version } = log.newest
  const isKept = (each: object) => {
    const { 'snapshot-id': id } = each as { readonly 'snapshot-id'?: unknown }
    return (typeof id === 'bigint' || typeof id === 'number') && snapshots.has(BigInt(id))
  }
  const lacking = metadata['snapshot-log'].findLastIndex((each) => !isKept(each))
  const earlier = metadata['metadata-log'].filter((each) => {
    const file = readFileOf(each)
    return file !== null && files.has(fromLocation(folder, file))
  })
  const own = {
    'timestamp-ms': metadata['last-updated-ms'],
    'metadata-file': toLocation(metadataPath(folder, version)),
  }
  const withoutOthers = (name: string) => {
    const listed = (metadata as Record<string, unknown>)[name]
    return Array.isArray(listed) ? { [name]: listed.filter(isKept) } : {}
  }
  return {
    ...metadata,
    ...withoutOthers('statistics'),
    ...withoutOthers('partition-statistics'),
    'last-updated-ms': BigInt(now),
    snapshots: metadata.snapshots.filter(isKept),
    'snapshot-log': metadata['snapshot-log'].slice(lacking + 1),
    'metadata-log': [...earlier, own],
  }
}

/** False if another commit came first. */
async function commit(
  session: LakeSession,
  { folder, token, onWarning, log }: IcebergRetention,
  metadata: TableMetadata,
): Promise<boolean> {
  const version = log.newest.version + 1
  const path = metadataPath(folder, version)
  const bytes = formatMetadata(metadata)
  const isOurs = await putVersion(session, {
    folder,
    version,
    path,
    bytes,
    async find() {
      const there = await session.storage.read(path)
      if (there === null) return 'none'
      return bytes.equals(there) ? 'own' : 'other'
    },
  })
  if (isOurs)
    await writeHint(session, folder, version, token).catch((thrown: unknown) => {
      onWarning?.(`${folder}: version-hint.text does not say version ${version}: ${toCatalogueError(thrown).message}`)
    })
  return isOurs
}

/** Adds the manifest list of a snapshot, and the manifests and files that it names, as far as they are there. */
async function addReached(session: LakeSession, folder: string, list: string, needed: Set<string>): Promise<void> {
  const read = async (path: string) => {
    needed.add(path)
    const bytes = await session.storage.read(path)
    return bytes && Buffer.from(bytes)
  }
  const bytes = await read(fromLocation(folder, list))
  for (const file of bytes === null ? [] : parseManifestList(bytes)) {
    const path = fromLocation(folder, file.manifest_path)
    // Manifests that several snapshots have are read once.
    const manifest = needed.has(path) ? null : await read(path)
    for (const { status: is, data_file } of manifest === null ? [] : parseManifest(manifest, file))
      if (is !== status.deleted) needed.add(fromLocation(folder, data_file.file_path))
  }
}

/** Data files, manifests and metadata, and nothing else that others may keep there. */
function owns(path: string): boolean {
  return /^data\/(?:[^._][^/]*\/)*[^._][^/]*\.parquet$|^metadata\/(?:[^./]+\.avro|v\d+\.metadata\.json)$/.test(path)
}
