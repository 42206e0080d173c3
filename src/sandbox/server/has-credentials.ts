import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether an Authorization header holds these credentials in Basic form (specification: Authentication). */
export function hasCredentials(header: string | undefined, keyId: string, keySecret: string): boolean {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return false
  return timingSafeEqual(digest(Buffer.from(encoded, 'base64')), digest(Buffer.from(`${keyId}:${keySecret}`)))
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
