import { types } from 'node:util'
import { misuse, misusedBy, oneOf, requireArgument } from '../../check-options.ts'
import {
  type AnyContract,
  type Contract,
  type ContractName,
  contractNames,
  contracts,
  type NamedContract,
} from '../contracts.ts'
import { isSchema } from '../standard-schema.ts'
import { type ContractRef, toContractRef } from './extend-contract.ts'

/** The contract that a caller names, or gives. */
export type ContractOf<Given> = Given extends ContractName ? NamedContract<Given> : Extract<Given, AnyContract>

/** The contract that a caller of `of` names or gives. Throws USAGE for anything else. */
export function toContract(of: string, given: unknown): AnyContract {
  if (typeof given === 'string') {
    requireArgument(of, 'contract', given, oneOf(...contractNames))
    return contracts[given as ContractName]
  }
  requireContract(of, given)
  return given
}

interface KnownContract {
  readonly contract: Contract
  readonly ref: ContractRef
}

/** Does what `toContract` does, for functions that take no contract with a schema of its own. */
export function toKnownContract(of: string, given: unknown): KnownContract {
  const contract = toContract(of, given)
  const ref = toContractRef(contract)
  if (ref !== null) return { contract: contract as Contract, ref }
  const expected = 'contract to be one of this package, or one that extendContract gave (validateRecords takes others)'
  throw misusedBy(of, expected, `another one, named "${contract.name}"`)
}

function requireContract(of: string, contract: unknown): asserts contract is AnyContract {
  if (typeof contract !== 'object' || contract === null || !('fields' in contract) || !types.isMap(contract.fields))
    throw misuse(of, "contract to be the name of one, such as 'v4/product', or a contract", contract)
  // The schemas of the package are made when they are first asked for.
  if (toContractRef(contract as AnyContract) !== null) return
  const { name, record, plural, schema } = contract as Readonly<Record<string, unknown>>
  for (const [key, value] of Object.entries({ name, record, plural })) {
    if (typeof value !== 'string') throw misuse(of, `contract.${key} to be a text`, value)
  }
  if (isSchema(schema)) return
  throw misuse(of, 'contract.schema to be a Standard Schema, as those of zod, Valibot and ArkType', schema)
}
