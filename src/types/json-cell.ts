import { formatJson, mayLoseDigits, parseExactly } from './json-text.ts'

/** The cell of a `json` column in a row: text in CSV and Parquet, embedded in NDJSON. */
export class JsonCell {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  static of(value: unknown): JsonCell {
    return new JsonCell(formatJson(value))
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
