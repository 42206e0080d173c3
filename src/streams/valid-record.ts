import type { DeliveredValue, ScannedLine } from './delivered-value.ts'
import { createShownProperty, type Shown } from './shown-property.ts'

/** The record of a line that surely meets its contract, for the items of the stages: made when somebody looks at it. */
export class ValidRecord implements Shown {
  readonly #line: ScannedLine
  readonly #delivered: DeliveredValue
  readonly #make: (delivered: DeliveredValue) => unknown
  #record: unknown
  #isSeen = false

  constructor(line: ScannedLine, delivered: DeliveredValue, make: (delivered: DeliveredValue) => unknown) {
    this.#line = line
    this.#delivered = delivered
    this.#make = make
  }

  /** For everybody: from now on it may have been changed. */
  get shown(): unknown {
    if (!this.#isSeen) this.#record = this.#make(this.#delivered)
    this.#isSeen = true
    return this.#record
  }

  set shown(record: unknown) {
    this.#record = record
    this.#isSeen = true
  }

  /** The line, as long as it says all that there is to say about the record. */
  get unseen(): ScannedLine | null {
    return this.#isSeen ? null : this.#line
  }
}

/** The property `record` of items. */
export const recordProperty = createShownProperty<ValidRecord>('record')
