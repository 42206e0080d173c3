import { createHash } from 'node:crypto'
import type { WantedFile } from './choose-files.ts'

/**
 * Names a file by id, format or locale, beginning of its SHA-256 and type: `1234-hugeWebp-3f2a….webp`,
 * `77-nl-9c1b….pdf`.
 */
export function toFileName(
  { id, format, locale }: Pick<WantedFile, 'id' | 'format' | 'locale'>,
  { sha256, extension }: { readonly sha256: string; readonly extension: string },
): string {
  const parts = [toPart(id), ...[format ?? locale ?? []].flat().map(toPart), sha256.slice(0, 12)]
  return `${parts.join('-')}.${extension}`
}

/**
 * Converts an id to part of a name. Drops all but letters, digits and `_`, and then adds a hash of the id to keep it
 * unique.
 */
function toPart(text: string): string {
  if (/^[A-Za-z0-9]\w{0,62}(?:-\d{1,6})?$/.test(text)) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `x${text.replaceAll(/\W+/g, '').slice(0, 40)}.${hash}`
}

/**
 * Whether a name may be that of a downloaded file. Other names are never opened or removed, whatever a manifest says.
 */
export function isFileName(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,200}-[0-9a-f]{12}\.[a-z0-9]{2,5}$/.test(name)
}
