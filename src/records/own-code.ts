import { isLosslessNumber } from 'lossless-json'
import type { ScalarType } from '../contracts/field-kinds.ts'
import { CatalogueError, messageOf } from '../errors.ts'
import { typeOf, type ColumnType, compileConversion } from '../types/column-types.ts'
import type { Scalar } from '../types/column-type-definition.ts'
import type { TablePlan } from './flatten/table-plan.ts'

/** What code of a config is: a function, or a schema that is a Standard Schema. */
export type OwnKind = 'function' | 'schema'

const fixes: Readonly<Record<OwnKind, string>> = {
  function: 'Correct the function, so that it gives a value, or null, for this record too.',
  schema: 'Correct the schema, so that it gives a value or issues for this record too, and at once.',
}

/** Code of a config that failed, which ends the run; other faults of a record reject it. */
export class OwnCodeError extends CatalogueError {
  constructor(message: string, kind: OwnKind, cause?: unknown) {
    super('CONFIG_INVALID', message, { cause, title: `A ${kind} of the config failed`, fix: fixes[kind] })
  }

  /** The same error behind the place of its line: `export.ndjson, line 12`. */
  at(place: string): CatalogueError {
    const { code, message, title, fix, cause } = this
    return new CatalogueError(code, `${place}, ${message}`, { title, fix, cause })
  }
}

/** True if code of the config checks records or computes columns: such a plan is no plain data, and runs in this thread. */
export function hasOwnCode({ tables, check }: PlanOfCode): boolean {
  return check !== undefined || tables.some(({ columns }) => columns.some(({ source }) => source.kind === 'own'))
}

interface PlanOfCode {
  readonly tables: readonly Pick<TablePlan, 'columns'>[]
  readonly check?: unknown
}

/** Calls code of the config. `where` names the record and what the code is for, `kind` what it is. */
export function callOwnCode(call: () => unknown, where: () => string, kind: OwnKind = 'function'): unknown {
  let value: unknown
  try {
    value = call()
  } catch (thrown) {
    throw new OwnCodeError(`${where()}: expected a value, got an error: ${messageOf(thrown)}`, kind, thrown)
  }
  if (!isThenable(value)) return value
  // What it rejects with says no more than that it is a promise.
  value.then(undefined, () => undefined)
  throw new OwnCodeError(`${where()}: expected a value, got a promise: the ${kind} must not be async`, kind)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** A conversion from any value of JavaScript into a cell; undefined for one that the type has no form of. */
export function compileOwnConversion(type: ColumnType): (value: unknown) => Scalar | undefined {
  const { from } = typeOf(type)
  const conversions = new Map(
    (Object.keys(from) as ScalarType[]).map((kind) => [kind, compileConversion(kind, type)] as const),
  )
  const convert = (kind: ScalarType, value: unknown) => conversions.get(kind)?.(value)
  return (value) => {
    if (value === null || value === undefined) return null
    if (typeof value === 'number' && !Number.isFinite(value)) return undefined
    if (type.kind === 'json') return isJson(value, 0) ? convert('json', value) : undefined
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : convert('text', value.toISOString())
    if (isLosslessNumber(value)) return convert('text', value.value)
    const kind = scalarOf(value)
    return kind === null ? undefined : convert(kind, value)
  }
}

function scalarOf(value: unknown): ScalarType | null {
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'boolean':
      return 'boolean'
    case 'bigint':
      return 'integer'
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'float'
    default:
      return null
  }
}

/** True for what JSON has: neither functions nor symbols, no numbers that are none, and nothing that holds itself. */
function isJson(value: unknown, depth: number): boolean {
  if (depth > deepestJson) return false
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value !== 'function' && typeof value !== 'symbol' && value !== undefined
  if (value === null || value instanceof Date || isLosslessNumber(value)) return true
  return Object.values(value).every((member) => member === undefined || isJson(member, depth + 1))
}

const deepestJson = 64

/** Freezes a record with all that is in it, so that no function of the config changes what the next one gets. */
export function freezeRecord(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const member of Object.values(value)) freezeRecord(member)
}
