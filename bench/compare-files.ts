import { readFile } from 'node:fs/promises'
import type { OutputFile } from './sides/side.ts'

/*
 * Checks that two wrote the same bytes. Each function says what agrees and throws where something does not.
 */

/** Compares files by name; `ours` may hold others as well, and those that are not `exact` only need as many rows. */
export function compareFiles(
  ours: readonly OutputFile[],
  theirs: readonly OutputFile[],
  isExact: (name: string) => boolean = () => true,
): string {
  const byName = new Map(ours.map((file) => [file.name, file]))
  const different = theirs.filter(({ name, rows, sha256 }) => {
    const file = byName.get(name)
    return file === undefined || file.rows !== rows || (isExact(name) && file.sha256 !== sha256)
  })
  if (different.length > 0) {
    const names = different.map(({ name }) => name).join(', ')
    throw new Error(`files: expected the same in both, got others in ${names}`)
  }
  const exact = theirs.filter(({ name }) => isExact(name)).length
  return [
    ...(exact > 0 ? [`${exact} files agree byte for byte`] : []),
    ...(exact < theirs.length ? [`${theirs.length - exact} files agree in their numbers of rows`] : []),
  ].join(', ')
}

/** Compares two files byte for byte. */
export async function compareBytes(ours: string, theirs: string): Promise<string> {
  const [got, expected] = await Promise.all([readFile(ours), readFile(theirs)])
  if (!got.equals(expected)) throw new Error(`${ours}: expected the bytes of ${theirs}, got others`)
  return `${got.length} bytes agree`
}
