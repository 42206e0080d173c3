import { resolve } from 'node:path'
import { databaseServers } from '../../config/database-servers.ts'
import { DatabaseUrl, decode } from '../../config/database-url.ts'
import { CatalogAccess } from '../../config/catalog-access.ts'
import {
  type DatabaseOutputConfig,
  isLake,
  type LakeOutputConfig,
  type ServerOutputConfig,
} from '../../config/schemas/output-schema.ts'
import { type DatabasePlan, isLakePlan } from './database-plan.ts'
import { toMode } from './output-mode.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

export interface DatabaseContext {
  readonly isIncremental: boolean
  readonly tables: readonly number[]
  readonly file: string
  /** True if the variable of the address is not set, and need not be. */
  readonly isUnset: boolean
}

export function toDatabase(output: DatabaseOutputConfig, context: DatabaseContext): DatabasePlan {
  const { tables, file, isUnset, isIncremental } = context
  const target = { mode: toMode(output, isIncremental), removed: output.removed ?? 'drop', tables }
  if (isLake(output)) {
    const { catalog, namespace = '' } = 'catalog' in output ? output : {}
    const isSound = catalog !== undefined && !isUnset && checkCatalogUrl(catalog.url) === null
    const access = isSound ? new CatalogAccess({ ...catalog, namespace }) : null
    const { format, compression, deletes } = output
    const changeFeed = output.format === 'delta' && output.changeFeed
    const files = { path: file, compression, deletes, changeFeed }
    return { format, ...files, ...(catalog !== undefined && { catalog: access }), ...target }
  }
  if (output.format === 'duckdb') return { format: 'duckdb', path: file, schema: output.schema, ...target }
  const { format, lockTimeout: lockTimeoutMs } = output
  const isAddress = !isUnset && checkUrl(output) === null
  const url = isAddress ? new DatabaseUrl(output.url) : null
  const schema = output.format === 'mariadb' ? (url?.database ?? '') : output.schema
  return { format, url, schema, lockTimeoutMs, ...target }
}

/** Problems of a database's address, or of a catalog, without showing secrets. */
export function checkDatabase(output: DatabaseOutputConfig, isUnset: boolean, path: Problem['path']): Problem[] {
  if (output.format === 'iceberg') return checkCatalog(output, isUnset, path)
  const message = 'url' in output && !isUnset ? checkUrl(output) : null
  return message === null ? [] : [problemAt([...path, 'url'], message)]
}

function checkCatalog(
  { path: folder, catalog, namespace }: Extract<LakeOutputConfig, { format: 'iceberg' }>,
  isUnset: boolean,
  path: Problem['path'],
): Problem[] {
  const at = (key: string, message: string) => problemAt([...path, ...key.split('.')], `${key}: ${message}`)
  if (catalog === undefined)
    return namespace === undefined ? [] : [at('namespace', 'expected a catalog that it is in, got none')]
  const { url, token, credential } = catalog
  const wrongUrl = isUnset ? null : checkCatalogUrl(url)
  return [
    ...(folder === undefined ? [] : [at('path', 'expected none beside a catalog, which says where tables are')]),
    ...(namespace === undefined ? [at('catalog', 'expected the namespace of its tables beside it, got none')] : []),
    ...(wrongUrl === null ? [] : [at('catalog.url', wrongUrl)]),
    ...(token === undefined || credential === undefined
      ? []
      : [at('catalog.credential', 'expected a token or a credential, got both')]),
  ]
}

/** In words that quote no password; null if there is none. */
function checkCatalogUrl(url: string): string | null {
  const expected = 'expected an address such as https://catalog.example.com/api'
  if (url.includes('@')) return `${expected}, got one with a user or a password: \`token\` or \`credential\` have them`
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) return `${expected}, got "${url}"`
  if (/\/v1\/*$/.test(parsed.pathname)) return `${expected}, which ends before /v1, got "${url}"`
  return parsed.search === '' && parsed.hash === '' ? null : `${expected}, without ? and #, got "${url}"`
}

/** The tables of a lake have folders of their own, and the state of the pipeline, too. */
export function checkLakePath(template: string, path: Problem['path']): Problem[] {
  if (template.includes('{table}')) return []
  const message = `path: expected {table} in it, as each table has a folder, and the state of the pipeline another one beside them, got "${template}"`
  return [problemAt(path, message)]
}

/** Readers of a change feed add columns of their own. */
export function checkFeed(
  output: LakeOutputConfig,
  tables: readonly Pick<TablePlan, 'name' | 'columns'>[],
  path: Problem['path'],
): Problem[] {
  if (output.format !== 'delta' || !output.changeFeed) return []
  return tables.flatMap(({ name, columns }) => {
    const taken = columns.find((column) => feedColumns.has(column.name.toLowerCase()))
    if (taken === undefined) return []
    const message = `changeFeed: a change feed has a column "${taken.name}", which table "${name}" has already: give that another name with column:`
    return [problemAt([...path, 'changeFeed'], message)]
  })
}

const feedColumns: ReadonlySet<string> = new Set(['_change_type', '_commit_version', '_commit_timestamp'])

function checkUrl({ format, url: written }: ServerOutputConfig): string | null {
  const url = new DatabaseUrl(written).text
  const { example, protocols, parameters, mostNameBytes } = databaseServers[format]
  const expected = `url: expected an address such as ${example}`
  const encoding = 'in a password, / ? # @ : and % are written %2F %3F %23 %40 %3A and %25'
  if (!URL.canParse(url)) return `${expected}, got text that is none: ${encoding}`
  const { protocol, pathname, searchParams } = new URL(url)
  if (!protocols.some((each) => each === protocol)) return `${expected}, got one that begins with ${protocol}`
  if (pathname.length <= 1 && searchParams.has('service')) return null
  if (pathname.length <= 1) return `${expected}, got one without a database: ${encoding}`
  // Such text is probably the end of a password, so it is not shown.
  if (!/^\/[^/@:]+$/.test(pathname)) return `${expected}, got / @ or : where the database is named: ${encoding}`
  if (parameters === null) return null
  if (Buffer.byteLength(decode(pathname)) > mostNameBytes + 1)
    return `${expected}, got a database with a name of more than ${mostNameBytes} bytes`
  const other = [...searchParams.keys()].find((name) => !parameters.some((each) => each === name))
  return other === undefined ? null : `url: expected ${parameters.join(', ')} or no parameter, got "${other}"`
}

export function checkDatabasesApart(
  databases: readonly { readonly plan: DatabasePlan; readonly path: Problem['path'] }[],
): Problem[] {
  return databases.flatMap(({ plan, path }, index) => {
    const place = toPlace(plan)
    const isTaken = databases.slice(0, index).some((earlier) => place !== null && toPlace(earlier.plan) === place)
    if (!isTaken) return []
    const { schema = '' } = 'schema' in plan ? plan : {}
    const key = plan.format === 'mariadb' ? 'url' : 'schema'
    const message =
      plan.format === 'mariadb'
        ? `url: expected another database than that of an output above, got "${schema}"`
        : `schema: expected another one than that of an output above, which is in the same database, got "${schema}"`
    return [problemAt([...path, key], message)]
  })
}

/** Null if it is unknown, or if paths are compared instead. */
function toPlace(plan: DatabasePlan): string | null {
  if (isLakePlan(plan)) return null
  // DuckDB ignores case in names.
  if (plan.format === 'duckdb') return `${resolve(plan.path)}\n${plan.schema.toLowerCase()}`
  return plan.url === null ? null : `${plan.format} ${plan.url.shown}\n${plan.schema}`
}
