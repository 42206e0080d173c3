// Elements chosen by their locales: the best of a list gives its cells to the row that wants them.
import {
  listPickCount, listPicks, nameBytes, nameLength, nameMaskAlone, pickBestOrder, pickBestRank, pickBytes, pickCells, pickNameCount, pickNames,
  pickOthers, pickRow, pickTargetCount, pickTargets, targetBytes, noRank,
} from '../src/scan/node-layout'
import { parseInteger } from './parse-integer'
import { fillNulls } from './walk-cells'
import { isName } from './walk-text'

const nullLength: u32 = 0xffffffff
/** The display order of an element without one. */
const lastOrder: i64 = i64.MAX_VALUE

/** A list begins: nothing is chosen yet. */
export function resetPicks(list: usize): void {
  let pick = load<u32>(list, listPicks) as usize
  for (let left = load<u32>(list, listPickCount); left > 0; left--, pick += pickBytes) store<u32>(pick, noRank, pickBestRank)
}

/** An element begins: its cells are null. */
export function beginPicks(list: usize): void {
  let pick = load<u32>(list, listPicks) as usize
  for (let left = load<u32>(list, listPickCount); left > 0; left--, pick += pickBytes) {
    fillNulls(load<u32>(pick, pickRow) as usize, (pickCells as u32) + load<u32>(pick, pickTargetCount))
  }
}

/** An element has ended: its cells stay where it is better than all before. */
export function settlePicks(list: usize): void {
  let pick = load<u32>(list, listPicks) as usize
  for (let left = load<u32>(list, listPickCount); left > 0; left--, pick += pickBytes) {
    const row = load<u32>(pick, pickRow) as usize
    const rank = rankOf(pick, row)
    const best = load<u32>(pick, pickBestRank)
    if (rank == (noRank as u32) || rank > best) continue
    const order = orderOf(row + 8)
    if (rank == best && order >= load<i64>(pick, pickBestOrder)) continue
    store<u32>(pick, rank, pickBestRank)
    store<i64>(pick, order, pickBestOrder)
    giveCells(pick, row + 8 * pickCells)
  }
}

/** The position of the first name that the element has among its locales. */
function rankOf(pick: usize, row: usize): u32 {
  const count = load<u32>(row, 4)
  const elements = load<u32>(row) as usize
  const names = load<u32>(pick, pickNameCount)
  let name = load<u32>(pick, pickNames) as usize
  for (let rank: u32 = 0; rank < names; rank++, name += nameBytes) if (count != nullLength && holds(elements, count, name)) return rank
  return load<u32>(pick, pickOthers) != 0 ? names : (noRank as u32)
}

function holds(element: usize, count: u32, name: usize): bool {
  const length = load<u32>(name, nameLength)
  for (; count > 0; count--, element += 8) {
    if (load<u32>(element, 4) == length && isName(name, load<u32>(element) as usize, load<u32>(name, nameMaskAlone))) return true
  }
  return false
}

function orderOf(cell: usize): i64 {
  const length = load<u32>(cell, 4)
  return length == nullLength ? lastOrder : parseInteger(load<u32>(cell) as usize, length as usize)
}

function giveCells(pick: usize, cell: usize): void {
  let target = load<u32>(pick, pickTargets) as usize
  for (let left = load<u32>(pick, pickTargetCount); left > 0; left--, target += targetBytes, cell += 8) {
    store<u64>((load<u32>(load<u32>(target) as usize) as usize) + (load<u32>(target, 4) as usize), load<u64>(cell))
  }
}
