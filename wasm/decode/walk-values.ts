// Values against the tree: a function a kind of node. Each gets the node, the next structural character `t` in the index and
// the address `p` of the value, and returns the structural character behind the value: only white space is between.
// It returns 0 for a value that is not certainly valid.
import {
  booleanNode, choiceNode, codeMayBeList, codeNode, floatNode, integerNode, listNode, localizedNode, localizedPlain, looseNode, nodeKind,
  nodeTargetCount, objectBare, objectBareList, objectNode, requiredTextNode, skippedNode, textNode, timestampNode,
} from '../../src/scan/program/node-layout'
import { walkAny } from './walk-any'
import { walkCodeList } from './walk-code-list'
import { putJson } from './walk-json'
import { walkList } from './walk-list'
import { walkBoolean, walkCodeNumber, walkFloat, walkInteger } from './walk-numbers'
import { walkObject } from './walk-object'
import { resetRanks } from './walk-picks'
import { escapesNow, walkChoiceText, walkCodeText, walkText } from './walk-text'
import { at, endAt, isBlank, token, walkNull } from './walk-tokens'

const quote: u32 = 0x22

export function walkValue(node: usize, t: usize, p: usize): usize {
  const first = at(p)
  switch (load<u32>(node, nodeKind)) {
    case textNode:
      return first == quote ? walkText(node, t, p) : walkNull(t, p)
    case requiredTextNode:
      return first == quote ? walkText(node, t, p) : 0
    case codeNode:
      return first == quote ? walkCodeText(node, t, p) : first == 0x6e ? walkNull(t, p) : walkOtherCode(node, t, p)
    case integerNode:
    case timestampNode:
      return first == 0x6e ? walkNull(t, p) : walkInteger(node, t, p)
    case floatNode:
      return first == 0x6e ? walkNull(t, p) : walkFloat(node, t, p)
    case booleanNode:
      return first == 0x6e ? walkNull(t, p) : walkBoolean(node, t, p)
    case choiceNode:
      return first == quote ? walkChoiceText(node, t, p) : walkLoose(node, t, p)
    case looseNode:
      return first == quote ? walkText(node, t, p) : walkLoose(node, t, p)
    case objectNode:
    case localizedNode:
    case listNode:
      return load<u32>(node, nodeTargetCount) == 0 || first == 0x6e ? walkNested(node, t, p) : walkKept(node, t, p)
    case skippedNode:
      return walkAny(t, p, 0)
    default:
      return 0
  }
}

function walkNested(node: usize, t: usize, p: usize): usize {
  switch (load<u32>(node, nodeKind)) {
    case objectNode:
      if (at(p) == 0x7b) return walkObject(node, t, p)
      return at(p) == 0x6e ? walkNull(t, p) : walkBare(node, t, p)
    case localizedNode:
      return walkLocalized(node, t, p)
    default:
      return walkList(node, t, p)
  }
}

/** Walks a value whose JSON text fills cells too. */
function walkKept(node: usize, t: usize, p: usize): usize {
  const escape = escapesNow()
  const next = walkNested(node, t, p)
  return next != 0 && putJson(node, t, p, escape) ? next : 0
}

function walkLoose(node: usize, t: usize, p: usize): usize {
  const first = at(p)
  if (first == 0x6e) return walkNull(t, p)
  return first == 0x74 || first == 0x66 ? walkBoolean(node, t, p) : walkFloat(node, t, p)
}

function walkOtherCode(node: usize, t: usize, p: usize): usize {
  if (at(p) != 0x5b) return walkCodeNumber(node, t, p)
  return load<u32>(node, codeMayBeList) != 0 ? walkCodeList(node, t, p) : 0
}

/** The id of an object, or a list of texts, in place of the object. */
function walkBare(node: usize, t: usize, p: usize): usize {
  if (at(p) == 0x5b) {
    const list = load<u32>(node, objectBareList) as usize
    if (list == 0) return 0
    return at(token(t + 4)) == 0x5d ? walkEmptyList(t, p) : walkList(list, t, p)
  }
  const bare = load<u32>(node, objectBare) as usize
  return bare == 0 ? 0 : walkInteger(bare, t, p)
}

function walkLocalized(node: usize, t: usize, p: usize): usize {
  switch (at(p)) {
    case 0x7b: {
      resetRanks(node)
      return walkObject(node, t, p)
    }
    case 0x5b:
      return walkEmptyList(t, p)
    case quote: {
      const plain = load<u32>(node, localizedPlain) as usize
      if (plain == 0) return 0
      resetRanks(node)
      return walkText(plain, t, p)
    }
    default:
      return walkNull(t, p)
  }
}

/** An empty list is how some encoders write an empty object. */
function walkEmptyList(t: usize, p: usize): usize {
  const close = token(t + 4)
  return at(close) == 0x5d && isBlank(p + 1, close) ? endAt(t + 8, close + 1) : 0
}
