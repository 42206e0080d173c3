import { parquetFailure } from './parquet-failure.ts'
import {
  formatInteger,
  formatList,
  formatStruct,
  formatText,
  parseInteger,
  parseList,
  parseStruct,
  type ThriftField,
  type ThriftStruct,
  thriftTypes,
} from './thrift.ts'

/** The beginning and the end of a Parquet file. */
export const magic = Buffer.from('PAR1')

/** The end of a Parquet file: its metadata, undecoded but for what is named here. */
export interface ParquetFooter {
  readonly metadata: ThriftStruct
  readonly rows: number
  readonly rowGroups: readonly ThriftStruct[]
  /** Where it begins in the file. */
  readonly start: number
}

/** Throws OUTPUT_FAILED where the bytes don't end in a footer, of which it keeps a copy. */
export function parseFooter(file: Uint8Array): ParquetFooter {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const end = bytes.length - footerLengthBytes - magic.length
  const start = end < 0 ? -1 : end - bytes.readUInt32LE(end)
  if (start < magic.length || !bytes.subarray(end + footerLengthBytes).equals(magic))
    throw parquetFailure('the file has no footer')
  const metadata = parseStruct(new Uint8Array(bytes.subarray(start, end)))
  const rowGroups = parseList(bytesOf(metadata, fileFields.rowGroups)).elements.map(parseStruct)
  return { metadata, rows: parseInteger(bytesOf(metadata, fileFields.rows)), rowGroups, start }
}

/** Throws OUTPUT_FAILED unless both are of the same columns. */
export function requireSameSchema(one: ParquetFooter, other: ParquetFooter): void {
  const schemas = [one, other].map(({ metadata }) => bytesOf(metadata, fileFields.schema))
  if (Buffer.compare(...(schemas as [Uint8Array, Uint8Array])) !== 0)
    throw parquetFailure('a row group has other columns than the file')
}

/** The end of a file with the row groups of several: as `template`, with `entries` in front of its own metadata. */
export function formatFooter(
  { metadata }: ParquetFooter,
  rows: number,
  rowGroups: readonly Uint8Array[],
  entries: readonly (readonly [key: string, value: string])[],
): Uint8Array {
  const keyValues = metadata.get(fileFields.keyValues)
  const kept = keyValues === undefined ? [] : parseList(keyValues.bytes).elements
  const footer = formatStruct(
    new Map([
      ...metadata,
      [fileFields.rows, toInteger(rows)],
      [fileFields.rowGroups, toStructs(rowGroups)],
      [fileFields.keyValues, toStructs([...entries.map(formatEntry), ...kept])],
    ]),
  )
  const length = Buffer.alloc(footerLengthBytes)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([footer, length, magic])
}

function formatEntry([key, value]: readonly [string, string]): Uint8Array {
  const texts = [key, value].map((text): ThriftField => ({ type: thriftTypes.binary, bytes: formatText(text) }))
  return formatStruct(new Map(texts.map((field, index) => [index + 1, field])))
}

/** The bytes of a field that has to be there. */
export function bytesOf(struct: ThriftStruct, id: number): Uint8Array {
  const field = struct.get(id)
  if (field === undefined) throw parquetFailure(`the metadata lacks field ${id}`)
  return field.bytes
}

export function toInteger(value: number, type: number = thriftTypes.int64): ThriftField {
  return { type, bytes: formatInteger(value) }
}

export function toStructs(elements: readonly Uint8Array[]): ThriftField {
  return { type: thriftTypes.list, bytes: formatList({ type: thriftTypes.struct, elements }) }
}

const footerLengthBytes = 4

/** The fields of FileMetaData that differ between files of the same columns, and the one that says which they are. */
const fileFields = { schema: 2, rows: 3, rowGroups: 4, keyValues: 5 } as const
