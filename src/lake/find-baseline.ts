import type { DataFile, LakeSession, TableLog, TableSnapshot } from './lake-format.ts'

/** The data files that a load begins with. */
export interface TableBaselineFiles {
  readonly snapshot: TableSnapshot
  /** The files with the rows that the last load left. */
  readonly own: readonly DataFile[]
  /** Those of them that others have replaced or deleted rows of: rows with ids that no load knows are in `others`, if at all. */
  readonly replaced: ReadonlySet<DataFile>
  /** Files in which others have put rows since: those with ids that no load knows stay. */
  readonly others: readonly DataFile[]
  /** Of `own` and `others`, the files that the newest version does not have: a format may have to write them anew. */
  readonly lapsed: ReadonlySet<DataFile>
  /** Files of killed loads that others may have copied rows of. */
  readonly orphans: readonly DataFile[]
}

/** Null if the version that the last load left is not there any more. */
export async function findBaseline(
  session: LakeSession,
  { folder, pipeline }: { readonly folder: string; readonly pipeline: string },
  { newest, asked, commits }: TableLog,
): Promise<TableBaselineFiles | null> {
  if (asked === null) return null
  if (commits.every(({ isRearranging }) => isRearranging)) return toBaseline(newest)
  const orphaned = new Set(commits.filter(({ load }) => load !== null).flatMap(({ added }) => added))
  const isOthers = ({ path }: DataFile) => !asked.files.has(path) && !orphaned.has(path)
  const replaced = new Set<DataFile>()
  /** By path, files of others as they were before a killed load changed them. */
  const returned = new Map<string, DataFile>()
  /** The own files, by path, that killed loads changed first. */
  const ownOfLoads = new Set<string>()
  const orphans = new Map<string, DataFile>()
  let before: TableSnapshot = asked
  for (const { version, load } of commits) {
    const after: TableSnapshot | null =
      version === newest.version
        ? newest
        : ((await session.format.readLog(session, { folder, pipeline, version }))?.asked ?? null)
    if (after === null) continue
    for (const file of before.files.values()) {
      if (after.files.get(file.path)?.deleted === file.deleted) continue
      const own = asked.files.get(file.path)
      if (load === null && own !== undefined && !ownOfLoads.has(file.path)) replaced.add(own)
      if (load !== null && own !== undefined) ownOfLoads.add(file.path)
      if (load !== null && isOthers(file) && !returned.has(file.path)) returned.set(file.path, file)
    }
    for (const file of after.files.values())
      if (orphaned.has(file.path) && !newest.files.has(file.path)) orphans.set(file.path, file)
    before = after
  }
  const own = [...asked.files.values()]
  const ownPaths = new Set([...replaced].map(({ path }) => path))
  const others = [...newest.files.values()].filter(
    (file) => (isOthers(file) && !returned.has(file.path)) || ownPaths.has(file.path),
  )
  const there = async (file: DataFile) =>
    (await session.storage.sizeOf(session.format.locate(folder, file))) === file.size
  const back: DataFile[] = []
  for (const file of returned.values()) if (await there(file)) back.push(file)
  const copied: DataFile[] = []
  for (const file of orphans.values()) if (await there(file)) copied.push(file)
  const isLapsed = ({ path }: DataFile) => !newest.files.has(path)
  return {
    snapshot: asked,
    own,
    replaced,
    others: [...back, ...others],
    lapsed: new Set([...own, ...back].filter(isLapsed)),
    orphans: copied,
  }
}

/** The files of a table in which nobody else has changed rows. */
export function toBaseline(snapshot: TableSnapshot): TableBaselineFiles {
  const own = [...snapshot.files.values()]
  return { snapshot, own, replaced: new Set(), others: [], lapsed: new Set(), orphans: [] }
}
