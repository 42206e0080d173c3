import { isTimestamp } from '../../contracts/field-kinds.ts'
import type { ScalarField } from '../../contracts/fields.ts'
import { joinCodes, listOddCodes } from '../../contracts/joined-codes.ts'
import { undecided, type ToCanonical } from './fast-walk.ts'

/** The check of a scalar field: the forms that are delivered every day. `path` is for drift. */
export function compileFastScalar(field: ScalarField, path: string, rejectsValues: boolean): ToCanonical {
  const { type, values, code, length = 0, loose, required } = field
  if (values !== undefined) return compileChoice(new Set(values), path, rejectsValues)
  if (required && type === 'text') return (value) => (value === '' ? undecided : toCode(value, 0))
  if (code && length > 0) {
    return (value, walk) => {
      const text = toAnyCode(value, length)
      if (typeof text === 'string') walk.oddCodes(path, listOddCodes(text, length))
      return text
    }
  }
  if (code) return (value) => toAnyCode(value, length)
  if (loose) return toLooseText
  switch (type) {
    case 'text':
      return (value) => (typeof value === 'string' ? value : undecided)
    case 'integer':
      return (value) => (Number.isSafeInteger(value) ? value : undecided)
    case 'float':
      return (value) => (Number.isFinite(value) ? value : undecided)
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : undecided)
    case 'timestamp':
      return (value) => (isTimestamp(value) ? value : undecided)
  }
}

function compileChoice(values: ReadonlySet<string>, path: string, rejectsValues: boolean): ToCanonical {
  return (value, walk) => {
    if (values.has(value as string)) return value
    const text = toLooseText(value)
    if (typeof text !== 'string' || values.has(text)) return text
    if (rejectsValues) return undecided
    walk.unknownValue(path, text)
    return text
  }
}

function toAnyCode(value: unknown, length: number): string | null | typeof undecided {
  return Array.isArray(value) ? toCodes(value, length) : toCode(value, length)
}

function toCode(value: unknown, length: number): string | typeof undecided {
  if (typeof value === 'string') {
    return value.length < length && digitsOnly.test(value) ? value.padStart(length, '0') : value
  }
  return isNatural(value) ? String(value).padStart(length, '0') : undecided
}

function toCodes(values: readonly unknown[], length: number): string | null | typeof undecided {
  const codes = values.map((value) => toCode(value, length))
  return codes.includes(undecided) ? undecided : codes.length === 0 ? null : joinCodes(codes as readonly string[])
}

/** A negative one is no run of digits. */
function isNatural(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Takes of whole numbers only those that JSON.parse can't have rounded. */
function toLooseText(value: unknown): string | typeof undecided {
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
      return String(value)
    case 'number':
      return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
        ? String(value)
        : undecided
    default:
      return undecided
  }
}

const digitsOnly = /^\d+$/
