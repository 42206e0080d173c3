import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import avro from 'avsc'
import { parse as parseLossless } from 'lossless-json'
import { quoteName } from '../../../src/loads/files/sql-text.ts'
import type { Column } from '../../../src/records/flatten/column.ts'
import { formatLines, query } from './read-delta.ts'

export interface IcebergTable {
  readonly version: number
  readonly metadata: IcebergMetadata
  readonly files: readonly IcebergFile[]
  readonly columns: readonly string[]
}

export interface IcebergFile {
  readonly path: string
  readonly size: number
  readonly rows: number
  readonly sequence: number
  /** The numbers of its deleted rows. */
  readonly deleted: readonly number[]
}

export interface IcebergMetadata {
  readonly 'format-version': number
  readonly 'table-uuid': string
  readonly location: string
  readonly 'last-column-id': number
  readonly 'last-sequence-number': number
  readonly 'current-schema-id': number
  readonly 'current-snapshot-id': string
  readonly properties: Record<string, string>
  readonly schemas: readonly { 'schema-id': number; fields: readonly IcebergField[] }[]
  readonly snapshots: readonly IcebergSnapshot[]
  readonly 'snapshot-log': readonly object[]
  readonly 'metadata-log': readonly { 'metadata-file': string }[]
}

export interface IcebergField {
  readonly id: number
  readonly name: string
  readonly type: string | { readonly 'element-id': number; readonly element: string }
}

interface IcebergSnapshot {
  readonly 'snapshot-id': string
  readonly 'parent-snapshot-id'?: string
  readonly 'sequence-number': number
  readonly 'manifest-list': string
  readonly summary: Record<string, string>
}

/** Reads a table in the plainest way, and checks that it has every version, one hint, and counts that are true. */
export async function readIceberg(folder: string): Promise<IcebergTable> {
  const names = await readdir(join(folder, 'metadata'))
  const versions = names.flatMap((name) => /^v(\d+)\.metadata\.json$/.exec(name)?.slice(1).map(Number) ?? [])
  const version = Math.max(...versions)
  if (versions.length !== version - Math.min(...versions) + 1)
    throw new Error(`${folder}: expected ${version} versions, got ${versions.length}`)
  const hint = await readFile(join(folder, 'metadata/version-hint.text'), 'utf8')
  // After a failed write it may say an earlier one, from which readers look further on.
  if (!(Number(hint) <= version)) throw new Error(`${folder}: expected the hint ${version}, got ${hint}`)
  const metadata = await readMetadata(join(folder, 'metadata', `v${version}.metadata.json`))
  return { version, ...(await readFiles(folder, metadata)) }
}

/** As `readIceberg`, for a table in a catalog, which names the file of its metadata. */
export async function readCatalogTable(metadataFile: string): Promise<IcebergTable> {
  const metadata = await readMetadata(metadataFile)
  const folder = metadata.location.replace(/^file:\/*/, '/')
  const current = metadata.snapshots.find((each) => each['snapshot-id'] === metadata['current-snapshot-id'])
  return { version: current?.['sequence-number'] ?? 0, ...(await readFiles(folder, metadata)) }
}

async function readFiles(folder: string, metadata: IcebergMetadata): Promise<Omit<IcebergTable, 'version'>> {
  const columns = fieldsOf(metadata).map(({ name }) => name)
  if (metadata.snapshots.length === 0) return { metadata, files: [], columns }
  const current = metadata.snapshots.find((each) => each['snapshot-id'] === metadata['current-snapshot-id'])
  if (current === undefined) throw new Error(`${folder}: expected a snapshot`)
  const toLocal = (location: string) => {
    const [found, root] = [location, metadata.location].map((each) => each.replace(/^file:\/*/, '/'))
    if (!found?.startsWith(`${root}/`)) throw new Error(`${folder}: expected files in it, got ${location}`)
    return join(folder, found.slice(root?.length))
  }
  const files: IcebergFile[] = []
  const deleteFiles: { readonly path: string; readonly sequence: number; readonly rows: number }[] = []
  for (const manifest of await readAvro(toLocal(current['manifest-list']))) {
    const entries = await readAvro(toLocal(String(manifest['manifest_path'])))
    const statuses = { existing: 0, added: 1, deleted: 2 }
    for (const [name, status] of Object.entries(statuses)) {
      const some = entries.filter((entry) => entry['status'] === status)
      const rows = some.reduce((sum, entry) => sum + (entry['data_file'] as DataFile).record_count, 0)
      const expected = [manifest[`${name}_files_count`], manifest[`${name}_rows_count`]]
      if (expected[0] !== some.length || expected[1] !== rows)
        throw new Error(`${folder}: expected ${some.length} ${name} files with ${rows} rows, got ${String(expected)}`)
    }
    for (const entry of entries.filter(({ status }) => status !== statuses.deleted)) {
      const { content, file_path, file_size_in_bytes, record_count } = entry['data_file'] as DataFile
      const sequence = Number(entry['sequence_number'] ?? manifest['sequence_number'])
      const file = { path: toLocal(file_path), size: file_size_in_bytes, rows: record_count, sequence }
      if (content !== Number(manifest['content'])) throw new Error(`${folder}: expected files of one content`)
      if (content === 0) files.push({ ...file, deleted: [] })
      else deleteFiles.push(file)
    }
  }
  for (const { path, sequence, rows } of deleteFiles) {
    const positions = await query(`SELECT file_path, pos::INTEGER FROM read_parquet('${path}')`)
    if (positions.length !== rows) throw new Error(`${path}: expected ${rows} positions, got ${positions.length}`)
    for (const [location, row] of positions) {
      const at = files.findIndex((file) => file.path === toLocal(String(location)) && file.sequence <= sequence)
      const file = files[at]
      if (file === undefined) throw new Error(`${path}: expected a data file, got ${location}`)
      files[at] = { ...file, deleted: [...file.deleted, Number(row)] }
    }
  }
  return { metadata, files, columns }
}

