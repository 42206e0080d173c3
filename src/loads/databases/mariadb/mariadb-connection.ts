import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { ConnectionOptions, ResultSetHeader, RowDataPacket } from 'mysql2'
import { decode, type DatabaseUrl } from '../../../config/database-url.ts'
import { CatalogueError, interrupted, messageOf } from '../../../errors.ts'
import { requireOptional } from '../../../optional-package.ts'

export type TextRow = Readonly<Record<string, string | null>>

export interface MariadbConnection {
  /** True once the connection itself has failed. */
  readonly isLost: boolean
  /** Number of rows that a statement changed. Statements run one after the other. */
  run(sql: string): Promise<number>
  rows(sql: string): Promise<readonly TextRow[]>
  /** Ends the connection, and rolls back its transaction. Never rejects. Cuts it after two seconds, such as during a long statement. */
  close(): Promise<void>
}

/** Connects without a database. The signal ends the waiting (INTERRUPTED). Throws PEER_MISSING, or what the driver throws. */
export async function connect(url: DatabaseUrl, name: string, signal?: AbortSignal): Promise<MariadbConnection> {
  const driver = requireDriver(url.shown)
  const client = driver.createConnection(await toOptions(url, name))
  let isLost = false
  const cut = () => client.destroy()
  signal?.addEventListener('abort', cut)
  try {
    await new Promise<void>((resolve, reject) => {
      // Without a listener a lost connection would end the process; the next statement fails.
      client.on('error', (error) => {
        isLost = true
        reject(error)
      })
      client.connect((error) => (error ? reject(error) : resolve()))
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  } catch (cause) {
    cut()
    if (!signal?.aborted) throw cause
    throw interrupted(`${url.shown}: the run`, { where: ' while it connected', cause })
  } finally {
    signal?.removeEventListener('abort', cut)
  }
  const query = <Result extends ResultSetHeader | RowDataPacket[]>(sql: string) =>
    new Promise<Result>((resolve, reject) => {
      client.query<Result>({ sql, typeCast: (field) => field.string() }, (error, result) => {
        if (error === null) return resolve(result)
        isLost ||= error.fatal
        reject(error)
      })
    })
  return {
    get isLost() {
      return isLost
    },
    run: async (sql) => (await query<ResultSetHeader>(sql)).affectedRows,
    rows: (sql) => query<RowDataPacket[]>(sql),
    async close() {
      const ended = new Promise<void>((resolve) => client.end(() => resolve()))
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, 2000).unref())
      await Promise.race([ended, timeout])
      client.destroy()
    },
  }
}

/** Loads the driver, an optional peer, on use. */
function requireDriver(shown: string): typeof import('mysql2') {
  try {
    return requireOptional('mysql2') as typeof import('mysql2')
  } catch (thrown) {
    const said = messageOf(thrown).split('\n')[0] ?? ''
    const message = `${shown}: expected the package "mysql2", got: ${said}`
    const fix = 'Install it beside catalogue-etl: `npm install mysql2@3`.'
    throw new CatalogueError('PEER_MISSING', message, { cause: thrown, fix })
  }
}

async function toOptions(url: DatabaseUrl, name: string): Promise<ConnectionOptions> {
  const { hostname, port, username, password, searchParams } = new URL(url.text)
  const socketPath = searchParams.get('socket')
  return {
    ...(socketPath === null ? { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 3306) } : { socketPath }),
    user: decode(username),
    password: decode(password),
    charset: 'utf8mb4',
    connectTimeout: 30_000,
    // A server must not ask for files of this machine.
    flags: ['-LOCAL_FILES'],
    connectAttributes: { program_name: `catalogue-etl ${name}` },
    ...(await toTls(url)),
  }
}

/** `ssl=true` checks the certificate and its name, by the authorities of `sslca` or else of Node; `ssl=no-verify` encrypts only. */
async function toTls(url: DatabaseUrl): Promise<Pick<ConnectionOptions, 'ssl'>> {
  const { hostname, searchParams: parameters } = new URL(url.text)
  const [mode, file] = [parameters.get('ssl'), parameters.get('sslca')]
  if (mode === 'false' || (mode === null && file === null)) return {}
  if (mode === 'no-verify') return { ssl: { rejectUnauthorized: false } }
  // The driver would compare the certificate with "localhost".
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
    throw new CatalogueError(
      'TARGET_REFUSED',
      `${url.shown}: expected the name of a host with ssl=true, got an IP address`,
      {
        fix: 'Write the name that the certificate has, or `ssl=no-verify`, which checks none.',
      },
    )
  return { ssl: { verifyIdentity: true, ...(file !== null && { ca: await readFile(file) }) } }
}
