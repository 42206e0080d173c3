import type { Field, ScalarField } from '../contracts/fields.ts'
import { isObject } from '../records/json/json-values.ts'
import { toPlainWord } from './find-records.ts'

/** The shape of records, without any of their values. Keys are paths such as `photos[].formats.large`. */
export interface RecordShape {
  /** Number of values by type, for each field of the contract that came. Null and missing values are not counted. */
  readonly types: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Documented types of fields that also came with other types. */
  readonly otherTypes: ReadonlyMap<string, readonly string[]>
  readonly beyond: ReadonlyMap<string, ReadonlySet<string>>
  readonly otherValues: ReadonlyMap<string, number>
}

export function describeShape(records: readonly unknown[], fields: ReadonlyMap<string, Field>): RecordShape {
  const shape = new ShapeWriter()
  for (const record of records) shape.addMembers(record, fields, '')
  return shape
}

class ShapeWriter implements RecordShape {
  readonly types = new Map<string, Map<string, number>>()
  readonly otherTypes = new Map<string, readonly string[]>()
  readonly beyond = new Map<string, Set<string>>()
  readonly otherValues = new Map<string, number>()

  addMembers(value: unknown, fields: ReadonlyMap<string, Field>, path: string): void {
    if (!isObject(value)) return
    for (const [name, member] of Object.entries(value)) {
      const field = fields.get(name)
      if (field !== undefined) this.#add(member, field, path + name)
      else this.#addBeyond(path + toPlainWord(name), member)
    }
  }

  #addBeyond(path: string, member: unknown): void {
    const types = this.beyond.get(path) ?? new Set()
    this.beyond.set(path, types.add(typeOf(member)))
  }

  #add(value: unknown, field: Field, path: string): void {
    if (value === null || value === undefined) return
    const type = typeOf(value)
    const counts = this.types.get(path) ?? new Map<string, number>()
    this.types.set(path, counts.set(type, (counts.get(type) ?? 0) + 1))
    const expected = documentedTypes(field)
    if (!expected.includes(type)) this.otherTypes.set(path, expected)
    switch (field.kind) {
      case 'scalar':
        return this.#checkValue(value, field, path)
      case 'object':
        return this.addMembers(value, field.fields, `${path}.`)
      case 'localized':
        if (isObject(value)) for (const each of Object.values(value)) this.#add(each, field.element, `${path}.*`)
        return
      case 'list':
        for (const each of Array.isArray(value) ? (value as unknown[]) : []) this.#add(each, field.element, `${path}[]`)
    }
  }

  #checkValue(value: unknown, { values }: ScalarField, path: string): void {
    if (values === undefined || typeof value !== 'string' || values.includes(value)) return
    this.otherValues.set(path, (this.otherValues.get(path) ?? 0) + 1)
  }
}

/** The JSON type of a value in words, without any part of the value. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : 'list'
  switch (typeof value) {
    case 'string':
      return /^[+-]?\d+(?:\.\d+)?$/.test(value) ? 'number as text' : 'text'
    case 'number':
      return Number.isInteger(value) ? 'whole number' : 'fraction'
    case 'boolean':
      return 'true or false'
    default:
      return 'object'
  }
}

/** Types that the specification gives a field, including both sides of its contradictions. */
function documentedTypes(field: Field): readonly string[] {
  switch (field.kind) {
    case 'object':
      // Objects that may be a bare id have no documented form. Objects that may be a list are lists in the
      // specification.
      return [
        'object',
        ...(field.bareKey === undefined ? [] : ['whole number']),
        ...(field.bareListKey === undefined ? [] : lists),
      ]
    case 'localized':
      return field.notes.deviation === undefined ? ['object'] : ['object', 'text', 'number as text']
    case 'list':
      return field.orOne
        ? ['list', 'empty list', 'object', 'whole number', 'text', 'number as text']
        : ['list', 'empty list']
    case 'scalar':
      return scalarTypes(field)
  }
}

const lists = ['list', 'empty list']

const anyType = ['object', ...lists, 'text', 'number as text', 'whole number', 'fraction', 'true or false']

function scalarTypes({ type, code, values, loose }: ScalarField): readonly string[] {
  if (code === true) return ['text', 'whole number', 'number as text']
  if (loose === true && values === undefined) return ['text', 'whole number', 'number as text']
  switch (type) {
    case 'text':
      return ['text', 'number as text']
    case 'integer':
    case 'timestamp':
      return ['whole number']
    case 'float':
      return ['whole number', 'fraction']
    case 'boolean':
      return ['true or false']
    case 'json':
      return anyType
  }
}
