import type { ParsedRows, RowProblem } from './user-row.ts'

/** The bodies of an NDJSON file, one a line as the specification shows it; blank lines are none. */
export function parseUserLines(text: string): ParsedRows {
  const rows: { line: number; body: unknown }[] = []
  const problems: RowProblem[] = []
  for (const [at, content] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const line = at + 1
    if (content.trim() === '') continue
    const body = parseObject(content)
    if (typeof body === 'string') problems.push({ line, column: null, message: body })
    else rows.push({ line, body })
  }
  return { rows, problems, missing: new Set(), mayHaveDates: false }
}

/** The object, or what is wrong with the line, in words that hold nothing of it. */
function parseObject(line: string): object | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    // Its message quotes the line.
    const [, position] = / position (\d+)/.exec((error as Error).message) ?? []
    const place = position === undefined ? '' : ` (character ${Number(position) + 1})`
    return `expected one JSON object on the line, got what is no JSON${place}`
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  return `expected one JSON object on the line, got ${Array.isArray(value) ? 'a list' : describe(value)}`
}

function describe(value: unknown): string {
  return value === null ? 'null' : `a ${typeof value}`
}
