import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js'

/** The struct at `start` as another's reader sees it, and how many bytes it has. Numbers of 64 bits are bigints. */
export function parseThrift(bytes: Uint8Array, start = 0): { readonly value: object; readonly bytes: number } {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: start }
  const value = deserializeTCompactProtocol(reader)
  return { value, bytes: reader.offset - start }
}
