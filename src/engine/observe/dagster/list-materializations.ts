import { createHash } from 'node:crypto'
import { type FileReport, listDistinctFiles, type Manifest, type TableReport } from '../../../manifest/manifest.ts'
import { sumBytes } from '../../../report/facts/files.ts'
import { type PipesMessage, toMetadata, toText } from './pipes-session.ts'

/**
 * Materializations of the assets of a step: each has the table of its name, the last part of its key. A step with one asset has
 * all tables in it, and the rows of the root table if none has its name.
 */
export function listMaterializations(report: Manifest, keys: readonly string[]): PipesMessage[] {
  return keys.flatMap((key) => {
    const name = lastPart(key)
    const named = report.tables.find((table) => table.name === name)
    const isWhole = keys.length === 1
    const table = named ?? (isWhole ? report.tables[0] : undefined)
    if (table === undefined) {
      const names = report.tables.map((each) => each.name).join(', ')
      const message = `${key}: expected an asset with the name of a table (${names}), got another: it has no metadata`
      return { method: 'log', params: { level: 'WARNING', message } }
    }
    const files = report.files.filter((file) => isWhole || file.table === table.name)
    const metadata = { ...describeTable(report, table, files), ...(isWhole && { tables: listTables(report) }) }
    const params = { asset_key: key, metadata, data_version: toDataVersion(report, files) }
    return { method: 'report_asset_materialization', params }
  })
}

/** `warehouse/products`: parts of a key are separated by slashes; a backslash makes the next character one of the part. */
function lastPart(key: string): string {
  const last = /(?:\\.|[^\\/])*$/.exec(key)?.[0] ?? key
  return last.replaceAll(/\\(.)/g, '$1')
}

function describeTable(report: Manifest, { name, rows }: TableReport, files: readonly FileReport[]) {
  const { runId, completeness, ledger, state, databases, manifest } = report
  const paths = [...new Set(files.map(({ base, path }) => base ?? path))]
  const columns = report.files.find(({ table }) => table === name)?.columns
  const changes = state?.changes ?? databases?.[0]?.changes
  return {
    'dagster/row_count': toMetadata('int', rows),
    ...(columns && { 'dagster/column_schema': toMetadata('table_schema', { columns: columns.map(toColumn) }) }),
    bytes: toMetadata('int', sumBytes(listDistinctFiles(files))),
    ...(paths.length === 1 ? { path: toMetadata('path', paths[0]) } : { paths: toMetadata('json', paths) }),
    ...(changes && { changes: toMetadata('json', changes) }),
    ...(databases && {
      databases: toMetadata(
        'json',
        databases.map(({ target }) => target),
      ),
    }),
    completeness: toText(completeness.status),
    ledger: toMetadata('json', ledger),
    run: toText(runId),
    manifest: toMetadata('path', manifest),
  }
}

function toColumn({ name, type }: FileReport['columns'][number]) {
  return { name, type }
}

function listTables({ tables, files }: Manifest) {
  const records = tables.map(({ name, rows }) => {
    const bytes = sumBytes(files.filter(({ table }) => table === name))
    return { table: name, rows, bytes }
  })
  const schema = [
    { name: 'table', type: 'string' },
    { name: 'rows', type: 'integer' },
    { name: 'bytes', type: 'integer' },
  ]
  return toMetadata('table', { records, schema })
}

/** The same for the same bytes, so that assets downstream are stale only if there is something new. */
function toDataVersion({ runId }: Manifest, files: readonly FileReport[]): string {
  if (files.length === 0) return runId
  const hashes = listDistinctFiles(files).map(({ path, sha256 }) => `${path} ${sha256}\n`)
  return createHash('sha256').update(hashes.toSorted().join('')).digest('hex').slice(0, 32)
}
