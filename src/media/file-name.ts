import { createHash } from 'node:crypto'
import type { WantedFile } from './choose-files.ts'

/** `1234-hugeWebp-3f2a….webp`, `77-nl-9c1b….pdf`: the id, the format or locale, the beginning of the SHA-256, the type. */
export function toFileName(
  { id, format, locale }: Pick<WantedFile, 'id' | 'format' | 'locale'>,
  { sha256, extension }: { readonly sha256: string; readonly extension: string },
): string {
  const parts = [toPart(id), ...[format ?? locale ?? []].flat().map(toPart), sha256.slice(0, 12)]
  return `${parts.join('-')}.${extension}`
}

/** An id as part of a name. Whatever is no letter, digit or `_` is left out, and the hash of the whole then keeps it apart. */
function toPart(text: string): string {
  if (/^[A-Za-z0-9]\w{0,62}(?:-\d{1,6})?$/.test(text)) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `x${text.replaceAll(/\W+/g, '').slice(0, 40)}.${hash}`
}

/** True for a name that a file of a download may have. No other one is looked at or removed, whatever a manifest says. */
export function isFileName(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,200}-[0-9a-f]{12}\.[a-z0-9]{2,5}$/.test(name)
}
