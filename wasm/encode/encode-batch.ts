import { beginBatch, closeBuffer, endBatch, position, writeValidity } from './encode-batch-buffers'
import { writeValues } from './encode-batch-values'
import { fits, slack } from '../bytes'
import { Cell, cellBytes, Column, elementAt, isNull, isText, noRoom, notSure, toColumn } from './encode-cells'
import { expectKnown, hasUnknown } from './encode-scalars'

/**
 * Writes `count` rows as a record batch between `to` and `limit`; src/formats/parquet/record-batch.ts describes it. Returns
 * how many bytes it has, or `noRoom` or `notSure`.
 */
export function encodeBatch(
  rows: usize,
  count: usize,
  rowBytes: usize,
  columns: usize,
  columnCount: usize,
  to: usize,
  limit: usize,
): i32 {
  expectKnown()
  if (!beginBatch(to, count, countBuffers(columns, columnCount), limit)) return noRoom
  for (let index: usize = 0; index < columnCount; index++) {
    const column = toColumn(columns, index)
    const cells = rows + column.offset
    const hasRoom = column.isList
      ? writeLists(cells, count, rowBytes, column, limit)
      : writeValues(cells, count, rowBytes, column, limit)
    if (!hasRoom) return noRoom
  }
  return hasUnknown ? notSure : (endBatch() as i32)
}

function countBuffers(columns: usize, columnCount: usize): usize {
  let count: usize = 0
  for (let index: usize = 0; index < columnCount; index++) {
    const column = toColumn(columns, index)
    count += (isText(column) ? 3 : 2) + (column.isList ? 2 : 0)
  }
  return count
}

/** The offsets of the lists, then all their elements, which are gathered at the end of the room. */
function writeLists(lists: usize, count: usize, stride: usize, column: Column, limit: usize): bool {
  if (!fits(position(), (count as u64) * 5 + 4 * slack, limit)) return false
  writeValidity(lists, count, stride)
  let elements: usize = 0
  store<u32>(position(), 0)
  for (let index: usize = 0; index < count; index++) {
    const list = changetype<Cell>(lists + index * stride)
    if (!isNull(list)) elements += list.length
    store<u32>(position() + (index + 1) * 4, elements)
  }
  closeBuffer((count + 1) * 4)
  const bytes = elements * cellBytes
  if (!fits(position(), bytes, limit)) return false
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
