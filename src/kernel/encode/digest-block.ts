import { createHash } from 'node:crypto'
import { countOneByOne } from '../../records/memory/block-buffers.ts'
import { copyBytes } from '../../records/memory/copy-bytes.ts'
import type { MemoryRange, MemorySpace } from '../../records/memory/memory-space.ts'
import { digestBytes, leastDigestedBytes } from '../scan/block-work.ts'

/**
 * A digest of 128 bits in hexadecimal: XXH3, or the first half of a SHA-256 for short blocks, for which XXH3 has other
 * formulas. It detects every accident, but no forger: the run id and a second reading of the input need only that. It
 * takes less than a fifth of the time of SHA-256.
 */
export type DigestBlock = (bytes: Uint8Array) => string

/** Digests bytes of this memory in place; others are copied into it. */
export function createDigest(space: MemorySpace): DigestBlock {
  const { digest } = space.kernel as unknown as BlockKernel
  const result = space.take(digestBytes)
  let copies: MemoryRange = { address: 0, bytes: 0 }

  function copyIn(bytes: Uint8Array): MemoryRange {
    if (bytes.length > copies.bytes) {
      if (copies.bytes > 0) space.release(copies)
      copies = space.take(bytes.length)
    }
    copyBytes(bytes, space.view(copies))
    return copies
  }

  return (bytes) => {
    if (bytes.length < leastDigestedBytes)
      return createHash('sha256')
        .update(bytes)
        .digest('hex')
        .slice(0, 2 * digestBytes)
    const { address } = space.find(bytes) ?? copyIn(bytes)
    digest(address, bytes.length, result.address)
    return space.view({ ...result, bytes: digestBytes }).toString('hex')
  }
}

/** Counts the line breaks of bytes, quickly if they are in this memory. */
export function createLineCount(space: MemorySpace): (bytes: Buffer) => number {
  const { countLineBreaks } = space.kernel as unknown as BlockKernel
  return (bytes) => {
    const range = space.find(bytes)
    return range === null ? countOneByOne(bytes) : countLineBreaks(range.address, range.bytes)
  }
}

interface BlockKernel {
  readonly digest: (bytes: number, length: number, to: number) => void
  readonly countLineBreaks: (bytes: number, length: number) => number
}
