import type { ColumnType, MoneyUnit } from '../../records/flatten/column.ts'
import { formatColumnType, parseColumnType } from '../../records/flatten/column.ts'
import { type Duckdb } from '../../loads/files/open-duckdb.ts'

/** A table that DuckDB can read. */
export interface ReadableTable {
  readonly name: string
  /** An expression of SQL. */
  readonly from: string
  readonly columns: readonly ReadableColumn[]
}

export interface ReadableColumn {
  readonly name: string
  /** As manifests print it; of another program's file DuckDB's name for it. */
  readonly type: string
  /** Null for what no run writes, such as a structure. */
  readonly kind: ColumnType['kind'] | null
  readonly list: boolean
  readonly unit?: MoneyUnit | undefined
}

/** A column as a manifest lists it. */
export interface ListedColumn {
  readonly name: string
  readonly type: string
  readonly unit?: MoneyUnit | undefined
}

/** The columns of a table as DuckDB sees them, with the types and units of those that a manifest lists. */
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
