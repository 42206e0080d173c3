import type { Column } from '../records/column.ts'

/** All of an Arrow IPC stream that stands before the body of its one batch. Offsets count from its beginning. */
export interface ArrowMessage {
  /** With nothing said yet of the rows; a multiple of 8 bytes. */
  readonly bytes: Buffer
  /** The FieldNode structs: rows and nulls of each column, and of the elements behind each list. */
  readonly nodesAt: number
  /** The Buffer structs: where in the body each buffer begins, and its length. */
  readonly buffersAt: number
  readonly rowCountAt: number
  readonly bodyLengthAt: number
}

/** `stream` is any IPC stream of these columns: the schema is taken from it as it stands there. */
export function createArrowMessage(columns: readonly Column[], stream: Uint8Array): ArrowMessage {
  const schema = Buffer.from(stream.subarray(0, prefixBytes + Buffer.from(stream).readUInt32LE(4)))
  const nodes = columns.reduce((count, { list }) => count + (list ? 2 : 1), 0)
  const buffers = columns.reduce((count, column) => count + countBuffers(column), 0)
  const metadata = toRecordBatchMetadata(nodes, buffers)
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(continuation)
  prefix.writeUInt32LE(metadata.length, 4)
  const start = schema.length + prefixBytes
  return {
    bytes: Buffer.concat([schema, prefix, metadata]),
    nodesAt: start + nodesStart,
    buffersAt: start + nodesStart + nodes * structBytes + 8,
    rowCountAt: start + rowCountStart,
    bodyLengthAt: start + bodyLengthStart,
  }
}

/** Validity and values, offsets between them where these have no fixed width; before a list's elements its own two. */
function countBuffers({ type, list }: Column): number {
  const own = type.kind === 'text' || type.kind === 'json' ? 3 : 2
  return list ? 2 + own : own
}

/**
 * A Message with a RecordBatch as its header, in the FlatBuffers format: each table behind its list of field offsets,
 * then the vector of FieldNodes and the vector of Buffers, all zero.
 */
function toRecordBatchMetadata(nodes: number, buffers: number): Buffer {
  const nodeCountAt = nodesStart - 4
  const bufferCountAt = nodesStart + nodes * structBytes + 4
  const bytes = Buffer.alloc(bufferCountAt + 4 + buffers * structBytes)
  const u16 = (at: number, ...values: number[]) =>
    values.forEach((value, index) => bytes.writeUInt16LE(value, at + index * 2))
  const u32 = (at: number, value: number) => bytes.writeUInt32LE(value, at)

  u32(0, 16) // to the Message
  u16(4, 12, 24, 4, 6, 8, 16) // 12 bytes of offsets, 24 of table: version, header type, header, bodyLength
  u32(16, 16 - 4)
  u16(20, metadataVersion5)
  bytes[22] = recordBatchHeader
  u32(24, 52 - 24)
  u16(40, 10, 20, 4, 12, 16) // 10 bytes of offsets, 20 of table: length, nodes, buffers
  u32(52, 52 - 40)
  u32(64, nodeCountAt - 64)
  u32(68, bufferCountAt - 68)
  u32(nodeCountAt, nodes)
  u32(bufferCountAt, buffers)
  return bytes
}

const prefixBytes = 8
const continuation = 0xff_ff_ff_ff
const metadataVersion5 = 4
const recordBatchHeader = 3
const structBytes = 16
const bodyLengthStart = 32
const rowCountStart = 56
const nodesStart = 80
