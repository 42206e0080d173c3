import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import type { DatabaseLoad, DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { openDatabaseOutput, readTargetState } from '../../../src/loads/databases/open-database.ts'
import { verifyTarget } from '../../../src/loads/databases/verify-target.ts'
import { failureOf } from './failure-of.ts'
import { modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, giveRows, loadRows } from './load-rows.ts'
import { findFreePort, findOtherUser, skipsPostgres, startPostgres, type PostgresServer } from './postgres-server.ts'

const program = '/usr/sbin/pgbouncer'
const skipsPooler = skipsPostgres || (process.env.CATALOGUE_REQUIRE_POSTGRES !== '1' && !existsSync(program))

const day = 86_400_000
const records: ModelRecord[] = ['A', 'B', 'C'].map((id) => ({ id, name: id, photos: [`${id}.jpg`], updatedAt: null }))
const delta: DatabaseLoad = {
  ...anyLoad,
  kind: 'delta',
  runId: 'run-2',
  startedAt: new Date(anyLoad.startedAt.getTime() + day),
  since: anyLoad.startedAt,
}

describe.skipIf(skipsPooler)('behind a pooler that gives a connection away after each transaction', () => {
  let server: PostgresServer
  let folder: string
  let pooler: ChildProcess
  let url: DatabaseUrl
  let other: Client

  beforeAll(async () => {
    server = await startPostgres()
    folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
    await chmod(folder, 0o755)
    const port = await findFreePort()
    const { hostname, port: serverPort, username } = new URL(server.url.text)
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${serverPort} user=${username} password=${server.password}`,
      '[pgbouncer]',
      'pool_mode = transaction',
      'default_pool_size = 1',
      'auth_type = any',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
    ]
    await writeFile(join(folder, 'pgbouncer.ini'), lines.join('\n'))
    const user = process.getuid?.() === 0 ? await findOtherUser() : {}
    pooler = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { ...user, stdio: 'ignore' })
    const address = new URL(server.url.text)
    address.port = String(port)
    url = new DatabaseUrl(address.href)
    other = await connectPatiently(url.text)
  })
  afterAll(async () => {
    await other.end()
    pooler.kill()
    await once(pooler, 'exit')
    await rm(folder, { recursive: true })
    await server.stop()
  })

  let number = 0
  const planOf = (mode: DatabaseOutputPlan['mode'] = 'merge'): DatabaseOutputPlan => ({
    target: { format: 'postgres', url, schema: `pooled_${++number}` },
    pipeline: 'products',
    mode,
    removed: 'drop',
    tables: modelTables,
  })
  /** Settings and temporary tables of the only connection to the server, as the next program finds them. */
  const readConnection = async () => {
    const { rows } = await other.query<{ found: string }>(
      `SELECT name || '=' || setting AS found FROM pg_settings WHERE source = 'session' AND name NOT IN ('application_name', 'client_encoding')
      UNION ALL SELECT relname FROM pg_class WHERE relname LIKE '\\_load\\_%' AND relkind = 'r'`,
    )
    return rows.map(({ found }) => found)
  }

  test.each(['merge', 'history'] as const)(
    'loads of mode %s behind a pooler leave no setting and no temporary table to the next program',
    async (mode) => {
      const plan = planOf(mode)
      const before = await readConnection()
      await loadRows(plan, anyLoad, toRows(records))
      const changed = [{ ...(records[0] as ModelRecord), name: 'other' }]
      expect((await loadRows(plan, delta, toRows(changed))).changes).toMatchObject({ changed: 1, unchanged: 0 })
      expect((await loadRows(plan, { ...anyLoad, runId: 'run-3' }, toRows(records))).changes).toMatchObject({
        changed: 1,
      })
      expect(await readConnection()).toEqual(before)
      expect((await readTargetState(plan, 'config-1')).last?.runId).toBe('run-3')
      const { differences } = await verifyTarget({ ...plan, recordTables: new Set(['products']) })
      expect(differences).toEqual([])
    },
  )

  test('loads behind a pooler that fail or are given up leave the connection to the next program', async () => {
    const plan = planOf()
    await loadRows(plan, anyLoad, toRows(records))
    const output = await openDatabaseOutput(plan, delta)
    await giveRows(output, plan, delta, toRows([]))
    await output.discard()
    const failure = await failureOf(loadRows(plan, { ...delta, configHash: 'other' }, toRows([])))
    expect(failure.code).toMatch(/^TARGET_/)
    expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect((await loadRows(plan, delta, toRows([]))).changes).toMatchObject({ removed: 0 })
  })

  test('a parameter that a pooler refuses ends a load with exit code 2 and names it', async () => {
    const address = new URL(url.text)
    address.searchParams.set('options', '-c statement_timeout=60s')
    const plan = planOf()
    const target = { ...plan.target, format: 'postgres', url: new DatabaseUrl(address.href) } as const
    const failure = await failureOf(loadRows({ ...plan, target }, anyLoad, toRows(records)))
    expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2 })
    expect(failure.message).toContain('unsupported startup parameter: options')
  })
})

async function connectPatiently(connectionString: string): Promise<Client> {
  const until = Date.now() + 10_000
  for (;;) {
    const client = new Client({ connectionString })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > until) throw error
      await sleep(50)
    }
  }
}
