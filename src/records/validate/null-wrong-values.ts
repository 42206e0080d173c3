import { isLosslessNumber } from 'lossless-json'
import { showValue } from '../../text/show-value.ts'
import { isObject } from '../json/json-values.ts'

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
 * delivered value does. Null if a path is that of the record itself, or of its key.
 */
export function nullWrongValues(
  record: Readonly<Record<string, unknown>>,
  paths: readonly Path[],
): { readonly record: Record<string, unknown>; readonly nulled: readonly NulledValue[] } | null {
  if (paths.some(([name, ...inside]) => name === undefined || (name === 'id' && inside.length === 0))) return null
  const nulled: NulledValue[] = []
  const copies = new Set<unknown>()
  let copy: unknown = record
  for (const path of paths) {
    const onNull = (value: unknown): unknown => nulled.push({ path: formatPlace(path), shown: show(value) })
    copy = withNull(copy, path, { copies, onNull })
  }
  return { record: copy as Record<string, unknown>, nulled }
}

/** Each list and object is copied once, however many values in it are wrong: lines are long. */
interface Nulling {
  readonly copies: Set<unknown>
  readonly onNull: (value: unknown) => unknown
}

function withNull(value: unknown, [step, ...rest]: Path, nulling: Nulling): unknown {
  if (value === null || value === undefined) return value
  if (Array.isArray(value) && typeof step === 'number' && step < value.length) {
    const copy = ownCopy(value, nulling, () => [...(value as readonly unknown[])])
    copy[step] = withNull(value[step], rest, nulling)
    return copy
  }
  if (isObject(value) && !isLosslessNumber(value) && step !== undefined) {
    if (Object.hasOwn(value, step)) {
      const copy = ownCopy(value, nulling, () => ({ ...value }))
      // An assignment to `__proto__` would set no member.
      Object.defineProperty(copy, step, { ...plainMember, value: withNull(value[String(step)], rest, nulling) })
      return copy
    }
    // An object that is the only element of a list.
    if (typeof step === 'number') return withNull(value, rest, nulling)
  }
  nulling.onNull(value)
  return null
}

const plainMember = { writable: true, enumerable: true, configurable: true }

function ownCopy<Holder>(value: Holder, { copies }: Nulling, make: () => Holder): Holder {
  if (copies.has(value)) return value
  const copy = make()
  copies.add(copy)
  return copy
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
