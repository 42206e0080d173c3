import { findSyntaxFault } from '../../records/json/find-syntax-fault.ts'
import { JsonCursor } from '../../records/json/json-cursor.ts'
import type { Issue } from '../../records/reject.ts'

/** A part of a raw line, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * The part of the raw line that an issue is about: the value at its path, the nearest value around it if that is
 * missing, the fault of a line that is no JSON, or else the beginning.
 */
export function locateIssue(raw: string, { code, path }: Pick<Issue, 'code' | 'path'>): Span {
  const fault = path === '' ? findFault(raw, code) : null
  if (fault !== null) return { start: fault, end: Math.min(fault + 1, raw.length) }
  try {
    return new Finder(raw).find(path)
  } catch (error) {
    if (error instanceof SyntaxError) return { start: 0, end: 0 }
    throw error
  }
}

function findFault(raw: string, code: string): number | null {
  if (code === 'invalid_json') return findSyntaxFault(raw)
  if (code === 'invalid_utf8') return Math.max(0, raw.indexOf('\ufffd'))
  if (code === 'invalid_unicode') return Math.max(0, raw.search(/\\u[dD][89a-fA-F]/))
  return code === 'line_too_long' || code === 'too_deep' ? 0 : null
}

/** The value that a path leads to; not `isWhole` if the rest of the path leads to nothing. */
interface Found extends Span {
  readonly isWhole: boolean
  /** How many characters of the path are left. */
  readonly left: number
}

class Finder {
  readonly #cursor: JsonCursor

  constructor(raw: string) {
    this.#cursor = new JsonCursor(raw)
  }

  /** The path begins in the record, which may be in an envelope. */
  find(path: string): Span {
    const cursor = this.#cursor
    const isEnvelope = cursor.peek() === '{' && this.#hasResult()
    cursor.rewind()
    const { start, end, isWhole } = this.#find(isEnvelope ? joinPath('result', path) : path)
    // Around a missing value, only the first character is marked.
    return isWhole ? { start, end } : { start, end: Math.min(start + 1, end) }
  }

  #hasResult(): boolean {
    let hasResult = false
    this.#cursor.members((key) => {
      hasResult ||= key === 'result'
      this.#cursor.skip()
    })
    return hasResult
  }

  /** Also steps over the value. */
  #find(path: string): Found {
    const sign = this.#cursor.peek()
    const start = this.#cursor.at
    const inside: Found[] = []
    if (path !== '' && sign === '{') this.#findInObject(path, inside)
    else if (path !== '' && sign === '[') this.#findInList(path, inside)
    else this.#cursor.skip()
    // A single value in the place of a list with one element.
    const isWhole = path === '' || (sign !== '[' && sign !== '{' && /^\[0?\]$/.test(path))
    const own: Found = { start, end: this.#cursor.at, isWhole, left: isWhole ? 0 : path.length }
    // The last of a repeated key counts; of the elements of a list the first is shown.
    const margin = sign === '{' ? 1 : 0
    return inside.reduce((best, found) => (found.left < best.left + margin ? found : best), own)
  }

  #findInObject(path: string, inside: Found[]): void {
    this.#cursor.members((key) => {
      const rest = stripKey(path, key)
      if (rest === null) this.#cursor.skip()
      else inside.push(this.#find(rest))
    })
  }

  #findInList(path: string, inside: Found[]): void {
    const [head = '', position = ''] = /^\[(\d*)\]\.?/.exec(path) ?? []
    let at = 0
    this.#cursor.elements(() => {
      const isMeant = head !== '' && (position === '' || Number(position) === at)
      if (isMeant) inside.push(this.#find(path.slice(head.length)))
      else this.#cursor.skip()
      at++
    })
  }
}

/** The path within a member; null if it leads elsewhere. A key may itself have points and brackets. */
function stripKey(path: string, key: string): string | null {
  if (key === '' || !path.startsWith(key)) return null
  const rest = path.slice(key.length)
  if (rest === '' || rest.startsWith('[')) return rest
  return rest.startsWith('.') ? rest.slice(1) : null
}

function joinPath(head: string, path: string): string {
  return path === '' || path.startsWith('[') ? `${head}${path}` : `${head}.${path}`
}
