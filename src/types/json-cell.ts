import { misuse } from '../check-options.ts'
import { formatJsonIfHeld, mayLoseDigits, parseExactly } from './json-text.ts'

/** The cell of a `json` column in a row: text in CSV and Parquet, embedded in NDJSON. */
export class JsonCell {
  readonly text: string

  constructor(text: string) {
    if (typeof text !== 'string') throw misuse('JsonCell', 'a value as JSON text', text)
    this.text = text
  }

  static of(value: unknown): JsonCell {
    return new JsonCell(toText(value))
  }

  /** Parses the text anew each time; whole numbers beyond 2^53 become bigints. */
  get value(): unknown {
    return mayLoseDigits(this.text) ? parseExactly(this.text) : JSON.parse(this.text)
  }

  toString(): string {
    return this.text
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

function toText(value: unknown): string {
  const text = formatJsonIfHeld(value)
  if (text === undefined) throw misuse('JsonCell.of', 'a value that JSON can hold', value)
  return text
}
