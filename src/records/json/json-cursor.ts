/**
 * Steps over JSON text from one value to the next: it sees the keys that JSON.parse hides. It does not check the text,
 * but throws SyntaxError if it can't step on.
 */
export class JsonCursor {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get at(): number {
    return this.#at
  }

  rewind(): void {
    this.#at = 0
  }

  peek(): string {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++
    return this.#text.charAt(this.#at)
  }

  /** Steps over an object; `visit` has to step over the value of each key. */
  members(visit: (key: string) => void): void {
    this.#pass('{')
    while (this.peek() !== '}') {
      const key = this.#readKey()
      this.#pass(':')
      visit(key)
      if (this.peek() === ',') this.#pass(',')
    }
    this.#pass('}')
  }

  /** Steps over a list; `visit` has to step over each element. */
  elements(visit: () => void): void {
    this.#pass('[')
    while (this.peek() !== ']') {
      visit()
      if (this.peek() === ',') this.#pass(',')
    }
    this.#pass(']')
  }

  /** Steps over a value, however deep it is nested. */
  skip(): void {
    if (!'{["'.includes(this.peek())) return this.#skipScalar()
    let depth = 0
    do {
      const code = this.#text.charCodeAt(this.#at)
      if (code === quote) this.#skipText()
      else if (Number.isNaN(code)) throw this.#expected('a value')
      else {
        if (code === openingBrace || code === openingBracket) depth++
        if (code === closingBrace || code === closingBracket) depth--
        this.#at++
      }
    } while (depth > 0)
  }

  cut(): string {
    this.peek()
    const start = this.#at
    this.skip()
    return this.#text.slice(start, this.#at)
  }

  #pass(sign: string): void {
    if (this.peek() !== sign || sign === '') throw this.#expected(`"${sign}"`)
    this.#at++
  }

  #readKey(): string {
    const start = this.#at
    this.#skipText()
    const text = this.#text.slice(start, this.#at)
    return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
  }

  #skipText(): void {
    let close = this.#at
    do {
      close = this.#text.indexOf('"', close + 1)
      if (close < 0) throw this.#expected('a string')
    } while (this.#isEscaped(close))
    this.#at = close + 1
  }

  #isEscaped(at: number): boolean {
    let first = at
    while (this.#text.charCodeAt(first - 1) === backslash) first--
    return (at - first) % 2 === 1
  }

  #skipScalar(): void {
    scalar.lastIndex = this.#at
    if (!scalar.test(this.#text)) throw this.#expected('a value')
    this.#at = scalar.lastIndex
  }

  #expected(what: string): SyntaxError {
    return new SyntaxError(`expected ${what} in JSON text at ${this.#at}`)
  }
}

const quote = 0x22
const openingBracket = 0x5b
const backslash = 0x5c
const closingBracket = 0x5d
const openingBrace = 0x7b
const closingBrace = 0x7d
const scalar = /[\w.+-]+/y

/** Space, tab, line feed, carriage return. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}
