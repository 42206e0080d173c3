import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { FileStatistics } from '../../src/lake/file-statistics.ts'
import type { TableChange, TableLog } from '../../src/lake/lake-format.ts'
import { type OpenedLakeSession, openLakeSession } from '../../src/lake/lake-session.ts'
import { joinPath } from '../../src/storage/paths.ts'
import { cases } from '../depth.ts'
import { column } from '../formats/every-type.ts'
import { startS3, type S3Server } from '../storage/s3/start-s3.ts'

let folder: string
let server: S3Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lake-'))
  server = await startS3()
})
afterEach(() => {
  server.faults.length = 0
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const writers = 8
const commits = cases(6, 1)
const pipeline = 'racing'
const columns = [column('id', 'text')]
const races = [
  { format: 'delta', place: 'disk', versions: '_delta_log/0' },
  { format: 'delta', place: 'bucket', versions: '_delta_log/0' },
  { format: 'iceberg', place: 'disk', versions: 'metadata/' },
  { format: 'iceberg', place: 'bucket', versions: 'metadata/' },
] as const

test.each(races)(
  'eight racing writers commit each of their files once, without a gap, into a table of $format on a $place',
  async ({ format, place, versions }) => {
    const table = place === 'disk' ? join(folder, format) : `s3://warehouse/${format}`
    const plan = { target: { format, path: table, compression: 'zstd', deletes: 'rewrite' }, pipeline } as const
    // This server fails to list objects while some are removed.
    const open = () => openLakeSession(plan, { env: { ...server.env, AWS_MAX_ATTEMPTS: '6' } })
    const sessions = await Promise.all(Array.from({ length: writers }, open))
    try {
      // Some answers are lost.
      for (let after = 3; after < 40; after += 4)
        server.faults.push({ method: 'PUT', where: versions, how: 'reset-after', after })
      const added = await Promise.all(sessions.map((session, writer) => commitAll(session, table, writer)))
      const [session] = sessions as [OpenedLakeSession, ...OpenedLakeSession[]]
      const newest = (await readLog(session, table))?.newest
      const last = writers * commits - (format === 'delta' ? 1 : 0)
      expect(newest?.version).toBe(last)
      expect(toNames(newest?.files.keys() ?? [])).toEqual(toNames(added.flat()))
      const all = await session.format.readCommits(session, { folder: table, pipeline, version: null }, last)
      const loads = all.map(({ load }) => String(load))
      expect(loads.toSorted()).toEqual(added.flatMap((_, writer) => numbers.map(() => String(writer))))
    } finally {
      await Promise.all(sessions.map((session) => session.close()))
    }
  },
  120_000,
)

const numbers = Array.from({ length: commits }, (_, number) => number)

/** Adds a file in each commit, and gives their paths. */
async function commitAll(session: OpenedLakeSession, table: string, writer: number): Promise<string[]> {
  const { format } = session
  const paths: string[] = []
  for (const number of numbers) {
    const path = joinPath(format.dataFolder(table), `part-${writer}-${number}.parquet`)
    for (;;) {
      const log = await readLog(session, table)
      const change: TableChange = {
        folder: table,
        pipeline,
        mode: 'append',
        log,
        columns,
        keepsOthers: false,
        kept: [...(log?.newest.files.values() ?? [])],
        deletions: new Map(),
        deletes: 'rewrite',
        added: [{ path, size: 1, statistics: new FileStatistics(columns) }],
        feed: null,
        hasFeed: false,
        token: `${writer}-${number}`,
        load: writer,
        isRefreshed: false,
        descriptions: { table: '', columns: {} },
      }
      if ((await format.commit(session, [change], { now: 0 })) !== null) break
    }
    paths.push(path)
  }
  return paths
}

function toNames(paths: Iterable<string>): string[] {
  return [...paths].map((path) => basename(path)).toSorted()
}

function readLog(session: OpenedLakeSession, table: string): Promise<TableLog | null> {
  return session.format.readLog(session, { folder: table, pipeline, version: null })
}
