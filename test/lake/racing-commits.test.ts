import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tryCommit } from '../../src/lake/delta/commit-table.ts'
import type { LakeSession } from '../../src/lake/lake-format.ts'
import { type OpenedLakeSession, openLakeSession } from '../../src/lake/lake-session.ts'
import { listLogFiles } from '../../src/lake/delta/log-files.ts'
import { readCommit } from '../../src/lake/delta/read-log.ts'
import { cases } from '../depth.ts'
import { startS3, type S3Server } from '../storage/s3/start-s3.ts'

let folder: string
let server: S3Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lake-'))
  server = await startS3()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const writers = 6
const commits = cases(20, 5)

test.each(['disk', 'bucket'] as const)(
  'racing writers commit each of their commits once, without a gap, on a %s',
  async (place) => {
    const table = place === 'disk' ? join(folder, 'table') : 's3://warehouse/table'
    const sessions = await Promise.all(
      Array.from({ length: writers }, () =>
        openLakeSession(
          { target: { format: 'delta', path: table, compression: 'zstd' }, pipeline: 'nightly' },
          { env: { ...server.env, AWS_MAX_ATTEMPTS: '2' } },
        ),
      ),
    )
    try {
      // Some answers are lost.
      for (let after = 3; after < 30; after += 4)
        server.faults.push({ method: 'PUT', where: '_delta_log', how: 'reset-after', after })
      await Promise.all(sessions.map((session, writer) => commitAll(session, table, writer)))
      const [session] = sessions as [OpenedLakeSession, ...OpenedLakeSession[]]
      const { commits: versions } = await listLogFiles(session.storage, table)
      expect(versions).toEqual(Array.from({ length: writers * commits }, (_, version) => version))
      const tokens: unknown[] = []
      for (const version of versions) tokens.push((await readCommit(session, table, version))[0]?.commitInfo?.txnId)
      expect(new Set(tokens).size).toBe(writers * commits)
    } finally {
      await Promise.all(sessions.map((session) => session.close()))
    }
  },
)

async function commitAll(session: LakeSession, folderOfTable: string, writer: number): Promise<void> {
  for (let number = 0; number < commits; number++) {
    const token = `${writer}-${number}`
    for (;;) {
      const { commits: there } = await listLogFiles(session.storage, folderOfTable)
      const commit = {
        folder: folderOfTable,
        token,
        version: there.length,
        actions: [{ commitInfo: { txnId: token } }],
      }
      if (await tryCommit(session, commit)) break
    }
  }
}
