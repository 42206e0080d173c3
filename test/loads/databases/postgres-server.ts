import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { DatabaseUrl } from '../../../src/config/database-url.ts'

const run = promisify(execFile)
const programs = ['initdb', 'postgres', 'psql']

export interface PostgresServer {
  /** URL of its only user, with the password. */
  readonly url: DatabaseUrl
  readonly password: string
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
 * Starts a PostgreSQL server of its own on loopback, in a temporary folder. As root it runs as another user, because the
 * server refuses to run as root. Throws where no server is installed.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const binFolder = findBinFolder()
  if (binFolder === null)
    throw new Error('expected initdb, postgres and psql in PATH or in /usr/lib/postgresql/*/bin, got no server')
  const user = process.getuid?.() === 0 ? await findOtherUser() : null
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  const as = user ?? {}
  const password = 'top/secret:word'
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  if (user !== null) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid)
  const data = join(folder, 'data')
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8']
  const access = ['--username=tester', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  await run(join(binFolder, 'initdb'), ['-D', data, '--no-sync', ...locale, ...access], { ...as, cwd: folder })
  const port = await findFreePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off']
  const server = spawn(join(binFolder, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  server.stderr.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-2000)))
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const text = `postgres://tester:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  const client = await connectSoon(text, () => log)
  await client.query("SET TIME ZONE 'UTC'")
  return {
    url: new DatabaseUrl(text),
    password,
    binFolder,
    async query(sql) {
      const { rows } = await client.query({ text: sql, rowMode: 'array', types: { getTypeParser: () => String } })
      return rows as (string | null)[][]
    },
    async stop() {
      await client.end()
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
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

async function findOtherUser(): Promise<{ uid: number; gid: number }> {
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name]))).catch(() => null)
    if (ids === null) continue
    const [uid = 0, gid = 0] = ids.map(({ stdout }) => Number(stdout))
    return { uid, gid }
  }
  throw new Error('expected a user "postgres" or "nobody", as the server does not run as root')
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function connectSoon(connectionString: string, readLog: () => string): Promise<Client> {
  const until = Date.now() + 30_000
  for (;;) {
    const client = new Client({ connectionString })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > until) throw new Error(`the server did not start: ${readLog()}`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
