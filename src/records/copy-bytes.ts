/**
 * Copies bytes to a place in others. Typed arrays copy from and to shared memory byte by byte, which takes ten times as long where
 * the places are not aligned alike; to fill with bytes is a copy at full speed, whatever memory it is.
 */
export function copyBytes(from: Uint8Array, to: Buffer, at = 0): void {
  if (from.length > 0) to.fill(from, at, at + from.length)
}

/** A copy in memory of its own. */
export function toOwnBytes(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  copyBytes(bytes, own)
  return own
}
