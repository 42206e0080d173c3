import { z } from 'zod'
import { type AvroSchema, formatAvroFile, parseAvroFile } from './avro-file.ts'

/*
 * Manifest lists and manifests of Iceberg v2, as format/spec.md of apache/iceberg lists their fields. Fields that are not named are of
 * other versions.
 */

const counts = z.array(z.object({ key: z.number(), value: z.bigint() })).nullish()
const bounds = z.array(z.object({ key: z.number(), value: z.instanceof(Buffer) })).nullish()

const manifestFile = z.object({
  manifest_path: z.string(),
  manifest_length: z.bigint(),
  partition_spec_id: z.number(),
  content: z.number(),
  sequence_number: z.bigint(),
  min_sequence_number: z.bigint(),
  added_snapshot_id: z.bigint(),
  added_files_count: z.number(),
  existing_files_count: z.number(),
  deleted_files_count: z.number(),
  added_rows_count: z.bigint(),
  existing_rows_count: z.bigint(),
  deleted_rows_count: z.bigint(),
  key_metadata: z.instanceof(Buffer).nullish(),
})

const dataFile = z.object({
  content: z.number(),
  file_path: z.string(),
  file_format: z.string(),
  partition: z.object({}),
  record_count: z.bigint(),
  file_size_in_bytes: z.bigint(),
  column_sizes: counts,
  value_counts: counts,
  null_value_counts: counts,
  nan_value_counts: counts,
  lower_bounds: bounds,
  upper_bounds: bounds,
  key_metadata: z.instanceof(Buffer).nullish(),
  split_offsets: z.array(z.bigint()).nullish(),
  equality_ids: z.array(z.number()).nullish(),
  sort_order_id: z.number().nullish(),
})

const manifestEntry = z.object({
  status: z.number(),
  snapshot_id: z.bigint().nullish(),
  sequence_number: z.bigint().nullish(),
  file_sequence_number: z.bigint().nullish(),
  data_file: dataFile,
})

export type ManifestFile = Readonly<z.output<typeof manifestFile>>
export type ManifestDataFile = Readonly<z.output<typeof dataFile>>
export type ManifestEntry = Readonly<z.output<typeof manifestEntry>>

export const status = { existing: 0, added: 1, deleted: 2 } as const
export const content = { data: 0, deletes: 1 } as const

/** Throws for bytes that are no manifest list. */
export function parseManifestList(bytes: Buffer): ManifestFile[] {
  return parseAvroFile(bytes).map((each) => manifestFile.parse(each))
}

/** Reads the entries, with what they have from their manifest. Throws for bytes that are no manifest. */
export function parseManifest(bytes: Buffer, { added_snapshot_id, sequence_number }: ManifestFile): ManifestEntry[] {
  return parseAvroFile(bytes).map((each) => {
    const entry = manifestEntry.parse(each)
    return {
      ...entry,
      snapshot_id: entry.snapshot_id ?? added_snapshot_id,
      sequence_number: entry.sequence_number ?? sequence_number,
      file_sequence_number: entry.file_sequence_number ?? sequence_number,
    }
  })
}

export function formatManifestList(
  files: readonly ManifestFile[],
  { id, parent, sequence }: { readonly id: bigint; readonly parent: bigint | null; readonly sequence: bigint },
): Buffer {
  return formatAvroFile(manifestFileSchema, files, {
    'snapshot-id': String(id),
    'parent-snapshot-id': String(parent),
    'sequence-number': String(sequence),
    'format-version': '2',
  })
}

/** `schema` is that of the table, as JSON. */
export function formatManifest(
  entries: readonly ManifestEntry[],
  {
    kind,
    schema,
    schemaId,
  }: { readonly kind: keyof typeof content; readonly schema: string; readonly schemaId: number },
): Buffer {
  return formatAvroFile(manifestEntrySchema, entries, {
    schema,
    'schema-id': String(schemaId),
    'partition-spec': '[]',
    'partition-spec-id': '0',
    'format-version': '2',
    content: kind,
  })
}

function required(id: number, name: string, type: unknown): object {
  return { name, type, 'field-id': id }
}

function optional(id: number, name: string, type: unknown): object {
  return { name, type: ['null', type], default: null, 'field-id': id }
}

/** Avro has no maps with such keys. */
function map(keyId: number, valueId: number, value: string): object {
  const items = {
    type: 'record',
    name: `k${keyId}_v${valueId}`,
    fields: [required(keyId, 'key', 'int'), required(valueId, 'value', value)],
  }
  return { type: 'array', items, logicalType: 'map' }
}

function list(elementId: number, items: string): object {
  return { type: 'array', items, 'element-id': elementId }
}

const manifestFileSchema: AvroSchema = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    required(500, 'manifest_path', 'string'),
    required(501, 'manifest_length', 'long'),
    required(502, 'partition_spec_id', 'int'),
    required(517, 'content', 'int'),
    required(515, 'sequence_number', 'long'),
    required(516, 'min_sequence_number', 'long'),
    required(503, 'added_snapshot_id', 'long'),
    required(504, 'added_files_count', 'int'),
    required(505, 'existing_files_count', 'int'),
    required(506, 'deleted_files_count', 'int'),
    required(512, 'added_rows_count', 'long'),
    required(513, 'existing_rows_count', 'long'),
    required(514, 'deleted_rows_count', 'long'),
    optional(507, 'partitions', {
      type: 'array',
      items: {
        type: 'record',
        name: 'r508',
        fields: [
          required(509, 'contains_null', 'boolean'),
          optional(518, 'contains_nan', 'boolean'),
          optional(510, 'lower_bound', 'bytes'),
          optional(511, 'upper_bound', 'bytes'),
        ],
      },
      'element-id': 508,
    }),
    optional(519, 'key_metadata', 'bytes'),
  ],
}

const manifestEntrySchema: AvroSchema = {
  type: 'record',
  name: 'manifest_entry',
  fields: [
    required(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    required(2, 'data_file', {
      type: 'record',
      name: 'r2',
      fields: [
        required(134, 'content', 'int'),
        required(100, 'file_path', 'string'),
        required(101, 'file_format', 'string'),
        required(102, 'partition', { type: 'record', name: 'r102', fields: [] }),
        required(103, 'record_count', 'long'),
        required(104, 'file_size_in_bytes', 'long'),
        optional(108, 'column_sizes', map(117, 118, 'long')),
        optional(109, 'value_counts', map(119, 120, 'long')),
        optional(110, 'null_value_counts', map(121, 122, 'long')),
        optional(137, 'nan_value_counts', map(138, 139, 'long')),
        optional(125, 'lower_bounds', map(126, 127, 'bytes')),
        optional(128, 'upper_bounds', map(129, 130, 'bytes')),
        optional(131, 'key_metadata', 'bytes'),
        optional(132, 'split_offsets', list(133, 'long')),
        optional(135, 'equality_ids', list(136, 'int')),
        optional(140, 'sort_order_id', 'int'),
      ],
    }),
  ],
}
