import type { z } from 'zod'
import {
  boolean,
  code,
  fieldKindOf,
  type FieldKind,
  float,
  integer,
  json,
  list,
  localized,
  nested,
  text,
  timestamp,
} from './field-kinds.ts'

export const extraTypes = ['text', 'code', 'integer', 'float', 'boolean', 'timestamp', 'localized', 'json'] as const

export type ExtraType = (typeof extraTypes)[number]

/** Fields beyond a contract, by their paths: `{ artgId: 'text', 'photos[].credits.name': 'text' }`. */
export type ExtraFields = Readonly<Record<string, ExtraType>>

export interface ExtraProblem {
  readonly path: string
  readonly message: string
}

export interface ExtendedShape {
  readonly shape: Shape
  readonly added: ExtraFields
  readonly problems: readonly ExtraProblem[]
}

type Shape = Record<string, z.ZodType>

/** Adds fields behind the members of a record, in order. */
export function extendShape(contractName: string, shape: Shape, extra: ExtraFields): ExtendedShape {
  let extended = shape
  const added: Record<string, ExtraType> = {}
  const problems: ExtraProblem[] = []
  for (const [path, type] of Object.entries(extra)) {
    try {
      requireType(path, type)
      extended = addMember(extended, parseExtraPath(path), { path, type, contractName })
      added[path] = type
    } catch (error) {
      if (!(error instanceof UnfitExtra)) throw error
      problems.push({ path, message: error.message })
    }
  }
  return { shape: extended, added, problems }
}

class UnfitExtra extends Error {}

/** Throws UnfitExtra. JavaScript callers can pass anything. */
function requireType(path: string, type: string): void {
  if (extraTypes.some((known) => known === type)) return
  throw new UnfitExtra(`path "${path}": expected one of ${extraTypes.join(', ')}, got "${type}"`)
}

interface PathPart {
  readonly name: string
  readonly isList: boolean
}

/** Throws UnfitExtra. */
function parseExtraPath(path: string): readonly PathPart[] {
  const parts = path.split('.').map((part): PathPart => {
    const [, name, brackets] = /^([A-Za-z_]\w*)(\[\])?$/.exec(part) ?? []
    if (name === undefined || name === '__proto__') throw new UnfitExtra(`path "${path}": expected ${pathForm}`)
    return { name, isList: brackets !== undefined }
  })
  const first = parts[0]?.name ?? ''
  if (first === 'result' || first === 'error') {
    throw new UnfitExtra(`path "${path}": expected a field of a record, got "${first}", a key of its envelope`)
  }
  return parts
}

const pathForm = 'names of letters, digits and _ joined by points, [] after a list, as in photos[].credits.name'

interface Entry {
  readonly path: string
  readonly type: ExtraType
  readonly contractName: string
}

function addMember(shape: Shape, [part, ...rest]: readonly PathPart[], entry: Entry): Shape {
  if (part === undefined) return shape
  const { name } = part
  const existing = Object.hasOwn(shape, name) ? shape[name] : undefined
  const kind = existing && fieldKindOf(existing)
  const member = kind === undefined ? createMember(part, rest, entry) : extendMember(kind, part, rest, entry)
  return { ...shape, [name]: member }
}

function createMember({ name, isList }: PathPart, rest: readonly PathPart[], entry: Entry): z.ZodType {
  const element =
    rest.length === 0
      ? fieldOf[entry.type](description)
      : nested(toRecordName(name), description, addMember({}, rest, entry))
  return isList ? list(description, element, { orOne: true }) : element
}

function extendMember(kind: FieldKind, { name, isList }: PathPart, rest: readonly PathPart[], entry: Entry): z.ZodType {
  const { path, contractName } = entry
  if (rest.length === 0) {
    const message = `path "${path}": expected a field beyond ${contractName}, got ${describeKind(kind)} that is there already`
    throw new UnfitExtra(message)
  }
  if (isList && kind.kind !== 'list') {
    throw new UnfitExtra(`path "${path}": expected a list before [], got ${describeKind(kind)}`)
  }
  if (!isList && kind.kind === 'list') {
    throw new UnfitExtra(`path "${path}": expected [] after the list ${name}, got ".${rest[0]?.name}"`)
  }
  const element = kind.kind === 'list' ? fieldKindOf(kind.element) : kind
  if (element?.kind !== 'object') {
    const got = element === undefined ? 'another list' : describeKind(element)
    throw new UnfitExtra(`path "${path}": expected an object before ".${rest[0]?.name}", got ${got}`)
  }
  const object = extendObject(element, rest, entry)
  return kind.kind === 'list'
    ? list(kind.description, object, { ...kind.notes, ...(kind.orOne && { orOne: true }) })
    : object
}

function extendObject(
  { record, shape, description: meaning, notes, ...kind }: Extract<FieldKind, { kind: 'object' }>,
  rest: readonly PathPart[],
  entry: Entry,
): z.ZodType {
  const { kind: _kind, ...forms } = kind
  return nested(record, meaning, addMember(shape, rest, entry), { ...notes, ...forms })
}

const description = 'Beyond the contract'

const fieldOf: Readonly<Record<ExtraType, (description: string) => z.ZodType>> = {
  text,
  code,
  integer,
  float,
  boolean,
  timestamp,
  localized,
  json,
}

function describeKind(kind: FieldKind): string {
  switch (kind.kind) {
    case 'scalar':
      return kind.type === 'integer' ? 'an integer field' : `a ${kind.code ? 'code' : kind.type} field`
    case 'object':
      return 'an object'
    case 'localized':
      return 'a localized field'
    case 'list':
      return 'a list'
  }
}

/** `productFamilies` → `product_families`, which names child tables of its lists. */
function toRecordName(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}
