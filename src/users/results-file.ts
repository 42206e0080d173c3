import type { UserRecord } from '../service/endpoints/user-request.ts'
import type { CatalogueError, ErrorCode } from '../errors.ts'
import { toRealPath } from '../sources/find-files.ts'
import type { UserRow } from './check-user-rows.ts'
import { LineLog, toResultsError } from './line-log.ts'

export type CreatedEarlier = Pick<ResultLine, 'id' | 'fingerprint' | 'at'>

export class ResultsFile {
  readonly #log: LineLog
  readonly #baseUrl: string

  constructor(path: string, baseUrl: string) {
    this.#log = new LineLog(path)
    this.#baseUrl = baseUrl
  }

  /** Users created so far, by key. Throws USAGE if the file holds something else. */
  async readCreated(): Promise<ReadonlyMap<string, CreatedEarlier>> {
    const created = new Map<string, CreatedEarlier>()
    for (const [at, line] of ((await this.#log.read()) as Partial<ResultLine>[]).entries()) {
      if (!isResultLine(line)) throw this.#toError(at + 1)
      if (line.status === 'created' && line.baseUrl === this.#baseUrl) created.set(line.key, line)
    }
    return created
  }

  /** Resolves once the results are on the disk. */
  append(results: readonly (readonly [UserRow, UserResult])[]): Promise<void> {
    const at = new Date().toISOString()
    const lines = results.map(([{ fingerprint }, result]): ResultLine => {
      return { ...result, baseUrl: this.#baseUrl, fingerprint, at }
    })
    return this.#log.append(lines)
  }

  #toError(line: number): CatalogueError {
    const message = `${this.#log.path}: expected results of "users create", got something else as line ${line} that is not blank`
    return toResultsError(message)
  }
}

export async function checkResultsPath(file: string, results: string): Promise<void> {
  if (file === '-' || (await toRealPath(file)) !== (await toRealPath(results))) return
  throw toResultsError(`${results}: this is the file of users itself`)
}

function isResultLine(line: Partial<ResultLine>): line is ResultLine {
  return [line.key, line.status, line.baseUrl, line.fingerprint, line.at].every((text) => typeof text === 'string')
}

/** Why a row was not created. Never holds the password. */
export interface UserFailure {
  /** OUTCOME_UNKNOWN: the service did not say whether it created the user; the next run finds out first. */
  readonly code: ErrorCode | 'OUTCOME_UNKNOWN'
  readonly message: string
  /** Status of the answer; null if there was none. */
  readonly status: number | null
  /** The service's own code, such as `validation_failed`. */
  readonly serviceCode: string | null
}

export interface UserResult {
  /** The line where the row begins, from 1. */
  readonly line: number
  /** The address in lower case. */
  readonly key: string
  /** `skipped`: an earlier run created the user. */
  readonly status: 'created' | 'skipped' | 'failed'
  /** The user's id, if the service gave it. */
  readonly id: string | number | null
  /** The created user as answered, without anything like a password. */
  readonly user?: UserRecord
  readonly error?: UserFailure
  /** A skipped row that has changed since, apart from the password. The user is unchanged. */
  readonly isChanged?: true
  readonly note?: string
}

/** A line of the results file: the outcome of a row in one run. */
export interface ResultLine extends UserResult {
  readonly baseUrl: string
  readonly fingerprint: string
  readonly at: string
}
