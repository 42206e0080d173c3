import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chown, open, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeOnce } from '../../make-once.ts'
import { findFreePort, findOtherUser } from './postgres-server.ts'

const run = promisify(execFile)
const programs = ['mariadb-install-db', 'mariadbd', 'mariadb'] as const

export interface MariadbServer {
  /** The address of the server's only user, with the password, and of a database that nothing else uses. */
  readonly url: string
  readonly database: string
  readonly password: string
  /** Arguments of `mariadb`, the client, for this database. */
  readonly clientArguments: readonly string[]
  /** Runs statements with `mariadb`, the client; rows of the last query, every value as text. */
  query(sql: string): Promise<(string | null)[][]>
  /** Does nothing: the server is for all. */
  stop(): Promise<void>
}

/**
 * True if tests against MariaDB are left out, as no server is installed. With CATALOGUE_REQUIRE_MARIADB=1, as in CI, they
 * then fail.
 */
export const skipsMariadb = process.env.CATALOGUE_REQUIRE_MARIADB !== '1' && findPrograms() === null

/**
 * A database of its own on a MariaDB server that all test files with the same settings share, on loopback. Throws if no server
 * is installed.
 */
export async function startMariadb(name = 'mariadb', settings: readonly string[] = []): Promise<MariadbServer> {
  const found = findPrograms()
  if (found === null)
    throw new Error(`expected ${programs.join(', ')} in PATH, /usr/sbin or /usr/bin, got not all of them`)
  const { port, socket } = await makeOnce(name, (folder) => startServer(found, folder, settings))
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const client = ['--no-defaults', `--socket=${socket}`, '--user=tester', `--password=${password}`]
  const query = (sql: string, within: readonly string[] = []) =>
    queryByClient(found.mariadb, [...client, ...within], sql)
  await query(`CREATE DATABASE ${database}`)
  return {
    url: `mariadb://tester:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    database,
    password,
    clientArguments: [...client, database],
    query: (sql) => query(sql, [database]),
    stop: () => Promise.resolve(),
  }
}

const password = 'top/secret:word'
type Programs = Readonly<Record<(typeof programs)[number], string>>

function findPrograms(): Programs | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  const found = programs.map((name) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path)))
  if (found.includes(undefined)) return null
  return Object.fromEntries(programs.map((name, at) => [name, found[at]])) as Programs
}

interface RunningServer {
  readonly port: number
  readonly socket: string
}

/** Resolves once it takes connections. The server outlives this process. */
async function startServer(found: Programs, folder: string, others: readonly string[]): Promise<RunningServer> {
  const user = process.getuid?.() === 0 ? await findOtherUser('mysql') : null
  const as = user ?? {}
  const socket = join(folder, 'socket')
  if (user !== null) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const start = join(folder, 'start.sql')
  // One statement a line. The user of all hosts alone would yield to the anonymous one of this host.
  const lines = ['%', 'localhost'].flatMap((host) => [
    `CREATE USER tester@'${host}' IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO tester@'${host}' WITH GRANT OPTION;`,
  ])
  await writeFile(start, `${lines.join('\n')}\n`)
  await run(
    found['mariadb-install-db'],
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--skip-test-db',
      '--skip-name-resolve',
      '--auth-root-authentication-method=normal',
    ],
    { ...as, cwd: folder },
  )
  const port = await findFreePort()
  const settings = [
    '--no-defaults',
    ...others,
    `--datadir=${data}`,
    // Another server would delete files of this one there when it starts.
    `--tmpdir=${folder}`,
    `--socket=${socket}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--init-file=${start}`,
    '--skip-name-resolve',
    // Nothing here outlives a crash of the machine.
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=OFF',
    '--innodb-log-file-size=16M',
  ]
  const log = await open(join(folder, 'log'), 'a')
  const server = spawn(found.mariadbd, settings, {
    ...as,
    cwd: folder,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  })
  server.unref()
  await log.close()
  await writeFile(join(folder, 'pid'), `${server.pid} SIGTERM`)
  const until = Date.now() + 60_000
  for (;;) {
    try {
      await queryByClient(
        found.mariadb,
        ['--no-defaults', `--socket=${socket}`, '--user=tester', `--password=${password}`],
        'SELECT 1',
      )
      return { port, socket }
    } catch (error) {
      const said = readFileSync(join(folder, 'log'), 'utf8').slice(-2000)
      if (Date.now() > until) throw new Error(`the server did not start: ${said}`, { cause: error })
      await sleep(50)
    }
  }
}

/** The client writes a line a row, with escapes of tabs, line breaks and backslashes, and NULL for null: XML tells it from the text. */
async function queryByClient(program: string, client: readonly string[], sql: string): Promise<(string | null)[][]> {
  const { stdout } = await run(program, [...client, '--default-character-set=utf8mb4', '--xml', '-e', sql], {
    maxBuffer: 2 ** 30,
  })
  const last = stdout.split('<resultset').at(-1) ?? ''
  return [...last.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<field name="[^"]*"(?: xsi:nil="true" \/>|>(.*?)<\/field>)/gs)].map(([, text]) =>
      text === undefined ? null : unescapeXml(text),
    ),
  )
}

function unescapeXml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
