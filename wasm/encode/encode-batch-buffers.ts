import { fits, slack } from '../bytes'
import { Cell, isNull } from './encode-cells'

/** Every buffer of a batch begins at a multiple of this from its beginning. */
const alignment: usize = 16
/** The words of rows and bytes, then two of every buffer. */
const tableStart: usize = 8

let batch: usize = 0
let entry: usize = 0
let at: usize = 0

/** Begins a batch with room for what describes its buffers. False where that does not fit. */
export function beginBatch(start: usize, rows: usize, bufferCount: usize, limit: usize): bool {
  const head = alignUp(tableStart + bufferCount * 8)
  if (!fits(start, head + slack, limit)) return false
  batch = start
  entry = start + tableStart
  at = start + head
  store<u32>(start, rows as u32)
  store<u64>(at - 8, 0)
  return true
}

/** The begin of the next buffer. */
@inline
export function position(): usize {
  return at
}

/** Returns how many bytes the batch has. */
export function endBatch(): usize {
  store<u32>(batch, (at - batch) as u32, 4)
  return at - batch
}

/** Describes the `bytes` at `position` as the next buffer. */
export function closeBuffer(bytes: usize): void {
  store<u32>(entry, (at - batch) as u32)
  store<u32>(entry, bytes as u32, 4)
  entry += 8
  v128.store(at + bytes, i64x2.splat(0))
  at += alignUp(bytes)
}

/** The validity of a column, which is empty without nulls. */
export function writeValidity(cells: usize, count: usize, stride: usize): void {
  let nulls: u32 = 0
  let bits: u32 = 0
  for (let index: usize = 0; index < count; index++) {
    const isMissing = isNull(changetype<Cell>(cells + index * stride)) as u32
    nulls += isMissing
    bits |= (isMissing ^ 1) << ((index as u32) & 7)
    if ((index & 7) != 7) continue
    store<u8>(at + (index >> 3), bits)
    bits = 0
  }
  store<u8>(at + (count >> 3), bits)
  closeBuffer(nulls == 0 ? 0 : (count + 7) >> 3)
}

@inline
function alignUp(bytes: usize): usize {
  return (bytes + alignment - 1) & ~(alignment - 1)
}
