import { contracts, type ContractName } from './contracts.ts'

/** One of several contracts with the same fields. */
export interface ChosenContract {
  readonly contract: ContractName
  /** A part of a sentence for people. */
  readonly reason: string
}

/**
 * The contract whose table a file is named after, `brands.ndjson` for instance, and of several versions the one that the name
 * has, or the newest. Undefined where the name says nothing, unless all candidates are versions of one record.
 */
export function chooseContract(candidates: readonly ContractName[], path: string): ChosenContract | undefined {
  const words = path
    .replace(/.*[\\/]/, '')
    .toLowerCase()
    .replaceAll(/[\W_]+/g, '_')
  const only = chooseVersion(candidates, words)
  const others = candidates.filter((name) => name !== only)
  if (only !== undefined) return { contract: only, reason: `which ${others.join(', ')} has as well` }
  const contract = chooseVersion(chooseNamed(candidates, words), words)
  return contract && { contract, reason: 'and by the name of the file' }
}

/** Those with the longest name that is in the words. */
function chooseNamed(candidates: readonly ContractName[], words: string): ContractName[] {
  const named = candidates.filter(
    (name) => words.includes(contracts[name].plural) || words.includes(contracts[name].record),
  )
  const longest = Math.max(...named.map((name) => contracts[name].plural.length))
  return named.filter((name) => contracts[name].plural.length === longest)
}

/** The version that is in the words, or the newest; undefined where the candidates are of several records. */
function chooseVersion(candidates: readonly ContractName[], words: string): ContractName | undefined {
  const records = new Set(candidates.map((name) => contracts[name].record))
  if (records.size !== 1) return undefined
  const versioned = candidates.find((name) => new RegExp(`(?:^|_)${name.slice(0, 2)}(?:_|$)`).test(words))
  return versioned ?? candidates.toSorted().at(-1)
}
