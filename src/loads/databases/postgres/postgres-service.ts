import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { DatabaseUrl } from '../../../config/database-url.ts'
import { CatalogueError } from '../../../errors.ts'

/**
 * Adds settings that an address lacks from the service that it or PGSERVICE names. As in libpq, the address takes
 * precedence over the service, and the service over the other variables of the environment.
 */
export async function withService(url: DatabaseUrl): Promise<DatabaseUrl> {
  const filled = new URL(url.text)
  const service = filled.searchParams.get('service') ?? process.env['PGSERVICE'] ?? ''
  if (service === '') return url
  const { dbname, ...parameters } = await readService(service, url.shown)
  const written: Readonly<Record<string, string>> = {
    user: filled.username,
    password: filled.password,
    host: filled.hostname,
    port: filled.port,
  }
  for (const [name, value] of Object.entries(parameters))
    if (!written[name] && !filled.searchParams.has(name)) filled.searchParams.set(name, value)
  if (filled.pathname.length <= 1 && dbname !== undefined) filled.pathname = `/${encodeURI(dbname)}`
  filled.searchParams.set('service', service)
  return new DatabaseUrl(filled.href)
}

async function readService(service: string, shown: string): Promise<Readonly<Record<string, string>>> {
  const own = process.env['PGSERVICEFILE'] ?? join(homedir(), '.pg_service.conf')
  const files = [own, join(process.env['PGSYSCONFDIR'] ?? '/etc/postgresql-common', 'pg_service.conf')]
  for (const file of files) {
    const text = await readText(file, shown)
    const found = text === null ? null : parseService(text, service, `${shown}: ${file}`)
    if (found !== null) return found
  }
  const message = `${shown}: expected service "${service}" in ${files.join(' or ')}, got none of that name`
  throw new CatalogueError('TARGET_REFUSED', message, {
    fix: 'Add the service to one of these files, or name another file as PGSERVICEFILE.',
  })
}

async function readText(file: string, shown: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' && file !== process.env['PGSERVICEFILE']) return null
    throw new CatalogueError('TARGET_REFUSED', `${shown}: ${file}: expected the file of services, got ${code}`, {
      cause,
    })
  }
}

/** Reads one section of `[name]` and lines of `key=value`, without blanks around `=`; null if it is missing. */
function parseService(text: string, service: string, place: string): Record<string, string> | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const start = lines.indexOf(`[${service}]`)
  if (start === -1) return null
  const parameters: Record<string, string> = {}
  for (const [at, line] of lines.entries()) {
    if (at <= start || line === '' || line.startsWith('#')) continue
    if (line.startsWith('[')) break
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    // The line may hold a password.
    if (name === undefined || value === undefined || name === 'service')
      throw new CatalogueError('TARGET_REFUSED', `${place}, line ${at + 1}: expected key=value, got something else`)
    parameters[name] ??= value
  }
  return parameters
}
