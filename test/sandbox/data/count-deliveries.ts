import type { Field } from '../../../src/contracts/fields.ts'
import { referenceSizes } from '../../../src/sandbox/data/delivery-profile.ts'

export interface Deliveries {
  /** How often each documented field was filled, null or missing, by path. */
  readonly byPath: Map<string, { filled: number; nulls: number; missing: number }>
  /** Fields and listed values beyond the contract. */
  readonly unknown: string[]
  /** Paths of linked records of reference lists. */
  readonly referencePaths: string[]
}

/** Walks the field tree along with records in their canonical form. */
export function countDeliveries(fields: ReadonlyMap<string, Field>, records: readonly unknown[]): Deliveries {
  const deliveries: Deliveries = { byPath: new Map(), unknown: [], referencePaths: [] }
  countObject(fields, records, '', deliveries)
  return deliveries
}

function countObject(fields: ReadonlyMap<string, Field>, objects: readonly unknown[], at: string, into: Deliveries) {
  const records = objects as readonly Record<string, unknown>[]
  const keys = new Set(records.flatMap((record) => Object.keys(record)))
  into.unknown.push(...[...keys].filter((key) => !fields.has(key)).map((key) => at + key))
  for (const [name, field] of fields) {
    const values = records.filter((record) => Object.hasOwn(record, name)).map((record) => record[name])
    const filled = values.filter((value) => value !== null)
    const missing = records.length - values.length
    into.byPath.set(at + name, { filled: filled.length, nulls: values.length - filled.length, missing })
    countField(field, filled, at + name, into)
  }
}

function countField(field: Field, values: readonly unknown[], path: string, into: Deliveries): void {
  switch (field.kind) {
    case 'scalar':
      if (field.values === undefined) return
      into.unknown.push(...new Set(values.filter((value) => !field.values?.includes(String(value))).map(String)))
      return
    case 'object':
      if (referenceSizes[field.record] !== undefined) into.referencePaths.push(path)
      countObject(field.fields, values, `${path}.`, into)
      return
    case 'list':
      countField(field.element, values.flat(), `${path}[]`, into)
      return
    case 'localized':
      countField(
        field.element,
        values.flatMap((value) => Object.values(value as object)).filter((value) => value !== null),
        `${path}.{}`,
        into,
      )
  }
}
