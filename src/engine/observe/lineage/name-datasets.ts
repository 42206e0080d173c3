import { resolve } from 'node:path'
import type { DatabaseUrl } from '../../../config/database-url.ts'
import { type DatabasePlan, isLakePlan } from '../../../plan/outputs/database-plan.ts'
import type { SourcePlan } from '../../../plan/source/source-plan.ts'
import { isObjectPath } from '../../../storage/s3/object-path.ts'

/** A dataset by OpenLineage's naming conventions, without credentials. */
export interface DatasetName {
  readonly namespace: string
  readonly name: string
}

/**
 * What a source reads. A glob is the folder that it begins with, so that the dataset stays the same from night to
 * night. The conventions know no services: the namespace of one is its address, the name its path.
 */
export function nameInputs(source: SourcePlan): DatasetName[] {
  if (source.kind === 'service') {
    const url = new URL(source.baseUrl ?? 'http://localhost')
    return [{ namespace: url.origin, name: `${url.pathname}${source.path}`.replaceAll(/^\/+|(?<=\/)\/+/g, '') }]
  }
  const names = source.files.map((entry) =>
    entry === '-' ? { namespace: 'inmemory://', name: 'stdin' } : nameFile(withoutPattern(entry)),
  )
  return [...new Map(names.map((each) => [`${each.namespace} ${each.name}`, each])).values()]
}

function withoutPattern(entry: string): string {
  const at = entry.search(/[*?{[]|[!@+]\(/)
  return at < 0 ? entry : entry.slice(0, Math.max(0, entry.lastIndexOf('/', at))) || '.'
}

export function nameFile(path: string): DatasetName {
  if (!isObjectPath(path)) return { namespace: 'file', name: resolve(path).replaceAll('\\', '/') }
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/?(.*)$/s.exec(path) ?? []
  return { namespace: `s3://${bucket}`, name: key }
}

/** A table of a database or of a lake. */
export function nameTable(plan: DatabasePlan, table: string): DatasetName {
  if (isLakePlan(plan)) {
    if (!plan.catalog) return nameFile(plan.path.replaceAll('{table}', table))
    return { namespace: plan.catalog.url, name: [...plan.catalog.namespace, table].join('.') }
  }
  switch (plan.format) {
    case 'postgres': {
      const { host, database } = toAddress(plan.url, '5432')
      return { namespace: `postgres://${host}`, name: [...database, plan.schema, table].join('.') }
    }
    // By the conventions MariaDB is a MySQL. The schema is the database of its address.
    case 'mariadb':
      return { namespace: `mysql://${toAddress(plan.url, '3306').host}`, name: `${plan.schema}.${table}` }
    case 'duckdb':
      return { namespace: `duckdb://${nameFile(plan.path).name}`, name: `${plan.schema}.${table}` }
  }
}

/** Host and port, the first of several; the name of the database, if the address has it. */
function toAddress(url: DatabaseUrl | null, port: string) {
  const [, hosts = ''] = /^\w+:\/\/([^/?]*)/.exec(url?.shown ?? '') ?? []
  const [first = ''] = hosts.split(',')
  const host = first === '' ? 'localhost' : first
  return { host: /:\d+$/.test(host) ? host : `${host}:${port}`, database: url?.database ? [url.database] : [] }
}
