import type { PipelinePlan, StatefulPlan } from '../../plan/pipeline-plan.ts'
import { toCatalogueError } from '../../errors.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import type { Reject } from '../../records/reject.ts'
import type { LoadFiles } from '../../loads/merge-result.ts'
import { toFinishedFile } from '../../publish/publication.ts'
import type { StagedFile } from '../../publish/staged-file.ts'
import type { FileStorage, StoragePublication } from '../../publish/file-storage.ts'
import { isObjectPath } from '../../publish/objects/object-path.ts'
import type { LoadChoice } from '../../loads/state/choose-load.ts'
import { nameService } from '../../loads/state/name-service.ts'
import type { BackfillProgress, PublishedManifest } from '../../loads/state/published-state.ts'
import { readPublishedRows } from '../../loads/state/read-manifest.ts'
import { StaleRecords } from '../../loads/state/stale-records.ts'
import { toStaleState } from '../../loads/state/to-stale-state.ts'
import { removeObsolete } from '../../loads/state/remove-obsolete.ts'
import { toNextState } from '../../loads/state/to-next-state.ts'
import { checkLoss, explainLoss } from './check-loss.ts'
import { clearLoadStaging } from './clear-load-staging.ts'
import { DatabaseTargets } from './database-targets.ts'
import type { EncodedBlock } from '../../encode/encoding-plan.ts'
import type { EncodeGroup } from '../../encode/encode-block.ts'
import { describeTables } from './database-targets.ts'
import { encodeGone } from './load-writer.ts'
import { LoadWriter, type LoadForms } from './load-writer.ts'
import { MissingFile } from './missing-file.ts'
import type { Outputs, RunEnd } from './outputs.ts'
import { PendingLoad } from './database-targets.ts'
import { publishAlone } from './publish-alone.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import { RejectsFile } from './rejects-file.ts'
import type { RunReport } from '../run/run-report.ts'
import type { FinishedOutputs, MissingReport } from './output-reports.ts'
import { allOrFirstFailure, discardAll, openTogether } from '../../publish/open-together.ts'
import { missingPath } from '../side-files.ts'
import { mergeIntoFiles } from './merge-into-files.ts'
import type { MergedFiles } from './merged-files.ts'

/** What is decided before anything is read. */
export interface PlannedLoad {
  readonly choice: LoadChoice
  /** Databases put every record in place anew: it was asked for, and somebody may have changed their rows. */
  readonly refresh: boolean
  /** False for a load that fills in a span of time: the next one begins where it would have begun without it. */
  readonly advancesWatermark: boolean
  readonly published: PublishedManifest | null
  readonly forms: LoadForms
  readonly backfill: BackfillProgress | null
}

export interface LoadOutputsOptions {
  readonly storage: FileStorage
  readonly token: string
  /** The tables of the load, that of the records last. */
  readonly records: RecordPlan
  readonly encodeGroup: EncodeGroup
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((message: string) => void) | undefined
}

/** What a load is opened with, and what closes it. */
interface OpenedLoad {
  readonly manifest: StagedFile
  readonly rejects: RejectsFile
  /** Null where no file and no DuckDB needs them. */
  readonly files: LoadWriter | null
  readonly databases: DatabaseTargets
  readonly pending: PendingLoad
}

/**
 * The outputs of a stateful plan. What is read goes into load files and databases; at the end it is compared with what
 * earlier runs published. Databases are committed first, each with its own state, then all files are published at once
 * with the manifest, which holds the state of the files: a run that dies in between is repeated from the older state, and
 * the databases find nothing new in it.
 */
export class LoadOutputs implements Outputs {
  readonly #plan: PipelinePlan
  readonly #stateful: StatefulPlan
  readonly #load: PlannedLoad
  readonly #opened: OpenedLoad
  readonly #options: LoadOutputsOptions
  readonly #stale: StaleRecords
  #settled: MergedFiles | null = null
  #missing: MissingFile | null = null

