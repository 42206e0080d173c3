import type { ColumnType, MoneyUnit } from '../../records/flatten/column.ts'
import { formatColumnType, parseColumnType } from '../../records/flatten/column.ts'
import { type Duckdb } from '../../loads/files/open-duckdb.ts'

export interface ReadableTable {
  readonly name: string
  /** SQL expression. */
  readonly from: string
  readonly columns: readonly ReadableColumn[]
}

export interface ReadableColumn {
  readonly name: string
  /** As printed in manifests; DuckDB's name for files of other programs. */
  readonly type: string
  /** Null for types that no run writes, such as a struct. */
  readonly kind: ColumnType['kind'] | null
  readonly list: boolean
  readonly unit?: MoneyUnit | undefined
}

export interface ListedColumn {
  readonly name: string
  readonly type: string
  readonly unit?: MoneyUnit | undefined
}

/** Describes the columns of a table by DuckDB, with types and units from the manifest. */
export async function describeTable(
  duckdb: Duckdb,
  { name, from }: Pick<ReadableTable, 'name' | 'from'>,
  listed: readonly ListedColumn[] = [],
): Promise<ReadableTable> {
  const described = (await duckdb.readAll(`DESCRIBE SELECT * FROM ${from}`)) as [string, string, ...unknown[]][]
  const known = new Map(listed.map((column) => [column.name, column]))
  const columns = described.map(([column, type]) => toColumn(column, type, known.get(column)))
  return { name, from, columns }
}

function toColumn(name: string, sqlType: string, listed: ListedColumn | undefined): ReadableColumn {
  const type = listed?.type ?? toColumnType(sqlType)
  const parsed = parseColumnType(type)
  const unit = listed?.unit
  return {
    name,
    type,
    kind: parsed?.type.kind ?? null,
    list: parsed?.list ?? false,
    ...(unit !== undefined && { unit }),
  }
}

/** `VARCHAR[]` → `text list` */
function toColumnType(sqlType: string): string {
  const list = sqlType.endsWith('[]')
  const scalar = list ? sqlType.slice(0, -2) : sqlType
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(scalar) ?? []
  if (scale !== undefined)
    return formatColumnType({ type: { kind: 'decimal', precision: Number(precision), scale: Number(scale) }, list })
  const kind = kinds.get(scalar)
  return kind === undefined ? sqlType.toLowerCase() : formatColumnType({ type: { kind }, list })
}

const kinds = new Map<string, Exclude<ColumnType['kind'], 'decimal'>>([
  ['VARCHAR', 'text'],
  ['JSON', 'json'],
  ['BOOLEAN', 'boolean'],
  ['DATE', 'date'],
  ['FLOAT', 'float'],
  ['DOUBLE', 'float'],
  ['TIMESTAMP', 'timestamp'],
  ['TIMESTAMP_MS', 'timestamp'],
  ['TIMESTAMP_NS', 'timestamp'],
  ['TIMESTAMP WITH TIME ZONE', 'timestamp'],
  ...['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'HUGEINT'].map(
    (type) => [type, 'integer'] as const,
  ),
])
