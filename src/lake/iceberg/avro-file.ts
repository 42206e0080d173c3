import { randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import avro from 'avsc'

/** A schema as Avro writes it, with the ids of Iceberg. */
export type AvroSchema = { readonly type: 'record'; readonly name: string; readonly fields: readonly object[] }

/** The bytes of an object container file with these values: longs are bigints, and members that are left out null. */
export function formatAvroFile(
  schema: AvroSchema,
  values: readonly object[],
  metadata: Readonly<Record<string, string>>,
): Buffer {
  const type = toType(schema)
  const pairs = { ...metadata, 'avro.schema': JSON.stringify(schema), 'avro.codec': 'deflate' }
  const meta = Object.fromEntries(Object.entries(pairs).map(([key, text]) => [key, Buffer.from(text)]))
  const sync = randomBytes(syncBytes)
  const data = deflateRawSync(Buffer.concat(values.map((value) => type.toBuffer(value))))
  const blocks = values.length === 0 ? [] : [blockType.toBuffer({ count: values.length, data, sync })]
  return Buffer.concat([headerType.toBuffer({ magic, meta, sync }), ...blocks])
}

/** Throws for bytes that are no such file, or compressed in another way. */
export function parseAvroFile(bytes: Buffer): unknown[] {
  const { value, offset } = headerType.decode(bytes, 0) as Decoded<{ magic: Buffer; meta: Record<string, Buffer> }>
  if (offset < 0 || value === undefined || !magic.equals(value.magic)) throw new TypeError('expected a file of Avro')
  const codec = value.meta['avro.codec']?.toString() ?? 'null'
  const decompress = codecs[codec]
  if (decompress === undefined) throw new TypeError(`expected the codec deflate or null, got ${codec}`)
  const type = toType(JSON.parse(value.meta['avro.schema']?.toString() ?? '') as AvroSchema)
  const values: unknown[] = []
  for (let at = offset; at < bytes.length;) {
    const block = blockType.decode(bytes, at) as Decoded<{ count: number; data: Buffer }>
    if (block.offset < 0 || block.value === undefined) throw new TypeError('expected a whole file of Avro')
    const data = decompress(block.value.data)
    for (let from = 0, count = 0; count < block.value.count; count++) {
      const decoded = type.decode(data, from) as Decoded<unknown>
      if (decoded.offset < 0) throw new TypeError('expected a whole block of Avro')
      values.push(decoded.value)
      from = decoded.offset
    }
    at = block.offset
  }
  return values
}

interface Decoded<Value> {
  readonly value: Value | undefined
  /** Below 0 if the bytes end before. */
  readonly offset: number
}

const codecs: Readonly<Record<string, (data: Buffer) => Buffer>> = { null: (data) => data, deflate: inflateRawSync }

// eslint-disable-next-line no-underscore-dangle -- the name of the package
const long = avro.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
  toBuffer(value: bigint) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(value)
    return bytes
  },
  fromJSON: BigInt,
  toJSON: Number,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (one: bigint, other: bigint) => (one < other ? -1 : Number(one > other)),
})

function toType(schema: AvroSchema) {
  return avro.Type.forSchema(schema as Parameters<typeof avro.Type.forSchema>[0], {
    registry: { long },
    wrapUnions: false,
  })
}

const syncBytes = 16
const magic = Buffer.from('Obj\u0001')
const syncType = { type: 'fixed', name: 'Sync', size: syncBytes } as const
const headerType = avro.Type.forSchema({
  type: 'record',
  name: 'Header',
  fields: [
    { name: 'magic', type: { type: 'fixed', name: 'Magic', size: magic.length } },
    { name: 'meta', type: { type: 'map', values: 'bytes' } },
    { name: 'sync', type: syncType },
  ],
})
const blockType = avro.Type.forSchema({
  type: 'record',
  name: 'Block',
  fields: [
    { name: 'count', type: 'long' },
    { name: 'data', type: 'bytes' },
    { name: 'sync', type: syncType },
  ],
})
