import type { ArrowType } from '../../types/column-type-definition.ts'
import { typeOf } from '../../types/column-types.ts'
import type { Column } from '../../records/flatten/column.ts'
import { type FlatTable, type FlatValue, formatFlatbuffer } from './flatbuffer.ts'

/** Metadata of columns beyond their types, as pairs by the name of the column: `description`, `unit`. */
export type FieldMetadata = Readonly<Record<string, Pairs>>

type Pairs = Readonly<Record<string, string>>

export const arrowSchemaKey = 'ARROW:schema'

/**
 * The schema of a file as Arrow's readers (pyarrow, R, polars, DataFusion) expect it in the footer: a message of
 * Arrow's IPC format in base64. Readers take the types from it, so it repeats those of the Parquet types and adds the
 * metadata of the columns. `metadata` are the other pairs of the footer, which some readers look for only here.
 */
export function formatArrowSchema(
  columns: readonly Column[],
  fields: FieldMetadata,
  metadata: readonly (readonly [key: string, value: string])[],
): string {
  const types = new Map<string, FlatTable>()
  const schema: FlatTable = {
    fields: [
      undefined,
      list(columns.map((column) => toField(column, types, Object.entries(fields[column.name] ?? {})))),
      list(metadata.map(toKeyValue)),
    ],
  }
  const message = formatFlatbuffer({
    fields: [short(metadataVersion), byte(schemaHeader), table(schema), long(0)],
  })
  const head = Buffer.alloc(8)
  head.writeInt32LE(continuation)
  head.writeInt32LE(message.length, 4)
  return Buffer.concat([head, message]).toString('base64')
}

function toField(
  { name, type, list: isList }: Column,
  types: Map<string, FlatTable>,
  pairs: readonly (readonly [key: string, value: string])[],
): FlatTable {
  if (!isList) return field(name, typeOf(type).arrow, types, [], pairs)
  const element = field('element', typeOf(type).arrow, types, [], [])
  return field(name, { id: listType, fields: [] }, types, [element], pairs)
}

function field(
  name: string,
  type: ArrowType,
  types: Map<string, FlatTable>,
  children: readonly FlatTable[],
  pairs: readonly (readonly [key: string, value: string])[],
): FlatTable {
  const key = JSON.stringify(type)
  const shared = types.get(key) ?? { fields: type.fields }
  types.set(key, shared)
  const metadata = pairs.length === 0 ? undefined : list(pairs.map(toKeyValue))
  return {
    fields: [
      text(name),
      byte(1),
      byte(type.id),
      { kind: 'shared', table: shared },
      undefined,
      list(children),
      metadata,
    ],
  }
}

function toKeyValue([key, value]: readonly [key: string, value: string]): FlatTable {
  return { fields: [text(key), text(value)] }
}

function byte(value: number): FlatValue {
  return { kind: 'byte', value }
}

function short(value: number): FlatValue {
  return { kind: 'short', value }
}

function long(value: number): FlatValue {
  return { kind: 'long', value }
}

function text(value: string): FlatValue {
  return { kind: 'text', text: value }
}

function table(of: FlatTable): FlatValue {
  return { kind: 'table', table: of }
}

function list(tables: readonly FlatTable[]): FlatValue {
  return { kind: 'list', tables }
}

/* Numbers of Arrow's format: Message.fbs and Schema.fbs. */
const continuation = -1
const metadataVersion = 4
const schemaHeader = 1
const listType = 12
