import type { Contract } from '../../../src/contracts/contracts.ts'
import type { Field, ObjectField, ScalarField } from '../../../src/contracts/fields.ts'

/*
 * The rows that the default tables of records must hold, worked out from the delivered JSON alone: a second, slow and simple
 * account of what flattening means (DESIGN: what flattening does) that shares nothing with the tool but the field tree.
 */

/** A cell in words: digits of whole numbers, shortest digits of floats, milliseconds of date-times; a list of such. */
export type PlainCell = string | null | readonly (string | null)[]

export interface ExpectedColumn {
  readonly name: string
  /** As manifests write it: `text list`. */
  readonly type: string
}

export interface ExpectedTable {
  readonly columns: readonly ExpectedColumn[]
  readonly rows: readonly (readonly PlainCell[])[]
}

type Json = unknown
type Read = (delivered: Json) => Json

interface Leaf extends ExpectedColumn {
  readonly read: (delivered: Json) => PlainCell
}

interface ChildList {
  readonly name: string
  readonly field: ObjectField
  readonly read: Read
}

/** A table that is still to be made: its key columns, and for each row the key cells and what it is made from. */
interface Origin {
  readonly name: string
  /** The prefix of its own child tables. */
  readonly singular: string
  readonly field: ObjectField
  readonly keys: readonly ExpectedColumn[]
  readonly rows: readonly { readonly keys: readonly PlainCell[]; readonly delivered: Json }[]
}

export function toExpectedTables(
  { plural, record, fields }: Contract,
  records: readonly Json[],
  locales: readonly string[],
): Map<string, ExpectedTable> {
  const tables = new Map<string, ExpectedTable>()
  const field: ObjectField = { kind: 'object', record, fields, description: '', notes: {} }
  const rows = records.map((delivered) => ({ keys: [], delivered }))
  addTable(tables, { name: plural, singular: record, field, keys: [], rows }, locales)
  return tables
}

/** Adds the table and, in depth, those of its lists. */
function addTable(tables: Map<string, ExpectedTable>, origin: Origin, locales: readonly string[]): void {
  const leaves: Leaf[] = []
  const lists: ChildList[] = []
  collect(origin.field, [], (delivered) => delivered, locales, leaves, lists)
  tables.set(origin.name, {
    columns: [...origin.keys, ...leaves].map(({ name, type }) => ({ name, type })),
    rows: origin.rows.map(({ keys, delivered }) => [...keys, ...leaves.map(({ read }) => read(delivered))]),
  })
  for (const list of lists) addTable(tables, toChild(origin, list), locales)
}

/** The id of the record, the positions on the way under the names of what is there, and the own position. */
function toChild({ singular, field, keys, rows }: Origin, list: ChildList): Origin {
  const id = field.fields.get('id')
  const above =
    keys.length === 0
      ? [{ name: `${field.record}_id`, type: id?.kind === 'scalar' ? id.type : '' }]
      : [...keys.slice(0, -1), { name: `${field.record}_position`, type: 'integer' }]
  return {
    name: `${singular}_${list.name}`,
    singular: `${singular}_${list.field.record}`,
    field: list.field,
    keys: [...above, { name: 'position', type: 'integer' }],
    rows: rows.flatMap((row) => {
      const rowKeys = row.keys.length === 0 ? [String((row.delivered as { id: string | number }).id)] : row.keys
      return (toList(list.read(row.delivered)) ?? []).flatMap((delivered, at) =>
        delivered === null ? [] : [{ keys: [...rowKeys, String(at + 1)], delivered }],
      )
    }),
  }
}

/** The columns and child lists of a field, in the order of the contract. */
function collect(
  field: Field,
  name: readonly string[],
  read: Read,
  locales: readonly string[],
  leaves: Leaf[],
  lists: ChildList[],
): void {
  switch (field.kind) {
    case 'scalar':
      leaves.push({ name: name.join('_'), type: field.type, read: (delivered) => toCell(field, read(delivered)) })
      break
    case 'object':
      for (const [member, memberField] of field.fields) {
        const readMember: Read = (delivered) => toObject(field.record, read(delivered))?.[member] ?? null
        collect(memberField, [...name, toSnake(member)], readMember, locales, leaves, lists)
      }
      break
    case 'localized':
      for (const locale of locales) {
        const readLocale: Read = (delivered) => inLocale(read(delivered), locale)
        collect(field.element, [...name, locale.toLowerCase()], readLocale, locales, leaves, lists)
      }
      break
    case 'list': {
      const { element } = field
      if (element.kind === 'object') lists.push({ name: name.join('_'), field: element, read })
      else if (element.kind === 'scalar') {
        const readList = (delivered: Json): PlainCell =>
          toList(read(delivered))?.map((item) => toCell(element, item)) ?? null
        leaves.push({ name: name.join('_'), type: `${element.type} list`, read: readList })
      } else throw new Error('a list of lists or of localized values')
    }
  }
}

/** A single element where a list may be is a list of one. */
export function toList(delivered: Json): readonly Json[] | null {
  if (delivered === null || delivered === undefined) return null
  return Array.isArray(delivered) ? delivered : [delivered]
}

/** The formats of a photo may be a list, an organization a bare id. */
export function toObject(record: string, delivered: Json): Record<string, Json> | null {
  if (delivered === null || delivered === undefined) return null
  if (record === 'organization' && typeof delivered === 'number') return { id: delivered }
  if (record === 'formats' && Array.isArray(delivered)) {
    const merged: Record<string, Json> = {}
    const plain = delivered.filter((item) => typeof item === 'string')
    for (const item of delivered) {
      if (typeof item !== 'object' || item === null) continue
      for (const [key, value] of Object.entries(item)) merged[key] ??= value
    }
    return plain.length === 0 ? merged : { ...merged, unkeyed: plain }
  }
  return delivered as Record<string, Json>
}

/** Text without a locale suits all. */
function inLocale(delivered: Json, locale: string): Json {
  if (typeof delivered === 'string') return delivered
  return (delivered as Record<string, Json> | null)?.[locale] ?? null
}

function toCell(field: ScalarField, delivered: Json): string | null {
  if (delivered === null || delivered === undefined) return null
  if (field.code === true) return toCode(field, delivered)
  if (field.type === 'timestamp') return String(Number(delivered) * 1000)
  return toText(delivered)
}

/** Text as it is, numbers and booleans as JSON writes them. */
export function toText(delivered: Json): string {
  return typeof delivered === 'string' ? delivered : JSON.stringify(delivered)
}

function toCode(field: ScalarField, delivered: Json): string | null {
  if (Array.isArray(delivered)) {
    return delivered.length === 0 ? null : delivered.map((item) => toCode(field, item)).join('|')
  }
  const text = toText(delivered)
  return /^[0-9]+$/.test(text) ? text.padStart(field.length ?? 0, '0') : text
}

/** An underscore before every capital. */
function toSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}
