import type { DriftListener } from '../drift.ts'

/** Returned for a value that is left to zod. */
export const undecided = Symbol('undecided')

/**
 * The canonical form of a delivered value that is certainly valid, or `undecided`. Gives the value itself if it is
 * canonical, but for the changes noted in the walk. Never gets null.
 */
export type ToCanonical = (value: unknown, walk: FastWalk) => unknown

/**
 * The findings of a walk over a record. They count only once the whole record has turned out to be valid.
 */
export class FastWalk {
  #holders: object[] = []
  #keys: (string | number)[] = []
  #members: unknown[] = []
  #unknownFields: string[] = []
  #otherLocales: string[] = []
  #valuePaths: string[] = []
  #unknownValues: string[] = []
  #codePaths: string[] = []
  #oddCodes: string[] = []
  #nullElements: string[] = []

  begin(): void {
    this.#holders.length = this.#keys.length = this.#members.length = 0
    this.#unknownFields.length = this.#otherLocales.length = 0
    this.#valuePaths.length = this.#unknownValues.length = 0
    this.#codePaths.length = this.#oddCodes.length = this.#nullElements.length = 0
  }

  /** Makes the changes in the record, and reports the drift. */
  finish(listener: DriftListener): void {
    for (let at = 0; at < this.#holders.length; at++) {
      const holder = this.#holders[at] as Record<string | number, unknown>
      holder[this.#keys[at] as string | number] = this.#members[at]
    }
    for (const path of this.#unknownFields) listener.unknownField(path)
    for (const locale of this.#otherLocales) listener.otherLocale(locale)
    for (const path of this.#nullElements) listener.nullElement(path)
    for (const [at, path] of this.#codePaths.entries()) listener.oddCode(path, this.#oddCodes[at] as string)
    for (const [at, path] of this.#valuePaths.entries()) listener.unknownValue(path, this.#unknownValues[at] as string)
  }

  get changes(): number {
    return this.#holders.length
  }

  /** Notes that a member has another canonical form. */
  change(holder: object, key: string | number, member: unknown): void {
    this.#holders.push(holder)
    this.#keys.push(key)
    this.#members.push(member)
  }

  /** Turns the changes of an object since the first `changes` into those of its replacement. */
  replaceHolder(holder: object, replacement: object, changes: number): void {
    for (let at = changes; at < this.#holders.length; at++) {
      if (this.#holders[at] === holder) this.#holders[at] = replacement
    }
  }

  unknownField(path: string): void {
    this.#unknownFields.push(path)
  }

  otherLocale(locale: string): void {
    this.#otherLocales.push(locale)
  }

  nullElement(path: string): void {
    this.#nullElements.push(path)
  }

  oddCodes(path: string, codes: readonly string[]): void {
    for (const code of codes) {
      this.#codePaths.push(path)
      this.#oddCodes.push(code)
    }
  }

  unknownValue(path: string, value: string): void {
    this.#valuePaths.push(path)
    this.#unknownValues.push(value)
  }
}
