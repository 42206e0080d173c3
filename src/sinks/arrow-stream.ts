import { parquetFailure } from './parquet/parquet-failure.ts'

/** An Arrow IPC stream in its parts, which are views of it. */
export interface ArrowStream {
  /** The message that names the columns: the same columns give the same bytes. */
  readonly schema: Uint8Array
  /** The messages of the batches. */
  readonly batches: Uint8Array
  readonly rows: number
}

/** Throws OUTPUT_FAILED where the bytes are not a schema, batches and the mark of the end. */
export function parseArrowStream(bytes: Uint8Array): ArrowStream {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const schemaEnd = readMessage(view, 0).end
    let rows = 0
    let at = schemaEnd
    while (view.getBigUint64(at, true) !== endOfStream) {
      const { end, header } = readMessage(view, at)
      rows += readLong(view, header, 0)
      at = end
    }
    return { schema: bytes.subarray(0, schemaEnd), batches: bytes.subarray(schemaEnd, at), rows }
  } catch (error) {
    throw parquetFailure('a piece is no Arrow IPC stream', error)
  }
}

/** One stream of these batches. */
export function joinArrowStreams(schema: Uint8Array, batches: readonly Uint8Array[]): Uint8Array {
  const end = Buffer.alloc(8)
  end.writeBigUInt64LE(endOfStream)
  return Buffer.concat([schema, ...batches, end])
}

/** A message is a mark, the length of its metadata, that metadata in the format of Flatbuffers, and its body. */
function readMessage(view: DataView, start: number): { readonly header: number; readonly end: number } {
  const mark = view.getUint32(start, true)
  if (mark !== 0xffffffff) throw new RangeError(`expected a message at byte ${start}`)
  const metadata = start + 8
  const message = readReference(view, metadata)
  const header = readReference(view, findField(view, message, 2) ?? Number.NaN)
  return { header, end: metadata + view.getInt32(start + 4, true) + readLong(view, message, 3) }
}

/** A number that is not there is 0. */
function readLong(view: DataView, table: number, field: number): number {
  const at = findField(view, table, field)
  return at === null ? 0 : Number(view.getBigInt64(at, true))
}

function readReference(view: DataView, at: number): number {
  return at + view.getUint32(at, true)
}

/** A table begins with the distance back to the list of where its fields are; before that list is its length. */
function findField(view: DataView, table: number, field: number): number | null {
  const list = table - view.getInt32(table, true)
  const entry = 4 + field * 2
  const offset = entry < view.getUint16(list, true) ? view.getUint16(list + entry, true) : 0
  return offset === 0 ? null : table + offset
}

/** The mark of a message, of length 0. */
const endOfStream = 0xffffffffn
