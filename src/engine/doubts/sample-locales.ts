import { type Problem, problemAt } from '../../config/problem.ts'
import { resolveContract } from '../../contracts/extended/extend-contract.ts'
import { CatalogueError } from '../../errors.ts'
import { formatSuggestion } from '../../text/choices.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import { readBeginning } from '../../plan/source/recognize-export.ts'
import { emptyDrift } from '../../records/drift.ts'
import { compileValidation } from '../../records/validate/validate-record.ts'
import type { RequiredContext } from '../../run-context.ts'
import { languageOf } from './row-doubts.ts'

/** Notes about configured locales that the first records of the first local file lack. */
export async function noteLocales(
  source: SourcePlan,
  records: RecordsPlan,
  context: RequiredContext<'signal'>,
): Promise<Problem[]> {
  const [path = '-'] = source.kind === 'files' ? source.files : []
  if (path === '-' || isObjectPath(path)) return []
  const sample = await readSample(path, context)
  // Without configured locales, drift counts every locale as another.
  const validate = compileValidation(resolveContract(records), records.drift, [])
  const drift = emptyDrift()
  for (const record of sample) validate(record, drift)
  const found = Object.keys(drift.otherLocales).filter((locale) => locale !== '')
  if (found.length === 0) return []
  return records.locales.flatMap((locale, at) => {
    if (found.includes(locale)) return []
    const near = found.find((other) => languageOf(other) === languageOf(locale))
    const message = `no value in ${locale} at the beginning of ${path}, whose values are in ${found.join(', ')}`
    return [problemAt(['locales', at], `${message}${formatSuggestion(near)}`)]
  })
}

async function readSample(path: string, context: RequiredContext<'signal'>): Promise<unknown[]> {
  try {
    const { records } = await readBeginning(path, { ...context, most: mostRecords, mostBytes: 1 })
    return records.map(({ record }) => record)
  } catch (error) {
    if (error instanceof CatalogueError && error.code !== 'INTERRUPTED') return []
    throw error
  }
}

const mostRecords = 500
