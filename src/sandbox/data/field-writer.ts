import type { Field, ListField, LocalizedField, ObjectField, ScalarField } from '../../contracts/fields.ts'
import {
  bareIdShares,
  conditions,
  doubledShares,
  facts,
  filledShares,
  listForms,
  listLengths,
  localeShares,
  ownedCount,
  plainShares,
  referenceSizes,
  singleShares,
  usualFilledShare,
  usualListLength,
  usualLocaleShare,
} from './delivery-profile.ts'
import { createIdentity } from './identity.ts'
import { lookUp, type Scope, type Write } from './scope.ts'
import { between, childSeed, mix, recordSeed, seedRange, toSalt } from './seed.ts'
import { createValueWriter } from './value-writer.ts'
import { toLanguage } from './words.ts'

/** Writes a member's value, or nothing if the record leaves the key out. */
type WriteMember = (record: number, index: number) => string

/** Creates the writer of an object. `required` fields are always filled; `scope` is that of the fields. */
export function createObjectWriter(
  fields: ReadonlyMap<string, Field>,
  scope: Scope,
  required: ReadonlySet<unknown> = new Set(),
): Write {
  const members = [...createMemberWriters(fields, scope, required)].map(([name, write]) => ({
    first: `{${JSON.stringify(name)}:`,
    next: `,${JSON.stringify(name)}:`,
    write,
  }))
  return (seed, _record, index) => {
    let text = ''
    for (const { first, next, write } of members) {
      const value = write(seed, index)
      if (value !== '') text += (text === '' ? first : next) + value
    }
    return text === '' ? '{}' : `${text}}`
  }
}

/** Creates the writers of an object's members. A value depends only on the member's name and the record. */
export function createMemberWriters(
  fields: ReadonlyMap<string, Field>,
  scope: Scope,
  required: ReadonlySet<unknown>,
): ReadonlyMap<string, WriteMember> {
  const writers = new Map<string, WriteMember>()
  for (const [name, field] of fields) writers.set(name, createMember(field, { ...scope, name }, required.has(name)))
  return new Map([...writers].map(([name, write]) => [name, onCondition(write, { ...scope, name }, writers)]))
}

function createMember(field: Field, scope: Scope, required: boolean): WriteMember {
  const write = createFieldWriter(field, scope)
  const fact = toSalt(lookUp(facts, scope) ?? scope.name)
  if (required) return (record, index) => write(childSeed(record, fact), record, index)
  const presence = toSalt(`${scope.name} filled`)
  const limit = toLimit(lookUp(filledShares, scope) ?? usualFilledShare)
  return (record, index) =>
    childSeed(record, presence) < limit ? write(childSeed(record, fact), record, index) : writeAbsence(record, presence)
}

function onCondition(write: WriteMember, scope: Scope, siblings: ReadonlyMap<string, WriteMember>): WriteMember {
  const condition = lookUp(conditions, scope)
  const sibling = condition && siblings.get(condition.field)
  if (condition === undefined || sibling === undefined) return write
  const accepted = new Set(condition.values.map((value) => JSON.stringify(value)))
  const salt = toSalt(scope.name)
  return (record, index) => (accepted.has(sibling(record, index)) ? write(record, index) : writeAbsence(record, salt))
}

function writeAbsence(record: number, salt: number): string {
  return childSeed(record, salt + 1) % 2 === 0 ? 'null' : ''
}

function createFieldWriter(field: Field, scope: Scope): Write {
  switch (field.kind) {
    case 'scalar':
      return createScalarWriter(field, scope)
    case 'localized':
      return createLocalizedWriter(field, scope)
    case 'list':
      return createListWriter(field, scope)
    case 'object':
      return createNestedWriter(field, scope)
  }
}

function createScalarWriter(field: ScalarField, scope: Scope): Write {
  const write = createValueWriter(field, scope)
  const limit = toLimit(lookUp(doubledShares, scope) ?? 0)
  if (limit === 0) return write
  return (seed, record, index) =>
    childSeed(seed, doubledSalt) < limit
      ? `[${write(seed, record, index)},${write(seed + 1, record, index)}]`
      : write(seed, record, index)
}

