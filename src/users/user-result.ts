import type { ErrorCode } from '../errors.ts'
import type { UserRecord } from '../api/user-request.ts'

/** Why a row was not created. Nothing of it holds the password. */
export interface UserFailure {
  /** OUTCOME_UNKNOWN: the service did not say whether it created the user; the next run finds out first. */
  readonly code: ErrorCode | 'OUTCOME_UNKNOWN'
  readonly message: string
  /** Of the answer; null where there was none. */
  readonly status: number | null
  /** The service's own code: `validation_failed`. */
  readonly serviceCode: string | null
}

/** What became of a row. */
export interface UserResult {
  /** Where the row begins in the file, from 1. */
  readonly line: number
  /** The address in lower case. */
  readonly key: string
  /** `skipped`: an earlier run created the user. */
  readonly status: 'created' | 'skipped' | 'failed'
  /** The user's id, where the service told it. */
  readonly id: string | number | null
  /** Of a created user: what the service told, without anything like a password. */
  readonly user?: UserRecord
  readonly error?: UserFailure
  /** Of a skipped row: it says something else since, beyond the password. The user is as it was. */
  readonly isChanged?: true
  /** What is worth knowing beyond that. */
  readonly note?: string
}

/** A line of the results file: what became of a row in one run. */
export interface ResultLine extends UserResult {
  readonly baseUrl: string
  /** Of everything in the row but the password. */
  readonly fingerprint: string
  /** ISO 8601. */
  readonly at: string
}
