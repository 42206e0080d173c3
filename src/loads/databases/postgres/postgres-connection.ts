import type pg from 'pg'
import { DatabaseUrl } from '../../../config/database-url.ts'
import { interrupted, isError } from '../../../errors.ts'
import { readSqlState } from './postgres-failure.ts'

/**
 * Connects to the first of several servers that answers and that `target_session_attrs` accepts. Closes connections
 * that fail; the signal ends the waiting (INTERRUPTED).
 */
export async function connect(url: DatabaseUrl, name: string, signal?: AbortSignal): Promise<pg.Client> {
  const addresses = listAddresses(url)
  for (const [at, address] of addresses.entries()) {
    try {
      return await connectToOne(address, name, signal)
    } catch (thrown) {
      // As psql has it: a server that answers with a refusal ends the search.
      const isOver = signal?.aborted === true || ![null, '57P03'].includes(readSqlState(thrown))
      if (at === addresses.length - 1 || isOver) throw thrown
    }
  }
  throw new TypeError('expected an address, got none')
}

function listAddresses(url: DatabaseUrl): DatabaseUrl[] {
  const { hosts } = url
  if (hosts.length === 0) return [url]
  return hosts.map(({ host, port }) => {
    const one = new URL(url.text)
    one.searchParams.set('host', host)
    one.searchParams.set('port', port === '' ? '5432' : port)
    return new DatabaseUrl(one.href)
  })
}

async function connectToOne(url: DatabaseUrl, name: string, signal?: AbortSignal): Promise<pg.Client> {
  const { searchParams } = new URL(url.text)
  const client = await connectPreferably(url, name, signal)
  try {
    await checkSession(client, searchParams.get('target_session_attrs') ?? 'any')
    return client
  } catch (thrown) {
    await closeClient(client)
    throw thrown
  }
}

/** With `sslmode=prefer`, uses TLS only if the server offers it, and checks no certificate. */
async function connectPreferably(url: DatabaseUrl, name: string, signal?: AbortSignal): Promise<pg.Client> {
  const address = new URL(url.text)
  if (address.searchParams.get('sslmode') !== 'prefer') return connectOnce(url, name, signal)
  const withMode = (mode: string) => {
    address.searchParams.set('sslmode', mode)
    return new DatabaseUrl(address.href)
  }
  try {
    return await connectOnce(withMode('no-verify'), name, signal)
  } catch (thrown) {
    if (!(isError(thrown) && thrown.message.includes('does not support SSL'))) throw thrown
    return connectOnce(withMode('disable'), name, signal)
  }
}

/** Throws, in libpq's words, if `target_session_attrs` does not accept the session. */
async function checkSession(client: pg.Client, wanted: string): Promise<void> {
  if (wanted === 'any' || wanted === 'prefer-standby') return
  const { rows } = await client.query<{ standby: string; readonly: string }>(
    `SELECT pg_is_in_recovery()::text AS standby, current_setting('transaction_read_only') AS readonly`,
  )
  const [{ standby, readonly } = { standby: '', readonly: '' }] = rows
  const found = [readonly === 'on' ? 'read-only' : 'read-write', standby === 'true' ? 'standby' : 'primary']
  if (!found.includes(wanted))
    throw new Error(`expected a session that is ${wanted} (target_session_attrs), got one that is ${found.join(', ')}`)
}

async function connectOnce(url: DatabaseUrl, name: string, signal?: AbortSignal): Promise<pg.Client> {
  // Loading the driver takes time that runs without PostgreSQL don't pay.
  const { default: driver } = await import('pg')
  const client = new driver.Client({
    connectionString: withPlainMode(url.text),
    application_name: `catalogue-etl ${name}`.slice(0, 63),
    connectionTimeoutMillis: readConnectTimeoutMs(url) ?? 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  })
  const cut = () => void client.connection.stream.destroy()
  client.on('error', () => undefined)
  signal?.addEventListener('abort', cut)
  try {
    await client.connect()
    return client
  } catch (cause) {
    cut()
    if (!signal?.aborted) throw cause
    throw interrupted(`${url.shown}: the run`, { where: ' while it connected', cause })
  } finally {
    signal?.removeEventListener('abort', cut)
  }
}

/** A connection for questions about another one. The signal cuts it at any time. */
export async function connectAside(url: DatabaseUrl, name: string, signal: AbortSignal): Promise<pg.Client> {
  const client = await connect(url, name, signal)
  signal.addEventListener('abort', () => void client.connection.stream.destroy())
  return client
}

/** The driver does not read it: seconds, as for `psql`, 0 for no limit. */
function readConnectTimeoutMs(url: DatabaseUrl): number | null {
  const written = new URL(url.text).searchParams.get('connect_timeout') ?? process.env['PGCONNECT_TIMEOUT'] ?? ''
  return /^\d{1,6}$/.test(written) ? Number(written) * 1000 : null
}

/** The driver checks the certificate in these modes as in `verify-full`, but warns on stderr, between lines of JSON. */
function withPlainMode(text: string): string {
  const url = new URL(text)
  const { searchParams } = url
  if (searchParams.get('uselibpqcompat') === 'true') return text
  if (!['require', 'verify-ca'].includes(searchParams.get('sslmode') ?? '')) return text
  searchParams.set('sslmode', 'verify-full')
  return url.href
}

/**
 * Ends a connection, and rolls back its transaction. Never rejects. Cuts the connection after two seconds, such as
 * during a long statement.
 */
export async function closeClient(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined)
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, 2000).unref())
  await Promise.race([ended, timeout])
  client.connection.stream.destroy()
}
