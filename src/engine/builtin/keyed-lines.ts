import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { linesPerBlock } from './computation.ts'
import { KeyHashes } from './key-hashes.ts'

/** A line of text, without its line break, and the key by which it is compared with lines of other records. */
export interface KeyedLine {
  readonly text: string
  /** Null for a line that is compared with none. */
  readonly key: string | null
}

/**
 * Keeps lines as bytes, and takes up again only those whose key several records have. Beyond a bound the bytes are
 * compressed.
 */
export class KeyedLines {
  readonly #hashes = new KeyHashes()
  #isShared: ((line: number) => boolean) | null = null
  readonly #blocks: KeptBlock[] = []
  #keptBytes = 0
  #open: string[] = []
  readonly #mostBytes: number

  constructor(mostBytes = defaultMostBytes) {
    this.#mostBytes = mostBytes
  }

  /** Takes the lines of a record. */
  add(lines: readonly KeyedLine[]): void {
    this.#hashes.add(lines.map(({ key }) => key))
    for (const { text } of lines) {
      this.#open.push(text)
      if (this.#open.length === linesPerBlock) this.#close()
    }
  }

  /** Texts with a key that several records have, and a few others. Call it after the last line. */
  *listShared(): Generator<string> {
    for (const { block, shared } of this.#list()) {
      const texts = shared.length === 0 ? [] : splitLines(bytesOf(block))
      for (const line of shared) yield texts[line] as string
    }
  }

  /** All lines, each of those that `listShared` lists in another form. Blocks have `linesPerBlock` lines. */
  *replaceShared(replace: (text: string) => string): Generator<Buffer> {
    for (const { block, shared } of this.#list()) {
      if (shared.length === 0) {
        yield bytesOf(block)
        continue
      }
      const texts = splitLines(bytesOf(block))
      for (const line of shared) texts[line] = replace(texts[line] as string)
      yield joinLines(texts)
    }
  }

  #close(): void {
    const bytes = joinLines(this.#open)
    this.#open = []
    this.#keptBytes += bytes.length
    const isCompressed = this.#keptBytes > this.#mostBytes
    this.#blocks.push({ bytes: isCompressed ? deflateRawSync(bytes, { level: 1 }) : bytes, isCompressed })
  }

  /** Each block, with the numbers of its shared lines. */
  *#list(): Generator<{ readonly block: KeptBlock; readonly shared: readonly number[] }> {
    if (this.#open.length > 0) this.#close()
    this.#isShared ??= this.#hashes.findShared()
    for (const [at, block] of this.#blocks.entries()) {
      const shared: number[] = []
      for (let line = 0; line < linesPerBlock; line++) if (this.#isShared(at * linesPerBlock + line)) shared.push(line)
      yield { block, shared }
    }
  }
}

interface KeptBlock {
  readonly bytes: Buffer
  readonly isCompressed: boolean
}

function bytesOf({ bytes, isCompressed }: KeptBlock): Buffer {
  return isCompressed ? inflateRawSync(bytes) : bytes
}

/** The bytes of lines, each with a line break. */
export function joinLines(lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join('\n')}\n`)
}

export function splitLines(bytes: Buffer): string[] {
  return bytes.toString().trimEnd().split('\n')
}

/** Of the lines of 200,000 codes. */
const defaultMostBytes = 32 * 1024 * 1024
