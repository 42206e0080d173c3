import { requireOptions } from '../check-options.ts'
import type { Contract, ContractName } from '../contracts/contracts.ts'
import { toKnownContract } from '../contracts/extended/given-contract.ts'
import { CatalogueRecords } from './catalogue-records.ts'
import { readOptions, type ReadOptions } from './read-config.ts'
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
  const { contract: known } = toKnownContract('catalogue', contract)
  return {
    from(source, options = {}) {
      requireOptions('from', options, readOptions)
      return new CatalogueRecords({ contract: known, source: toOpenable(source), options })
    },
  }
}
