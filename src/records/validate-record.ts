import type { Contract } from '../contracts/contracts.ts'
import { showValue } from '../contracts/show-value.ts'
import { compileDriftWalk, createDriftCounter, type Drift, type DriftListener } from './drift.ts'
import { toIssues, type Issue } from './issue.ts'

/** What to do about fields and enum values that the contract does not list. */
export interface DriftPolicy {
  readonly unknownFields: 'report' | 'ignore' | 'reject'
  readonly unknownValues: 'report' | 'reject'
}

/** A record in the canonical form of its contract: at least an `id`. */
export type CanonicalRecord = Readonly<Record<string, unknown>>

export type Verdict =
  | { readonly record: CanonicalRecord; readonly issues: null }
  | { readonly record: null; readonly issues: readonly Issue[] }

export type Validate = (delivered: unknown, drift: Drift) => Verdict

/** A validation of records against the contract; drift is counted into the `drift` that the caller passes. */
export function compileValidation(contract: Contract, policy: DriftPolicy, locales: readonly string[]): Validate {
  const walk = compileDriftWalk(contract.fields, locales)
  return (delivered, drift) => {
    if (typeof delivered !== 'object' || delivered === null || Array.isArray(delivered)) {
      return { record: null, issues: [notARecord(contract, delivered)] }
    }
    const result = contract.schema.safeParse(delivered)
    if (!result.success) return { record: null, issues: toIssues(result.error) }
    const record = result.data as CanonicalRecord
    const issues: Issue[] = []
    walk(record, listen(createDriftCounter(drift), policy, issues))
    return issues.length === 0 ? { record, issues: null } : { record: null, issues }
  }
}

function listen(counter: DriftListener, policy: DriftPolicy, issues: Issue[]): DriftListener {
  return {
    otherLocale: (locale) => counter.otherLocale(locale),
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
