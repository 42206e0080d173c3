import type { Contract } from '../../contracts/contracts.ts'
import type { Field, ListField, LocalizedField, ObjectField } from '../../contracts/fields.ts'
import { isObject } from '../../records/json/json-values.ts'
import { lookUp, type Place } from '../data/scope.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { childSeed, seedRange, toRunSeed, toSalt } from '../data/seed.ts'
import { extraMembers } from './extra-members.ts'
import { formsOf } from './loose-forms.ts'
import { createWrongValues } from './wrong-values.ts'

/** Converts a value to the loose dialect, or returns it unchanged. */
type Loosen = (value: unknown, seed: number) => unknown

/**
 * Creates a function that converts records to the loose dialect. The result depends on the record, the seed and the
 * record's id, so a field keeps its form while its value changes from day to day.
 */
export function createRecordLoosener(contract: Contract, seed: number): (record: JsonObject) => JsonObject {
  const place = { record: contract.record, parent: contract.name, name: '' }
  const loosen = createMembers(contract.fields, place)
  const spoil = createWrongValues(contract)
  const seedOf = createSeeds(contract, seed)
  return (record) => {
    const id = record['id']
    return spoil(loosen(record, seedOf(id)), id)
  }
}

export function createSeeds({ record }: Pick<Contract, 'record'>, seed: number): (id: unknown) => number {
  const runSeed = childSeed(toRunSeed(seed), toSalt(record))
  return (id) => childSeed(runSeed, toSalt(String(id)))
}

export function createLooseWriter(contract: Contract, seed: number, write: (index: number) => string) {
  const loosen = createRecordLoosener(contract, seed)
  return (index: number): string => JSON.stringify(loosen(JSON.parse(write(index)) as JsonObject))
}

/** Converts the members of a record. Unchanged records are returned as they are. */
function createMembers(fields: ReadonlyMap<string, Field>, place: Place) {
  const members = [...fields].flatMap(([name, field]) => {
    const loosen = createField(field, { ...place, name })
    return loosen === null ? [] : [{ name, salt: toSalt(`loose ${name}`), loosen }]
  })
  const add = extraMembers[place.record]
  return (record: JsonObject, seed: number): JsonObject => {
    let changed: Record<string, unknown> | undefined
    for (const { name, salt, loosen } of members) {
      const value = record[name]
      if (value === undefined) continue
      const loose = loosen(value, childSeed(seed, salt))
      if (loose !== value) (changed ??= { ...record })[name] = loose
    }
    const loose = changed ?? record
    return add === undefined ? loose : add(loose, seed)
  }
}

/** Null if values of the field are always sent as documented. */
function createField(field: Field, place: Place): Loosen | null {
  const forms = formsOf(field, place)
    .map(({ name, share, change }) => ({
      salt: toSalt(name),
      limit: (typeof share === 'number' ? share : (lookUp(share, place) ?? 0)) * seedRange,
      change,
    }))
    .filter(({ limit }) => limit > 0)
  const loosenInside = createInside(field, place)
  if (forms.length === 0) return loosenInside
  return (value, seed) => {
    for (const { salt, limit, change } of forms) {
      if (childSeed(seed, salt) >= limit) continue
      const changed = change(value, seed)
      if (changed !== undefined) return changed
    }
    return loosenInside === null ? value : loosenInside(value, seed)
  }
}

function createInside(field: Field, place: Place): Loosen | null {
  switch (field.kind) {
    case 'scalar':
      return null
    case 'object':
      return createObject(field, place)
    case 'list':
      return createList(field, place)
    case 'localized':
      return createLocalized(field, place)
  }
}

function createObject({ record, fields }: ObjectField, { name }: Place): Loosen {
  const loosen = createMembers(fields, { record, parent: name, name: '' })
  return (value, seed) => (isObject(value) ? loosen(value, seed) : value)
}

function createList({ element }: ListField, place: Place): Loosen | null {
  const loosen = createField(element, place)
  if (loosen === null) return null
  return (value, seed) => {
    if (!Array.isArray(value)) return loosen(value, seed)
    return (value as unknown[]).map((item, position) => loosen(item, childSeed(seed, position)))
  }
}

function createLocalized({ element }: LocalizedField, place: Place): Loosen | null {
  const loosen = createField(element, place)
  if (loosen === null) return null
  return (value, seed) => {
    if (!isObject(value)) return value
    const texts = Object.entries(value).map(([locale, text]) => [locale, loosen(text, childSeed(seed, toSalt(locale)))])
    return Object.fromEntries(texts) as JsonObject
  }
}
