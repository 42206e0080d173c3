import type { ColumnType } from '../flatten/column.ts'

/** A store that holds less than every text. */
export type Store = 'PostgreSQL'

/** Why the store can't hold the text of a cell; null where it can. */
export function findUnstorable(text: string, { kind }: ColumnType, store: Store): string | null {
  if (text.includes('\0')) return `expected text that ${store} can hold, got one with the character NUL (U+0000)`
  // A column of JSON may be `jsonb`, which takes no escape of it.
  const isRefused = kind === 'json' && text.includes(escapedNul) && holdsEscapedNul.test(text)
  return isRefused ? `expected JSON that ${store} can hold, got an escape of the character NUL (U+0000)` : null
}

/** Why the store can't have a record of this id, which is in an index; null where it can. */
export function findUnstorableId(id: string, store: Store): string | null {
  const bytes = id.length * 3 > mostIdBytes ? Buffer.byteLength(id) : 0
  if (bytes > mostIdBytes) return `expected an id of at most ${mostIdBytes} bytes for ${store}, got ${bytes}`
  return findUnstorable(id, { kind: 'text' }, store)
}

/** An entry of an index has at most 2,704 bytes, with the other columns of the key among them. The walk knows it too. */
export const mostIdBytes = 2048
const escapedNul = String.raw`\u0000`
const holdsEscapedNul = /(?<!\\)(?:\\\\)*\\u0000/
