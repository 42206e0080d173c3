import { parseDecimal } from '../../types/decimal.ts'
import { type ColumnType, formatColumnType, parseColumnType, plainKinds, typeOf } from '../../types/column-types.ts'
import type { MoneyUnit } from '../../records/flatten/column.ts'
import { type Duckdb } from '../../loads/files/open-duckdb.ts'

export interface ReadableTable {
  readonly name: string
  /** SQL expression. */
  readonly from: string
  readonly columns: readonly ReadableColumn[]
  /** The files on this machine that the expression reads, beside copies in the folder of its workbench. */
  readonly files?: readonly string[]
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
  const kind = plainKinds.find((each) => {
    const { duckdb, duckdbOthers = [] } = typeOf({ kind: each }).sql
    return duckdb === scalar || duckdbOthers.includes(scalar)
  })
  const type = kind === undefined ? parseDecimal(scalar.toLowerCase()) : { kind }
  return type === null ? sqlType.toLowerCase() : formatColumnType({ type, list })
}
