// The walk of one line after the other over the structural index, against the tree that `compileScan` has written.
import { mostIdBytes } from '../../src/records/id-layout'
import {
  elementBeginCount, lineAccepted, linesEnded, lineFallback, scopeBare, scopeCells, scopeEnvelope, scopeLineEnd, scopeLineStart, scopeMaxLineBytes,
  scopeKeepsContent, scopeRecord, scopeRoot,
} from '../../src/kernel/program/node-layout'
import { beginElement, beginLine, enterScope, rollBack, roomMissing, scope, writeCopies } from './walk-cells'
import { enterEscapes, escapesNow, skipEscapes } from './walk-text'
import { putContent } from './json-content'
import { skipValue } from './json-raw'
import { beginBlock, expectNext, expectNone, tryAcceptConsecutive } from './try-accept-consecutive'
import { at, skipBlanks, token } from './walk-tokens'
import { walkValue } from './walk-values'

export { beginBlock, expectNext, expectNone, rollBack }

const newline: u32 = 0x0a

/** The begin of the line, in the bytes and in the index. */
let lineStart: usize = 0
let lineToken: usize = 0

/** The lines of a scan follow, from the first. */
export function beginWalk(scope: usize, bytes: usize, index: usize, escapes: usize): void {
  enterScope(scope)
  enterEscapes(escapes)
  lineStart = bytes
  lineToken = index
}

/** Walks and accepts the lines before `end`. Returns the verdict on the first that is not consecutive, or `linesEnded`. */
export function walkLines(end: usize): i32 {
  while (lineStart < end) {
    const verdict = walkLine()
    if (verdict != lineAccepted || !tryAcceptConsecutive()) return verdict
  }
  return linesEnded
}

/**
 * Walks the next line, which the index holds to its line break: `lineAccepted` where it is certainly a record that meets its
 * contract, and its cells are written; `lineFallback` where nothing is written and the reference path decides. The scope holds
 * the begin and the end of the line.
 */
export function walkLine(): i32 {
  const start = lineStart
  beginLine()
  const t = walkRecord(lineToken, skipBlanks(start))
  if (roomMissing != 0) return roomMissing
  const isAccepted = t != 0 && at(token(t)) == newline && token(t) - start <= (load<u32>(scope, scopeMaxLineBytes) as usize)
  if (isAccepted) writeCopies()
  else rollBack()
  const lineBreak = isAccepted ? t : findLineBreak(lineToken)
  const end = token(lineBreak)
  skipEscapes(end)
  store<u32>(scope, start as u32, scopeLineStart)
  store<u32>(scope, end as u32, scopeLineEnd)
  lineStart = end + 1
  lineToken = lineBreak + 4
  return isAccepted ? lineAccepted : lineFallback
}

function walkRecord(t: usize, p: usize): usize {
  if (at(p) != 0x7b) return 0
  if (!beginElement(load<u32>(scope, scopeRoot) as usize, false)) return 0
  const record = isEnvelope(token(t + 4)) ? load<u32>(scope, scopeEnvelope) : load<u32>(scope, scopeBare)
  const escape = escapesNow()
  const end = walkValue(record as usize, t, p)
  const idLength = load<u32>(scope, scopeCells + 4)
  // Longer ids, and those that are null, are left to the reference path.
  if (idLength - 1 >= (mostIdBytes as u32) || end == 0) return 0
  if (load<u32>(scope, scopeKeepsContent) == 0) return end
  const isKept = record == load<u32>(scope, scopeBare) ? putContent(record as usize, t, p, escape, contentCell()) : putResult(t, escape)
  return isKept ? end : 0
}

/** Puts the content of the record in an envelope into its cell. */
function putResult(t: usize, escape: usize): bool {
  t += 4
  while (at(token(t) + 1) != 0x72) t = skipValue(t + 12, skipBlanks(token(t + 8) + 1)) + 4
  const value = skipBlanks(token(t + 8) + 1)
  return putContent(load<u32>(scope, scopeRecord) as usize, t + 12, value, escape, contentCell())
}

@inline
function contentCell(): usize {
  return scope + scopeCells + 24
}

/** True where the first key is `meta` or `result`. */
function isEnvelope(key: usize): bool {
  const word = load<u32>(key, 1)
  return (word == 0x6174656d && at(key + 5) == 0x22) || (word == 0x75736572 && load<u32>(key, 4) == 0x22746c75)
}

function findLineBreak(t: usize): usize {
  while (at(token(t)) != newline) t += 4
  return t
}
