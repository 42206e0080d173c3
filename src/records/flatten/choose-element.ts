import { anyLocale } from '../../contracts/any-locale.ts'
import { isObject } from '../json/json-values.ts'
import type { ChooseStep, Step } from './table-plan.ts'

/**
 * The value at the end of `rest` in the element that is chosen; null where no element is. A candidate meets `where`, and
 * `rest` is filled in it: neither null nor empty text nor an empty list. Of several with the best locale the lowest
 * `displayOrder` wins, then the order of the list (specification: Photo, Locale fallback for choosing an image).
 */
export function compileChoice(
  step: ChooseStep,
  rest: readonly Step[],
  meets: (element: unknown) => boolean,
  compilePath: CompilePath,
): Read {
  const tries = step.by === 'element' ? tryElements(step, compilePath(rest)) : tryValues(rest, compilePath)
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

type Read = (value: unknown) => unknown
type ReadElement = (element: Record<string, unknown>) => unknown
type CompilePath = (steps: readonly Step[]) => Read

/** A reader a locale, in the order in which they are tried: null for elements that are not of the locale. */
function tryElements({ locales, others }: ChooseStep, read: Read): readonly ReadElement[] {
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

/** The same where the value is by locale. A value without a locale suits every one. */
function tryValues(rest: readonly Step[], compilePath: CompilePath): readonly ReadElement[] {
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
export function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}
