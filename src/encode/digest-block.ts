import { createCipheriv } from 'node:crypto'

/**
 * Tells blocks apart: 128 bits in hexadecimal, a GMAC (NIST SP 800-38D) with a key that everyone knows. It notices every
 * accident, not a forger, whom nothing here is to keep out: the run id and a second reading of the input ask only whether
 * the bytes are the same. It takes a quarter of the time of SHA-256 where the processor has instructions for both.
 */
export function digestBlock(bytes: Uint8Array): string {
  const mac = createCipheriv('aes-128-gcm', key, nonce)
  mac.setAAD(bytes)
  mac.final()
  return mac.getAuthTag().toString('hex')
}

const key = Buffer.alloc(16)
const nonce = Buffer.alloc(12)
