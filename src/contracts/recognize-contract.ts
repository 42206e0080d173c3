import { contracts, ownContracts, type Contract, type ContractName } from './contracts.ts'
import type { Field } from './fields.ts'

export interface RecognizedContracts {
  /** The best first: one without doubt, several that may be meant, or none. */
  readonly candidates: readonly ContractName[]
  readonly known: number
  readonly unknown: readonly string[]
}

/** `raw` has no fields to compare. */
const recognizable: readonly ContractName[] = ownContracts.filter((name) => name !== 'raw')

/**
 * Finds the contract of some records by their fields, nested ones included. The contract that leaves the fewest fields
 * unknown is the best; of equal ones, the one with the largest share of its own fields in the records.
 */
export function recognizeContract(records: readonly unknown[], among = recognizable): RecognizedContracts {
  const fits = among
    .map((name) => compareFields(name, records))
    .filter(isFitting)
    .toSorted((a, b) => a.unknown.length - b.unknown.length || b.share - a.share)
  const [best] = fits
  if (best === undefined) return { candidates: [], known: 0, unknown: [] }
  const candidates = fits.filter((fit) => fit.unknown.length === best.unknown.length && fit.share > best.share / 2)
  return { candidates: candidates.map(({ name }) => name), known: best.known, unknown: best.unknown }
}

interface Fit {
  readonly name: ContractName
  readonly hasId: boolean
  readonly known: number
  readonly unknown: readonly string[]
  readonly share: number
}

function compareFields(name: ContractName, records: readonly unknown[]): Fit {
  const { fields }: Contract = contracts[name]
  const seen: Seen = { known: new Set(), unknown: new Set() }
  for (const record of records) compareMembers(record, fields, '', seen)
  const { known, unknown } = seen
  return {
    name,
    hasId: known.has('id'),
    known: known.size,
    unknown: [...unknown],
    share: known.size / countAll(fields),
  }
}

/** Unknown fields alone don't exclude a contract. Records of another kind share little more than their id. */
function isFitting({ hasId, known, unknown }: Fit): boolean {
  return hasId && known > 1 && known >= unknown.length
}

interface Seen {
  readonly known: Set<string>
  readonly unknown: Set<string>
}

function compareMembers(value: unknown, fields: ReadonlyMap<string, Field>, prefix: string, seen: Seen): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [key, member] of Object.entries(value)) {
    const field = fields.get(key)
    const path = prefix + key
    if (field === undefined) seen.unknown.add(path)
    else {
      seen.known.add(path)
      compareNested(member, field, `${path}.`, seen)
    }
  }
}

/** Skips lists in lists, which no contract has and which may be deeper than the stack. */
function compareNested(value: unknown, field: Field, prefix: string, seen: Seen): void {
  if (Array.isArray(value)) {
    for (const element of value) if (!Array.isArray(element)) compareNested(element, field, prefix, seen)
  } else if (field.kind === 'list') compareNested(value, field.element, prefix, seen)
  else if (field.kind === 'object') compareMembers(value, field.fields, prefix, seen)
}

function countAll(fields: ReadonlyMap<string, Field>): number {
  return [...fields.values()].reduce((sum, field) => sum + 1 + countNested(field), 0)
}

function countNested(field: Field): number {
  if (field.kind === 'list') return countNested(field.element)
  return field.kind === 'object' ? countAll(field.fields) : 0
}