  private constructor(
    plan: PipelinePlan,
    stateful: StatefulPlan,
    load: PlannedLoad,
    opened: OpenedLoad,
    options: LoadOutputsOptions,
  ) {
    this.#plan = plan
    this.#stateful = stateful
    this.#load = load
    this.#opened = opened
    this.#options = options
    const { choice, published } = load
    this.#stale = new StaleRecords(
      choice.kind === 'full'
        ? { known: [], asked: [] }
        : { known: [...(published?.state?.stale?.ids ?? []), ...choice.again], asked: choice.again },
    )
  }

  /** Clears what a killed run left, and opens load files and databases. */
  static async open(
    plan: PipelinePlan,
    stateful: StatefulPlan,
    load: PlannedLoad,
    options: LoadOutputsOptions,
  ): Promise<LoadOutputs> {
    const { storage, token, records, encodeGroup, signal, onWarning } = options
    await clearLoadStaging(plan, storage)
    const pending = new PendingLoad(plan, stateful, load)
    return openTogether(async (keep) => {
      const manifest = keep(await storage.openFile(plan.manifest.path, { token }))
      const rejects = keep(new RejectsFile(await storage.openFile(plan.rejects.path, { token })))
      const files = load.forms.parquet ? keep(await LoadWriter.open(plan, records, token, encodeGroup)) : null
      const databases = keep(await DatabaseTargets.open(plan, stateful, pending, { onWarning, signal }))
      return new LoadOutputs(plan, stateful, load, { manifest, rejects, files, databases, pending }, options)
    })
  }

  get firstReject(): string | null {
    return this.#opened.rejects.first
  }

  get rejectSamples(): readonly Reject[] {
    return this.#opened.rejects.samples
  }

  get repeatedRejects(): number {
    return this.#stale.repeatedRejects
  }

  async write(block: ProcessedBlock<EncodedBlock>): Promise<void> {
    this.#stale.add(block.outcome)
    await this.#opened.rejects.write(block)
    await this.#writePieces(block.outcome.pieces)
  }

  async #writePieces(pieces: readonly Uint8Array[]): Promise<void> {
    const { files, databases } = this.#opened
    const asParquet = files === null ? 0 : this.#options.records.tables.length
    await files?.write(pieces.slice(0, asParquet))
    if (this.#load.forms.copy) await databases.write(pieces.slice(asParquet))
  }

  async finish(end: RunEnd): Promise<FinishedOutputs> {
    try {
      return await this.#finish(end)
    } catch (error) {
      throw explainLoss(error, end.tally)
    }
  }

  async #finish(end: RunEnd): Promise<FinishedOutputs> {
    const { files, databases, pending } = this.#opened
    const { published, choice, advancesWatermark, backfill } = this.#load
    const startedAt = findStart(end)
    await this.#checkFormer(end)
    const isRefused = end.read.sources.some(({ notes }) => notes?.refused !== undefined)
    const found = this.#stale.end(isRefused)
    const stale = toStaleState(this.#plan.source, found, isRefused)
    pending.end(end.runId, startedAt, { ids: stale.stale.ids, needsFull: stale.needsFull })
    await this.#writePieces(encodeGone(found.gone, this.#options.records, this.#load.forms))
    const load = (await files?.finish(end.runId)) ?? null
    const settled = await this.#settle(load, end.runId, startedAt)
    const reports = await databases.finish(load)
    for (const message of reports.flatMap(describeTables)) this.#options.onWarning?.(message)
    const { source } = this.#plan
    const canResume = source.kind === 'service' && !this.#clockIsBehind(startedAt)
    const { lines, blank } = end.tally.ledger
    const isEmpty = lines === blank
    const facts = {
      stale,
      choice,
      isEmpty,
      advancesWatermark,
      startedAt,
      service: nameService(source),
      canResume,
      backfill,
    }
    const { cursor } = this.#stateful
    const missingIds = await this.#findMissing(end)
    const { changes = null, removedRecords = [], state } = settled ?? {}
    const { records = null, tables = [], obsoleteFiles = [] } = state ?? {}
    return {
      files: settled?.files ?? [],
      state: toNextState({ ...facts, cursor, changes, records, tables, obsoleteFiles }, published?.state ?? null),
      ...(removedRecords.length > 0 && { removedRecords }),
      ...(reports.length > 0 && { databases: reports }),
      ...(missingIds && { missingIds }),
    }
  }

  /** Most of a list brings nothing in a delta: what the last full run missed stays as it is. */
  async #findMissing(end: RunEnd): Promise<MissingReport | null> {
    const { choice, published } = this.#load
    if (choice.kind === 'delta') return published?.missingIds ?? null
    this.#missing = await MissingFile.write(this.#plan, end, this.#options)
    return this.#missing?.report ?? null
  }

  /** Without a list there is nothing that it misses. */
  #listFormerMissing({ missingIds }: RunReport): string[] {
    const path = missingPath(this.#plan)
    return missingIds === undefined && this.#load.published?.missingIds?.path === path ? [path] : []
  }

  /** Compares the load with the rows that a run without a state has published. */
  async #checkFormer(end: RunEnd): Promise<void> {
    const { published, choice } = this.#load
    if (published === null || published.state !== undefined || choice.kind === 'delta') return
    const { manifest, name } = this.#plan
    const rows = await readPublishedRows(manifest.path, name, this.#options.storage)
    checkLoss(this.#plan, rows, end)
  }

  /** Changes were asked for from a moment that is still to come for the service: one of its answers had a wrong clock. */
  #clockIsBehind(startedAt: Date): boolean {
    const { choice, advancesWatermark } = this.#load
    if (choice.kind === 'full' || !advancesWatermark || startedAt >= choice.since) return false
    const message = `the service's clock is at ${startedAt.toISOString()}, before ${choice.since.toISOString()}, from where on changes were asked for: the next run reads everything`
    this.#options.onWarning?.(message)
    return true
  }

  async publish(report: RunReport): Promise<void> {
    const { manifest, rejects, databases } = this.#opened
    const { sha256: ofRejects } = await rejects.finish()
    await manifest.write(Buffer.from(`${JSON.stringify(report, null, 2)}\n`))
    const { sha256 } = await manifest.finish()
    await databases.commit()
    const missing = this.#missing === null ? [] : [this.#missing.finished]
    const files = [...(this.#settled?.staged ?? []), ...missing, toFinishedFile(rejects.staged, ofRejects)]
    const isLoaded = (report.databases ?? []).length > 0
    const obsoleteFiles = [...(report.state?.obsoleteFiles ?? []), ...this.#listFormerMissing(report)]
    // Objects are removed by the publication after this one; files by name and folder, here.
    const removals = isObjectPath(this.#plan.manifest.path) ? obsoleteFiles : []
    await this.#publishFiles({ files, manifest: toFinishedFile(manifest, sha256), removals }, isLoaded)
    await this.#clear(removals.length > 0 ? [] : obsoleteFiles)
  }

  async discard({ keepRejects = false } = {}): Promise<void> {
    const { manifest, rejects } = this.#opened
    try {
      if (keepRejects && this.firstReject !== null)
        await publishAlone(rejects.staged, this.#plan.manifest.path, this.#options.storage)
    } finally {
      const settled = this.#settled?.discard() ?? Promise.resolve()
      const missing = this.#missing?.discard() ?? Promise.resolve()
      await allOrFirstFailure([this.#discardLoad(), settled, missing, rejects.discard(), manifest.discard()])
    }
  }

  /** Null where there is no output that is a file. */
  async #settle(load: LoadFiles | null, runId: string, startedAt: Date): Promise<MergedFiles | null> {
    if (load === null || this.#plan.files.length === 0) return null
    const { choice, published } = this.#load
    const { storage, token, signal } = this.#options
    const refresh = published !== null && published.configHash !== this.#plan.configHash
    const whole = { kind: choice.kind, startedAt, runId, refresh, ...load }
    this.#settled = await mergeIntoFiles(this.#plan, this.#stateful, whole, published, { storage, token, signal })
    return this.#settled
  }

  async #publishFiles(set: Omit<StoragePublication, 'home'>, isLoaded: boolean): Promise<void> {
    try {
      await this.#options.storage.publish({ ...set, home: this.#plan.manifest.path })
    } catch (thrown) {
      if (!isLoaded) throw thrown
      const error = toCatalogueError(thrown)
      const ofFiles = error.outputs ?? 'The files are as they were.'
      throw error.withOutputs(`${ofFiles} The databases hold this run already; the next one brings both together.`)
    }
  }

  /** What is left behind a publication does not undo it: the next run tries again. */
  async #clear(obsoleteFiles: readonly string[]): Promise<void> {
    try {
      await allOrFirstFailure([this.#discardLoad(), removeObsolete(obsoleteFiles)])
    } catch (error) {
      this.#options.onWarning?.(`published, but not all is tidied up: ${toCatalogueError(error).message}`)
    }
  }

  async #discardLoad(): Promise<void> {
    const { files, databases } = this.#opened
    await discardAll([databases, ...(files === null ? [] : [files])])
  }
}

/** By the service's clock, where it tells: what changed from then on is not sure to be in the load. */
function findStart({ read, startedAt }: RunEnd): Date {
  const answers = read.sources.flatMap(({ notes, landed }) => (landed ? [] : (notes?.firstAnswerAt ?? [])))
  return new Date(Math.min(...(answers.length > 0 ? answers : [startedAt]).map((moment) => moment.getTime())))
}
