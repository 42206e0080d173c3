import { z } from 'zod'
import { formatExactJson, parseExactJson } from './exact-json.ts'

/*
 * The metadata of a table, as format/spec.md of apache/iceberg lists its members, as far as they matter here: members that are not
 * named are kept.
 */

const long = z.union([z.int(), z.bigint()]).transform(BigInt)

const field = z.looseObject({
  id: z.int(),
  name: z.string(),
  required: z.boolean(),
  type: z.unknown(),
  doc: z.string().optional(),
})

const schema = z.looseObject({ type: z.literal('struct'), 'schema-id': z.int(), fields: z.array(field) })

const snapshot = z.looseObject({
  'snapshot-id': long,
  'parent-snapshot-id': long.nullish(),
  'sequence-number': long,
  'timestamp-ms': long,
  'manifest-list': z.string(),
  summary: z.looseObject({ operation: z.string() }),
  'schema-id': z.int().nullish(),
})

const logged = z.array(z.looseObject({ 'timestamp-ms': long }))
const loggedFiles = z.array(z.looseObject({ 'timestamp-ms': long, 'metadata-file': z.string() }))

export const tableMetadata = z.looseObject({
  'format-version': z.int(),
  'table-uuid': z.string(),
  location: z.string(),
  'last-sequence-number': long.default(0n),
  'last-updated-ms': long,
  'last-column-id': z.int(),
  'current-schema-id': z.int(),
  schemas: z.array(schema),
  'partition-specs': z.array(z.looseObject({ 'spec-id': z.int(), fields: z.array(z.unknown()) })),
  properties: z.record(z.string(), z.string()).default({}),
  /** -1 if there is none. */
  'current-snapshot-id': long.nullish(),
  snapshots: z.array(snapshot).default([]),
  'snapshot-log': logged.default([]),
  'metadata-log': loggedFiles.default([]),
  refs: z.record(z.string(), z.looseObject({ 'snapshot-id': long, type: z.string() })).default({}),
})

export type TableMetadata = Readonly<z.output<typeof tableMetadata>>
export type TableSchema = Readonly<z.output<typeof schema>>
export type SchemaEntry = Readonly<z.output<typeof field>>
export type Snapshot = Readonly<z.output<typeof snapshot>>

/** Throws SyntaxError or ZodError. */
export function parseMetadata(text: string): TableMetadata {
  return tableMetadata.parse(parseExactJson(text))
}

export function formatMetadata(table: TableMetadata): Buffer {
  return Buffer.from(formatExactJson(table))
}

/** Null if no snapshot was made yet. */
export function currentSnapshot(table: TableMetadata): Snapshot | null {
  return table.snapshots.find((each) => each['snapshot-id'] === table['current-snapshot-id']) ?? null
}

export function currentSchema(table: TableMetadata): TableSchema {
  const found = table.schemas.find((each) => each['schema-id'] === table['current-schema-id'])
  if (found === undefined)
    throw new TypeError(`expected the schema ${table['current-schema-id']} among those of the table`)
  return found
}
