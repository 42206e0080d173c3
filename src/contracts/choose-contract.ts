import { contracts, type ContractName } from './contracts.ts'

export interface ChosenContract {
  readonly contract: ContractName
  /** A relative clause for people. */
  readonly reason: string
}

/**
 * Chooses the contract whose table a file is named after, as in `brands.ndjson`. Of several versions it takes the one
 * in the name, or the newest. Undefined if the name says nothing, unless all candidates are versions of one record.
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

function chooseNamed(candidates: readonly ContractName[], words: string): ContractName[] {
  const named = candidates.filter(
    (name) => words.includes(contracts[name].plural) || words.includes(contracts[name].record),
  )
  const longest = Math.max(...named.map((name) => contracts[name].plural.length))
  return named.filter((name) => contracts[name].plural.length === longest)
}

/** The version that occurs in the words, or the newest; undefined if the candidates are of several records. */
function chooseVersion(candidates: readonly ContractName[], words: string): ContractName | undefined {
  const records = new Set(candidates.map((name) => contracts[name].record))
  if (records.size !== 1) return undefined
  const versioned = candidates.find((name) => new RegExp(`(?:^|_)${name.slice(0, 2)}(?:_|$)`).test(words))
  return versioned ?? candidates.toSorted().at(-1)
}
