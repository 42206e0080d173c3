import { slack } from './encode-bytes'
import { Cell, cellBytes, Column, elementAt, isNull, noRoom, notSure, toColumn } from './encode-cells'
import { expectKnown, hasUnknown } from './encode-scalars'
import { beginBody, closeBuffer, endOfBody, position, writeNode } from './encode-arrow-body'
import { writeValues } from './encode-arrow-values'

/**
 * Writes `count` rows as the body of an Arrow record batch between `body` and `limit`, and what describes it to the
 * structs of `nodes` and `buffers`. Returns how many bytes the body has, or `noRoom` or `notSure`.
 */
export function encodeArrow(
  rows: usize,
  count: usize,
  rowBytes: usize,
  columns: usize,
  columnCount: usize,
  nodes: usize,
  buffers: usize,
  body: usize,
  limit: usize,
): i32 {
  expectKnown()
  beginBody(nodes, buffers, body)
  for (let index: usize = 0; index < columnCount; index++) {
    const column = toColumn(columns, index)
    const cells = rows + column.offset
    const hasRoom = column.isList
      ? writeLists(cells, count, rowBytes, column, limit)
      : writeValues(cells, count, rowBytes, column, limit)
    if (!hasRoom) return noRoom
  }
  return hasUnknown ? notSure : (endOfBody() as i32)
}

/** The offsets of the lists, then all their elements, which are gathered at the end of the room. */
function writeLists(lists: usize, count: usize, stride: usize, column: Column, limit: usize): bool {
  if (position() + count * 5 + 4 * slack > limit) return false
  writeNode(lists, count, stride)
  let elements: usize = 0
  store<u32>(position(), 0)
  for (let index: usize = 0; index < count; index++) {
    const list = changetype<Cell>(lists + index * stride)
    if (!isNull(list)) elements += list.length
    store<u32>(position() + (index + 1) * 4, elements)
  }
  closeBuffer((count + 1) * 4)
  const bytes = elements * cellBytes
  if (position() + bytes > limit) return false
  gather(limit - bytes, lists, count, stride)
  return writeValues(limit - bytes, elements, cellBytes, column, limit - bytes)
}

function gather(to: usize, lists: usize, count: usize, stride: usize): void {
  for (let index: usize = 0; index < count; index++) {
    const list = changetype<Cell>(lists + index * stride)
    if (isNull(list)) continue
    for (let element: usize = 0; element < list.length; element++) {
      store<u64>(to, load<u64>(changetype<usize>(elementAt(list, element))))
      to += cellBytes
    }
  }
}
