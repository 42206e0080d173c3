import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatMixedFiles, formatPaths, quoteText } from '../../loads/files/sql-text.ts'
import { joinPath } from '../../storage/paths.ts'
import { type Action, formatActions, type MetaData, parseActions, type ReplayedLog } from './actions.ts'
import type { LakeSession } from '../lake-format.ts'
import { formatVersion, logFolder } from './log-files.ts'

/** Reads the actions of a checkpoint, which may have several parts. Fails as DuckDB does, or with what is no action. */
export async function readCheckpoint(session: LakeSession, paths: readonly string[]): Promise<Action[]> {
  const { duckdb } = session
  const local: string[] = []
  for (const path of paths) local.push(await session.toLocal(path))
  const from = formatMixedFiles(local)
  const described = await duckdb.readAll(`DESCRIBE FROM ${from}`)
  const kept = described.map(([name]) => String(name)).filter((name) => name in actionTypes)
  if (kept.length === 0) throw new TypeError('expected a checkpoint, got a file without actions')
  const columns = kept.map((name) => `"${name}"`)
  const rows = await duckdb.readAll(
    `SELECT CAST(to_json(action) AS VARCHAR) FROM (SELECT struct_pack(${columns.join(', ')}) AS action FROM ${from})`,
  )
  return parseActions(rows.map(([line]) => String(line)).join('\n'))
}

/** How long VACUUM leaves removed files alone, so that their tombstones have to stay: a week, if the table doesn't say. */
function readRetention({ configuration }: MetaData): number {
  const said = configuration?.['delta.deletedFileRetentionDuration'] ?? 'interval 1 week'
  const { count = '', unit = '' } = /^interval (?<count>\d+) (?<unit>[a-z]+?)s?$/i.exec(said)?.groups ?? {}
  const ms = unitMs[unit.toLowerCase()]
  return ms === undefined ? Infinity : Number(count) * ms
}

const unitMs: Readonly<Record<string, number>> = { week: 604_800_000, day: 86_400_000, hour: 3_600_000, minute: 60_000 }

/** Writes the checkpoint of a version, as a help for readers, and says in `_last_checkpoint` that it is there. */
export async function writeCheckpoint(
  session: LakeSession,
  table: string,
  snapshot: ReplayedLog,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<void> {
  const actions = listActions(snapshot, now)
  const stem = join(session.folder, `checkpoint-${token}-${snapshot.version}`)
  const lines = actions.map((action) => formatActions([action]))
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 64 * 1024)
  await writeFile(`${stem}.json`, Buffer.concat(lines))
  const columns = Object.entries(actionTypes).map(([name, type]) => `${name}: ${quoteText(type)}`)
  await session.duckdb.run(
    `COPY (FROM read_json(${formatPaths([`${stem}.json`])}, format = 'newline_delimited', maximum_object_size = ${longest},
      columns = {${columns.join(', ')}})) TO ${quoteText(`${stem}.parquet`)} (FORMAT parquet, COMPRESSION snappy)`,
  )
  const bytes = await readFile(`${stem}.parquet`)
  const name = `${formatVersion(snapshot.version)}.checkpoint.parquet`
  if (!(await session.storage.create(joinPath(logFolder(table), name), bytes))) return
  const size = { size: actions.length, sizeInBytes: bytes.length, numOfAddFiles: snapshot.files.size }
  const last = Buffer.from(JSON.stringify({ version: snapshot.version, ...size }))
  const staged = await session.storage.openFile(joinPath(logFolder(table), '_last_checkpoint'), { token })
  try {
    await staged.write(last)
    const { sha256 } = await staged.finish()
    await session.storage.place({ path: staged.path, destination: staged.destination, sha256 })
  } catch (thrown) {
    await staged.discard()
    throw thrown
  }
}

function listActions({ protocol, metaData, transactions, domains, files, tombstones }: ReplayedLog, now: number) {
  const oldest = now - readRetention(metaData)
  const kept = [...tombstones.values()].filter(({ deletionTimestamp }) => (deletionTimestamp ?? 0) > oldest)
  return [
    { protocol },
    { metaData },
    ...[...transactions.values()].map((txn): Action => ({ txn })),
    ...[...domains.values()].map((domainMetadata): Action => ({ domainMetadata })),
    // Tombstones have neither statistics nor tags here.
    ...kept.map((remove): Action => ({ remove: { ...remove, stats: undefined, tags: undefined, dataChange: false } })),
    ...[...files.values()].map((add): Action => ({
      add: { ...add, partitionValues: add.partitionValues ?? {}, dataChange: false },
    })),
  ] satisfies Action[]
}

const vector =
  'STRUCT(storageType VARCHAR, pathOrInlineDv VARCHAR, "offset" INTEGER, sizeInBytes INTEGER, cardinality BIGINT)'

/** The columns of a checkpoint, by the names of the actions. */
const actionTypes = {
  protocol:
    'STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER, readerFeatures VARCHAR[], writerFeatures VARCHAR[])',
  metaData:
    'STRUCT(id VARCHAR, name VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)), schemaString VARCHAR, partitionColumns VARCHAR[], createdTime BIGINT, configuration MAP(VARCHAR, VARCHAR))',
  txn: 'STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)',
  domainMetadata: 'STRUCT("domain" VARCHAR, configuration VARCHAR, removed BOOLEAN)',
  remove: `STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN, extendedFileMetadata BOOLEAN, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, deletionVector ${vector}, baseRowId BIGINT, defaultRowCommitVersion BIGINT)`,
  add: `STRUCT(path VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, modificationTime BIGINT, dataChange BOOLEAN, stats VARCHAR, tags MAP(VARCHAR, VARCHAR), deletionVector ${vector}, baseRowId BIGINT, defaultRowCommitVersion BIGINT)`,
} as const
