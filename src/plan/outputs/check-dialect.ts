import type { OutputConfig } from '../../config/output-schema.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

type CsvConfig = Extract<OutputConfig, { format: 'csv' }>

/** What makes a CSV that no reader can take apart again: signs that stand for two things at once. */
export function checkDialect(output: OutputConfig, path: Problem['path']): Problem[] {
  if (output.format !== 'csv') return []
  const signs = (['delimiter', 'quote', 'listSeparator'] as const).flatMap((key) => checkSign(output, key, path))
  if (output.delimiter !== output.quote) return signs
  const message = `delimiter and quote: expected different characters, got ${JSON.stringify(output.quote)} for both`
  return [...signs, problemAt([...path, 'delimiter'], message)]
}

function checkSign(output: CsvConfig, key: 'delimiter' | 'quote' | 'listSeparator', path: Problem['path']): Problem[] {
  const sign = output[key]
  const expected = 'expected a character other than a line break'
  const wrong = (what: string): Problem[] => [problemAt([...path, key], `${key}: ${what}, got ${JSON.stringify(sign)}`)]
  if (sign === '\n' || sign === '\r') return wrong(expected)
  if (!sign.isWellFormed()) return wrong('expected a whole character')
  if (key === 'listSeparator' && sign === '\\')
    return wrong('expected a character other than \\, which stands before it inside a value')
  return []
}
