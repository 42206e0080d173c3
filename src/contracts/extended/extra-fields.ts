import { boolean, code, float, integer, json, list, localized, nested, text, timestamp } from '../field-kinds.ts'
import type { Field } from '../fields.ts'

export const extraTypes = ['text', 'code', 'integer', 'float', 'boolean', 'timestamp', 'localized', 'json'] as const

export type ExtraType = (typeof extraTypes)[number]

/** Fields beyond a contract, by their paths: `{ artgId: 'text', 'photos[].credits.name': 'text' }`. */
export type ExtraFields = Readonly<Record<string, ExtraType>>

export interface ExtraProblem {
  readonly path: string
  readonly message: string
}

export interface ExtendedFields {
  readonly fields: Fields
  readonly added: ExtraFields
  readonly problems: readonly ExtraProblem[]
}

type Fields = ReadonlyMap<string, Field>

/** Adds fields behind the members of a record, in order. */
export function extendFields(contractName: string, fields: Fields, extra: ExtraFields): ExtendedFields {
  let extended = fields
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
  return { fields: extended, added, problems }
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

function addMember(fields: Fields, [part, ...rest]: readonly PathPart[], entry: Entry): Fields {
  if (part === undefined) return fields
  const existing = fields.get(part.name)
  const member = existing === undefined ? createMember(part, rest, entry) : extendMember(existing, part, rest, entry)
  return new Map([...fields, [part.name, member]])
}

function createMember({ name, isList }: PathPart, rest: readonly PathPart[], entry: Entry): Field {
  const element =
    rest.length === 0
      ? fieldOf[entry.type](description)
      : nested(toRecordName(name), description, Object.fromEntries(addMember(new Map(), rest, entry)))
  return isList ? list(description, element, { orOne: true }) : element
}

function extendMember(field: Field, { name, isList }: PathPart, rest: readonly PathPart[], entry: Entry): Field {
  const { path, contractName } = entry
  if (rest.length === 0) {
    const message = `path "${path}": expected a field beyond ${contractName}, got ${describeKind(field)} that is there already`
    throw new UnfitExtra(message)
  }
  if (isList && field.kind !== 'list') {
    throw new UnfitExtra(`path "${path}": expected a list before [], got ${describeKind(field)}`)
  }
  if (!isList && field.kind === 'list') {
    throw new UnfitExtra(`path "${path}": expected [] after the list ${name}, got ".${rest[0]?.name}"`)
  }
  const element = field.kind === 'list' ? field.element : field
  if (element.kind !== 'object') {
    const message = `path "${path}": expected an object before ".${rest[0]?.name}", got ${describeKind(element)}`
    throw new UnfitExtra(message)
  }
  const object = { ...element, fields: addMember(element.fields, rest, entry) }
  return field.kind === 'list' ? { ...field, element: object } : object
}

const description = 'Beyond the contract'

const fieldOf: Readonly<Record<ExtraType, (description: string) => Field>> = {
  text,
  code,
  integer,
  float,
  boolean,
  timestamp,
  localized,
  json,
}

function describeKind(field: Field): string {
  switch (field.kind) {
    case 'scalar':
      return field.type === 'integer' ? 'an integer field' : `a ${field.code ? 'code' : field.type} field`
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
