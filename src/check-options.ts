import { CatalogueError } from './errors.ts'
import { closest, formatSuggestion, listChoices } from './text/choices.ts'
import { showValue } from './text/show-value.ts'

/* What callers of the library give it, which JavaScript does not check. A wrong use throws USAGE. */

/** What an option or argument may be: in words, and as a check. */
export interface OptionKind {
  readonly expected: string
  readonly fits: (value: unknown) => boolean
  /** The texts that one was probably meant of. */
  readonly choices?: readonly string[]
  /** Whether the option has to be given. */
  readonly isNeeded?: boolean
  /** Whether messages hide the value. */
  readonly isSecret?: boolean
}

/** A kind for each option of a function. */
export type OptionKinds<Options> = { readonly [Name in keyof Required<Options>]: OptionKind }

/** Checks the options of a public function: undefined is as good as missing. Throws USAGE with every problem. */
export function requireOptions<Options>(of: string, options: unknown, kinds: OptionKinds<Options>): void {
  requireObject(of, options)
  const names = Object.keys(kinds)
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(kinds, name))
  const problems = unknown.map(
    (name) => `unknown option "${name}", expected one of ${names.join(', ')}${formatSuggestion(closest(name, names))}`,
  )
  refuse(of, [...problems, ...listUnfit(options, kinds)])
}

/** Checks only options that `kinds` names: the others are of no concern. */
export function requireNamed<Options>(of: string, options: unknown, kinds: Partial<OptionKinds<Options>>): void {
  requireObject(of, options)
  refuse(of, listUnfit(options, kinds as Readonly<Record<string, OptionKind>>))
}

export function requireArgument(of: string, name: string, value: unknown, kind: OptionKind): void {
  if (!kind.fits(value)) refuse(of, [describeUnfit(name, value, kind)])
}

export function requireObject(of: string, options: unknown): asserts options is object {
  if (!isOptions(options)) throw misuse(of, 'an object of options', options)
}

/** The error of a call, or of a stream, that gets something else than it takes. */
export function misuse(of: string, expected: string, got: unknown): CatalogueError {
  return misusedBy(of, expected, showGiven(got))
}

/** Does what `misuse` does, with `got` in words. */
export function misusedBy(of: string, expected: string, got: string): CatalogueError {
  return wrongUse(`${of}: expected ${expected}, got ${got}`)
}

function refuse(of: string, problems: readonly string[]): void {
  if (problems.length > 0) throw wrongUse(`${of}: ${problems.join('\n')}`)
}

function wrongUse(message: string): CatalogueError {
  const title = 'The library was used in a way that it does not know'
  const fix = 'Correct the call, or the order of the stages: docs/library.md says what each of them takes.'
  return new CatalogueError('USAGE', message, { title, fix })
}

function listUnfit(options: object, kinds: Readonly<Record<string, OptionKind>>): string[] {
  return Object.entries(kinds).flatMap(([name, kind]) => {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    const isLeftOut = value === undefined && kind.isNeeded !== true
    return isLeftOut || kind.fits(value) ? [] : [describeUnfit(name, value, kind)]
  })
}

function describeUnfit(name: string, value: unknown, { expected, choices = [], isSecret = false }: OptionKind): string {
  const isHidden = isSecret && value !== undefined && value !== null && value !== ''
  const got = isHidden ? `a ${typeof value} that is not shown` : showGiven(value)
  const meant = typeof value === 'string' ? formatSuggestion(closest(value, choices)) : ''
  return `expected ${name} to be ${expected}, got ${got}${meant}`
}

function showGiven(value: unknown): string {
  return typeof value === 'function' ? 'a function' : value instanceof Uint8Array ? 'bytes' : showValue(value)
}

function isOptions(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const aFunction = toKind('a function', (value) => typeof value === 'function')
export const aText = toKind('a text', (value) => typeof value === 'string')
export const filledText = toKind('a text that is not empty', (value) => typeof value === 'string' && value !== '')
export const trueOrFalse = toKind('true or false', (value) => typeof value === 'boolean')
export const anObject = toKind('an object', isOptions)
export const aReadable = toKind('a readable stream', (value) => isOptions(value) && 'pipe' in value)
export const aSignal = toKind(
  'an AbortSignal',
  (value) => isOptions(value) && 'aborted' in value && 'addEventListener' in value,
)
/** What is checked later, with more of what it belongs to. */
export const checkedLater = toKind('anything', () => true)

/** Options that become keys of a config, which is checked as a whole. */
export function keysOfConfig<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, OptionKind>> {
  return Object.fromEntries(names.map((name) => [name, checkedLater])) as Record<Name, OptionKind>
}

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
  const texts = choices.map(String)
  const expected = texts.length === 1 ? `${texts[0]}` : `one of ${listChoices(texts)}`
  return { ...toKind(expected, (value) => choices.includes(value as string | boolean | null)), choices: texts }
}

export function listOf({ expected, fits }: OptionKind): OptionKind {
  return toKind(`a list, each ${expected}`, (value) => Array.isArray(value) && value.every((each) => fits(each)))
}

export function either(one: OptionKind, other: OptionKind): OptionKind {
  return toKind(`${one.expected}, or ${other.expected}`, (value) => one.fits(value) || other.fits(value))
}

export function needed(kind: OptionKind): OptionKind {
  return { ...kind, isNeeded: true }
}

export function secret(kind: OptionKind): OptionKind {
  return { ...kind, isSecret: true }
}

export function toKind(expected: string, fits: OptionKind['fits']): OptionKind {
  return { expected, fits }
}

function isWithin(value: number, from: number, until: number): boolean {
  return value >= from && value <= until
}
