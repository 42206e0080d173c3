import { contracts, ownContracts, type Contract, type ContractName } from './contracts.ts'
import type { Field } from './fields.ts'

/** The contracts whose fields are those of some records. */
export interface RecognizedContracts {
  /** The best first: one where the records leave no doubt, several that may be meant, or none. */
  readonly candidates: readonly ContractName[]
  /** The number of fields of the first one that the records have. */
  readonly known: number
  /** Fields of the records that the first one does not have, by path. */
  readonly unknown: readonly string[]
}

/** Those whose fields say anything. */
const recognizable: readonly ContractName[] = ownContracts.filter((name) => name !== 'raw')

/**
 * Compares the fields of some records, those of nested records too, with the fields of every contract. The one that leaves the
 * fewest fields of the records unknown is meant; of several that leave as few, the one of whose own fields most are there.
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
  /** The share of the contract's fields that the records have. */
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

/** Extra fields are no reason to know nothing; records of another kind share little more than their id. */
function isFitting({ hasId, known, unknown }: Fit): boolean {
  return hasId && known > 1 && known >= unknown.length
}

/** Paths of records, those of elements as those of their lists. */
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

/** Lists in lists are of no contract, and may be deeper than the stack. */
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
