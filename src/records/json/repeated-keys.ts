import { isLosslessNumber } from 'lossless-json'
import type { Field } from '../../contracts/fields.ts'
import { isBlank, JsonCursor } from './json-cursor.ts'

/** Gets the path of every key that its object has had before: `name.nl`, `photos[].formats.large`. */
type Report = (path: string) => void
type Walk = (cursor: JsonCursor, report: Report) => void

/**
 * Tests if an object in the text, which was parsed into `value`, may have a key twice: the value has only one of the
 * two, and so fewer keys than the text. Text that looks like a key makes it true as well.
 */
export function mayRepeatKeys(text: string, value: unknown): boolean {
  return countColons(text) !== countKeys(value, 0)
}

/**
 * Reports the repeated keys of the record on a line, which must be valid JSON: those of objects that the contract lists,
 * and locales. Nothing inside of unknown fields is looked at; with `unknownFields: ignore` neither are their keys.
 */
export function compileRepeatedKeys(
  fields: ReadonlyMap<string, Field>,
  unknownFields: 'report' | 'ignore' | 'reject',
): (text: string, report: Report) => void {
  const walk = walkObject(fields, '', unknownFields !== 'ignore')
  const walkResult = walkNamed(new Map([['result', walk]]), '', false)
  return (text, report) => (isEnvelope(text) ? walkResult : walk)(new JsonCursor(text), report)
}

function isEnvelope(text: string): boolean {
  const line = new JsonCursor(text)
  let hasResult = false
  line.members((key) => {
    hasResult ||= key === 'result'
    line.skip()
  })
  return hasResult
}

/** The keys of its envelope that a line has more than once: `result`, `meta`, `meta.index`, `meta.total`. */
export function findRepeatedEnvelope(text: string): readonly string[] {
  const paths: string[] = []
  walkEnvelope(new JsonCursor(text), (path) => paths.push(path))
  return paths
}

function walkEnvelope(line: JsonCursor, report: Report): void {
  const meta = walkNamed(new Map(['index', 'total'].map((name) => [name, null])), 'meta.', false)
  const members: [string, Walk | null][] = [
    ['meta', meta],
    ['result', null],
  ]
  walkNamed(new Map(members), '', false)(line, report)
}

function walkObject(fields: ReadonlyMap<string, Field>, prefix: string, countsUnknown: boolean): Walk {
  const walks = new Map<string, Walk | null>()
  for (const [name, field] of fields) walks.set(name, compileWalk(field, prefix + name, countsUnknown))
  return walkNamed(walks, prefix, countsUnknown)
}

function walkNamed(walks: ReadonlyMap<string, Walk | null>, prefix: string, countsUnknown: boolean): Walk {
  return (cursor, report) => {
    if (cursor.peek() !== '{') return cursor.skip()
    const seen = new Set<string>()
    cursor.members((key) => {
      const walk = walks.get(key)
      if (seen.has(key) && (walk !== undefined || countsUnknown)) report(prefix + key)
      seen.add(key)
      if (walk) walk(cursor, report)
      else cursor.skip()
    })
  }
}

/** Null for a field without objects in it. */
function compileWalk(field: Field, path: string, countsUnknown: boolean): Walk | null {
  switch (field.kind) {
    case 'scalar':
      return null
    case 'object':
      return walkObject(field.fields, `${path}.`, countsUnknown)
    case 'localized':
      return walkLocalized(compileWalk(field.element, `${path}.*`, countsUnknown), `${path}.`)
    case 'list':
      return walkList(compileWalk(field.element, `${path}[]`, countsUnknown), field.orOne === true)
  }
}

function walkLocalized(walkElement: Walk | null, prefix: string): Walk {
  return (cursor, report) => {
    if (cursor.peek() !== '{') return cursor.skip()
    const seen = new Set<string>()
    cursor.members((locale) => {
      if (seen.has(locale)) report(prefix + locale)
      seen.add(locale)
      if (walkElement === null) cursor.skip()
      else walkElement(cursor, report)
    })
  }
}

function walkList(walkElement: Walk | null, orOne: boolean): Walk | null {
  if (walkElement === null) return null
  return (cursor, report) => {
    if (cursor.peek() === '[') cursor.elements(() => walkElement(cursor, report))
    else if (orOne) walkElement(cursor, report)
    else cursor.skip()
  }
}

const quote = 0x22

/** Colons after a quote: one for each key, and for each text that looks like one. */
function countColons(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1
    while (isBlank(text.charCodeAt(before))) before--
    if (text.charCodeAt(before) === quote) count++
  }
  return count
}

/** Deeper nesting is not counted: its line is looked at. */
const deepest = 64

function countKeys(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth > deepest) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object') count += countKeys(element, depth + 1)
    return count
  }
  if (isLosslessNumber(value)) return 0
  // Faster than any list of the names.
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    count += typeof member === 'object' ? 1 + countKeys(member, depth + 1) : 1
  }
  return count
}
