import { hash } from 'node:crypto'

/** The hash of content that is written already, as UTF-8: 32 hexadecimal digits. */
export function hashText(content: string | Uint8Array): string {
  return hash('sha256', content).slice(0, 32)
}
