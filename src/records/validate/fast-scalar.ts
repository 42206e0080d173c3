import { padCode } from '../../codes/code-text.ts'
import { isTimestamp, toFloat, toInteger, toLabelledText, toSecond, toText } from '../../contracts/field-schema.ts'
import type { ScalarField } from '../../contracts/fields.ts'
import { joinCodes, listOddCodes } from '../../contracts/joined-codes.ts'
import { undecided, type ToCanonical } from './fast-walk.ts'

/** The check of a scalar field: the forms that are delivered every day. `path` is for drift. */
export function compileFastScalar(field: ScalarField, path: string, rejectsValues: boolean): ToCanonical {
  const { type, values, code, length = 0, loose, labelled, required } = field
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
  if (labelled) return (value) => orUndecided(toLabelledText(value))
  switch (type) {
    case 'text':
      return (value) => (typeof value === 'string' ? value : orUndecided(toText(value)))
    case 'integer':
      return (value) => (Number.isSafeInteger(value) ? value : orUndecided(toInteger(value)))
    case 'float':
      return (value) => (Number.isFinite(value) ? value : orUndecided(toFloat(value)))
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : undecided)
    case 'timestamp':
      return (value) => (isTimestamp(value) ? value : orUndecided(toSecond(value)))
    case 'json':
      return (value) => value
  }
}

function orUndecided<Value>(canonical: Value | undefined): Value | typeof undecided {
  return canonical === undefined ? undecided : canonical
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
  if (typeof value === 'string') return padCode(value, length)
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

function toLooseText(value: unknown): string | typeof undecided {
  return typeof value === 'boolean' ? String(value) : orUndecided(toText(value))
}
