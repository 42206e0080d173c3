import { Cell, isNull } from './encode-cells'

/** Every buffer of a body begins at a multiple of this, which suits 128 bits. */
const alignment: usize = 16

let node: usize = 0
let buffer: usize = 0
let body: usize = 0
let at: usize = 0

export function beginBody(nodes: usize, buffers: usize, start: usize): void {
  node = nodes
  buffer = buffers
  body = start
  at = start
}

/** Where the next buffer begins. */
@inline
export function position(): usize {
  return at
}

export function endOfBody(): usize {
  return at - body
}

/** Describes the `bytes` at `position` as the next buffer. */
export function closeBuffer(bytes: usize): void {
  store<u64>(buffer, at - body)
  store<u64>(buffer, bytes, 8)
  buffer += 16
  v128.store(at + bytes, i64x2.splat(0))
  at += (bytes + alignment - 1) & ~(alignment - 1)
}

/** The node of a column: how many values, how many of them null; then its validity, which is empty without nulls. */
export function writeNode(cells: usize, count: usize, stride: usize): void {
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
  store<u64>(node, count)
  store<u64>(node, nulls, 8)
  node += 16
  closeBuffer(nulls == 0 ? 0 : (count + 7) >> 3)
}
