import { anObject, oneOf, requireArgument } from '../../check-options.ts'
import { CatalogueError } from '../../errors.ts'
import {
  type AnyContract,
  type Contract,
  type ContractName,
  contractNames,
  contracts,
  isContractName,
  type RecordOf,
  withSchema,
} from '../contracts.ts'
import type { RecordSchema } from '../field-schema.ts'
import type { ExtendedRecord } from './extended-record.ts'
import { extendFields, type ExtraFields, type ExtraProblem } from './extra-fields.ts'

export interface ContractRef {
  readonly contract: ContractName
  readonly extra?: ExtraFields | undefined
}

export interface ExtendedContract<Name extends ContractName, Extra extends ExtraFields> extends Contract<
  RecordSchema<ExtendedRecord<RecordOf<Name>, Extra>>
> {
  readonly name: Name
  readonly extra: Extra
}

/**
 * Adds fields to a contract: `extendContract('v4/product', { artgId: 'text', 'productFamilies[].id': 'integer' })`. The
 * same fields in the same order give the same object. Throws CONFIG_INVALID with every problem of the fields, USAGE for an
 * unknown contract.
 */
export function extendContract<const Name extends ContractName, const Extra extends ExtraFields>(
  name: Name,
  extra: Extra,
): ExtendedContract<Name, Extra> {
  requireArgument('extendContract', 'name', name, oneOf(...contractNames))
  requireArgument('extendContract', 'extra', extra, anObject)
  const { problems } = extendChecked(name, extra)
  if (problems.length === 0)
    return resolveContract({ contract: name, extra }) as unknown as ExtendedContract<Name, Extra>
  const lines = problems.map(({ message }) => message)
  throw new CatalogueError('CONFIG_INVALID', `fields beyond ${name}: ${lines.join('\n')}`)
}

/** The contract that a plan names, with those of its fields that can be added. */
export function resolveContract({ contract, extra }: ContractRef): Contract {
  return extra === undefined ? contracts[contract] : extendChecked(contract, extra).contract
}

/** What names a contract of this package; null for one of somebody else, such as a copy with a schema of its own. */
export function toContractRef(contract: AnyContract): ContractRef | null {
  const { name, extra } = contract
  if (!isContractName(name)) return null
  const ref = { contract: name, ...(extra && { extra }) }
  return resolveContract(ref) === contract ? ref : null
}

export interface CheckedExtension {
  readonly contract: Contract
  readonly problems: readonly ExtraProblem[]
}

const extended = new Map<string, CheckedExtension>()

/** Extends a contract by every field that can be added. The same fields give the same object. */
export function extendChecked(name: ContractName, extra: ExtraFields): CheckedExtension {
  if (Object.keys(extra).length === 0) return { contract: contracts[name], problems: [] }
  const key = JSON.stringify([name, Object.entries(extra)])
  const known = extended.get(key) ?? extend(name, extra)
  extended.set(key, known)
  return known
}

function extend(name: ContractName, extra: ExtraFields): CheckedExtension {
  const { record, plural, version, given, fields: own }: Contract = contracts[name]
  const { fields, added, problems } = extendFields(name, own, extra)
  const contract = withSchema({ name, record, plural, version, fields, ...(given && { given }), extra: added })
  return { contract, problems }
}
