import { allOrFirstFailure } from '../../storage/open-together.ts'
import pLimit from 'p-limit'
import type { EncodedBlock } from '../../kernel/encode/encoding-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { listReplaced } from '../../storage/s3/object-path.ts'
import { type SetPublication, StagedSet } from '../../storage/staged-set.ts'
import type { RejectsFileLine } from '../../records/reject.ts'
import { clearStale } from '../frame.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import { listFixedPaths, listSideFiles } from '../side-files.ts'
import { checkLoss, explainingLoss } from './check-loss.ts'
import { CompanionFiles, type PackagedOutput } from './companion-files.ts'
import type { KeptFiles, PublishedReport, RejectsSeen, StagingOptions, Outputs, RunEnd } from './outputs.ts'
import { findLeftFiles } from './left-files.ts'
import { toCatalogueError } from '../../errors.ts'
import type { ListedTables } from '../lists/listed-tables.ts'
import type { OutputFile } from './output-file.ts'
import type { OwnOutputs } from './own/own-outputs.ts'
import { toFileReport, type FinishedOutputs } from './output-reports.ts'
import type { FormerRun } from '../../manifest/former-run.ts'
import { type BrokenReport, toEarlierCompanions } from '../../manifest/manifest.ts'

export interface RunOutputsOptions extends StagingOptions {
  readonly former: FormerRun
  readonly prune: boolean
  /** Opens the files of the plan in the set, in the order of the plan. */
  readonly openFiles: (set: StagedSet) => Promise<readonly OutputFile[]>
  /** Opens the outputs of the config's own. Default: there are none. */
  readonly openOwn?: (() => Promise<OwnOutputs>) | null
  /** The tables that have a row a line of a list. Default: none. */
  readonly listed?: ListedTables | null
  /** Number of consecutive files in the plan for each output of the config. Default 1. */
  readonly parts?: number | undefined
  /** Files of the former run that this publication removes. Default none. */
  readonly removals?: readonly string[] | undefined
}

/** The files of a run without state. They are staged while reading, then published or discarded together. */
export class RunOutputs implements Outputs {
  readonly #plan: PipelinePlan
  readonly #options: RunOutputsOptions
  readonly #set: StagedSet
  readonly #companions: CompanionFiles
  readonly #files: readonly OutputFile[]
  readonly #own: OwnOutputs | null

  private constructor(
    plan: PipelinePlan,
    options: RunOutputsOptions,
    set: StagedSet,
    companions: CompanionFiles,
    files: readonly OutputFile[],
    own: OwnOutputs | null,
  ) {
    this.#plan = plan
    this.#options = options
    this.#set = set
    this.#companions = companions
    this.#files = files
    this.#own = own
  }

  static async open(plan: PipelinePlan, options: RunOutputsOptions): Promise<RunOutputs> {
    await clearStale(listFixedPaths(plan.outputs, plan.report), options.storage)
    await clearStale(listSideFiles(plan.source, plan.records, plan.outputs, plan.report))
    return StagedSet.begin(options, async (set) => {
      const companions = await CompanionFiles.open(plan, set, options)
      const files = await options.openFiles(set)
      const own = options.openOwn ? set.keep(await options.openOwn()) : null
      return new RunOutputs(plan, options, set, companions, files, own)
    })
  }

  get firstReject(): string | null {
    return this.#companions.firstReject
  }

  get rejectSamples(): RejectsSeen['rejectSamples'] {
    return this.#companions.rejectSamples
  }

  get brokenRows(): BrokenReport | null {
    return this.#companions.brokenRows
  }

  writeBroken(counters: RunCounters): Promise<void> {
    return this.#companions.writeBroken(counters)
  }

  /** Writes rejects that already have their places, which `write` adds for those of blocks. */
  writeRejects(lines: readonly RejectsFileLine[]): Promise<void> {
    return this.#companions.addRejects(lines)
  }

