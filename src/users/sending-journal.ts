import { randomUUID } from 'node:crypto'
import * as nodeFs from 'node:fs/promises'
import { CatalogueError } from '../errors.ts'
import { outputOperation } from '../storage/output-operation.ts'
import { isRunning, readOwnIdentity, type ProcessIdentity } from '../storage/process-identity.ts'
import { LineLog } from './line-log.ts'

interface RunLine extends ProcessIdentity {
  readonly run: string
}

interface SentLine {
  readonly baseUrl: string
  readonly key: string
  readonly isAnswered: boolean
}

type JournalLine = RunLine | { readonly run: string; readonly isOver: true } | SentLine

function journalPathFor(results: string): string {
  return `${results}.sending`
}

/** Keys of users that earlier runs sent without an answer: they may exist. */
export async function readUnconfirmed(results: string, baseUrl: string): Promise<ReadonlySet<string>> {
  return toKeys((await new LineLog(journalPathFor(results)).read()) as JournalLine[], baseUrl)
}

/**
 * The users being sent, kept beside the results during a run and after a kill. A user is written here before it is
 * sent, so no later run sends it again without searching for it first. Also locks the results against other runs.
 * Throws OUTPUT_FAILED.
 */
export class SendingJournal {
  readonly unconfirmed: ReadonlySet<string>
  readonly #log: LineLog
  readonly #baseUrl: string
  readonly #run: string

  /** Throws USAGE if another run holds the results. */
  static async open(results: string, baseUrl: string): Promise<SendingJournal> {
    const log = new LineLog(journalPathFor(results))
    await log.read()
    const run = randomUUID()
    await log.append([{ ...(await readOwnIdentity()), run }])
    const lines = (await log.read()) as JournalLine[]
    const journal = new SendingJournal(log, baseUrl, run, toKeys(lines, baseUrl))
    // If two begin at once, the first line counts.
    const holder = await findHolder(lines)
    if (holder === undefined || holder.run === run) return journal
    await journal.#end()
    const message = `${results}: another run is using these results (process ${holder.pid})`
    const fix = 'Wait until it has ended, or name another file with --results.'
    throw new CatalogueError('USAGE', message, { title: 'Another run keeps its results there', fix })
  }

  private constructor(log: LineLog, baseUrl: string, run: string, unconfirmed: ReadonlySet<string>) {
    this.#log = log
    this.#baseUrl = baseUrl
    this.#run = run
    this.unconfirmed = unconfirmed
  }

  begin(key: string): Promise<void> {
    return this.#log.append([{ baseUrl: this.#baseUrl, key, isAnswered: false } satisfies SentLine])
  }

  /** Call once the outcome of a user is known and written to the results. */
  confirm(key: string): Promise<void> {
    return this.#log.append([{ baseUrl: this.#baseUrl, key, isAnswered: true } satisfies SentLine])
  }

  /** Ends the run. Removes the file unless a user is unconfirmed. */
  async close(): Promise<void> {
    await this.#end()
    const lines = (await this.#log.read()) as JournalLine[]
    if (listUnconfirmed(lines).length > 0 || (await findHolder(lines)) !== undefined) return
    const { path } = this.#log
    await outputOperation(path, 'removed', () => nodeFs.rm(path, { force: true }))
  }

  #end(): Promise<void> {
    return this.#log.append([{ run: this.#run, isOver: true }])
  }
}

/** The first run that has begun, not ended and is still alive. */
async function findHolder(lines: readonly JournalLine[]): Promise<RunLine | undefined> {
  const over = new Set(lines.flatMap((line) => ('isOver' in line ? [line.run] : [])))
  for (const line of lines) {
    if ('pid' in line && !over.has(line.run) && (await isRunning(line))) return line
  }
  return undefined
}

function toKeys(lines: readonly JournalLine[], baseUrl: string): ReadonlySet<string> {
  const own = listUnconfirmed(lines).filter((line) => line.baseUrl === baseUrl)
  return new Set(own.map(({ key }) => key))
}

function listUnconfirmed(lines: readonly JournalLine[]): SentLine[] {
  const latest = new Map<string, SentLine>()
  for (const line of lines) if ('key' in line) latest.set(`${line.baseUrl} ${line.key}`, line)
  return [...latest.values()].filter(({ isAnswered }) => !isAnswered)
}
