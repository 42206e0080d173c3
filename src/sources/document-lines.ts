import { getManyValues, isMany, none } from 'stream-chain/defs.js'
import { jsonParser } from 'stream-json/core/parser.js'
import { defaultMaxLineBytes } from '../records/block.ts'
import { toCount } from '../records/json/json-values.ts'
import type { DocumentMeta } from './completeness.ts'
import { WrongShape } from './wrong-shape.ts'

type Token = { readonly name: string; readonly value?: unknown }

/**
 * Turns one JSON document, `{"meta": …, "results": […]}` or a list, into lines of JSON, a record a line, as the text
 * comes in. The results may have another name, `{"meta": …, "brands": […]}`, if it is the only list of objects. Holds
 * one record at a time; of one longer than `maxLineBytes`, only a beginning just over that. Numbers keep their digits.
 * Throws if the text is no JSON, no such document, or has a value too long to hold.
 */
export class DocumentLines {
  readonly #parse = jsonParser({ streamValues: false })
  #root: 'none' | 'list' | 'object' = 'none'
  #depth = 0
  #key: string | null = null
  #value: JsonText | null = null
  #meta: DocumentMeta = { total: null, offset: 0 }
  #records: 'before' | 'inside' | 'after' = 'before'
  /** The member whose records are yielded. */
  #given: string | null = null
  /** A list under another name than `results` has begun; its first element decides whether it holds the results. */
  #isUndecided = false
  /** An empty list was found; it is the results if nothing else is. */
  #hasEmpty = false
  readonly #maxLineBytes: number
  /** Characters since the last token: the parser holds a string or number until it is whole. */
  #heldLength = 0

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes
  }

  get meta(): DocumentMeta {
    return this.#meta
  }

  *push(text: string): Generator<string> {
    const tokens = this.#parseText(text)
    this.#heldLength = isMany(tokens) && getManyValues(tokens).length > 0 ? 0 : this.#heldLength + text.length
    const most = Math.max(this.#maxLineBytes, defaultMaxLineBytes)
    if (this.#heldLength > most) throw new SyntaxError(`a single value of more than ${most} characters`)
    yield* this.#take(tokens)
  }

  /** Ends the document; throws if it is not whole. */
  *end(): Generator<string> {
    yield* this.#take(this.#parseText(none as unknown as string))
    if (this.#depth > 0) throw new SyntaxError(cutOff)
    if (this.#records === 'before' && !this.#hasEmpty) throw new WrongShape(noResults)
  }

  #parseText(text: string): ReturnType<ReturnType<typeof jsonParser>> {
    try {
      return this.#parse(text)
    } catch (error) {
      const { message } = error as Error
      if (typeof text !== 'string') throw new SyntaxError(cutOff, { cause: error })
      if (message.endsWith('unexpected characters')) throw new SyntaxError(moreText, { cause: error })
      const reason = message.replace(/^Parser cannot parse input: /, '')
      throw new SyntaxError(`what is no JSON (${reason})`, { cause: error })
    }
  }

  *#take(tokens: ReturnType<ReturnType<typeof jsonParser>>): Generator<string> {
    if (!isMany(tokens)) return
    for (const token of getManyValues(tokens) as readonly Token[]) {
      const line = this.#value === null ? this.#enter(token) : this.#continue(this.#value, token)
      if (line !== null) yield line
    }
  }

  /** Takes a token of the document itself, outside records. */
  #enter(token: Token): string | null {
    if (this.#isUndecided) return this.#decide(token)
    if (this.#records === 'inside' && token.name === 'endArray') {
      this.#records = 'after'
      this.#depth--
    } else if (this.#records === 'inside') return this.#begin(token)
    else if (this.#root === 'none') this.#open(token)
    else if (token.name === 'keyValue') this.#key = String(token.value)
    else if (token.name === 'endObject') this.#depth--
    else if (token.name !== 'startArray' || this.#key === 'meta' || this.#key === 'error') return this.#begin(token)
    else if (this.#key === 'results') this.#give()
    else this.#isUndecided = true
    return null
  }

  /** Takes the first token inside a list under another name, which holds the results if its elements are objects. */
  #decide(token: Token): string | null {
    this.#isUndecided = false
    if (token.name === 'endArray') this.#hasEmpty = true
    else if (this.#given === 'results' || token.name !== 'startObject') {
      // Skips the list from its beginning.
      this.#begin({ name: 'startArray' })
      return this.#value === null ? null : this.#continue(this.#value, token)
    } else {
      this.#give()
      return this.#begin(token)
    }
    return null
  }

  #give(): void {
    if (this.#given !== null) throw new WrongShape(`two lists of results, "${this.#given}" and "${this.#key}"`)
    this.#given = this.#key
    this.#records = 'inside'
    this.#depth++
  }

  #open(token: Token): void {
    if (token.name !== 'startObject' && token.name !== 'startArray') {
      throw new SyntaxError(noResults)
    }
    this.#root = token.name === 'startArray' ? 'list' : 'object'
    this.#records = token.name === 'startArray' ? 'inside' : 'before'
    this.#depth++
  }

  #begin(token: Token): string | null {
    const isKept = this.#records === 'inside' || this.#key === 'meta' || this.#key === 'error'
    const value = new JsonText(isKept ? this.#maxLineBytes : -1)
    this.#value = value
    return this.#continue(value, token)
  }

  /** Takes a token of a record, or of another member of the document. */
  #continue(value: JsonText, token: Token): string | null {
    const text = value.push(token)
    if (text === null) return null
    this.#value = null
    if (this.#records === 'inside') return text
    if (text.length > this.#maxLineBytes && (this.#key === 'error' || this.#key === 'meta'))
      throw new SyntaxError(`a member "${this.#key}" of more than ${this.#maxLineBytes} characters`)
    if (this.#key === 'error') return `{"error":${text}}`
    if (this.#key === 'meta') this.#meta = readMeta(JSON.parse(text))
    return null
  }
}

const cutOff = 'an end in the middle: it was cut off'
const noResults = 'neither a list nor an object with a list of results'
const moreText = 'more text after its end; of several documents each needs a file of its own, with parts: true'

/** Writes tokens as JSON text again. Returns the text once the value is whole, cut at one character over the limit. */
class JsonText {
  readonly #limit: number
  #text = ''
  #depth = 0
  #needsComma = false

  constructor(limit: number) {
    this.#limit = limit
  }

  push({ name, value }: Token): string | null {
    switch (name) {
      case 'startObject':
      case 'startArray':
        this.#add(name === 'startObject' ? '{' : '[')
        this.#depth++
        this.#needsComma = false
        return null
      case 'endObject':
      case 'endArray':
        this.#append(name === 'endObject' ? '}' : ']')
        this.#depth--
        this.#needsComma = true
        break
      case 'keyValue':
        this.#add(`${JSON.stringify(value)}:`)
        this.#needsComma = false
        return null
      case 'stringValue':
        this.#add(JSON.stringify(value))
        break
      default:
        this.#add(String(value))
    }
    return this.#depth === 0 ? this.#text : null
  }

  #add(text: string): void {
    this.#append(this.#needsComma ? `,${text}` : text)
    this.#needsComma = true
  }

  #append(text: string): void {
    if (this.#text.length > this.#limit) return
    this.#text = (this.#text + text).slice(0, this.#limit + 1)
  }
}

function readMeta(meta: unknown): DocumentMeta {
  const { total, page } = (meta ?? {}) as {
    total?: unknown
    page?: { no?: unknown; offset?: unknown; size?: unknown } | null
  }
  const offset = toCount(page?.offset) ?? (toCount(page?.no) ?? 0) * (toCount(page?.size) ?? 0)
  return { total: toCount(total), offset }
}
