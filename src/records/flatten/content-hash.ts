import { hash } from 'node:crypto'
import type { ContractRef } from '../../contracts/extended/extend-contract.ts'
import type { Field } from '../../contracts/fields.ts'
import type { InterfaceVersion } from '../../contracts/given-values.ts'
import { formatJson } from '../../types/json-text.ts'
import type { CanonicalRecord } from '../validate/validate-record.ts'

/** The part of a record that counts as its content. Plain data. */
export interface ContentHashPlan extends ContractRef {
  /** A field that is no part of it, `meta.updatedAt`; null for none. */
  readonly without: string | null
}

/** Hexadecimal digits of a hash. It is compared only with the hash of the same record, so no more are needed. */
export const hashDigits = 16

export type HashContent = (record: CanonicalRecord, from?: InterfaceVersion) => string

/**
 * The first digits of the SHA-256 of a record's canonical text. Over the fields of the contract and those added to it, in all locales: the order
 * of keys, null or a missing key, volatile fields and fields that the contract does not list make no difference. If columns
 * are from the interface version of the source, the same content of another version has another hash.
 */
export function compileContentHash(fields: ReadonlyMap<string, Field>, without: string | null): HashContent {
  const writeContent = compileMembers(fields, '', without) ?? (() => null)
  return (record, from) => {
    const content = writeContent(record) ?? ''
    return hash('sha256', from === undefined ? content : `${from} ${content}`).slice(0, hashDigits)
  }
}

/** True if a field is part of the content of a record; `path` is that of drift: `photos[].name.*`. */
export function isContent(field: Field, path: string, without: string | null): boolean {
  return compileField(field, path, without) !== null
}

/** Canonical text of a value; null for what makes no difference from nothing. */
type WriteContent = (value: unknown) => string | null

/** Null for a field that is no part of the content. */
function compileField(field: Field, path: string, without: string | null): WriteContent | null {
  if (field.notes.volatile === true || path === without) return null
  switch (field.kind) {
    case 'scalar':
      return writeScalar
    case 'object':
      return compileMembers(field.fields, `${path}.`, without)
    case 'localized': {
      const writeElement = compileField(field.element, `${path}.*`, without)
      return writeElement === null ? null : (value) => writeByLocale(value, writeElement)
    }
    case 'list': {
      const writeElement = compileField(field.element, `${path}[]`, without)
      return writeElement === null ? null : (value) => writeList(value, writeElement)
    }
  }
}

/** Whole numbers have the same text as number and as bigint; timestamps are unix seconds. */
function writeScalar(value: unknown): string | null {
  return value === null || value === undefined ? null : formatJson(value)
}

/** An object without a filled member is nothing: an encoder may leave it out as well. */
function compileMembers(
  fields: ReadonlyMap<string, Field>,
  prefix: string,
  without: string | null,
): WriteContent | null {
  const members = [...fields.keys()].toSorted().flatMap((name) => {
    const write = compileField(fields.get(name)!, prefix + name, without)
    return write === null ? [] : [{ name, key: `${JSON.stringify(name)}:`, write }]
  })
  if (members.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return null
    let text = ''
    for (const { name, key, write } of members) {
      const written = write((value as Record<string, unknown>)[name])
      if (written !== null) text += `${text === '' ? '' : ','}${key}${written}`
    }
    return text === '' ? null : `{${text}}`
  }
}

function writeByLocale(value: unknown, writeElement: WriteContent): string | null {
  if (typeof value !== 'object' || value === null) return null
  const elements = Object.entries(value).flatMap(([locale, element]) => {
    const written = writeElement(element)
    return written === null ? [] : [`${JSON.stringify(locale)}:${written}`]
  })
  return elements.length === 0 ? null : `{${elements.toSorted().join(',')}}`
}

/** Elements keep their positions, which are keys of child tables; an empty list is not the same as none. */
function writeList(value: unknown, writeElement: WriteContent): string | null {
  if (!Array.isArray(value)) return null
  const elements = value.map((element: unknown) => (element === null ? 'null' : (writeElement(element) ?? '{}')))
  return `[${elements.join(',')}]`
}
