import { CatalogueError } from '../../errors.ts'
import { closest, formatSuggestion, listChoices } from '../../text/choices.ts'
import { type Catalogue, listRecords } from './catalogue.ts'
import { codeQuestions } from './code-questions.ts'
import { missingQuestions } from './missing-questions.ts'
import { priceQuestions } from './price-questions.ts'
import type { Question } from './question.ts'
import { timeQuestions } from './time-questions.ts'

export const savedQuestions: readonly Question[] = [
  ...missingQuestions,
  ...priceQuestions,
  ...codeQuestions,
  ...timeQuestions,
]

/** The questions of a config by name, in SQL. */
export type OwnQuestions = Readonly<Record<string, string>>

/** The SQL of a question. One of the config comes before a saved one. Throws USAGE for another name, or if a column is missing. */
export function toQuestionSql(name: string, own: OwnQuestions, catalogue: Catalogue): string {
  if (Object.hasOwn(own, name)) return own[name] ?? ''
  const question = savedQuestions.find((each) => each.name === name)
  if (question === undefined) throw unknownQuestion(name, own)
  let failure: unknown
  for (const records of listRecords(name, catalogue)) {
    try {
      return question.toSql(records)
    } catch (error) {
      failure ??= error
    }
  }
  throw failure ?? noRecords(name)
}

function unknownQuestion(name: string, own: OwnQuestions): CatalogueError {
  const names = [...Object.keys(own), ...savedQuestions.map((each) => each.name)]
  const suggestion = formatSuggestion(closest(name, names))
  return new CatalogueError('USAGE', `expected one of the questions ${listChoices(names)}, got "${name}"${suggestion}`)
}

function noRecords(name: string): CatalogueError {
  const message = `${name}: expected a table with a row a record, got only tables of lists`
  return new CatalogueError('USAGE', message, {
    fix: 'Add a table without `each` to the config, and run the pipeline again.',
  })
}