  async write(block: ProcessedBlock<EncodedBlock>): Promise<void> {
    await this.#companions.writeRejects(block)
    const { pieces } = block.outcome
    this.#options.listed?.add(pieces)
    const waits = pieces.flatMap((piece, at) => this.#files[at]?.write(piece) ?? [])
    if (waits.length > 0) await allOrFirstFailure(waits)
    await this.#own?.write(pieces)
  }

  /** Flushes every output to its staging file. Throws REMOVED_TOO_MANY first if too much would be lost. */
  async finish(end: RunEnd): Promise<FinishedOutputs> {
    const { runId, counters } = end
    const { rows } = this.#options.former
    const { records, limits, report } = this.#plan
    const losses = await explainingLoss(counters, async () => checkLoss(records, limits, report, rows, end))
    const { listed } = this.#options
    await listed?.write(end)
    // Finishing encodes a last row group and a footer for each file.
    const atATime = pLimit(mostFinishing)
    const finishing = this.#files.map((output) =>
      atATime(async () => toFileReport(output, await output.finish(runId), records, counters)),
    )
    const files = await allOrFirstFailure(finishing)
    const missingIds = await this.#companions.writeMissing(end, listed?.match(end))
    const profile = await this.#companions.writeProfile(end)
    const dataPackage = await this.#companions.writeDataPackage(this.#listOutputs(files), end)
    const left = await this.#findLeftFiles(files)
    const { previous } = this.#options.former
    const { brokenRows } = this.#companions
    const companions = {
      ...(missingIds && { missingIds }),
      ...(brokenRows && { brokenRows }),
      ...(profile && { profile }),
    }
    const described = dataPackage && { dataPackage }
    const editLosses = losses.length > 0 && { editLosses: losses }
    const ownOutputs = this.#own?.report()
    const more = { ...(ownOutputs && { ownOutputs }), ...(previous && { previous }) }
    return { files, ...companions, ...described, ...left, ...editLosses, ...more }
  }

  #listOutputs(files: FinishedOutputs['files']): PackagedOutput[] {
    const { parts = 1 } = this.#options
    const first = this.#plan.outputs.files.filter((_, at) => at % parts === 0)
    return first.map((file, at) => ({ file, published: files.slice(at * parts, (at + 1) * parts) }))
  }

  #findLeftFiles(files: FinishedOutputs['files']): ReturnType<typeof findLeftFiles> {
    const { former, storage, prune, removals = [] } = this.#options
    const going = [...listFixedPaths(this.#plan.outputs, this.#plan.report), ...removals]
    return findLeftFiles(this.#plan, former.listed, { files }, going, { storage, prune })
  }

  /** Commits the config's own outputs, then renames everything into place, the manifest last, or nothing. */
  async publish(report: PublishedReport): Promise<Pick<PublishedReport, 'databases'>> {
    const { former, removals: others = [] } = this.#options
    const { files: companions, manifest } = await this.#companions.finish(report)
    const files = this.#files.flatMap(({ staged, isInPlace = false }) => (isInPlace ? [] : [staged]))
    const paths = this.#plan.outputs.files.map(({ path }) => path)
    const replaced = listReplaced(former.paths, paths)
    const earlier = former.rows?.companions ?? toEarlierCompanions(null)
    const pruned = (report.prunedFiles ?? []).map(({ path }) => path)
    const removals = [...replaced, ...this.#companions.listObsolete(report, earlier), ...others, ...pruned]
    await this.#own?.commit(report.runId)
    await this.#publishFiles({ files: [...files, ...companions], manifest, removals })
    await this.#companions.clearCorrections()
    return {}
  }

  async #publishFiles(publication: SetPublication): Promise<void> {
    try {
      await this.#set.publish(publication)
    } catch (thrown) {
      if (this.#own === null) throw thrown
      const error = toCatalogueError(thrown)
      const { outputs = 'The files are as they were.' } = error
      throw error.withOutputs(`${outputs} ${this.#own.held} The next run brings all together.`)
    }
  }

  async discard(kept: KeptFiles = {}): Promise<void> {
    try {
      await this.#companions.keep(kept)
    } finally {
      await this.#set.discard()
    }
  }
}

const mostFinishing = 4
