import { contractNames, contracts, type Contract, type ContractName, isContractName } from '../contracts/contracts.ts'
import { toContractRef } from '../contracts/extended/extend-contract.ts'
import { isObject } from '../records/json/json-values.ts'
import { misuse } from '../streams/misuse.ts'
import { listChoices } from '../text/choices.ts'
import { CatalogueRecords } from './catalogue-records.ts'
import type { ReadOptions } from './read-config.ts'
import { type RecordSource, toOpenable } from './record-source.ts'

/** Records of one contract. */
export interface Catalogue<Of extends ContractName | Contract = Contract> {
  /** The records of a source. Nothing is opened before rows or tables are asked for. */
  from(source: RecordSource, options?: ReadOptions): CatalogueRecords<Of>
}

/**
 * The way in: `catalogue('v4/product').from('export.ndjson.gz').rows('products')`. Takes the name of a contract, or what
 * `extendContract` gives.
 */
export function catalogue<const Of extends ContractName | Contract>(contract: Of): Catalogue<Of> {
  const known = toKnown(contract)
  return {
    from: (source, options = {}) => new CatalogueRecords({ contract: known, source: toOpenable(source), options }),
  }
}

function toKnown(contract: unknown): Contract {
  if (typeof contract === 'string' && isContractName(contract)) return contracts[contract]
  if (typeof contract === 'string') throw misuse('catalogue', `one of ${listChoices(contractNames)}`, contract)
  if (isObject(contract) && toContractRef(contract as unknown as Contract) !== null)
    return contract as unknown as Contract
  throw misuse('catalogue', 'the name of a contract, or one that extendContract gave', contract)
}
