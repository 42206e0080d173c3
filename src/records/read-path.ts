import { anyLocale } from '../contracts/any-locale.ts'
import { isObject } from './json-values.ts'
import type { Step } from './table-plan.ts'

/** Reads one value out of a record in its canonical form; null where anything on the way is missing. */
export type ReadPath = (value: unknown) => unknown

/** A reader for the steps. A path with `all` gives a list: nested lists become one. */
export function compilePath(steps: readonly Step[]): ReadPath {
  const [step, ...rest] = steps
  if (step === undefined) return (value) => value ?? null
  const next = compilePath(rest)
  switch (step.kind) {
    case 'field':
      return readField(step.name, next)
    case 'index':
      return (value) => (Array.isArray(value) ? next(value[step.index]) : null)
    case 'all':
      return readAll(
        next,
        rest.some(({ kind }) => kind === 'all'),
      )
    case 'locale':
      return readLocale(step.locales, step.others, next)
    case 'choose':
      return (value) => (Array.isArray(value) ? next(chooseByLocales(value, step.locales, step.others)) : null)
  }
}

function readField(name: string, next: ReadPath): ReadPath {
  return (value) => (isObject(value) ? next(value[name]) : null)
}

function readAll(next: ReadPath, nested: boolean): ReadPath {
  return (value) => {
    if (!Array.isArray(value)) return null
    return nested ? value.flatMap((element) => next(element) ?? []) : value.map(next)
  }
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
 * The element that suits the first of `locales` that any element suits; with `others`, failing that, the first element.
 * Among several the lowest `displayOrder` wins, then the order of the list
 * (specification: Photo, Locale fallback for choosing an image).
 */
function chooseByLocales(elements: readonly unknown[], locales: readonly string[], others: boolean): unknown {
  const ordered = elements.filter(isObject).toSorted((a, b) => displayOrder(a) - displayOrder(b))
  for (const locale of locales) {
    const suiting = ordered.find((element) => Array.isArray(element['locales']) && element['locales'].includes(locale))
    if (suiting !== undefined) return suiting
  }
  return others ? (ordered[0] ?? null) : null
}

function displayOrder(element: Record<string, unknown>): number {
  const order = element['displayOrder']
  return typeof order === 'number' ? order : Number.MAX_SAFE_INTEGER
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}
