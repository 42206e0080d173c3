import { countPublished, listFormerFiles, toPreviousRun } from '../../manifest/former-run.ts'
import {
  type DatabaseReport,
  type BrokenReport,
  type ChangeCounts,
  type EditLoss,
  type MissingReport,
  type PublishedState,
  toEarlierCompanions,
} from '../../manifest/manifest.ts'
import { allOrFirstFailure, discardAll, openTogether } from '../../storage/open-together.ts'
import { toCatalogueError } from '../../errors.ts'
import type { EncodedBlock } from '../../kernel/encode/encoding-plan.ts'
import type { EncodeGroup } from '../../kernel/encode/encode-block.ts'
import { listLoadLoss } from '../../loads/changes/edit-loss.ts'
import type { LoadFiles } from '../../loads/merge-result.ts'
import { isOutputOf, removeObsolete } from '../../loads/state/published-parts.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { StatefulPlan } from '../../plan/loads/stateful-plan.ts'
import { listEdits } from '../../plan/selection.ts'
import { type SetPublication, StagedSet } from '../../storage/staged-set.ts'
import { stagingPath } from '../../storage/staging-names.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import type { RunContext } from '../../run-context.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import { lakeFolderPath, listFixedPaths } from '../side-files.ts'
import { checkLoss, explainingLoss } from './check-loss.ts'
import { clearLoadStaging } from './clear-load-staging.ts'
import { CompanionFiles, type PackagedOutput } from './companion-files.ts'
import type { KeptFiles, PublishedReport, RejectsSeen, StagingOptions, Outputs, RunEnd } from './outputs.ts'
import { DatabaseTargets } from './database-targets.ts'
import { findLeftFiles } from './left-files.ts'
import { type EndedLoad, LoadState, type PlannedLoad } from './load-state.ts'
import { encodeTombstones, LoadWriter, type LoadForms } from './load-writer.ts'
import { mergeIntoFiles, type MergedFiles } from './merge-into-files.ts'
import type { FinishedOutputs } from './output-reports.ts'

export interface LoadOutputsOptions extends StagingOptions, Pick<RunContext, 'signal' | 'onWarning' | 'env'> {
  readonly forms: LoadForms
  /** Tables of the load; the last holds the records. */
  readonly records: RecordPlan
  readonly encodeGroup: EncodeGroup
  readonly prune: boolean
}

/** Used after an edit of the config; the removals are reported. */
const unlimited = { kind: 'share', percent: 100 } as const

interface OpenedLoad {
  readonly set: StagedSet
  readonly companions: CompanionFiles
  /** Null if no output needs Parquet. */
  readonly files: LoadWriter | null
  readonly databases: DatabaseTargets
}

/**
 * Outputs of a stateful plan. Lines are written to load files and databases, and at the end are compared with earlier
 * runs. Tables in lakes and then databases commit first, each with its own state; then all files are published at once
 * with the manifest, which holds the state of the files. If a run dies in between, the next one repeats the load from the
 * older state, and those that hold it already find no changes.
 */
