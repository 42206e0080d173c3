import { CatalogueError } from '../../errors.ts'
import { type Action, applyActions, isWhole, noTable, parseActions, type PartialSnapshot } from './actions.ts'
import { type DeltaTable, toDeltaTable } from './delta-table.ts'
import { readCheckpoint } from './checkpoint.ts'
import type { AskedLog, Commit, LakeSession, TableLog } from '../lake-format.ts'
import { applicationId } from '../lake-plan.ts'
import { commitPath, listLogFiles, type LogFiles } from './log-files.ts'

export interface DeltaLog extends TableLog {
  readonly newest: DeltaTable
  readonly asked: DeltaTable | null
}

/** Throws TARGET_MISMATCH for a log with a gap, and for one that can't be read. */
export async function readTableLog(
  session: LakeSession,
  { folder: table, pipeline, version: asked, onWarning }: AskedLog,
): Promise<DeltaLog | null> {
  const files = await listLogFiles(session.storage, table)
  const newestVersion = Math.max(-1, ...files.commits, ...files.checkpoints.map(({ version }) => version))
  if (newestVersion < 0) return null
  const from = asked !== null && asked <= newestVersion && reaches(files, asked) ? asked : newestVersion
  const begun = await readBeginning(session, table, files, from, onWarning)
  let snapshot = begun
  let atAsked: PartialSnapshot | null = begun.version === asked ? begun : null
  const commits: Commit[] = []
  for (let version = begun.version + 1; version <= newestVersion; version++) {
    if (!files.commits.includes(version)) throw hasGap(table, version, newestVersion)
    const actions = await readCommit(session, table, version)
    snapshot = applyActions(snapshot, actions, version)
    if (version === asked) atAsked = snapshot
    if (version > (asked ?? -1)) commits.push(toCommit(pipeline, version, actions))
  }
  if (!isWhole(snapshot)) throw damaged(table, 'a log without the metadata of the table')
  return {
    newest: toDeltaTable(snapshot),
    asked: atAsked !== null && isWhole(atAsked) ? toDeltaTable(atAsked) : null,
    commits,
    isFromStart: commits[0]?.version === 0,
  }
}

/** Whether all commits from a checkpoint, or from the first commit, to this version are there. */
function reaches({ commits, checkpoints }: LogFiles, version: number): boolean {
  const last = checkpoints.findLast((checkpoint) => checkpoint.version <= version)?.version ?? -1
  const there = new Set(commits)
  return Array.from({ length: version - last }, (_, at) => last + 1 + at).every((each) => there.has(each))
}

/** Reads the newest checkpoint at or before a version; one that is damaged is not needed if an older one, or none, will do. */
async function readBeginning(
  session: LakeSession,
  table: string,
  { commits, checkpoints }: LogFiles,
  until: number,
  onWarning: ((message: string) => void) | undefined,
): Promise<PartialSnapshot> {
  const candidates = checkpoints.filter(({ version }) => version <= until).toReversed()
  let failure: unknown
  for (const { version, paths } of candidates) {
    try {
      return applyActions(noTable, await readCheckpoint(session, paths), version)
    } catch (thrown) {
      if (thrown instanceof CatalogueError && thrown.code !== 'STATE_INVALID') throw thrown
      failure ??= thrown
      onWarning?.(`${paths[0]}: the checkpoint can't be read, and the log is read from an earlier version on`)
    }
  }
  if (commits[0] === 0) return noTable
  if (failure !== undefined) throw damaged(table, `a checkpoint that can't be read, and no earlier log`, failure)
  throw hasGap(table, 0, until)
}

/** As far as there are commits, reads those after a version. */
export async function readCommits(
  session: LakeSession,
  { folder, pipeline, version: after }: AskedLog,
  until: number,
): Promise<Commit[]> {
  const commits: Commit[] = []
  for (let version = (after ?? -1) + 1; version <= until; version++)
    commits.push(toCommit(pipeline, version, await readCommit(session, folder, version)))
  return commits
}

/** Commits set them, and the checkpoint that an engine has left of older ones. */
export async function* readProperties(session: LakeSession, folder: string): AsyncGenerator<DeltaTable['properties']> {
  const { commits, checkpoints } = await listLogFiles(session.storage, folder)
  for (const version of commits.toReversed()) {
    const metaData = findMetaData(await readCommit(session, folder, version))
    if (metaData) yield metaData.configuration ?? {}
  }
  const [first = Infinity] = commits
  const oldest = checkpoints.findLast(({ version }) => version < first)
  const metaData = oldest && findMetaData(await readCheckpoint(session, oldest.paths))
  if (metaData) yield metaData.configuration ?? {}
}

function findMetaData(actions: readonly Action[]): Action['metaData'] {
  return actions.find(({ metaData }) => metaData)?.metaData
}

function toCommit(pipeline: string, version: number, actions: readonly Action[]): Commit {
  const transaction = actions.find(({ txn }) => txn?.appId === applicationId(pipeline))?.txn
  // A file with other deletions is removed and added again.
  const removed = new Set(actions.map(({ remove }) => remove?.path))
  return {
    version,
    load: transaction?.version ?? null,
    isRearranging: actions.every(
      ({ add, remove, txn }) => add?.dataChange !== true && remove?.dataChange !== true && !txn,
    ),
    changesColumns: actions.some(({ metaData }) => metaData),
    added: actions.flatMap(({ add }) => (add && !removed.has(add.path) ? [add.path] : [])),
  }
}

export async function readCommit(session: LakeSession, table: string, version: number): Promise<Action[]> {
  const path = commitPath(table, version)
  const bytes = await session.storage.read(path)
  if (bytes === null) throw hasGap(table, version, version)
  try {
    return parseActions(Buffer.from(bytes).toString('utf8'))
  } catch (thrown) {
    throw damaged(table, `version ${version} with lines that are no actions`, thrown)
  }
}

function hasGap(table: string, missing: number, newest: number): CatalogueError {
  const message = `${table}: expected a log with every version up to ${newest}, got none of version ${missing}`
  return new CatalogueError('TARGET_MISMATCH', message, { fix: putBack })
}

function damaged(table: string, got: string, cause?: unknown): CatalogueError {
  return new CatalogueError('TARGET_MISMATCH', `${table}: expected the log of a Delta table, got ${got}`, {
    cause,
    fix: putBack,
  })
}

const putBack =
  'Put the files of `_delta_log` back, from a backup for instance. Or move the folder of the table away: the next run then makes a new one, without the earlier rows of a history or of mode append.'
