import { format } from 'prettier'
import { contracts, type Contract } from '../../src/contracts/contracts.ts'
import type { Field, ObjectField, ScalarField } from '../../src/contracts/fields.ts'

/** `src/contracts/record-types.ts`: the type of every contract's records, each field with its description. */
export function formatRecordTypes(): Promise<string> {
  const all: readonly Contract[] = Object.values(contracts)
  const shared = new SharedTypes(all.map(({ name }) => toRecordName(name)))
  const types = all.map(({ name, fields }) => formatInterface(toRecordName(name), describe(name), fields, shared))
  const names = all.map(({ name }) => `'${name}': ${toRecordName(name)}\n`)
  const source = `${head}
/** The records of every contract, by its name. */
export interface ContractRecords {\n${names.join('')}}

${[...types, ...shared.texts].join('\n\n')}\n`
  return formatTypes(source)
}

const head = `/* Made from the contracts by \`npm run docs\`. */
// oxlint-disable max-lines
import type { Localized } from './any-locale.ts'
`

export function formatTypes(source: string): Promise<string> {
  return format(source, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 120 })
}

/** `v4/media-link` → `MediaLinkV4`. */
export function toRecordName(contract: string): string {
  const [version = '', name] = contract.split('/')
  if (name !== undefined) return `${toPascal(name)}${toPascal(version)}`
  return contract === 'raw' ? 'RawRecord' : toPascal(contract)
}

/** `supply_problem` → `SupplyProblem` */
export function toPascal(name: string): string {
  return name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The lines of a comment, with the mark that editors strike names out for. */
export function formatComment(description: string, deprecated: boolean | string = false): string {
  if (deprecated === false) return description === '' ? '' : `/** ${description}. */\n`
  const reason = deprecated === true ? '' : ` ${deprecated}`
  return `/**\n * ${description}.\n *\n * @deprecated${reason}\n */\n`
}

/** Text in quotes with every listed value, which editors suggest, or any other text. */
export function formatText(values: readonly string[] = []): string {
  return values.length === 0 ? 'string' : [...values.map((value) => JSON.stringify(value)), '(string & {})'].join(' | ')
}

function describe(contract: string): string {
  const [version, name] = contract.split('/')
  if (name !== undefined) return `A record of the contract \`${contract}\`, of the interface ${version}`
  return `A record of the contract \`${contract}\``
}

/** Types of nested objects: objects of the same members share one. */
class SharedTypes {
  readonly texts: string[] = []
  readonly #names: Set<string>
  readonly #nameOf = new Map<string, string>()

  constructor(taken: readonly string[]) {
    this.#names = new Set(taken)
  }

  toName({ record, description, fields }: ObjectField, owner: string): string {
    const short = toPascal(record)
    const long = `${owner}${short}`
    const members = formatMembers(fields, long, this)
    const known = this.#nameOf.get(members)
    if (known !== undefined) return known
    const name = this.#names.has(short) ? long : short
    if (this.#names.has(name)) throw new Error(`two types of the name ${name}`)
    this.#names.add(name)
    this.#nameOf.set(members, name)
    this.texts.push(`${formatComment(description)}export interface ${name} {\n${members}}`)
    return name
  }
}

function formatInterface(
  name: string,
  description: string,
  fields: ObjectField['fields'],
  shared: SharedTypes,
): string {
  return `${formatComment(description)}export interface ${name} {\n${formatMembers(fields, name, shared)}}`
}

function formatMembers(fields: ObjectField['fields'], owner: string, shared: SharedTypes): string {
  const members = [...fields].map(([name, field]) => {
    const comment = formatComment(field.description, field.notes.deprecated)
    if (field.kind === 'scalar' && field.required) return `${comment}${name}: ${formatScalar(field)}\n`
    return `${comment}${name}?: ${formatOptional(field, owner, shared)}\n`
  })
  return members.join('')
}

function formatOptional(field: Field, owner: string, shared: SharedTypes): string {
  const type = formatType(field, owner, shared)
  return type === 'unknown' ? type : `${type} | null | undefined`
}

function formatType(field: Field, owner: string, shared: SharedTypes): string {
  switch (field.kind) {
    case 'scalar':
      return formatScalar(field)
    case 'object':
      return shared.toName(field, owner)
    case 'localized':
      return `Localized<${formatType(field.element, owner, shared)}>`
    case 'list':
      return `(${formatOptional(field.element, owner, shared)})[]`
  }
}

function formatScalar({ type, values }: ScalarField): string {
  return type === 'text' ? formatText(values) : scalarTypes[type]
}

/** A time is in Unix seconds. */
const scalarTypes = {
  integer: 'number | bigint',
  float: 'number',
  boolean: 'boolean',
  timestamp: 'number',
  json: 'unknown',
} as const
