import { bytesOf, toInteger, toStructs } from './parquet-footer.ts'
import {
  formatList,
  formatStruct,
  parseInteger,
  parseList,
  parseStruct,
  type ThriftField,
  type ThriftStruct,
  thriftTypes,
} from './thrift.ts'

/** The metadata of a row group between two files. It keeps nothing else of the first in memory. */
export interface MovedRowGroup {
  readonly metadata: Uint8Array
  readonly columns: readonly MovedColumn[]
}

interface MovedColumn {
  readonly metadata: Uint8Array
  /** The indexes of its pages, as `indexKinds` lists them; null where it has none. */
  readonly indexes: readonly (Uint8Array | null)[]
}

/** Where the pages of these row groups end, and their indexes begin, if they have any. */
export function findPagesEnd(rowGroups: readonly ThriftStruct[], footerStart: number): number {
  const columns = rowGroups.flatMap(listColumns)
  const indexes = columns.flatMap((column) => indexKinds.flatMap(({ offset }) => column.get(offset) ?? []))
  return indexes.reduce((end, { bytes }) => Math.min(end, parseInteger(bytes)), footerStart)
}

/** A row group of `file` whose pages go to another file, `distance` bytes further on, as the `ordinal`th there. */
export function moveRowGroup(
  rowGroup: ThriftStruct,
  file: Uint8Array,
  distance: number,
  ordinal: number,
): MovedRowGroup {
  const metadata = new Map(moveOffsets(rowGroup, [rowGroupFields.fileOffset], distance))
  metadata.delete(rowGroupFields.columns)
  if (ordinal <= maxOrdinal) metadata.set(rowGroupFields.ordinal, toInteger(ordinal, thriftTypes.int16))
  else metadata.delete(rowGroupFields.ordinal)
  const columns = listColumns(rowGroup).map((column): MovedColumn => {
    const indexes = indexKinds.map(({ offset, length, move }) => {
      const [start, bytes] = [column.get(offset), column.get(length)].map((field) => field && parseInteger(field.bytes))
      if (start === undefined || bytes === undefined) return null
      return move(new Uint8Array(file.subarray(start, start + bytes)), distance)
    })
    return { metadata: formatStruct(moveColumn(column, distance)), indexes }
  })
  return { metadata: formatStruct(metadata), columns }
}

/** The indexes of all pages, which go to `start` of the file, and the row groups that say so. */
export function placeIndexes(
  groups: readonly MovedRowGroup[],
  start: number,
): { readonly indexes: Uint8Array; readonly rowGroups: readonly Uint8Array[] } {
  const columns = groups.map((group) => group.columns.map(({ metadata }) => new Map(parseStruct(metadata))))
  const indexes: Uint8Array[] = []
  let end = start
  for (const [kind, { offset, length }] of indexKinds.entries()) {
    for (const [at, group] of groups.entries()) {
      for (const [column, { indexes: own }] of group.columns.entries()) {
        const index = own[kind]
        if (index === null || index === undefined) continue
        columns[at]?.[column]?.set(offset, toInteger(end)).set(length, toInteger(index.length, thriftTypes.int32))
        indexes.push(index)
        end += index.length
      }
    }
  }
  const rowGroups = groups.map(({ metadata }, at) => {
    const formatted = toStructs((columns[at] ?? []).map(formatStruct))
    return formatStruct(new Map([...parseStruct(metadata), [rowGroupFields.columns, formatted]]))
  })
  return { indexes: Buffer.concat(indexes), rowGroups }
}

function listColumns(rowGroup: ThriftStruct): ThriftStruct[] {
  return parseList(bytesOf(rowGroup, rowGroupFields.columns)).elements.map(parseStruct)
}

function moveColumn(column: ThriftStruct, distance: number): ThriftStruct {
  const { fileOffset, metadata } = columnFields
  const pages = moveOffsets(parseStruct(bytesOf(column, metadata)), offsetsOfPages, distance)
  const moved = moveOffsets(column, [fileOffset], distance)
  return new Map([...moved, [metadata, { type: thriftTypes.struct, bytes: formatStruct(pages) }]])
}

/** The index that says where each page is. */
function moveOffsetIndex(bytes: Uint8Array, distance: number): Uint8Array {
  const index = parseStruct(bytes)
  const { type, elements } = parseList(bytesOf(index, offsetIndexFields.pages))
  const moved = elements.map((page) => formatStruct(moveOffsets(parseStruct(page), [offsetOfPage], distance)))
  const pages = { type: thriftTypes.list, bytes: formatList({ type, elements: moved }) }
  return formatStruct(new Map([...index, [offsetIndexFields.pages, pages]]))
}

/** An offset that is not there, or 0, says nothing: no page begins before the magic bytes end. */
function moveOffsets(struct: ThriftStruct, ids: readonly number[], distance: number): ThriftStruct {
  const moved = ids.flatMap((id): [number, ThriftField][] => {
    const field = struct.get(id)
    const offset = field === undefined ? 0 : parseInteger(field.bytes)
    return offset === 0 ? [] : [[id, toInteger(offset + distance)]]
  })
  return new Map([...struct, ...moved])
}

/** A row group's number has 16 bits, and may be left out. */
const maxOrdinal = 2 ** 15 - 1

const rowGroupFields = { columns: 1, fileOffset: 5, ordinal: 7 } as const
const columnFields = { fileOffset: 2, metadata: 3 } as const
const offsetIndexFields = { pages: 1 } as const
const offsetOfPage = 1

/** Of a column's data pages, index page, dictionary page and bloom filter. */
const offsetsOfPages = [9, 10, 11, 14] as const

/** The fields of a column that say where the indexes of its pages are, in the order of the file: column, then offset index. */
const indexKinds = [
  { offset: 6, length: 7, move: (index: Uint8Array) => index },
  { offset: 4, length: 5, move: moveOffsetIndex },
] as const
