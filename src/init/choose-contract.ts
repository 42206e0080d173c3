import { contracts, type ContractName } from '../contracts/contracts.ts'

/**
 * The contract among several with the same fields: the one whose table a file is named after, `brands.ndjson` for instance,
 * and of several versions the one that the name has, or the newest. Undefined where the name says nothing, unless all of
 * them are versions of one record.
 */
export function chooseContract(candidates: readonly ContractName[], pipeline: string): ContractName | undefined {
  const words = pipeline.toLowerCase().replaceAll('-', '_')
  const named = candidates.filter(
    (name) => words.includes(contracts[name].plural) || words.includes(contracts[name].record),
  )
  const longest = Math.max(...named.map((name) => contracts[name].plural.length))
  const nearest = named.filter((name) => contracts[name].plural.length === longest)
  return chooseVersion(nearest.length === 0 ? candidates : nearest, words)
}

/** Candidates are in the order of the contracts, v4 first. */
function chooseVersion(candidates: readonly ContractName[], words: string): ContractName | undefined {
  const records = new Set(candidates.map((name) => contracts[name].record))
  if (records.size !== 1) return undefined
  const versioned = candidates.find((name) => new RegExp(`(?:^|_)${name.slice(0, 2)}(?:_|$)`).test(words))
  return versioned ?? candidates.toSorted().at(-1)
}
