import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatMixedFiles, quoteText } from '../../loads/files/sql-text.ts'
import { readPlaces } from '../data-files.ts'
import type { LakeSession } from '../lake-format.ts'
import { fromLocation } from './locations.ts'
import { type ManifestDataFile, type ManifestEntry } from './manifests.ts'

/** The deleted rows of data files, in ascending order, by the address of the file. */
export type Positions = ReadonlyMap<string, readonly number[]>

/** Reads position delete files. Null if one of them is not there any more. */
export async function readPositions(
  session: LakeSession,
  folder: string,
  entries: readonly ManifestEntry[],
): Promise<Positions | null> {
  const positions = new Map<string, number[]>()
  if (entries.length === 0) return positions
  const local: string[] = []
  for (const { data_file } of entries) {
    const path = fromLocation(folder, data_file.file_path)
    if ((await session.storage.sizeOf(path)) === null) return null
    local.push(await session.toLocal(path))
  }
  const from = formatMixedFiles(local)
  const paths = await session.duckdb.readAll(`SELECT DISTINCT file_path FROM ${from} ORDER BY file_path`)
  const rows: number[][] = paths.map(([path]) => {
    const own: number[] = []
    positions.set(String(path), own)
    return own
  })
  const numbered = `SELECT (dense_rank() OVER (ORDER BY file_path) - 1)::BIGINT AS c0, pos::BIGINT AS c1
    FROM (SELECT DISTINCT file_path, pos FROM ${from}) ORDER BY ALL`
  for await (const [file, row] of readPlaces(session.duckdb, numbered)) rows[file]?.push(row)
  return positions
}

/** Whether loads can read a delete file: others than those of positions say which values are deleted. */
export function isPositional({ data_file }: ManifestEntry): boolean {
  return data_file.content === positionDeletes && data_file.file_format.toUpperCase() === 'PARQUET'
}

/** The content of a delete file, and of a data file beside the numbers of manifests. */
const positionDeletes = 1

/** The bytes of a position delete file. */
export async function formatPositions({ duckdb, folder }: LakeSession, positions: Positions): Promise<Buffer> {
  const stem = join(folder, `positions-${randomUUID()}`)
  const lines = [...positions].map(([path, rows]) => Buffer.from(`${JSON.stringify({ file_path: path, rows })}\n`))
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0)
  await writeFile(`${stem}.json`, Buffer.concat(lines))
  await duckdb.run(
    `COPY (SELECT file_path, unnest("rows") AS pos
      FROM read_json(${quoteText(`${stem}.json`)}, format = 'newline_delimited', maximum_object_size = ${longest + 1},
        columns = {file_path: 'VARCHAR', "rows": 'BIGINT[]'}) ORDER BY ALL)
      TO ${quoteText(`${stem}.parquet`)} (FORMAT parquet, COMPRESSION zstd, FIELD_IDS {file_path: ${pathId}, pos: ${positionId}})`,
  )
  return readFile(`${stem}.parquet`)
}

/** The ids that the specification reserves for the columns of these files. */
const pathId = 2_147_483_546
const positionId = 2_147_483_545

/** A position delete file as manifests list it. */
export function toDeleteFile(location: string, bytes: number, positions: Positions): ManifestDataFile {
  const paths = [...positions.keys()].toSorted()
  return {
    content: positionDeletes,
    file_path: location,
    file_format: 'PARQUET',
    partition: {},
    record_count: BigInt(countPositions(positions)),
    file_size_in_bytes: BigInt(bytes),
    lower_bounds: toBound(paths[0]),
    upper_bounds: toBound(paths.at(-1)),
  }
}

function toBound(path = ''): ManifestDataFile['lower_bounds'] {
  return [{ key: pathId, value: Buffer.from(path) }]
}

function countPositions(positions: Positions): number {
  return [...positions.values()].reduce((sum, rows) => sum + rows.length, 0)
}

export function isSamePositions(one: Positions, other: Positions): boolean {
  if (one.size !== other.size) return false
  return [...one].every(([path, rows]) => {
    const others = other.get(path)
    return others?.length === rows.length && rows.every((row, at) => row === others[at])
  })
}