/** The rows of a table as lines, in an order that is theirs alone; columns are found by their ids. */
export async function readIcebergLines(folder: string, columns: readonly Column[]): Promise<string[]> {
  return listLines(await readIceberg(folder), columns)
}

export async function listLines({ files, metadata }: IcebergTable, columns: readonly Column[]): Promise<string[]> {
  const fields = fieldsOf(metadata)
  const selects: string[] = []
  for (const { path, rows, deleted } of files) {
    const from = `'${path.replaceAll("'", "''")}'`
    const schema = await query(`SELECT name, field_id FROM parquet_schema(${from}) WHERE field_id IS NOT NULL`)
    const there = new Map(schema.map(([name, id]) => [Number(id), name ?? '']))
    const cells = fields.map(({ id, name, type }) => {
      const element = typeof type === 'string' ? null : type['element-id']
      if (there.has(id) && element !== null && !there.has(element)) throw new Error(`${path}: no element ${element}`)
      return `${there.has(id) ? quoteName(there.get(id) ?? '') : 'NULL'} AS ${quoteName(name)}`
    })
    const left = `file_row_number NOT IN (${[-1, ...deleted].join(', ')})`
    selects.push(`SELECT ${cells.join(', ')} FROM read_parquet(${from}) WHERE ${left}`)
    const [[counted] = []] = await query(`SELECT count(*)::INTEGER FROM ${from}`)
    if (Number(counted) !== rows) throw new Error(`${path}: expected ${rows} rows, got ${counted}`)
  }
  if (files.length === 0) return []
  return formatLines(`(${selects.join(' UNION ALL ')})`, columns)
}

export function fieldsOf(metadata: IcebergMetadata): readonly IcebergField[] {
  return metadata.schemas.find((each) => each['schema-id'] === metadata['current-schema-id'])?.fields ?? []
}

interface DataFile {
  readonly content: number
  readonly file_path: string
  readonly file_size_in_bytes: number
  readonly record_count: number
}

async function readMetadata(path: string): Promise<IcebergMetadata> {
  const text = await readFile(path, 'utf8')
  // Ids of snapshots as text, as numbers may not hold them.
  return parseLossless(text, null, (value) => (/^\d{9,}$/.test(value) ? value : Number(value))) as IcebergMetadata
}

async function readAvro(path: string): Promise<Record<string, unknown>[]> {
  const decoder = createReadStream(path).pipe(
    new avro.streams.BlockDecoder({
      parseHook: (schema) => avro.Type.forSchema(schema, { registry: { long }, wrapUnions: false }),
    }),
  )
  const values: Record<string, unknown>[] = []
  for await (const value of decoder) values.push(value as Record<string, unknown>)
  return values
}

/** Small numbers as numbers, ids as what they are nearest to. */
// eslint-disable-next-line no-underscore-dangle -- the name of the package
const long = avro.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => Number(bytes.readBigInt64LE()),
  toBuffer: () => Buffer.alloc(8),
  fromJSON: Number,
  toJSON: Number,
  isValid: (value: unknown) => typeof value === 'number',
  compare: () => 0,
})