export class LoadOutputs implements Outputs {
  readonly #plan: PipelinePlan
  readonly #stateful: StatefulPlan
  readonly #load: PlannedLoad
  readonly #opened: OpenedLoad
  readonly #options: LoadOutputsOptions
  readonly #state: LoadState
  #merged: MergedFiles | null = null

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
    this.#state = new LoadState(plan.source, load)
  }

  static async open(
    plan: PipelinePlan,
    stateful: StatefulPlan,
    load: PlannedLoad,
    options: LoadOutputsOptions,
  ): Promise<LoadOutputs> {
    const { storage, token, records, forms, encodeGroup, signal, onWarning, env, confirmLock } = options
    const {
      outputs: { configHash, s3 },
    } = plan
    const workFolderOf = (at: number) => stagingPath(lakeFolderPath(plan.report, at), { pid: process.pid, token })
    await clearLoadStaging(plan.source, plan.records, plan.outputs, plan.report, storage)
    return openTogether(async (keep) => {
      const set = keep(new StagedSet(options))
      const companions = await CompanionFiles.open(plan, set, options)
      const files = forms.parquet ? keep(await LoadWriter.open(plan.report, records, token, encodeGroup)) : null
      const databases = keep(
        await DatabaseTargets.open(
          plan.name,
          plan.records,
          stateful,
          { ...load, configHash },
          // Not the storage of the run: a lake may be in another one.
          { signal, onWarning, env, token, settings: s3, workFolderOf, confirmLock },
        ),
      )
      return new LoadOutputs(plan, stateful, load, { set, companions, files, databases }, options)
    })
  }

  get firstReject(): string | null {
    return this.#opened.companions.firstReject
  }

  get rejectSamples(): RejectsSeen['rejectSamples'] {
    return this.#opened.companions.rejectSamples
  }

  get repeatedRejects(): number {
    return this.#state.repeatedRejects
  }

  get brokenRows(): BrokenReport | null {
    return this.#opened.companions.brokenRows
  }

  writeBroken(counters: RunCounters): Promise<void> {
    return this.#opened.companions.writeBroken(counters)
  }

  async write(block: ProcessedBlock<EncodedBlock>): Promise<void> {
    this.#state.add(block.outcome)
    await this.#opened.companions.writeRejects(block)
    await this.#writePieces(block.outcome.pieces)
  }

  async #writePieces(pieces: readonly Uint8Array[]): Promise<void> {
    const { files, databases } = this.#opened
    const asParquet = files === null ? 0 : this.#options.records.tables.length
    await files?.write(pieces.slice(0, asParquet))
    if (this.#options.forms.copy) await databases.write(pieces.slice(asParquet))
  }

  async finish(end: RunEnd): Promise<FinishedOutputs> {
    return explainingLoss(end.counters, () => this.#finish(end))
  }

  async #finish(end: RunEnd): Promise<FinishedOutputs> {
    const { runId } = end
    const { records, forms } = this.#options
    const { databases } = this.#opened
    const losses = await this.#checkStatelessRun(end)
    const edits = this.#listEdits(end)
    const maxRemoved = edits.length > 0 ? unlimited : this.#stateful.maxRemoved
    const ended = this.#state.end(end)
    const { startedAt, gone, stale } = ended
    await this.#writePieces(encodeTombstones(gone, records, forms))
    const loaded = (await this.#opened.files?.finish(runId)) ?? null
    this.#merged = await this.#merge(loaded, end, { startedAt, maxRemoved })
    const { ids } = stale.stale
    const staleMemory = { ids, needsFull: stale.needsFull }
    const reports = await databases.finish(loaded, { runId, startedAt, stale: staleMemory, maxRemoved })
    const { files = [], changes = null, removedRecords = [], state } = this.#merged ?? {}
    this.#countPeriods(files, end)
    losses.push(...this.#listLosses(edits, changes, reports))
    const { records: recordsFile = null, tables = [], obsoleteFiles = [] } = state ?? {}
    const outputs = { cursor: this.#stateful.cursor, changes, records: recordsFile, tables, obsoleteFiles }
    const readState = this.#state.toNext(ended, end, outputs, this.#options)
    const missingIds = await this.#findMissing(end)
    const profile = await this.#opened.companions.writeProfile(end)
    const dataPackage = await this.#opened.companions.writeDataPackage(this.#listOutputs(files), end)
    const left = await this.#findLeftFiles({ files, state: readState })
    const nextState = { ...readState, ...this.#listLeftTables(left) }
    const { published } = this.#load
    const previous = published === null ? null : toPreviousRun(published)
    const { brokenRows } = this.#opened.companions
    return {
      files,
      state: nextState,
      ...(losses.length > 0 && { editLosses: losses }),
      ...(removedRecords.length > 0 && { removedRecords }),
      ...(reports.length > 0 && { databases: reports }),
      ...(missingIds && { missingIds }),
      ...(brokenRows && { brokenRows }),
      ...(profile && { profile }),
      ...(dataPackage && { dataPackage }),
      ...left,
      ...(previous && { previous }),
    }
  }

  /** No line gives rows of periods. */
  #countPeriods(files: FinishedOutputs['files'], { counters }: RunEnd): void {
    for (const [at, { name, periodsOf }] of this.#stateful.tables.entries())
      if (periodsOf) counters.rows[at] = files.find(({ table }) => table === name)?.rows ?? 0
  }

  #listOutputs(files: FinishedOutputs['files']): PackagedOutput[] {
    return this.#plan.outputs.files.map((file) => ({ file, published: files.filter((each) => isOutputOf(each, file)) }))
  }

  /** Tables whose files are all in place and stay. Without the file of records a later config could not resume them. */
  #listLeftTables({ leftFiles = [] }: Pick<FinishedOutputs, 'leftFiles'>): Pick<PublishedState, 'leftTables'> {
    const { records = null, leftTables = [] } = this.#load.published?.state ?? {}
    const left = new Set(leftFiles.map(({ path }) => path))
    const kept = leftTables.filter(({ files }) => files.every(({ path }) => left.has(path)))
    return records === null || this.#plan.outputs.files.length === 0 || kept.length === 0 ? {} : { leftTables: kept }
  }

  #findLeftFiles(written: {
    readonly files: FinishedOutputs['files']
    readonly state: PublishedState
  }): ReturnType<typeof findLeftFiles> {
    const going = [...written.state.obsoleteFiles, ...listFixedPaths(this.#plan.outputs, this.#plan.report)]
    const { published } = this.#load
    if (published === null) return Promise.resolve({})
    return findLeftFiles(this.#plan, listFormerFiles(published), written, going, this.#options)
  }

  /** Compares the load with the rows published by a run without state. */
  async #checkStatelessRun(end: RunEnd): Promise<EditLoss[]> {
    const { published, choice } = this.#load
    if (published === null || published.state !== undefined || choice.kind === 'delta') return []
    const { records, limits, report } = this.#plan
    return checkLoss(records, limits, report, countPublished(published), end)
  }

  /** Edits of the config that may explain lost records; none if no record is left. */
  #listEdits({ counters }: RunEnd): string[] {
    return counters.ledger.accepted === 0 ? [] : listEdits(this.#load.published?.selection, this.#plan.limits.selection)
  }

  #listLosses(edits: readonly string[], changes: ChangeCounts | null, reports: readonly DatabaseReport[]): EditLoss[] {
    const { maxRemoved } = this.#stateful
    return [
      ...(changes === null ? [] : listLoadLoss('records', changes, edits, maxRemoved)),
      ...reports.flatMap((report) => listLoadLoss(`records of ${report.target}`, report.changes, edits, maxRemoved)),
    ]
  }

  async #merge(
    load: LoadFiles | null,
    { runId, counters }: RunEnd,
    { startedAt, maxRemoved }: Pick<EndedLoad, 'startedAt'> & Pick<StatefulPlan, 'maxRemoved'>,
  ): Promise<MergedFiles | null> {
    if (load === null || this.#plan.outputs.files.length === 0) return null
    const { choice, published } = this.#load
    const refresh = published !== null && published.configHash !== this.#plan.outputs.configHash
    const hasRejects = counters.ledger.rejected > 0
    const whole = { kind: choice.kind, startedAt, runId, refresh, hasRejects, ...load }
    return mergeIntoFiles(this.#plan, { ...this.#stateful, maxRemoved }, whole, published, this.#options)
  }

  /** In a delta most identifiers bring no row, so the result of the last full run is kept. */
  async #findMissing(end: RunEnd): Promise<MissingReport | null> {
    const { choice, published } = this.#load
    if (choice.kind === 'delta') return published?.missingIds ?? null
    return this.#opened.companions.writeMissing(end)
  }

  async publish(staged: PublishedReport): Promise<Pick<PublishedReport, 'databases'>> {
    const { companions, databases } = this.#opened
    // The manifest has the versions of tables in lakes.
    const committed = await databases.commitLakes(staged.databases ?? [])
    const report = { ...staged, ...(committed.length > 0 && { databases: committed }) }
    const { files: companionFiles, manifest } = await companions.finish(report, this.#nameChanges(report))
    await databases.commitOthers()
    const files = [...(this.#merged?.staged ?? []), ...companionFiles]
    const obsoleteFiles = [
      ...(report.state?.obsoleteFiles ?? []),
      ...companions.listObsolete(report, toEarlierCompanions(this.#load.published)),
      ...(report.prunedFiles ?? []).map(({ path }) => path),
    ]
    await this.#publishFiles({ files, manifest, removals: obsoleteFiles }, (report.databases ?? []).length > 0)
    await companions.clearCorrections()
    // The next publication removes objects. Of local files only the empty folders are left.
    await this.#clear(this.#options.storage.namesPerRun ? [] : obsoleteFiles)
    return { databases: report.databases }
  }

  /** The name that this run has in its files of changes. Those of earlier runs are listed, too. */
  #nameChanges({ files }: PublishedReport): string | undefined {
    const earlier = new Set(this.#load.published?.files.map(({ run }) => run))
    return files.find(({ run }) => run !== undefined && !earlier.has(run))?.run
  }

  async #publishFiles(publication: SetPublication, isLoaded: boolean): Promise<void> {
    try {
      await this.#opened.set.publish(publication)
    } catch (thrown) {
      if (!isLoaded) throw thrown
      const error = toCatalogueError(thrown)
      const ofFiles = error.outputs ?? 'The files are as they were.'
      throw error.withOutputs(`${ofFiles} The databases hold this run already; the next one brings both together.`)
    }
  }

  /** Removes obsolete files. Failures only warn, as the run is published and the next one retries. */
  async #clear(obsoleteFiles: readonly string[]): Promise<void> {
    try {
      await allOrFirstFailure([this.#discardLoad(), removeObsolete(obsoleteFiles)])
    } catch (error) {
      this.#options.onWarning?.(`published, but not all is tidied up: ${toCatalogueError(error).message}`)
    }
  }

  async discard(kept: KeptFiles = {}): Promise<void> {
    const { companions, set } = this.#opened
    try {
      await companions.keep(kept)
    } finally {
      await allOrFirstFailure([set.discard(), this.#discardLoad(), this.#merged?.discard() ?? Promise.resolve()])
    }
  }

  async #discardLoad(): Promise<void> {
    const { files, databases } = this.#opened
    await discardAll([databases, ...(files === null ? [] : [files])])
  }
}
