import type { Contract } from '../../contracts/contracts.ts'
import type { Field, ListField, LocalizedField, ObjectField } from '../../contracts/fields.ts'
import { isObject } from '../../records/json/json-values.ts'
import { lookUp, type Place } from '../data/scope.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { childSeed, seedRange, toRunSeed, toSalt } from '../data/seed.ts'
import { extraMembers } from './extra-members.ts'
import { formsOf } from './loose-forms.ts'
import { createWrongValues } from './wrong-values.ts'

/** The form of a value in the loose dialect, or the value itself. */
type Loosen = (value: unknown, seed: number) => unknown

/**
 * Turns records of a contract into what the loose dialect sends. A pure function of the record, the seed, and the id
 * that the record has: the forms of a field stay the same while its value changes from day to day.
 */
export function createRecordLoosener(contract: Contract, seed: number): (record: JsonObject) => JsonObject {
  const place = { record: contract.record, parent: contract.name, name: '' }
  const loosen = createMembers(contract.fields, place)
  const spoil = createWrongValues(contract)
  const runSeed = childSeed(toRunSeed(seed), toSalt(contract.record))
  return (record) => {
    const id = record['id']
    return spoil(loosen(record, childSeed(runSeed, toSalt(String(id)))), id)
  }
}

/** The same on JSON text, by the number of the record. */
export function createLooseWriter(contract: Contract, seed: number, write: (index: number) => string) {
  const loosen = createRecordLoosener(contract, seed)
  return (index: number): string => JSON.stringify(loosen(JSON.parse(write(index)) as JsonObject))
}

function createMembers(fields: ReadonlyMap<string, Field>, place: Place) {
  const members = [...fields].map(([name, field]) => ({
    name,
    salt: toSalt(`loose ${name}`),
    loosen: createField(field, { ...place, name }),
  }))
  const add = extraMembers[place.record]
  return (record: JsonObject, seed: number): JsonObject => {
    const loose: Record<string, unknown> = { ...record }
    for (const { name, salt, loosen } of members) {
      if (record[name] !== undefined) loose[name] = loosen(record[name], childSeed(seed, salt))
    }
    return add === undefined ? loose : { ...loose, ...add(record, seed) }
  }
}

function createField(field: Field, place: Place): Loosen {
  const forms = formsOf(field, place).map(({ name, share, change }) => ({
    salt: toSalt(name),
    limit: (typeof share === 'number' ? share : (lookUp(share, place) ?? 0)) * seedRange,
    change,
  }))
  const loosenInside = createInside(field, place)
  return (value, seed) => {
    for (const { salt, limit, change } of forms) {
      if (childSeed(seed, salt) >= limit) continue
      const changed = change(value, seed)
      if (changed !== undefined) return changed
    }
    return loosenInside(value, seed)
  }
}

function createInside(field: Field, place: Place): Loosen {
  switch (field.kind) {
    case 'scalar':
      return (value) => value
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

function createList({ element }: ListField, place: Place): Loosen {
  const loosen = createField(element, place)
  return (value, seed) =>
    Array.isArray(value)
      ? (value as unknown[]).map((item, position) => loosen(item, childSeed(seed, position)))
      : loosen(value, seed)
}

function createLocalized({ element }: LocalizedField, place: Place): Loosen {
  const loosen = createField(element, place)
  return (value, seed) => {
    if (!isObject(value)) return value
    const texts = Object.entries(value).map(([locale, text]) => [locale, loosen(text, childSeed(seed, toSalt(locale)))])
    return Object.fromEntries(texts) as JsonObject
  }
}
