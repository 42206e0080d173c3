import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLError,
} from 'yaml'

export interface YamlProblem {
  readonly offset: number
  readonly message: string
  /** The rest of the text can still be understood. */
  readonly isMinor: boolean
}

/**
 * What is wrong with a text as YAML, in the words of people who write configs. One mistake makes the parser stumble
 * several times: only its first word on each line is passed on, and nothing of what comes after the document's end.
 */
export function listYamlProblems(document: Document.Parsed, lineOf: (offset: number) => number): YamlProblem[] {
  const said = [...document.errors, ...document.warnings].filter((error) => !isFollowUp(error))
  const problems = [...said.map((error) => toProblem(error, document)), ...listTrapProblems(document)]
  const ordered = problems.toSorted((a, b) => a.offset - b.offset)
  const firstOf = new Map(
    ordered
      .filter(({ isMinor }) => !isMinor)
      .map((each) => [lineOf(each.offset), each] as const)
      .toReversed(),
  )
  return ordered.filter((each) => (firstOf.get(lineOf(each.offset)) ?? each) === each)
}

function isFollowUp({ message }: YAMLError): boolean {
  return message.includes('in YAML stream')
}

// Without any word of the text itself: it may be a part of a credential.
function toProblem({ code, message, pos }: YAMLError, document: Document.Parsed): YamlProblem {
  const offset = pos[0]
  switch (code) {
    case 'DUPLICATE_KEY':
      return { offset, message: 'expected each key once in its object, got this one again', isMinor: true }
    case 'TAG_RESOLVE_FAILED':
      return { offset, message: 'expected no YAML tag (!…): put quotes around text that begins with !', isMinor: true }
    case 'NON_STRING_KEY':
      return { offset, message: 'expected text as the key, got an object or a list', isMinor: true }
    case 'MULTIPLE_DOCS':
      return problem(offset, 'expected one config in a file, got a second one after ---')
    case 'TAB_AS_INDENT':
      return problem(offset, 'expected spaces for the indentation, got a tab')
    case 'BAD_SCALAR_START':
      return problem(offset, 'expected text, got a character that it cannot begin with: put quotes around the text')
    case 'BAD_DQ_ESCAPE':
      return problem(
        offset,
        String.raw`expected an escape such as \n or \\ after the backslash: in single quotes a \ is just a \ `.trim(),
      )
    case 'RESOURCE_EXHAUSTION':
      return problem(offset, 'nested too deeply to be a config')
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return problem(
        offset,
        'expected one "key: value" a line, with a space after the colon and the indentation of the lines around it; put quotes around text with ": " in it',
      )
    case 'BAD_INDENT':
      if (message.startsWith('Flow')) return problem(offset, unclosed(message))
      return problem(offset, 'expected the same indentation as the keys or entries above')
    case 'MISSING_CHAR': {
      if (message.includes('quote'))
        return problem(lastQuoted(document) ?? offset, 'expected a closing quote, got none')
      return problem(offset, message.startsWith('Flow') ? unclosed(message) : missing(message))
    }
    default:
      return problem(offset, `not allowed here: ${quoting}`)
  }
}

function problem(offset: number, message: string): YamlProblem {
  return { offset, message: `not valid YAML: ${message}`, isMinor: false }
}

const quoting = 'put quotes around text with any of { } [ ] , # in it, or with ": "'

function unclosed(message: string): string {
  return `expected a closing ${message.endsWith(']') ? ']' : '}'} at or before this place; ${quoting}`
}

function missing(message: string): string {
  if (message.includes(', ')) return `expected a comma between the entries; ${quoting}`
  return `expected ":" after the key, or an indicator such as "- " or white space; ${quoting}`
}

/** A quote that is not closed swallows all text after it: it is the last one. */
function lastQuoted(document: Document.Parsed): number | undefined {
  let offset: number | undefined
  visit(document, {
    Scalar(_, { type, range }) {
      if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') offset = range?.[0]
    },
  })
  return offset
}

const emptyBlock = 'expected text, got | or >, which begin a block of lines: put quotes around them'

/**
 * Text that means something else to YAML: aliases of nothing, such as the file pattern `*.ndjson` without quotes, empty
 * blocks, such as the delimiter `|`, and merge keys with something unfit.
 */
function listTrapProblems(document: Document.Parsed): YamlProblem[] {
  const problems: YamlProblem[] = []
  const anchored = new Map<string, Node>()
  const resolved = (node: unknown): unknown => (isAlias(node) ? anchored.get(node.source) : node)
  const checkAlias = ({ source, range }: Alias): void => {
    if (anchored.has(source)) return
    const message = 'expected an alias of an anchor (&…) above: put quotes around text that begins with *'
    problems.push(problem(range?.[0] ?? 0, message))
  }
  visit(document, (_, node) => {
    if (isAlias(node)) checkAlias(node)
    else if (isScalar(node) && node.type?.startsWith('BLOCK') === true && node.value === '')
      problems.push({ offset: node.range?.[0] ?? 0, message: emptyBlock, isMinor: true })
    else if (isScalar(node) && losesDigits(node))
      problems.push({ offset: node.range?.[0] ?? 0, message: lostDigits(node), isMinor: true })
    if (isNode(node) && !isAlias(node) && 'anchor' in node && node.anchor !== undefined) anchored.set(node.anchor, node)
    if (!isPair(node) || !isScalar(node.key) || node.key.value !== '<<') return
    const source = resolved(node.value)
    const sources = isSeq(source) ? source.items.map(resolved) : [source]
    // An alias of nothing is a problem of its own.
    if (sources.every((each) => each === undefined || isMap(each))) return
    problems.push(problem(node.key.range?.[0] ?? 0, 'expected an alias of an object, or a list of them, after <<'))
  })
  return problems
}

/** A code without quotes is a number to YAML. */
function losesDigits({ value, source = '' }: Scalar): boolean {
  if (typeof value !== 'number') return false
  return /^[+-]?0\d/.test(source) || (/^[+-]?\d+$/.test(source) && !Number.isSafeInteger(value))
}

function lostDigits({ source = '', value }: Scalar): string {
  return `expected a code in quotes ("${source}"), got a number, which becomes ${String(value)}`
}
