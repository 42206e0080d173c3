import { expect, it } from 'vitest'
import { digestBlock } from '../../src/encode/digest-block.ts'

it('the digest of a block is the GMAC of its bytes: that of no bytes is the one NIST gives', () => {
  expect(digestBlock(new Uint8Array())).toBe('58e2fccefa7e3061367f1d57a4e7455a')
})

it('the digest of a block changes with any of its bytes', () => {
  const bytes = Buffer.alloc(1000, 'abcdefgh')
  const digests = new Set([digestBlock(bytes), digestBlock(bytes.subarray(1)), digestBlock(bytes.subarray(0, -1))])
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    digests.add(digestBlock(changed))
  }
  expect(digests.size).toBe(1003)
})
