import { discardAll, openTogether } from '../../storage/open-together.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { toFinishedFile, type FinishedFile } from '../../storage/publication.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { StagedFile } from '../../storage/staged-file.ts'
import { formatReject, type Reject, type RejectsFileLine, toRejectsFileLine } from '../../records/reject.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import type { LineOutcome } from '../reading/source-reading.ts'
import type { FinishedOutputs } from './output-reports.ts'
import { brokenPath, correctionsPath, failedReportPath, missingPath } from '../side-files.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { BrokenFile } from './broken-file.ts'
import { MissingFile } from './missing-file.ts'
import type {
  BrokenReport,
  EarlierCompanions,
  MissingReport,
  ProfileReport,
} from '../../loads/state/published-state.ts'
import type { FailedRun, KeptFiles, PublishedReport, RunEnd, StagingOptions } from './outputs.ts'
import type { ReportPage } from './report-page.ts'
import type { PackagedOutput, StagedDataPackage } from './staged-data-package.ts'
import { profileRun, StagedProfile } from './staged-profile.ts'

type CompanionPlan = Pick<
  PipelinePlan,
  | 'name'
  | 'contract'
  | 'manifest'
  | 'rejects'
  | 'profile'
  | 'report'
  | 'dataPackage'
  | 'records'
  | 'source'
  | 'files'
  | 'duplicates'
  | 'rules'
>

type ReportPlan = NonNullable<PipelinePlan['report']>

interface OpenedCompanions {
  readonly manifest: StagedFile
  readonly rejects: StagedFile
  readonly corrections: StagedFile | null
  readonly page: ReportPage | null
}

/**
 * The files that every run writes beside its tables: the manifest, the rejects, the profile, the rows that break rules
 * and, of a pipeline with a list, the identifiers that brought nothing. Staged, then published with the tables, or discarded.
 */
export class CompanionFiles {
  readonly #plan: CompanionPlan
  readonly #options: StagingOptions
  readonly #manifest: StagedFile
  readonly #rejects: StagedFile
  readonly #corrections: StagedFile | null
  readonly #page: ReportPage | null
  readonly #rejectSamples: Pick<Reject, 'issues' | 'raw'>[] = []
  #firstReject: string | null = null
  #missing: MissingFile | null = null
  #broken: BrokenFile | null = null
  /** True if an earlier run left the file, and this one has none. */
  #hasFormerBroken = false
  #profile: StagedProfile | null = null
  #dataPackage: StagedDataPackage | null = null

  private constructor(plan: CompanionPlan, options: StagingOptions, opened: OpenedCompanions) {
    const { manifest, rejects, corrections, page } = opened
    this.#plan = plan
    this.#options = options
    this.#manifest = manifest
    this.#rejects = rejects
    this.#corrections = corrections
    this.#page = page
  }

  static async open(plan: CompanionPlan, options: StagingOptions): Promise<CompanionFiles> {
    const { storage, token, corrections: lines } = options
    return openTogether(async (keep) => {
      const manifest = keep(await storage.openFile(plan.manifest.path, { token }))
      const rejects = keep(await storage.openFile(plan.rejects.path, { token }))
      const page = plan.report === null ? null : keep(await openPage(plan.report, options))
      const corrections = lines ? keep(await storage.openFile(correctionsPath(plan), { token })) : null
      for (const line of lines?.lines() ?? []) await corrections?.write(line)
      return new CompanionFiles(plan, options, { manifest, rejects, corrections, page })
    })
  }

  /** Position and reason of the first reject; null while there is none. */
  get firstReject(): string | null {
    return this.#firstReject
  }

  /** The first few rejects. */
  get rejectSamples(): readonly Pick<Reject, 'issues' | 'raw'>[] {
    return this.#rejectSamples
  }

  /** Writes the rejects of a block, one line of JSON each. */
  async writeRejects({ outcome, locate }: ProcessedBlock<LineOutcome>): Promise<void> {
    await this.addRejects(outcome.rejects.map((reject) => toRejectsFileLine(reject, locate(reject))))
  }

