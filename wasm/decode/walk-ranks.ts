// Which of its locales a localized value gives to a cell with fallbacks.
import { localizedRankCount, localizedRanks, noRank, rankBytes, rankOthers } from '../../src/scan/program/node-layout'

/** A localized value begins: no locale has given anything yet. */
export function resetRanks(node: usize): void {
  let rank = load<u32>(node, localizedRanks) as usize
  for (let left = load<u32>(node, localizedRankCount); left > 0; left--, rank += rankBytes) store<u32>(rank, noRank)
}

/** Whether a fallback that would take any other locale has found nothing. */
export function wantsOthers(node: usize): bool {
  let rank = load<u32>(node, localizedRanks) as usize
  for (let left = load<u32>(node, localizedRankCount); left > 0; left--, rank += rankBytes) {
    if (load<u32>(rank) == noRank && load<u32>(rank, rankOthers) != 0) return true
  }
  return false
}
