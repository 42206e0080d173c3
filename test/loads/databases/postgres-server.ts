import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chown, open, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import { makeOnce } from '../../make-once.ts'

const run = promisify(execFile)
const programs = ['initdb', 'postgres', 'psql']

export interface PostgresServer {
  /** URL of the database, with the server's only user and the password. */
  readonly url: DatabaseUrl
  readonly password: string
  /** Its name. */
  readonly database: string
  /** The folder of psql. */
  readonly binFolder: string
  /** Rows of a query, every value as text. */
  query(sql: string): Promise<(string | null)[][]>
  stop(): Promise<void>
}

/**
 * True if tests against PostgreSQL are left out, as no server is installed. With CATALOGUE_REQUIRE_POSTGRES=1, as in CI,
 * they then fail.
 */
export const skipsPostgres = process.env.CATALOGUE_REQUIRE_POSTGRES !== '1' && findBinFolder() === null

/**
 * A database of its own on a PostgreSQL server that all test files share. The server runs on loopback, and as root as
 * another user, because it refuses to run as root. Throws if no server is installed.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const binFolder = findBinFolder()
  if (binFolder === null)
    throw new Error('expected initdb, postgres and psql in PATH or in /usr/lib/postgresql/*/bin, got no server')
  const port = await makeOnce('postgres', (folder) => startServer(binFolder, folder))
  const name = `test_${randomUUID()}`
  const urlOf = (database: string): string =>
    `postgres://tester:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  await runStatement(urlOf('postgres'), `CREATE DATABASE "${name}"`)
  const client = new Client({ connectionString: urlOf(name) })
  await client.connect()
  await client.query("SET TIME ZONE 'UTC'")
  return {
    url: new DatabaseUrl(urlOf(name)),
    password,
    database: name,
    binFolder,
    async query(sql) {
      const { rows } = await client.query({ text: sql, rowMode: 'array', types: { getTypeParser: () => String } })
      return rows as (string | null)[][]
    },
    // The database stays: to drop one waits for every connection of the server, also for those that are held up.
    stop: () => client.end(),
  }
}

const password = 'top/secret:word'

/** Resolves with its port once it takes connections. The server outlives this process. */
async function startServer(binFolder: string, folder: string): Promise<number> {
  const user = process.getuid?.() === 0 ? await findOtherUser() : null
  const as = user ?? {}
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  if (user !== null) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid)
  const data = join(folder, 'data')
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8']
  const access = ['--username=tester', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  await run(join(binFolder, 'initdb'), ['-D', data, '--no-sync', ...locale, ...access], { ...as, cwd: folder })
  const port = await findFreePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'autovacuum=off',
  ]
  const log = await open(join(folder, 'log'), 'a')
  const server = spawn(join(binFolder, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', log.fd],
    detached: true,
  })
  server.unref()
  await log.close()
  await writeFile(join(folder, 'pid'), String(server.pid))
  const url = `postgres://tester:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  await waitFor(url, () => readFileSync(join(folder, 'log'), 'utf8').slice(-2000))
  return port
}

async function runStatement(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** In PATH, or where Debian puts it; of several the newest. */
function findBinFolder(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return folders.find((folder) => programs.every((name) => existsSync(join(folder, name)))) ?? null
}

/** A user that programs which refuse to run as root can run as: the usual one of the program, else nobody. */
export async function findOtherUser(usual = 'postgres'): Promise<{ uid: number; gid: number }> {
  for (const name of [usual, 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name]))).catch(() => null)
    if (ids === null) continue
    const [uid = 0, gid = 0] = ids.map(({ stdout }) => Number(stdout))
    return { uid, gid }
  }
  throw new Error(`expected a user "${usual}" or "nobody", as the server does not run as root`)
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function waitFor(url: string, readLog: () => string): Promise<void> {
  const until = Date.now() + 30_000
  for (;;) {
    try {
      return await runStatement(url, 'SELECT 1')
    } catch (error) {
      if (Date.now() > until) throw new Error(`the server did not start: ${readLog()}`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