  /** Writes rejects in the order of their lines. */
  async addRejects(lines: readonly RejectsFileLine[]): Promise<void> {
    const [first] = lines
    if (first === undefined) return
    const samples = lines.slice(0, mostSamples - this.#rejectSamples.length)
    this.#rejectSamples.push(...samples.map((line) => ({ issues: line.issues, raw: line })))
    this.#firstReject ??= `${first.source}, line ${first.line}: ${formatIssue(first)}`
    for (const each of lines) this.#page?.addReject(each)
    await this.#rejects.write(Buffer.from(lines.map(formatReject).join('')))
  }

  /** Writes the identifiers that brought nothing. Null of a pipeline without a list. */
  async writeMissing(end: Pick<RunEnd, 'read' | 'counters' | 'limit'>): Promise<MissingReport | null> {
    this.#missing = await MissingFile.write(this.#plan, end, this.#options)
    return this.#missing?.report ?? null
  }

  /** Writes the rows that break rules, if any does. */
  async writeBroken(counters: Pick<RunCounters, 'rules' | 'broken'>): Promise<void> {
    const isBroken = counters.rules.some(({ listed = 0 }) => listed > 0)
    const { storage } = this.#options
    // A run that failed has left one that no manifest lists.
    if (!isBroken) this.#hasFormerBroken = (await storage.sizeOf(brokenPath(this.#plan))) !== null
    else {
      const { BrokenFile: File } = await import('./broken-file.ts')
      this.#broken = await File.write(this.#plan, counters, this.#options)
    }
  }

  get brokenRows(): BrokenReport | null {
    return this.#broken?.report ?? null
  }

  /** Writes the profile of the rows. Null for `profile: false`. */
  async writeProfile(end: Pick<RunEnd, 'runId' | 'counters'>): Promise<ProfileReport | null> {
    this.#profile = await StagedProfile.write(this.#plan, end, this.#options)
    return this.#profile?.report ?? null
  }

  /** Writes the data package of files, which are given for each file of the plan. Null unless `dataPackage: true`. */
  async writeDataPackage(
    files: readonly PackagedOutput[],
    end: Pick<RunEnd, 'counters'>,
  ): Promise<ProfileReport | null> {
    if (this.#plan.dataPackage === null) return null
    // Loading what describes columns takes time that other runs don't pay.
    const { StagedDataPackage: Staged } = await import('./staged-data-package.ts')
    this.#dataPackage = await Staged.write({ ...this.#plan, ...this.#plan.dataPackage }, files, end, this.#options)
    return this.#dataPackage.report
  }

  /** Makes all of them ready to be published; the report becomes the manifest. */
  async finish(report: PublishedReport): Promise<{ files: readonly FinishedFile[]; manifest: FinishedFile }> {
    // An earlier run that failed is history once this one is published.
    await this.#options.storage.remove(failedReportPath(this.#plan))
    const rejects = [await finishFile(this.#rejects), ...(await this.#finishCorrections())]
    const page = await this.#page?.finish(report, this.#profile?.content ?? null)
    await this.#manifest.write(Buffer.from(`${JSON.stringify(report, null, 2)}\n`))
    const manifest = await finishFile(this.#manifest)
    const files = [...this.#listWritten().map(({ finished }) => finished), ...rejects, ...(page ? [page] : [])]
    return { files, manifest }
  }

  async #finishCorrections(): Promise<FinishedFile[]> {
    return this.#corrections === null ? [] : [await finishFile(this.#corrections)]
  }

  /** Removes the corrections of earlier replays, once the rejects in place are those of a run that has none. */
  async clearCorrections(): Promise<void> {
    const { source } = this.#plan
    if (source.kind === 'files' && this.#corrections === null)
      await this.#options.storage.remove(correctionsPath(this.#plan))
  }

  /** The files of an earlier run that this one has no more: missing identifiers without a list, a profile, page or data package elsewhere. */
  listObsolete({ missingIds }: FinishedOutputs, earlier: EarlierCompanions): string[] {
    const { manifest, rejects, profile, report, dataPackage, files } = this.#plan
    const path = missingPath(this.#plan)
    const missing = missingIds === undefined && earlier.missingPath === path ? [path] : []
    const own = [manifest, rejects, ...files, profile, report, dataPackage].flatMap((file) => file?.path ?? [])
    const broken = this.#hasFormerBroken ? [brokenPath(this.#plan)] : []
    const kept = new Set(own)
    const { profilePath, reportPath, dataPackagePath } = earlier
    const others = [profilePath, reportPath, dataPackagePath].filter((each) => each !== null)
    return [...missing, ...broken, ...others.filter((each) => !kept.has(each))]
  }

  async #writeFailedPage(page: ReportPage, failed: FailedRun): Promise<void> {
    const { storage, token } = this.#options
    const profile = profileRun(this.#plan, failed)
    await openTogether(async (keep) => {
      const staged = keep(await storage.openFile(failedReportPath(this.#plan), { token }))
      await page.write(staged, failed.report, profile)
      await publishAlone(staged, this.#plan.manifest.path, storage)
    })
  }

  #listWritten(): (MissingFile | BrokenFile | StagedProfile | StagedDataPackage)[] {
    return [this.#missing, this.#broken, this.#profile, this.#dataPackage].filter((file) => file !== null)
  }

  /** Removes the staging files; what is kept is published alone, if there is any of it. */
  async discard({ keepRejects = false, keepBroken = false, failed = null }: KeptFiles = {}): Promise<void> {
    const { storage } = this.#options
    const home = this.#plan.manifest.path
    try {
      if (keepRejects && this.#firstReject !== null) {
        const manifest = await finishFile(this.#rejects)
        await storage.publish({ files: await this.#finishCorrections(), manifest, home, removals: [] })
        await this.clearCorrections()
      }
      if (keepBroken && this.#broken !== null)
        await storage.publish({ files: [], manifest: this.#broken.finished, home, removals: [] })
      if (failed !== null && this.#page !== null) await this.#writeFailedPage(this.#page, failed)
    } finally {
      const others = [this.#page, this.#corrections].filter((file) => file !== null)
      await discardAll([...this.#listWritten(), ...others, this.#rejects, this.#manifest])
    }
  }
}

/** It is loaded only where there is to be one. */
async function openPage(plan: ReportPlan, options: StagingOptions): Promise<ReportPage> {
  const { ReportPage } = await import('./report-page.ts')
  return ReportPage.open(plan, options)
}

const mostSamples = 10

function formatIssue({ issues }: Pick<Reject, 'issues'>): string {
  const [issue] = issues
  return issue === undefined ? '' : `${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`
}

async function finishFile(staged: StagedFile): Promise<FinishedFile> {
  const { sha256 } = await staged.finish()
  return toFinishedFile(staged, sha256)
}

/** Finishes one file and publishes it beside everything that is published; `home` is the path of the pipeline's manifest. */
export async function publishAlone(staged: StagedFile, home: string, storage: FileStorage): Promise<void> {
  await storage.publish({ files: [], manifest: await finishFile(staged), home, removals: [] })
}
