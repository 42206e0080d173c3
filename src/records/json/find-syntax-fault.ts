import { isBlank } from './json-cursor.ts'

/**
 * The index of the first character with which the text can no longer become one JSON value; its length if it only ends
 * too early, or is JSON. The messages of JSON.parse name a position in some cases only, and another in each version;
 * jsonc-parser names the beginning of a token, and overflows the stack with 4,000 lists inside of each other.
 */
export function findSyntaxFault(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    while (isBlank(text.charCodeAt(at))) at++
    const sign = text[at]
    if (sign === undefined) return text.length
    if (expected === 'end') return at
    const step: Step = takeToken(text, at, sign, expected, open)
    if (step.fault !== null) return step.fault
    at = step.end
    expected = step.next
  }
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end'

/** The end of a token and what may follow it, or where it is wrong. */
type Step =
  | { readonly fault: null; readonly end: number; readonly next: Expected }
  | { readonly fault: number; readonly end?: never; readonly next?: never }

function takeToken(text: string, at: number, sign: string, expected: Expected, open: string[]): Step {
  switch (expected) {
    case 'comma':
      return takeComma(at, sign, open)
    case 'colon':
      return sign === ':' ? { fault: null, end: at + 1, next: 'value' } : { fault: at }
    case 'key':
    case 'key or }':
      if (sign === '}' && expected === 'key or }') return close(at, open)
      return sign === '"' ? takeText(text, at, 'colon') : { fault: at }
    default:
      if (sign === ']' && expected === 'value or ]') return close(at, open)
      return takeValue(text, at, sign, open)
  }
}

function takeComma(at: number, sign: string, open: readonly string[]): Step {
  const isObject = open.at(-1) === '{'
  if (sign === ',') return { fault: null, end: at + 1, next: isObject ? 'key' : 'value' }
  return sign === (isObject ? '}' : ']') ? close(at, open as string[]) : { fault: at }
}

function takeValue(text: string, at: number, sign: string, open: string[]): Step {
  if (sign === '{' || sign === '[') {
    open.push(sign)
    return { fault: null, end: at + 1, next: sign === '{' ? 'key or }' : 'value or ]' }
  }
  const next = behindValue(open)
  if (sign === '"') return takeText(text, at, next)
  const word = words.find((each) => each[0] === sign)
  return word === undefined ? takeNumber(text, at, next) : takeWord(text, at, word, next)
}

function close(at: number, open: string[]): Step {
  open.pop()
  return { fault: null, end: at + 1, next: behindValue(open) }
}

function behindValue(open: readonly string[]): Expected {
  return open.length === 0 ? 'end' : 'comma'
}

/** Steps by hand: a pattern would remember each of many million characters. */
function takeText(text: string, at: number, next: Expected): Step {
  let end = at + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === quote) return { fault: null, end: end + 1, next }
    if (code < space) return { fault: end }
    if (code !== backslash) continue
    escape.lastIndex = end
    if (!escape.test(text)) return { fault: end }
    end = escape.lastIndex - 1
  }
  return { fault: end }
}

function takeWord(text: string, at: number, word: string, next: Expected): Step {
  let end = 0
  while (end < word.length && text[at + end] === word[end]) end++
  return end === word.length ? { fault: null, end: at + end, next } : { fault: at + end }
}

/** What follows a number that is whole may be wrong, which the next step finds. */
function takeNumber(text: string, at: number, next: Expected): Step {
  number.lastIndex = at
  const found = number.exec(text)
  if (found !== null) {
    const end = number.lastIndex
    const [, broken = ''] = found
    return broken === '' ? { fault: null, end, next } : { fault: end }
  }
  return { fault: text[at] === '-' ? at + 1 : at }
}

const words = ['true', 'false', 'null']
const quote = 0x22
const space = 0x20
const backslash = 0x5c
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
/** The group holds what a number can't end with: a point or an exponent without digits. */
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(\.|[eE][+-]?)?/y
