// Choices: the best element of a list, and the best locale of a localized value, give their cells to the row.
import {
  conditionBytes, conditionCell, conditionIsList, conditionIsNot, conditionNameCount, conditionNames, conditionTakesNull, listPickCells,
  listPickCount, listPickRow, listPicks, nameBytes, nameLength, nameMaskAlone, noRank, pickBestOrder, pickBestRank, pickBytes, pickConditionCount,
  pickConditions, pickFrom, pickIsJson, pickLocalesCell, pickNameCount, pickNames, pickOffset, pickOrderCell, pickOthers, pickRank, pickSlot,
  localizedRankCount, localizedRanks, rankBytes, rankOthers,
} from '../../src/kernel/program/node-layout'
import { parseInteger } from '../parse-number'
import { fillNulls } from './walk-cells'
import { isName } from './walk-text'

const nullLength: u32 = 0xffffffff
/** The display order of an element without one. */
const lastOrder: i64 = i64.MAX_VALUE
/** `[]`, the JSON text of an empty list. */
const emptyList: u32 = 0x5d5b

/** A list begins: nothing is chosen yet. */
export function resetPicks(list: usize): void {
  let pick = load<u32>(list, listPicks) as usize
  for (let left = load<u32>(list, listPickCount); left > 0; left--, pick += pickBytes) store<u32>(pick, noRank, pickBestRank)
}

/** An element begins: its cells are null. */
export function beginPicks(list: usize): void {
  fillNulls(load<u32>(list, listPickRow) as usize, load<u32>(list, listPickCells))
}

/** An element has ended: its cells stay where it is better than all before. */
export function resolvePicks(list: usize): void {
  const row = load<u32>(list, listPickRow) as usize
  let pick = load<u32>(list, listPicks) as usize
  for (let left = load<u32>(list, listPickCount); left > 0; left--, pick += pickBytes) {
    const cell = load<u32>(pick, pickFrom) as usize
    if (!isFilled(pick, cell) || !meets(pick)) continue
    const rank = rankOf(pick, row)
    const best = load<u32>(pick, pickBestRank)
    if (rank == (noRank as u32) || rank > best) continue
    const order = orderOf(row + pickOrderCell)
    if (rank == best && order >= load<i64>(pick, pickBestOrder)) continue
    store<u32>(pick, rank, pickBestRank)
    store<i64>(pick, order, pickBestOrder)
    store<u64>((load<u32>(load<u32>(pick, pickSlot) as usize) as usize) + (load<u32>(pick, pickOffset) as usize), load<u64>(cell))
  }
}

/** Empty text is not filled, nor is an empty list. */
function isFilled(pick: usize, cell: usize): bool {
  const length = load<u32>(cell, 4)
  if (length == nullLength || length == 0) return false
  return length != 2 || load<u32>(pick, pickIsJson) == 0 || (load<u16>(load<u32>(cell) as usize) as u32) != emptyList
}

function meets(pick: usize): bool {
  let condition = load<u32>(pick, pickConditions) as usize
  for (let left = load<u32>(pick, pickConditionCount); left > 0; left--, condition += conditionBytes) {
    const cell = load<u32>(condition, conditionCell) as usize
    const isIn = load<u32>(condition, conditionIsList) != 0 ? isAnyIn(condition, cell) : isOneIn(condition, cell)
    if (isIn == (load<u32>(condition, conditionIsNot) != 0)) return false
  }
  return true
}

/** Tests if an element of the list is one of the values; a list in which no element has a value is null. */
function isAnyIn(condition: usize, cell: usize): bool {
  const count = load<u32>(cell, 4)
  let isNull = true
  let element = load<u32>(cell) as usize
  for (let left: u32 = count == nullLength ? 0 : count; left > 0; left--, element += 8) {
    if (load<u32>(element, 4) == nullLength) continue
    if (isNamed(condition, element)) return true
    isNull = false
  }
  return isNull && load<u32>(condition, conditionTakesNull) != 0
}

function isOneIn(condition: usize, cell: usize): bool {
  return load<u32>(cell, 4) == nullLength ? load<u32>(condition, conditionTakesNull) != 0 : isNamed(condition, cell)
}

function isNamed(condition: usize, cell: usize): bool {
  let name = load<u32>(condition, conditionNames) as usize
  for (let left = load<u32>(condition, conditionNameCount); left > 0; left--, name += nameBytes) if (isText(cell, name)) return true
  return false
}

@inline
function isText(cell: usize, name: usize): bool {
  return load<u32>(cell, 4) == load<u32>(name, nameLength) && isName(name, load<u32>(cell) as usize, load<u32>(name, nameMaskAlone))
}

/** The rank that the value's locale has, or the position of the first name that the element has among its locales. */
function rankOf(pick: usize, row: usize): u32 {
  const kept = load<u32>(pick, pickRank) as usize
  if (kept != 0) return load<u32>(kept)
  const count = load<u32>(row, pickLocalesCell + 4)
  const elements = load<u32>(row, pickLocalesCell) as usize
  const names = load<u32>(pick, pickNameCount)
  let name = load<u32>(pick, pickNames) as usize
  for (let rank: u32 = 0; rank < names; rank++, name += nameBytes) if (count != nullLength && holds(elements, count, name)) return rank
  return load<u32>(pick, pickOthers) != 0 ? names : (noRank as u32)
}

function holds(element: usize, count: u32, name: usize): bool {
  for (; count > 0; count--, element += 8) if (isText(element, name)) return true
  return false
}

function orderOf(cell: usize): i64 {
  const length = load<u32>(cell, 4)
  return length == nullLength ? lastOrder : parseInteger(load<u32>(cell) as usize, length as usize)
}



/** A localized value begins: no locale has given anything yet. */
export function resetRanks(node: usize): void {
  let rank = load<u32>(node, localizedRanks) as usize
  for (let left = load<u32>(node, localizedRankCount); left > 0; left--, rank += rankBytes) store<u32>(rank, noRank)
}

/** True where a fallback that would take any other locale has found nothing. */
export function wantsOthers(node: usize): bool {
  let rank = load<u32>(node, localizedRanks) as usize
  for (let left = load<u32>(node, localizedRankCount); left > 0; left--, rank += rankBytes) {
    if (load<u32>(rank) == noRank && load<u32>(rank, rankOthers) != 0) return true
  }
  return false
}
