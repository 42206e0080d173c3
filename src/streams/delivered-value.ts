import { parseAgain, type HeldNumbers } from '../records/parse-line.ts'
import type { LineScan } from '../scan/line-scan.ts'
import { createShownProperty, type Shown } from './shown-property.ts'

/** A line that surely holds a record, and whatever may ask more about it. */
export interface ScannedLine {
  readonly scan: LineScan
  /** Without its line break. */
  readonly bytes: Buffer
}

/** A line that `parseLine` has parsed. */
export interface ParsedText {
  readonly text: string
  readonly delivered: unknown
  readonly numbers: HeldNumbers
  readonly mayRepeatKeys: boolean
}

/**
 * The record of a line as it was delivered, for the items of the stages. Until somebody looks at it a stage may have it for
 * itself, and change it; whoever looks afterwards gets it parsed again. Of a scanned line it is not even parsed until then.
 */
export class DeliveredValue implements Shown {
  readonly #line: ScannedLine | null
  /** A scanned line has no number that would lose digits. */
  readonly numbers: HeldNumbers
  /** A scanned line repeats none. */
  readonly mayRepeatKeys: boolean
  #text: string | null
  #value: unknown
  #state: 'unparsed' | 'unseen' | 'seen' | 'taken'

  constructor(line: ScannedLine | ParsedText) {
    const parsed = 'text' in line ? line : null
    this.#line = 'text' in line ? null : line
    this.numbers = parsed?.numbers ?? 'plain'
    this.mayRepeatKeys = parsed?.mayRepeatKeys ?? false
    this.#text = parsed?.text ?? null
    this.#value = parsed?.delivered
    this.#state = parsed === null ? 'unparsed' : 'unseen'
  }

  get text(): string {
    this.#text ??= (this.#line as ScannedLine).bytes.toString('utf8')
    return this.#text
  }

  /** For everybody: from now on no stage may change it. */
  get shown(): unknown {
    if (this.#state === 'taken' || this.#state === 'unparsed') this.#value = this.parse()
    this.#state = 'seen'
    return this.#value
  }

  set shown(value: unknown) {
    this.#value = value
    this.#state = 'seen'
  }

  /** The line, as long as it says all that there is to say about the value. */
  get unparsed(): ScannedLine | null {
    return this.#state === 'unparsed' ? this.#line : null
  }

  /** For a stage that tells with `take` whether it has changed the value; undefined where it may not. */
  get unseen(): unknown {
    if (this.#state === 'unparsed') {
      this.#value = this.parse()
      this.#state = 'unseen'
    }
    return this.#state === 'unseen' ? this.#value : undefined
  }

  take(): void {
    this.#value = undefined
    this.#state = 'taken'
  }

  /** The value once more, for whoever asks. */
  parse(): unknown {
    return parseAgain(this.text, { exactNumbers: this.numbers === 'exact' })
  }
}

/** The property `delivered` of items. */
export const deliveredProperty = createShownProperty<DeliveredValue>('delivered')
