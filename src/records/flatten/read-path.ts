import { anyLocale } from '../../contracts/any-locale.ts'
import { isObject } from '../json/json-values.ts'
import { compileChoice, isFilled } from './choose-element.ts'
import { compileTest } from './condition-test.ts'
import type { Condition, Step } from './table-plan.ts'

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
      return compileChoice(step, rest, compileMatch(step.where), compilePath)
  }
}

/** A test of elements of a list by every condition. */
function compileMatch(where: readonly Condition[]): (element: unknown) => boolean {
  // Conditions on elements name no list of codes.
  const noCodes = new Set<string>()
  const matches = where.map(({ steps, test }) => {
    const read = compilePath(steps)
    const meets = compileTest(test)
    return (element: unknown) => meets(read(element), noCodes)
  })
  return (element) => matches.every((match) => match(element))
}

function readField(name: string, next: ReadPath): ReadPath {
  return (value) => (isObject(value) ? next(value[name]) : null)
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

/** The elements that meet the conditions; every one where there are none. */
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
