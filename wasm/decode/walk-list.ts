// Lists: cells are appended and rows begun element by element.
import {
  codeNode, elementBytes, elementNode, listElements, listOpenCount, listOpens, listOrOne, listPickCount, listPosition, listSpecial, nodeKind, nodePath, noteKindBits, nullElementNote,
} from '../../src/scan/program/node-layout'
import { beginElement, closeLists, note, openLists } from './walk-cells'
import { beginPicks, resetPicks, resolvePicks } from './walk-picks'
import { at, endAt, isBlank, skipBlanks, token, walkNull } from './walk-tokens'
import { walkValue } from './walk-values'

export function walkList(node: usize, t: usize, p: usize): usize {
  const isList = at(p) == 0x5b
  if (!isList) {
    if (at(p) == 0x6e) return walkNull(t, p)
    if (load<u32>(node, listOrOne) == 0) return 0
  }
  const opens = load<u32>(node, listOpens) as usize, openCount = load<u32>(node, listOpenCount)
  openLists(opens, openCount)
  resetPicks(node)
  t = isList ? walkElements(node, t, p) : walkElement(node, 0, t, p)
  closeLists(opens, openCount)
  return t
}

function walkElements(node: usize, t: usize, p: usize): usize {
  t += 4
  if (at(token(t)) == 0x5d && isBlank(p + 1, token(t))) return endAt(t + 4, token(t) + 1)
  let index: u32 = 0, end = p
  do {
    t = walkElement(node, index++, t, skipBlanks(end + 1))
    if (t == 0) return 0
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  return at(end) == 0x5d ? endAt(t, end + 1) : 0
}

@inline
function walkElement(node: usize, index: u32, t: usize, p: usize): usize {
  const special = load<u32>(node, listSpecial)
  const element = (load<u32>(node, listElements) as usize) + (min(index, special) as usize) * elementBytes
  const position = load<u32>(node, listPosition) as usize
  if (position != 0) store<u32>(position, index + 1)
  const value = load<u32>(element, elementNode) as usize
  const isNull = at(p) == 0x6e || (at(p) == 0x5b && isEmptyCode(value, t, p))
  if (isNull && !note((load<u32>(node, nodePath) << noteKindBits) | nullElementNote, p, 0)) return 0
  if (!beginElement(element, isNull)) return 0
  if (load<u32>(node, listPickCount) == 0 || isNull) return walkValue(value, t, p)
  beginPicks(node)
  t = walkValue(value, t, p)
  resolvePicks(node)
  return t
}

/** An empty list in place of a code is null. */
function isEmptyCode(node: usize, t: usize, p: usize): bool {
  return load<u32>(node, nodeKind) == codeNode && at(token(t + 4)) == 0x5d && isBlank(p + 1, token(t + 4))
}
