import { isLosslessNumber } from 'lossless-json'
import { showValue } from '../../messages/show-value.ts'
import { isObject } from '../json/json-values.ts'

/** A value that became null. */
export interface NulledValue {
  /** As drift has it: `photos[].displayOrder`. */
  readonly path: string
  /** The value as a message shows it. */
  readonly shown: string
}

type Path = readonly PropertyKey[]

/**
 * A copy of a record in which the values at these paths are null, each the smallest that was delivered there, and what
 * they were. A path that a value took in another form, as the only element of a list for instance, ends where the
 * delivered value does. Null where a path is that of the record itself, or of its key.
 */
export function nullWrongValues(
  record: Readonly<Record<string, unknown>>,
  paths: readonly Path[],
): { readonly record: Record<string, unknown>; readonly nulled: readonly NulledValue[] } | null {
  if (paths.some(([name, ...inside]) => name === undefined || (name === 'id' && inside.length === 0))) return null
  const nulled: NulledValue[] = []
  let copy: unknown = record
  for (const path of paths) {
    copy = withNull(copy, path, (value) => nulled.push({ path: formatPlace(path), shown: show(value) }))
  }
  return { record: copy as Record<string, unknown>, nulled }
}

function withNull(value: unknown, [step, ...rest]: Path, onNull: (value: unknown) => void): unknown {
  if (value === null || value === undefined) return value
  if (Array.isArray(value) && typeof step === 'number' && step < value.length) {
    return value.with(step, withNull(value[step], rest, onNull))
  }
  if (isObject(value) && !isLosslessNumber(value) && step !== undefined) {
    if (Object.hasOwn(value, step)) return { ...value, [step]: withNull(value[String(step)], rest, onNull) }
    // An object that is the only element of a list.
    if (typeof step === 'number') return withNull(value, rest, onNull)
  }
  onNull(value)
  return null
}

function formatPlace(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

function show(value: unknown): string {
  return isLosslessNumber(value) ? `number ${value.toString().slice(0, longest)}` : showValue(value)
}

const longest = 60
