import { JsonCursor } from '../../records/json/json-cursor.ts'

/**
 * Some members of the record on a line, by name, as JSON text. The record is in `result`, or the line itself. The last
 * of a repeated member counts; of a broken line, the members before the fault are returned. Takes a fifth of the time
 * of JSON.parse.
 */
export function cutMembers(line: Buffer, names: ReadonlySet<string>): ReadonlyMap<string, string> {
  // Latin-1 is the fastest to decode and keeps all signs of JSON.
  const cursor = new JsonCursor(line.toString('latin1'))
  let members = new Map<string, string>()
  let isEnvelope = false
  const visit = (name: string): void => {
    if (!names.has(name)) return cursor.skip()
    const value = cursor.cut()
    // A value at the end of the text may be cut off.
    if (cursor.peek() !== '') members.set(name, Buffer.from(value, 'latin1').toString('utf8'))
  }
  try {
    if (cursor.peek() !== '{') return members
    cursor.members((name) => {
      if (name !== 'result') return isEnvelope ? cursor.skip() : visit(name)
      isEnvelope = true
      members = new Map()
      if (cursor.peek() === '{') cursor.members(visit)
      else cursor.skip()
    })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return members
}
