import { JsonCursor } from './json-cursor.ts'

/**
 * Finds the value at a path such as `photos[0].displayOrder` in a line, or else the nearest value around it. The path begins
 * in the record, which may be in an envelope. Throws SyntaxError for a line that is no JSON.
 */
export function findValue(line: string, path: string): Found {
  return new Finder(line).find(path)
}

/** The place of a value, in UTF-16 units; not `isWhole` if the rest of the path leads to nothing. */
interface Found {
  readonly start: number
  readonly end: number
  readonly isWhole: boolean
  /** Number of characters of the path behind it. */
  readonly left: number
}

class Finder {
  readonly #cursor: JsonCursor

  constructor(raw: string) {
    this.#cursor = new JsonCursor(raw)
  }

  find(path: string): Found {
    const cursor = this.#cursor
    const isEnvelope = cursor.peek() === '{' && this.#hasResult()
    cursor.rewind()
    return this.#find(isEnvelope ? joinPath('result', path) : path)
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
