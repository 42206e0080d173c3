import { toRealPath } from '../sources/to-real-path.ts'
import type { CatalogueError } from '../errors.ts'
import { LineLog, toResultsError } from './line-log.ts'
import type { ResultLine, UserResult } from './user-result.ts'
import type { UserRow } from './user-row.ts'

/** A user that an earlier run created. */
export type CreatedEarlier = Pick<ResultLine, 'id' | 'fingerprint' | 'at'>

/** The results of all runs of a file of users, by what its lines say of one service. */
export class ResultsFile {
  readonly #log: LineLog
  readonly #baseUrl: string

  constructor(path: string, baseUrl: string) {
    this.#log = new LineLog(path)
    this.#baseUrl = baseUrl
  }

  /** Who was created so far, by key. Throws USAGE where the file holds something else. */
  async readCreated(): Promise<ReadonlyMap<string, CreatedEarlier>> {
    const created = new Map<string, CreatedEarlier>()
    for (const [at, line] of ((await this.#log.read()) as Partial<ResultLine>[]).entries()) {
      if (!isResultLine(line)) throw this.#toError(at + 1)
      if (line.status === 'created' && line.baseUrl === this.#baseUrl) created.set(line.key, line)
    }
    return created
  }

  /** Resolves once they are on the disk. */
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

/** Throws USAGE where results would go into the file of users itself. */
export async function checkResultsPath(file: string, results: string): Promise<void> {
  if (file === '-' || (await toRealPath(file)) !== (await toRealPath(results))) return
  throw toResultsError(`${results}: expected a file for results apart from that of the users, got the same`)
}

function isResultLine(line: Partial<ResultLine>): line is ResultLine {
  return [line.key, line.status, line.baseUrl, line.fingerprint, line.at].every((text) => typeof text === 'string')
}
