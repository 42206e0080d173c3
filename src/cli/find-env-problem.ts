/** Where an env file is wrong, counted from 1, and how, in words that hold nothing of it. */
export interface EnvProblem {
  readonly line: number
  readonly message: string
}

/**
 * The first line of an env file that Node's parser would not take as it is meant: one without `NAME=`, which it joins with
 * the next, and one whose quote does not close, which it takes for a part of the value. A value in quotes may have
 * several lines.
 */
export function findEnvProblem(text: string): EnvProblem | null {
  let at = 0
  for (let line = 1; at < text.length;) {
    const end = endOfLine(text, at)
    const [assignment, name, quote] = /^\s*(?:export\s+)?([^=]*)=[^\S\n]*(["'`])?/.exec(text.slice(at, end)) ?? []
    const content = text.slice(at, end).trim()
    const isBlank = content === '' || content.startsWith('#')
    if (!isBlank && (name === undefined || !isName(name))) return { line, message: noAssignment }
    const rest = isBlank || quote === undefined ? end : findRest(text, at + (assignment?.length ?? 0), quote)
    if (rest === null) return { line, message: `expected a closing ${quote} after the value, got none` }
    line += text.slice(at, rest).split('\n').length
    at = endOfLine(text, rest) + 1
  }
  return null
}

const noAssignment = 'expected NAME=value, got a line that is not shown'

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text.trim())
}

/** What follows the closing quote; null where there is none, or it belongs to the next value. */
function findRest(text: string, from: number, quote: string): number | null {
  const rest = text.indexOf(quote, from) + 1
  return rest > 0 && /^\s*(?:#[^]*)?$/.test(text.slice(rest, endOfLine(text, rest))) ? rest : null
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found < 0 ? text.length : found
}
