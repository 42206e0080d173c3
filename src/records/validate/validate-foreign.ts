import type { Contract } from '../../contracts/contracts.ts'
import {
  type AnySchema,
  pathOf,
  type StandardIssue,
  type StandardValidate,
  toStandardValidate,
} from '../../contracts/standard-schema.ts'
import type { Drift } from '../../manifest/manifest.ts'
import { countDuplicateKey } from '../drift.ts'
import { isObject } from '../json/json-values.ts'
import { compileRepeatedKeys } from '../json/repeated-keys.ts'
import { formatPath, type Issue } from '../reject.ts'
import { nullWrongValues, type NulledValue } from './null-wrong-values.ts'
import { type ExactVerdict, type JudgedLine, parseExact } from './validate-exactly.ts'
import { type CanonicalRecord, compileDriftJudgement, type DriftPolicy } from './validate-record.ts'

/**
 * A validation by a schema that is not of this package: its verdict counts, and its output is the record, in which drift
 * from the fields of the contract is counted. It gets every digit: whole numbers beyond 2^53 as bigints, others that no
 * float holds as LosslessNumber.
 */
export function validateForeign(
  { schema, fields }: Pick<Contract<AnySchema>, 'schema' | 'fields'>,
  policy: DriftPolicy,
  locales: readonly string[],
): (line: JudgedLine, drift: Drift) => Promise<ExactVerdict> {
  const validate = toStandardValidate(schema)
  const judgeDrift = compileDriftJudgement(fields, policy, locales)
  const findRepeated = compileRepeatedKeys(fields, policy.unknownFields)
  return async (line, drift) => {
    const delivered = parseExact(line)
    const { record, wrong, nulled } = await parse(validate, delivered, policy.invalidValues === 'null')
    const issues = wrong?.map(toIssue) ?? judgeDrift(record, nulled, drift)
    if (issues.length > 0) return { record: null, issues, isChanged: false, delivered }
    if (line.mayRepeatKeys) findRepeated(line.text, (path) => countDuplicateKey(drift, path))
    return { record, issues: null, isChanged: false, delivered }
  }
}

interface Parsed {
  readonly record: CanonicalRecord
  readonly wrong?: readonly StandardIssue[]
  readonly nulled: readonly NulledValue[]
}

/** With `nulls` wrong values become null until the schema takes the record, or refuses what is null already. */
async function parse(validate: StandardValidate, delivered: unknown, nulls: boolean): Promise<Parsed> {
  const nulled: NulledValue[] = []
  for (let given = delivered; ;) {
    const result = await validate(given)
    if (result.issues === undefined) return { record: result.value as CanonicalRecord, nulled }
    const next = nulls && isObject(given) ? nullWrongValues(given, result.issues.map(pathOf)) : null
    if (next === null || next.nulled.length === 0) return { record: {}, wrong: result.issues, nulled: [] }
    nulled.push(...next.nulled)
    given = next.record
  }
}

/** Most libraries give their issues a code, which the standard does not have. */
function toIssue(issue: StandardIssue & { readonly code?: unknown }): Issue {
  const { code, message } = issue
  const isOwn = typeof code === 'string' && code !== '' && code !== 'custom'
  return { code: isOwn ? code : 'invalid_type', path: formatPath(pathOf(issue)), message }
}
