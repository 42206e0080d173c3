import type { OutputConfig } from '../../config/schemas/output-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'

type CsvConfig = Extract<OutputConfig, { format: 'csv' }>

/** Finds CSV settings that give one character two meanings, so that no reader can parse the file. */
export function checkDialect(output: OutputConfig, path: Problem['path']): Problem[] {
  if (output.format !== 'csv') return []
  const signs = (['delimiter', 'quote', 'listSeparator'] as const).flatMap((key) => checkSign(output, key, path))
  signs.push(...checkDecimalSeparator(output, path))
  if (output.delimiter !== output.quote) return signs
  const message = `delimiter and quote: expected different characters, got ${JSON.stringify(output.quote)} for both`
  return [...signs, problemAt([...path, 'delimiter'], message)]
}

/** A decimal comma next to a delimiter comma is only readable if every cell is quoted. */
function checkDecimalSeparator(output: CsvConfig, path: Problem['path']): Problem[] {
  const { decimalSeparator, delimiter, quoteAll } = output
  if (decimalSeparator !== ',') return []
  const wrong = (key: string, what: string): Problem[] => [
    problemAt([...path, 'decimalSeparator'], `decimalSeparator and ${key}: expected ${what}, got "," for both`),
  ]
  if (delimiter === ',' && !quoteAll) return wrong('delimiter', `another delimiter, such as ";", or quoteAll: true`)
  return (['quote', 'listSeparator'] as const).flatMap((key) =>
    output[key] === ',' ? wrong(key, 'different characters') : [],
  )
}

function checkSign(output: CsvConfig, key: 'delimiter' | 'quote' | 'listSeparator', path: Problem['path']): Problem[] {
  const sign = output[key]
  const expected = 'expected a character other than a line break'
  const wrong = (what: string): Problem[] => [problemAt([...path, key], `${key}: ${what}, got ${JSON.stringify(sign)}`)]
  if (sign === '\n' || sign === '\r') return wrong(expected)
  if (!sign.isWellFormed()) return wrong('expected a whole character')
  if (key === 'listSeparator' && sign === '\\')
    return wrong('expected a character other than \\, which precedes it inside a value')
  return []
}
