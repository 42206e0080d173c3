import type { Block } from '../../records/block.ts'
import { findLineBreak, type RawLine, toRawLine } from '../../records/raw-line.ts'

export interface BlockCandidates {
  readonly lines: number
  readonly candidates: readonly { readonly lineInBlock: number; readonly line: RawLine }[]
}

/**
 * Finds lines that may hold a record with one of these ids: lines with the text of an id, with an escape of one of its
 * characters or of the key `id`, or with another notation of a numeric id.
 */
export function compileCandidates(ids: readonly string[]): (block: Block) => BlockCandidates {
  const searches = [
    ...ids.filter((id) => !mustEscape.test(id)).map((id) => compileTextSearch(withoutZeros(id))),
    ids.every((id) => isPlain.test(id)) ? compileEscapeSearch(['id', ...ids].join('')) : compileTextSearch('\\'),
    ...(ids.some((id) => isNumber.test(id)) ? [listNumbers] : []),
  ]
  return (block) => {
    const positions = searches.flatMap((search) => [...search(block.bytes)])
    return takeLines(
      block,
      positions.toSorted((a, b) => a - b),
    )
  }
}

/** Characters that JSON always escapes. */
// oxlint-disable-next-line no-control-regex
const mustEscape = /["\\\u0000-\u001f]/
/** Texts whose characters have only one form of escape. */
// oxlint-disable-next-line no-control-regex
const isPlain = /^[^"\\/\u0000-\u001f]+$/
const isNumber = /^-?\d/

/** Codes may come without the leading zeros that the contract restores. */
function withoutZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '')
}

type Search = (bytes: Buffer) => Iterable<number>

/** Positions of a text, one per line. An empty text is searched for as its quotes. */
function compileTextSearch(text: string): Search {
  const needle = Buffer.from(text === '' ? '""' : text)
  return function* (bytes) {
    for (let at = bytes.indexOf(needle); at >= 0 && at < bytes.length;) {
      yield at
      at = bytes.indexOf(needle, findLineBreak(bytes, at))
    }
  }
}

const escapeStart = Buffer.from('\\u')

/** Positions of escapes of these characters. */
function compileEscapeSearch(characters: string): Search {
  const codes = new Set(Array.from({ length: characters.length }, (_, at) => characters.charCodeAt(at)))
  return function* (bytes) {
    for (let at = bytes.indexOf(escapeStart); at >= 0; at = bytes.indexOf(escapeStart, at + 1)) {
      const digits = at + escapeStart.length
      if (codes.has(Number.parseInt(bytes.toString('latin1', digits, digits + 4), 16))) yield at
    }
  }
}

/**
 * Positions of ids that are numbers with an exponent or with too many digits to be exact. Escaped keys are found by the
 * search for escapes.
 */
function* listNumbers(bytes: Buffer): Generator<number> {
  for (const { index } of bytes.toString('latin1').matchAll(/"id"[ \t\r]*:[ \t\r]*-?(?:[\d.]+[eE]|[\d.]{16})/g))
    yield index
}

function takeLines(block: Block, positions: readonly number[]): BlockCandidates {
  const { bytes } = block
  const candidates: { lineInBlock: number; line: RawLine }[] = []
  let lines = 0
  let at = 0
  const isCandidate = (end: number): boolean => (positions[at] ?? end) < end
  for (let start = 0; start < bytes.length; lines++) {
    const end = findLineBreak(bytes, start)
    if (isCandidate(end)) candidates.push({ lineInBlock: lines, line: toRawLine(block, start, end, false) })
    while (isCandidate(end)) at++
    start = end + 1
  }
  return { lines, candidates }
}
