import { anyLocale } from '../../contracts/any-locale.ts'
import { isObject } from '../json/json-values.ts'
import { compileAll, type ConditionReading } from '../conditions/condition-test.ts'
import type { Condition } from '../conditions/condition.ts'
import type { ChooseStep, Step } from './table-plan.ts'

/** Reads one value out of a record in its canonical form; null if anything on the way is missing. */
export type ReadPath = (value: unknown) => unknown

/** A reader for the steps. A path with `all` gives a list: nested lists become one. */
export function compilePath(steps: readonly Step[]): ReadPath {
  const [step, ...rest] = steps
  if (step === undefined) return (value) => value ?? null
  const next = compilePath(rest)
  switch (step.kind) {
    case 'field':
      return step.orName === undefined ? readField(step.name, next) : readEither(step.name, step.orName, next)
    case 'index':
      return readIndex(step, next)
    case 'all':
      return readAll(
        next,
        rest.some(({ kind }) => kind === 'all'),
        compileSelection(step.where),
      )
    case 'locale':
      return readLocale(step.locales, step.others, next)
    case 'choose':
      return compileChoice(step, rest)
  }
}

/** A reader of the filled values that the steps lead to: with `all` there may be several. */
export function compileFilled(steps: readonly Step[]): (value: unknown) => readonly unknown[] {
  const read = compilePath(steps)
  return (value) => {
    const found = read(value)
    return (Array.isArray(found) ? found : [found]).filter(isFilled)
  }
}

/** Conditions on records, and on elements of lists, in their canonical form. */
export const objectReading: ConditionReading<Condition, unknown> = {
  values: ({ steps, otherSteps = [] }) => [steps, ...otherSteps].map(compilePath),
  elements: ({ steps }) => {
    const read = compilePath(steps)
    return (item) => {
      const elements = read(item)
      return Array.isArray(elements) ? elements.filter(isObject) : []
    }
  },
}

/** A test of elements of a list by every condition. */
function compileMatch(where: readonly Condition[]): (element: unknown) => boolean {
  // Conditions on elements name no list of codes.
  const noCodes = new Set<string>()
  const meets = compileAll(where, objectReading)
  return (element) => meets(element, noCodes)
}

function readField(name: string, next: ReadPath): ReadPath {
  return (value) => (isObject(value) ? next(value[name]) : null)
}

function readEither(name: string, orName: string, next: ReadPath): ReadPath {
  return (value) => (isObject(value) ? next(value[name] ?? value[orName]) : null)
}

function readAll(next: ReadPath, nested: boolean, select: Select): ReadPath {
  return (value) => {
    if (!Array.isArray(value)) return null
    const elements = select(value)
    return nested ? elements.flatMap((element) => next(element) ?? []) : elements.map(next)
  }
}

/** With conditions, of the elements that meet them and in which the rest of the path is filled. */
function readIndex({ index, where }: Extract<Step, { kind: 'index' }>, next: ReadPath): ReadPath {
  if (where === undefined) return (value) => (Array.isArray(value) ? next(value[index]) : null)
  const select = compileSelection(where)
  return (value) => (Array.isArray(value) ? (select(value).map(next).filter(isFilled)[index] ?? null) : null)
}

type Select = (elements: readonly unknown[]) => readonly unknown[]

/** The elements that meet the conditions; every one if there are none. */
function compileSelection(where: readonly Condition[] | undefined): Select {
  if (where === undefined) return (elements) => elements
  const meets = compileMatch(where)
  return (elements) => elements.filter((element) => isObject(element) && meets(element))
}

/** The first locale whose value is filled (not null, not empty text); a value without a locale suits every locale. */
function readLocale(locales: readonly string[], others: boolean, next: ReadPath): ReadPath {
  const [only] = locales
  if (locales.length === 1 && only !== undefined && !others) {
    return (value) => (isObject(value) ? next(value[only] ?? value[anyLocale]) : null)
  }
  return (value) => {
    if (!isObject(value)) return null
    for (const locale of [...locales, anyLocale]) {
      const found = next(value[locale])
      if (isFilled(found)) return found
    }
    if (!others) return null
    const filled = Object.keys(value)
      .toSorted()
      .map((locale) => next(value[locale]))
    return filled.find(isFilled) ?? null
  }
}

/**
 * The value at the end of `rest` in the element that is chosen; null if no element is. A candidate meets `where`, and
 * `rest` is filled in it: neither null nor empty text nor an empty list. Of several with the best locale the lowest
 * `displayOrder` wins, then the order of the list (specification: Photo, Locale fallback for choosing an image).
 */
function compileChoice(step: ChooseStep, rest: readonly Step[]): ReadPath {
  const meets = compileMatch(step.where)
  const tries = step.by === 'element' ? tryElements(step, compilePath(rest)) : tryValues(rest)
  return (value) => {
    if (!Array.isArray(value)) return null
    const elements = value.filter((element) => isObject(element) && meets(element)).toSorted(byDisplayOrder)
    for (const read of tries) {
      const found = elements.map(read).find(isFilled)
      if (found !== undefined) return found
    }
    return null
  }
}

type ReadElement = (element: Record<string, unknown>) => unknown

/** A reader a locale, in the order in which they are tried: null for elements that are not of the locale. */
function tryElements({ locales, others }: ChooseStep, read: ReadPath): readonly ReadElement[] {
  const tries = locales.map(
    (locale): ReadElement =>
      (element) =>
        suits(element, locale) ? read(element) : null,
  )
  return others ? [...tries, read] : tries
}

function suits({ locales }: Record<string, unknown>, locale: string): boolean {
  return Array.isArray(locales) && locales.includes(locale)
}

/** A reader a locale for a value by locale. A value without a locale suits every one. */
function tryValues(rest: readonly Step[]): readonly ReadElement[] {
  const at = rest.findIndex(({ kind }) => kind === 'locale')
  const step = rest[at]
  if (step?.kind !== 'locale') throw new TypeError('a choice by a value that has no locales')
  const tries = [...step.locales, anyLocale].map((name) => compilePath(rest.with(at, { kind: 'field', name })))
  return step.others ? [...tries, compilePath(rest.with(at, { ...step, locales: [] }))] : tries
}

function byDisplayOrder(a: Record<string, unknown>, b: Record<string, unknown>): number {
  const [first, second] = [displayOrder(a), displayOrder(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

function displayOrder({ displayOrder: order }: Record<string, unknown>): number | bigint {
  return typeof order === 'number' || typeof order === 'bigint' ? order : Infinity
}

/** Neither null nor empty text nor an empty list. */
function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}
