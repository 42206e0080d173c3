import { toCatalogueError, type CatalogueError } from '../../errors.ts'
import { appendRun, isLevel, parseRunLines, type RunLines } from '../../manifest/run-history.ts'
import type { Manifest, PastRun } from '../../manifest/manifest.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import type { RunProfile } from '../../kernel/profile/run-profile.ts'
import type { ReportManifest } from '../../report/report-manifest.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import { toFinishedFile } from '../../storage/publication.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { countOf } from '../../text/format-count.ts'
import { readToolVersion } from '../../package-file.ts'
import { countRecords, toPastRun } from './past-run.ts'

interface HistoryOptions extends RequiredContext<'token'>, Pick<RunContext, 'onWarning'> {
  readonly storage: FileStorage
  /** Set if the run reads a part of the records on purpose. */
  readonly kind?: 'sample' | 'backfill' | undefined
}

export interface AddedRun {
  readonly path: string
  readonly text: string | null
  readonly runs: readonly PastRun[]
}

/** The history of a pipeline, `_runs.ndjson` beside its manifest, and this run as its next line. Only the holder of the lock uses it. */
export class RunHistory {
  readonly #path: string
  readonly #options: HistoryOptions
  readonly #startedAt = new Date()
  #read: Promise<RunLines | null> | null = null

  private constructor(path: string, options: HistoryOptions) {
    this.#path = path
    this.#options = options
  }

  /** Null if the pipeline keeps none. */
  static of({ runs }: Pick<ReportPlan, 'runs'>, options: HistoryOptions): RunHistory | null {
    return runs === null ? null : new RunHistory(runs.path, options)
  }

  /** The runs before this one; none if they can't be read. */
  async list(): Promise<readonly PastRun[]> {
    return (await this.#lines())?.runs ?? []
  }

  kindOf({ state }: Pick<Manifest, 'state'>): NonNullable<PastRun['kind']> {
    return this.#options.kind ?? state?.kind ?? 'full'
  }

  /** The number of records that the outputs hold once this run is published; null if that is unknown. */
  async countRecords(report: Parameters<typeof countRecords>[0]): Promise<number | null> {
    return countRecords(report, (await this.list()).findLast(isLevel))
  }

  /** This run as a line, published; `changesRun` if it wrote files of changes. */
  async toPublished(
    report: ReportManifest,
    profile: RunProfile | null,
    changesRun: string | undefined,
  ): Promise<PastRun> {
    const records = await this.countRecords(report)
    const outcome = { kind: this.kindOf(report), outcome: 'published', exitCode: 0 }
    const known = { ...(records !== null && { records }), ...(changesRun !== undefined && { changesRun }) }
    return toPastRun(this.#options.token, report, profile, { ...outcome, ...known })
  }

  /** This run as a line, failed; `report` is null if it failed before its end. */
  toFailed({ code, exitCode }: CatalogueError, report: ReportManifest | null): PastRun {
    const outcome = { outcome: code, exitCode }
    if (report !== null) return toPastRun(this.#options.token, report, null, outcome)
    const [startedAt, finishedAt] = [this.#startedAt, new Date()]
    return {
      run: this.#options.token,
      version: readToolVersion().version,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      ...outcome,
    }
  }

  /** The last runs with this one. The text of the whole file is null if the earlier ones can't be read, so that none is lost. */
  async add(run: PastRun): Promise<AddedRun> {
    const read = await this.#lines()
    return { path: this.#path, text: read && appendRun(read.lines, run), runs: [...(read?.runs ?? []), run] }
  }

  /** Adds a failed run, which publishes nothing else. A failure only warns: the run has an error of its own. */
  async record(run: PastRun): Promise<void> {
    try {
      const { text } = await this.add(run)
      if (text === null) return
      const { storage } = this.#options
      await StagedSet.begin(this.#options, async (set) => {
        const file = await set.write(this.#path, text)
        await storage.place(toFinishedFile(file, (await file.finish()).sha256))
      })
    } catch (thrown) {
      this.#options.onWarning?.(`${this.#path}: this run is not added: ${toCatalogueError(thrown).message}`)
    }
  }

  #lines(): Promise<RunLines | null> {
    return (this.#read ??= this.#readLines())
  }

  async #readLines(): Promise<RunLines | null> {
    const { storage, onWarning } = this.#options
    try {
      const bytes = await storage.read(this.#path)
      const read = await parseRunLines(bytes === null ? '' : Buffer.from(bytes).toString())
      if (read.damaged > 0)
        onWarning?.(`${this.#path}: ${countOf(read.damaged, 'line is no run', 'lines are no runs')}, and left out`)
      return read
    } catch (thrown) {
      const why = toCatalogueError(thrown).message
      onWarning?.(`the history of runs can't be read, so that this run is not added: ${why}`)
      return null
    }
  }
}
