import type { Contract } from '../../contracts/contracts.ts'
import type { SchemaError, SchemaResult } from '../../contracts/field-schema.ts'
import { showValue } from '../../text/show-value.ts'
import { compileDoubts, compileFastCheck } from './compile-fast-check.ts'
import { compileDriftWalk, createDriftCounter, type DriftListener } from '../drift.ts'
import { formatPath, type Issue } from '../reject.ts'
import { isObject } from '../json/json-values.ts'
import { nullWrongValues, type NulledValue } from './null-wrong-values.ts'
import type { Drift } from '../../manifest/manifest.ts'

/** The policy for fields and enum values that the contract does not list, and for values of a wrong type. */
export interface DriftPolicy {
  readonly unknownFields: 'report' | 'ignore' | 'reject'
  readonly unknownValues: 'report' | 'reject'
  /** `null`: a value of a wrong type in a field that is no key becomes null, and is counted. */
  readonly invalidValues: 'reject' | 'null'
}

/** A record in the canonical form of its contract: at least an `id`. */
export type CanonicalRecord = Readonly<Record<string, unknown>>

/** `isChanged`: the record was made out of the delivered one, which was changed for it. */
export type Verdict =
  | { readonly record: CanonicalRecord; readonly issues: null; readonly isChanged: boolean }
  | { readonly record: null; readonly issues: readonly Issue[]; readonly isChanged: false }

/**
 * Judges a record; drift is counted into the `drift` that the caller passes. With `mayChange` the record may be made
 * out of the delivered one, several times as fast. Only for a record that parsing has made and no other code reads.
 */
export type Validate = (delivered: unknown, drift: Drift, mayChange?: boolean) => Verdict

/** A validation of records against the contract. A record that the fast check leaves undecided has zod's verdict. */
export function compileValidation(contract: Contract, policy: DriftPolicy, locales: readonly string[]): Validate {
  const accept = compileFastCheck(contract.fields, { ...policy, locales: new Set(locales) })
  const judge = compileJudgement(contract, policy, locales)
  return (delivered, drift, mayChange = false) => {
    if (!isObject(delivered)) return contract.name === 'raw' ? bareValue : rejected([notARecord(contract, delivered)])
    const record = mayChange ? accept(delivered, drift) : null
    return record === null ? judge(delivered, drift) : { record, issues: null, isChanged: true }
  }
}

/** The verdict on a record that is no object, if a contract knows nothing of its records: it has no id. */
const bareValue: Verdict = { record: {}, issues: null, isChanged: false }

function compileJudgement(contract: Contract, policy: DriftPolicy, locales: readonly string[]): Validate {
  const judgeDrift = compileDriftJudgement(contract.fields, policy, locales)
  const parse = policy.invalidValues === 'null' ? compileNulling(contract) : compileParse(contract)
  return (delivered, drift) => {
    const { record, issues: invalid, nulled } = parse(delivered as Record<string, unknown>)
    if (invalid !== null) return rejected(invalid)
    const issues = judgeDrift(record, nulled, drift)
    return issues.length === 0 ? { record, issues: null, isChanged: false } : rejected(issues)
  }
}

/** Counts the drift of a canonical record, and gives what the policy rejects. */
export function compileDriftJudgement(
  fields: Contract['fields'],
  policy: DriftPolicy,
  locales: readonly string[],
): (record: CanonicalRecord, nulled: readonly NulledValue[], drift: Drift) => readonly Issue[] {
  const walk = compileDriftWalk(fields, locales)
  return (record, nulled, drift) => {
    const issues: Issue[] = []
    const counter = createDriftCounter(drift)
    for (const { path, shown } of nulled) counter.invalidValue(path, shown)
    walk(record, listen(counter, policy, issues))
    return issues
  }
}

type Parsed =
  | { readonly record: CanonicalRecord; readonly issues: null; readonly nulled: readonly NulledValue[] }
  | { readonly record: null; readonly issues: readonly Issue[]; readonly nulled: readonly NulledValue[] }
type Parse = (delivered: Readonly<Record<string, unknown>>) => Parsed

function compileParse(contract: Contract): Parse {
  const parse = compileSafeParse(contract)
  return (delivered) => {
    const result = parse(delivered)
    return result.success
      ? { record: result.data as CanonicalRecord, issues: null, nulled: [] }
      : { record: null, issues: toIssues(result.error), nulled: [] }
  }
}

/** The parse of zod, which finds a wrong record by its doubtful part. */
function compileSafeParse(contract: Contract): (delivered: CanonicalRecord) => SchemaResult<unknown> {
  const findDoubts = compileDoubts(contract.fields)
  return (delivered) => {
    const { schema } = contract
    const doubtful = findDoubts(delivered)
    const result = doubtful === null ? null : schema.safeParse(doubtful)
    return result === null || result.success ? schema.safeParse(delivered) : result
  }
}

/** A parse that makes wrong values null until the record has a canonical form; zod may name some of them only then. */
function compileNulling(contract: Contract): Parse {
  const parse = compileSafeParse(contract)
  return (delivered) => {
    const nulled: NulledValue[] = []
    let result = parse(delivered)
    let record = delivered
    while (!result.success) {
      const next = nullWrongValues(
        record,
        result.error.issues.map(({ path }) => path),
      )
      if (next === null || next.nulled.length === 0) return { record: null, issues: toIssues(result.error), nulled: [] }
      nulled.push(...next.nulled)
      record = next.record
      result = parse(record)
    }
    return { record: result.data as CanonicalRecord, issues: null, nulled }
  }
}

function toIssues({ issues }: Pick<SchemaError, 'issues'>): Issue[] {
  return issues.map((issue) => ({
    code: issue.code === undefined || issue.code === 'custom' ? 'invalid_type' : issue.code,
    path: formatPath(issue.path),
    message: issue.message,
  }))
}

function rejected(issues: readonly Issue[]): Verdict {
  return { record: null, issues, isChanged: false }
}

function listen(counter: DriftListener, policy: DriftPolicy, issues: Issue[]): DriftListener {
  return {
    otherLocale: (locale) => counter.otherLocale(locale),
    oddCode: (path, code) => counter.oddCode(path, code),
    nullElement: (path) => counter.nullElement(path),
    invalidValue: (path, shown) => counter.invalidValue(path, shown),
    unknownField(path) {
      if (policy.unknownFields === 'ignore') return
      counter.unknownField(path)
      if (policy.unknownFields === 'reject') {
        issues.push({
          code: 'unknown_field',
          path,
          message: 'expected a field of the contract, got one it does not list',
        })
      }
    },
    unknownValue(path, value) {
      counter.unknownValue(path, value)
      if (policy.unknownValues === 'reject') {
        issues.push({
          code: 'unknown_value',
          path,
          message: `expected a value of the contract, got ${showValue(value)}`,
        })
      }
    },
  }
}

function notARecord(contract: Contract, delivered: unknown): Issue {
  return {
    code: 'invalid_type',
    path: '',
    message: `expected a ${contract.record} object, got ${showValue(delivered)}`,
  }
}
