import { CatalogueError } from '../errors.ts'
import { closest, formatSuggestion, listChoices } from './choices.ts'
import { showValue } from './show-value.ts'

/** What an option may be: in words, and as a check. */
export interface OptionKind {
  readonly expected: string
  readonly fits: (value: unknown) => boolean
}

/** A kind for each option of a function. */
export type OptionKinds<Options> = { readonly [Name in keyof Required<Options>]: OptionKind }

/**
 * Checks the options of a public function, which JavaScript calls without types: undefined is as good as missing. Throws
 * USAGE with every problem, which names the option, what is expected and what it got.
 */
export function requireOptions<Options>(of: string, options: unknown, kinds: OptionKinds<Options>): void {
  if (!isOptions(options)) throw wrongUse(`${of}: expected an object of options, got ${showOption(options)}`)
  const names = Object.keys(kinds)
  const problems = Object.entries(options).flatMap(([name, value]) => {
    const kind = (kinds as Record<string, OptionKind>)[name]
    if (kind === undefined || !Object.hasOwn(kinds, name)) {
      const meant = formatSuggestion(closest(name, names))
      return [`unknown option "${name}", expected one of ${listChoices(names)}${meant}`]
    }
    const isWrong = value !== undefined && !kind.fits(value)
    return isWrong ? [`expected ${name} to be ${kind.expected}, got ${showOption(value)}`] : []
  })
  if (problems.length > 0) throw wrongUse(`${of}: ${problems.join('\n')}`)
}

function wrongUse(message: string): CatalogueError {
  const title = 'A function of the library was called in a way that it does not know'
  return new CatalogueError('USAGE', message, { title, fix: 'Correct the call: docs/library.md has the options.' })
}

function isOptions(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function showOption(value: unknown): string {
  return typeof value === 'function' ? 'a function' : showValue(value)
}

export const aFunction = toKind('a function', (value) => typeof value === 'function')
export const aText = toKind('a text', (value) => typeof value === 'string')
export const filledText = toKind('a text that is not empty', (value) => typeof value === 'string' && value !== '')
export const trueOrFalse = toKind('true or false', (value) => typeof value === 'boolean')
export const anObject = toKind('an object', isOptions)
export const aSignal = toKind('an AbortSignal', (value) => isOptions(value) && 'aborted' in value && 'reason' in value)
export const aReadable = toKind('a readable stream', (value) => isOptions(value) && 'pipe' in value)

export function wholeNumber(from: number, until = Number.MAX_SAFE_INTEGER): OptionKind {
  const words = until === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${until}`
  return toKind(
    `a whole number ${words}`,
    (value) => Number.isSafeInteger(value) && isWithin(Number(value), from, until),
  )
}

/** Also infinite. */
export function aNumber(from: number): OptionKind {
  return toKind(`a number of at least ${from}`, (value) => typeof value === 'number' && value >= from)
}

export function oneOf(...choices: readonly (string | boolean | null)[]): OptionKind {
  const [only, ...others] = choices.map(String)
  const expected = others.length === 0 ? `${only}` : `one of ${[only, ...others].join(', ')}`
  return toKind(expected, (value) => choices.includes(value as string | boolean | null))
}

export function listOf({ expected, fits }: OptionKind): OptionKind {
  return toKind(`a list, each ${expected}`, (value) => Array.isArray(value) && value.every((each) => fits(each)))
}

export function either(one: OptionKind, other: OptionKind): OptionKind {
  return toKind(`${one.expected}, or ${other.expected}`, (value) => one.fits(value) || other.fits(value))
}

function toKind(expected: string, fits: OptionKind['fits']): OptionKind {
  return { expected, fits }
}

function isWithin(value: number, from: number, until: number): boolean {
  return value >= from && value <= until
}
