import type { Readable } from 'node:stream'
import {
  aReadable,
  aSignal,
  aText,
  filledText,
  needed,
  oneOf,
  type OptionKinds,
  requireOptions,
} from '../check-options.ts'
import { CatalogueError } from '../errors.ts'
import type { RunContext } from '../run-context.ts'
import { countOf } from '../text/format-count.ts'
import { readUserRows, type UserFileFormat } from './read-user-rows.ts'
import { ResultsFile, type CreatedEarlier } from './results-file.ts'
import { readUnconfirmed } from './sending-journal.ts'
import type { RowProblem, UserRow } from './check-user-rows.ts'
import { toPlainAddress } from './user-service.ts'

export interface UserFileOptions extends Pick<RunContext, 'signal'> {
  /** Path ending in `.csv`, `.tsv`, `.ndjson` or `.jsonl`; `-` is standard input and needs `format` and `results`. */
  readonly file: string
  /** Default: by the suffix of the file. */
  readonly format?: UserFileFormat | undefined
  /** The file of results, shared by all runs. Default: the file's name with `.results.ndjson` appended. */
  readonly results?: string | undefined
  readonly stdin?: Readable | undefined
}

export const userFileOptions: OptionKinds<UserFileOptions> = {
  file: needed(filledText),
  format: oneOf('csv', 'ndjson'),
  results: filledText,
  stdin: aReadable,
  signal: aSignal,
}

/** The action for a row. `find`: an earlier run sent it without an answer, so the service is searched first. */
export interface PlannedUser {
  readonly line: number
  /** The address in lower case. */
  readonly key: string
  readonly action: 'create' | 'skip' | 'find'
  /** Id of an existing user, if the service gave it. */
  readonly id: string | number | null
  /** An earlier run created the user, and the row has changed since, apart from the password. */
  readonly isChanged?: true
  readonly note?: string
}

export class InvalidUserRows extends CatalogueError {
  readonly problems: readonly RowProblem[]

  constructor(file: string, problems: readonly RowProblem[]) {
    super('ROWS_INVALID', `${file}: expected valid rows, got ${countOf(problems.length, 'problem')}`, {
      outputs: 'Nothing was sent.',
    })
    this.problems = problems
  }
}

/**
 * Plans what `createUsers` would do with a file, without sending or writing anything. Throws InvalidUserRows with all
 * problems, or another CatalogueError.
 */
export async function planUsers(options: UserFileOptions & { readonly baseUrl: string }): Promise<PlannedUser[]> {
  requireOptions<typeof options>('planUsers', options, { ...userFileOptions, baseUrl: needed(aText) })
  const baseUrl = toPlainAddress(options.baseUrl)
  const results = toResultsPath(options)
  const rows = await readValidRows(options)
  const earlier = await new ResultsFile(results, baseUrl).readCreated()
  const unconfirmed = await readUnconfirmed(results, baseUrl)
  return rows.map((row) => planUser(row, earlier.get(row.key), unconfirmed.has(row.key)))
}

/** Throws InvalidUserRows if anything is wrong. */
export async function readValidRows({ file, format, stdin, signal }: UserFileOptions): Promise<readonly UserRow[]> {
  const input = { path: file, format, stdin: stdin ?? process.stdin, signal: signal ?? new AbortController().signal }
  const { rows, problems } = await readUserRows(input)
  if (problems.length > 0) throw new InvalidUserRows(file, problems)
  return rows
}

/** Throws USAGE if the file is standard input and no results file is named. */
export function toResultsPath({ file, results }: UserFileOptions): string {
  if (results !== undefined) return results
  if (file !== '-') return `${file}.results.ndjson`
  throw new CatalogueError('USAGE', 'users from standard input need a file for their results: name one with --results')
}

export function planUser(row: UserRow, earlier: CreatedEarlier | undefined, isUnconfirmed: boolean): PlannedUser {
  const { line, key } = row
  if (earlier === undefined) return { line, key, action: isUnconfirmed ? 'find' : 'create', id: null }
  const { id, at, fingerprint } = earlier
  const isChanged = fingerprint !== row.fingerprint
  const note = `created at ${at}${isChanged ? '; the row was changed since, the user is as it was' : ''}`
  return { line, key, action: 'skip', id, ...(isChanged ? { isChanged } : {}), note }
}