function createLocalizedWriter(field: LocalizedField, scope: Scope): Write {
  const locales = scope.run.locales.map((locale) => ({
    first: `{${JSON.stringify(locale)}:`,
    next: `,${JSON.stringify(locale)}:`,
    salt: toSalt(locale),
    limit: toLimit(localeShares[locale] ?? usualLocaleShare),
    write: createFieldWriter(field.element, { ...scope, language: toLanguage(locale) }),
  }))
  const plain = createFieldWriter(field.element, scope)
  const plainLimit = toLimit(lookUp(plainShares, scope) ?? 0)
  return (seed, record, index) => {
    if (childSeed(seed, plainSalt) < plainLimit) return plain(seed, record, index)
    let text = ''
    for (const { first, next, salt, limit, write } of locales) {
      const draw = childSeed(seed, salt)
      if (draw >= limit) continue
      const value = draw % nullLocaleEvery === 0 ? 'null' : write(seed, record, index)
      text += (text === '' ? first : next) + value
    }
    return text === '' ? '{}' : `${text}}`
  }
}

function createListWriter(field: ListField, scope: Scope): Write {
  const [least, most] = lookUp(listLengths, scope) ?? usualListLength
  const singleLimit = toLimit(lookUp(singleShares, scope) ?? 0)
  const write =
    field.element.kind === 'object' ? createRecordElement(field.element, scope) : createElement(field, scope)
  return (seed, record, index) => {
    if (childSeed(seed, singleSalt) < singleLimit) return write(seed, record, index, 0)
    const length = between(least, most, mix(seed))
    let text = '['
    for (let position = 0; position < length; position++) {
      const element = write(seed, record, index, position)
      if (element === '') break
      text += (position === 0 ? '' : ',') + element
    }
    return `${text}]`
  }
}

/** Writes the element at a position, or nothing to end the list. */
type WriteElement = (seed: number, record: number, index: number, position: number) => string

/** Neighbouring seeds pick neighbouring values. The list ends before they repeat, so no value is in it twice. */
function createElement({ element }: ListField, scope: Scope): WriteElement {
  const write = createFieldWriter(element, scope)
  return (seed, record, index, position) => {
    const text = write(seed + position, record, index)
    return position > 0 && text === write(seed, record, index) ? '' : text
  }
}

/**
 * Writes a record as an element: one of the reference list, or one of the eight that belong to the record with the
 * list. It equals the record of that number in the list of its own contract.
 */
function createRecordElement(element: ObjectField, scope: Scope): WriteElement {
  const write = createNumberedWriter(element, scope)
  const size = referenceSizes[element.record]
  if (size === undefined) return (_seed, _record, index, position) => write(index * ownedCount + position)
  const known: string[] = []
  const writeReference = withBareIds(element, scope, (number) => (known[number] ??= write(number)))
  return (seed, _record, _index, position) => {
    const height = seed / seedRange
    return writeReference((Math.floor(height * height * size) + position) % size, seed)
  }
}

function createNumberedWriter(element: ObjectField, scope: Scope): (number: number) => string {
  const write = createNestedWriter(element, scope)
  const salt = toSalt(element.record)
  return (number) => write(recordSeed(scope.run.seed, salt, number), 0, number)
}

function withBareIds(element: ObjectField, scope: Scope, write: (number: number) => string) {
  const limit = toLimit(lookUp(bareIdShares, scope) ?? 0)
  const toId = createIdentity(element.record)
  return (number: number, seed: number) =>
    childSeed(seed, bareIdSalt) < limit ? JSON.stringify(toId(number)) : write(number)
}

function createNestedWriter(field: ObjectField, scope: Scope): Write {
  const inner = { ...scope, record: field.record, parent: scope.name }
  const listForm = listForms[field.record]
  const listField = listForm && field.fields.get(listForm.field)
  if (listForm === undefined || listField === undefined) return createObjectWriter(field.fields, inner)
  const fields = new Map([...field.fields].filter(([name]) => name !== listForm.field))
  const writeObject = createObjectWriter(fields, inner)
  const writeList = createFieldWriter(listField, { ...inner, name: listForm.field })
  const limit = toLimit(listForm.share)
  return (seed, record, index) =>
    childSeed(seed, listFormSalt) < limit ? writeList(seed, seed, index) : writeObject(seed, record, index)
}

function toLimit(share: number): number {
  return share * seedRange
}

const nullLocaleEvery = 200
const [doubledSalt, plainSalt, singleSalt, bareIdSalt, listFormSalt] = [1, 2, 3, 4, 5]
