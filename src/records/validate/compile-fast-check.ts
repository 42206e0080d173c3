import { anyLocale, isStarred } from '../../contracts/any-locale.ts'
import type { Field, ListField, LocalizedField, ObjectField } from '../../contracts/fields.ts'
import { createDriftCounter } from '../drift.ts'
import { compileFastScalar } from './fast-scalar.ts'
import { FastWalk, type ToCanonical, undecided } from './fast-walk.ts'
import type { Drift } from '../../manifest/manifest.ts'

/**
 * The canonical form of a record that is certainly valid, null for one that zod has to judge. The form is that of zod,
 * made out of the delivered record itself, which is changed for it unless the answer is null. JSON.parse or
 * `parseExactly` must have made the record, and no other code may use it.
 */
export type FastCheck = (delivered: object, drift: Drift) => Readonly<Record<string, unknown>> | null

/** Checks compiled from the field tree of a contract. Drift is counted as in zod's records. */
export function compileFastCheck(fields: ReadonlyMap<string, Field>, options: FastCheckOptions): FastCheck {
  const checkRecord = compileFastObject(fields, '', options)
  const walk = new FastWalk()
  return (delivered, drift) => {
    walk.begin()
    const record = checkRecord(delivered, walk)
    if (record === undecided) return null
    walk.finish(createDriftCounter(drift))
    return record as Readonly<Record<string, unknown>>
  }
}

/**
 * The part of a record that zod has to judge, with the fields that every record has; null if that is nothing. Each field is
 * judged by itself, so a wrong record has the issues of this part, which takes a tenth of the time.
 */
export function compileDoubts(fields: ReadonlyMap<string, Field>): (delivered: Members) => Members | null {
  const options = { locales: new Set<string>(), unknownFields: 'ignore', unknownValues: 'report' } as const
  const checks = new Map([...fields].map(([name, field]) => [name, compileFastValue(field, name, options)]))
  const required = [...fields.keys()].filter((name) => isRequired(fields.get(name)))
  const walk = new FastWalk()
  return (delivered) => {
    walk.begin()
    const doubtful = Object.entries(delivered).filter(
      ([name, value]) => value !== null && checks.get(name)?.(value, walk) === undecided,
    )
    if (doubtful.length === 0) return null
    const always = required.filter((name) => Object.hasOwn(delivered, name)).map((name) => [name, delivered[name]])
    return Object.fromEntries([...always, ...doubtful]) as Members
  }
}

type Members = Readonly<Record<string, unknown>>

/** The locales that are no drift, and the policy for unknown fields and values. */
interface FastCheckOptions {
  readonly locales: ReadonlySet<string>
  readonly unknownFields: 'report' | 'ignore' | 'reject'
  readonly unknownValues: 'report' | 'reject'
}

/** Paths are those of drift. */
function compileFastValue(field: Field, path: string, options: FastCheckOptions): ToCanonical {
  switch (field.kind) {
    case 'scalar':
      return compileFastScalar(field, path, options.unknownValues === 'reject')
    case 'object':
      return compileMember(field, path, options)
    case 'localized':
      return compileLocalized(field, path, options)
    case 'list':
      return compileList(field, path, options)
  }
}

/** An object, or the one member that was delivered in its place. */
function compileMember(
  { fields, bareKey, bareTextKey, prepare }: ObjectField,
  path: string,
  options: FastCheckOptions,
): ToCanonical {
  const fastObject = compileFastObject(fields, `${path}.`, options)
  return (value, walk) => {
    if (bareKey !== undefined && typeof value === 'number') return fastObject({ [bareKey]: value }, walk)
    if (bareTextKey !== undefined && typeof value === 'string') return fastObject({ [bareTextKey]: value }, walk)
    if (!Array.isArray(value)) return fastObject(value, walk)
    if (value.length === 0) return {}
    // What is still a list is no object, and undecided.
    return prepare === undefined ? undecided : fastObject(prepare(value), walk)
  }
}

function compileLocalized({ element }: LocalizedField, path: string, options: FastCheckOptions): ToCanonical {
  const { locales } = options
  const fastElement = compileFastValue(element, `${path}.*`, options)
  return (value, walk) => {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = fastElement(value, walk)
      return text === undecided ? undecided : { [anyLocale]: text }
    }
    if (Array.isArray(value)) return value.length === 0 ? {} : undecided
    if (typeof value !== 'object' || value === null) return undecided
    for (const locale in value) {
      if (locale === '__proto__' || isStarred(locale)) return undecided
      const member = (value as Record<string, unknown>)[locale]
      if (member === null) continue
      const canonical = fastElement(member, walk)
      if (canonical === undecided) return undecided
      if (canonical !== member) walk.change(value, locale, canonical)
      if (!locales.has(locale)) walk.otherLocale(locale)
    }
    return value
  }
}

function compileList({ element, orOne }: ListField, path: string, options: FastCheckOptions): ToCanonical {
  const elementPath = `${path}[]`
  const fastElement = compileFastValue(element, elementPath, options)
  return (value, walk) => {
    if (!Array.isArray(value)) {
      if (!orOne) return undecided
      const canonical = fastElement(value, walk)
      return canonical === undecided ? undecided : [canonical]
    }
    for (let at = 0; at < value.length; at++) {
      const member: unknown = value[at]
      if (member === null) {
        walk.nullElement(elementPath)
        continue
      }
      const canonical = fastElement(member, walk)
      if (canonical === undecided) return undecided
      if (canonical === null) walk.nullElement(elementPath)
      if (canonical !== member) walk.change(value, at, canonical)
    }
    return value
  }
}

/**
 * The check of an object with these fields. As zod gives it back it has the fields in the order of the contract, and then
 * those that the contract does not list: an object in another order gets a copy in its place.
 */
function compileFastObject(fields: ReadonlyMap<string, Field>, prefix: string, options: FastCheckOptions): ToCanonical {
  const names = [...fields.keys()]
  const places = new Map(names.map((name, place) => [name, place]))
  const checks = [...fields].map(([name, field]) => compileFastValue(field, prefix + name, options))
  const required = names.filter((name) => isRequired(fields.get(name)))
  const { unknownFields } = options

  return (value, walk) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undecided
    const object = value as Record<string, unknown>
    const changes = walk.changes
    let next = 0
    let inOrder = true
    // Faster than any list of the names.
    for (const name in object) {
      // Most often the next field, which needs no look into the map.
      const place = name === names[next] ? next : places.get(name)
      if (place === undefined) {
        if (unknownFields === 'reject' || name === '__proto__') return undecided
        if (unknownFields === 'report') walk.unknownField(prefix + name)
        next = names.length
        continue
      }
      if (place < next) inOrder = false
      else next = place + 1
      const member = object[name]
      if (member === null) continue
      const canonical = (checks[place] as ToCanonical)(member, walk)
      if (canonical === undecided) return undecided
      if (canonical !== member) walk.change(object, name, canonical)
    }
    for (const name of required) if ((object[name] ?? null) === null) return undecided
    return inOrder ? object : reorder(object, names, places, walk, changes)
  }
}

function isRequired(field: Field | undefined): boolean {
  return field?.kind === 'scalar' && field.required === true
}

function reorder(
  object: Record<string, unknown>,
  names: readonly string[],
  places: ReadonlyMap<string, number>,
  walk: FastWalk,
  changes: number,
): object {
  const ordered: Record<string, unknown> = {}
  for (const name of names) if (Object.hasOwn(object, name)) ordered[name] = object[name]
  for (const name in object) if (!places.has(name)) ordered[name] = object[name]
  walk.replaceHolder(object, ordered, changes)
  return ordered
}
