import { CatalogueError } from '../../errors.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { PagePlan } from '../../plan/report-plan.ts'
import type { StagedSet } from '../../storage/staged-set.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { StagedFile } from '../../storage/staged-file.ts'
import { formatReject, type Reject, type RejectsFileLine, toRejectsFileLine } from '../../records/reject.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import type { LineOutcome } from '../reading/source-reading.ts'
import type { FinishedOutputs } from './output-reports.ts'
import { brokenPath, correctionsPath, failedReportPath, missingPath } from '../side-files.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import { formatBroken } from './format-broken.ts'
import { formatMissing } from './format-missing.ts'
import type { LineResult } from '../lists/match-list.ts'
import type { KeptFiles, PublishedReport, RunEnd, StagingOptions } from './outputs.ts'
import type { ReportPage } from './report-page.ts'
import type { RunHistory } from './run-history.ts'
import type { PackagedFile } from '../../describe/to-data-package.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { MatchedList } from '../../plan/source/source-ids-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { RunProfile } from '../../kernel/profile/run-profile.ts'
import type { BrokenReport, EarlierCompanions, MissingReport, ProfileReport } from '../../manifest/manifest.ts'

interface OpenedCompanions {
  readonly manifest: StagedFile
  readonly rejects: StagedFile
  readonly corrections: StagedFile | null
  readonly page: { readonly file: StagedFile; readonly content: ReportPage } | null
}

export interface PackagedOutput {
  readonly file: FilePlan
  readonly published: readonly PackagedFile[]
}

/**
 * Files that a run writes beside its tables: manifest, rejects, profile, rows that break rules, and identifiers without
 * rows. They belong to the staged set of the run.
 */
export class CompanionFiles {
  readonly #plan: PipelinePlan
  readonly #set: StagedSet
  readonly #storage: FileStorage
  readonly #opened: OpenedCompanions
  readonly #history: RunHistory | null
  readonly #rejectSamples: Pick<Reject, 'issues' | 'raw'>[] = []
  #firstReject: string | null = null
  #missing: StagedFile | null = null
  #broken: StagedFile | null = null
  #brokenRows: BrokenReport | null = null
  /** True if an earlier run left such a file and this run has none. */
  #hasFormerBroken = false
  #profile: StagedFile | null = null
  #profiled: RunProfile | null = null
  #dataPackage: StagedFile | null = null

  private constructor(
    plan: PipelinePlan,
    set: StagedSet,
    { storage, history = null }: Pick<StagingOptions, 'storage' | 'history'>,
    opened: OpenedCompanions,
  ) {
    this.#plan = plan
    this.#set = set
    this.#storage = storage
    this.#history = history
    this.#opened = opened
  }

  static async open(
    plan: PipelinePlan,
    set: StagedSet,
    options: Pick<StagingOptions, 'storage' | 'corrections' | 'history'>,
  ): Promise<CompanionFiles> {
    const { corrections: lines } = options
    const manifest = await set.open(plan.report.manifest.path)
    const rejects = await set.open(plan.report.rejects.path)
    const page = plan.report.page && {
      file: await set.open(plan.report.page.path),
      content: await openPage(plan.report.page),
    }
    const corrections = lines ? await set.open(correctionsPath(plan.report)) : null
    for (const line of lines?.lines() ?? []) await corrections?.write(line)
    return new CompanionFiles(plan, set, options, { manifest, rejects, corrections, page })
  }

  get firstReject(): string | null {
    return this.#firstReject
  }

  get rejectSamples(): readonly Pick<Reject, 'issues' | 'raw'>[] {
    return this.#rejectSamples
  }

  async writeRejects({ outcome, locate }: ProcessedBlock<LineOutcome>): Promise<void> {
    await this.addRejects(outcome.rejects.map((reject) => toRejectsFileLine(reject, locate(reject))))
  }

  async addRejects(lines: readonly RejectsFileLine[]): Promise<void> {
    const [first] = lines
    if (first === undefined) return
    const samples = lines.slice(0, mostSamples - this.#rejectSamples.length)
    this.#rejectSamples.push(...samples.map((line) => ({ issues: line.issues, raw: line })))
    this.#firstReject ??= `${first.source}, line ${first.line}: ${formatIssue(first)}`
    for (const each of lines) this.#opened.page?.content.addReject(each)
    await this.#opened.rejects.write(Buffer.from(lines.map(formatReject).join('')))
  }

  /** Writes the identifiers without rows. Null for a pipeline without a list. */
  async writeMissing(
    end: Pick<RunEnd, 'read' | 'counters' | 'limit'>,
    listed?: readonly LineResult[],
  ): Promise<MissingReport | null> {
    const { source } = this.#plan
    const matched = source.sourceIds?.matched
    const missing = matched ? await formatMatched(source, matched, end, listed) : formatMissing(source, end)
    if (missing === null) return null
    const path = missingPath(this.#plan.report)
    this.#missing = await this.#set.write(path, ...missing.pieces)
    return { path, rows: missing.rows, ...(await this.#missing.finish()), ...missing.counts }
  }

  async writeBroken(counters: Pick<RunCounters, 'rules' | 'broken'>): Promise<void> {
    const path = brokenPath(this.#plan.report)
    if (counters.rules.some(({ listed = 0 }) => listed > 0)) {
      const { rows, pieces } = formatBroken(this.#plan.records, this.#plan.limits, counters)
      this.#broken = await this.#set.write(path, ...pieces)
      this.#brokenRows = { path, rows, ...(await this.#broken.finish()) }
      return
    }
    // A failed run may have left one, which no manifest lists.
    this.#hasFormerBroken = (await this.#storage.sizeOf(path)) !== null
  }

  get brokenRows(): BrokenReport | null {
    return this.#brokenRows
  }

  /** Writes the profile. Null for `profile: false`. */
  async writeProfile(end: Pick<RunEnd, 'runId' | 'counters'>): Promise<ProfileReport | null> {
    this.#profiled = await profileRun(this.#plan, end)
    if (this.#profiled === null || this.#plan.report.profile === null) return null
    const { path } = this.#plan.report.profile
    this.#profile = await this.#set.write(path, formatJson(this.#profiled))
    return { path, ...(await this.#profile.finish()) }
  }

  /** Writes the data package of files. Null unless `dataPackage: true`. */
  async writeDataPackage(
    outputs: readonly PackagedOutput[],
    { counters }: Pick<RunEnd, 'counters'>,
  ): Promise<ProfileReport | null> {
    if (this.#plan.report.dataPackage === null) return null
    // Loaded lazily, as other runs need no descriptions of columns.
    const { toDataPackage } = await import('../../describe/to-data-package.ts')
    const plan = { ...this.#plan, outputs: { ...this.#plan.outputs, files: outputs.map(({ file }) => file) } }
    const hasUniqueIds = this.#plan.records.duplicates !== 'keep' || counters.ledger.repeatedIds === 0
    const content = toDataPackage(plan, { published: outputs.map(({ published }) => published), hasUniqueIds })
    const { path } = this.#plan.report.dataPackage
    this.#dataPackage = await this.#set.write(path, formatJson(content))
    return { path, ...(await this.#dataPackage.finish()) }
  }

  /** Completes all files for publication. The report becomes the manifest. */
  async finish(
    report: PublishedReport,
    changesRun?: string,
  ): Promise<{ files: readonly StagedFile[]; manifest: StagedFile }> {
    // The page of an earlier failure is obsolete once this run is published.
    await this.#storage.remove(failedReportPath(this.#plan.report))
    const { manifest, rejects, corrections, page } = this.#opened
    const added = await this.#history?.add(await this.#history.toPublished(report, this.#profiled, changesRun))
    const runs = added?.text ? await this.#set.write(added.path, added.text) : null
    await page?.file.write(page.content.render(report, this.#profiled, added?.runs ?? []))
    await manifest.write(Buffer.from(formatJson(report)))
    const written = [this.#missing, this.#broken, this.#profile, this.#dataPackage, runs, rejects, corrections]
    return { files: [...written, page?.file ?? null].filter((file) => file !== null), manifest }
  }

  /** Removes corrections of earlier replays once the published rejects belong to a run without corrections. */
  async clearCorrections(): Promise<void> {
    const { source } = this.#plan
    if (source.kind !== 'files' || this.#opened.corrections !== null) return
    try {
      await this.#storage.remove(correctionsPath(this.#plan.report))
    } catch (thrown) {
      // A run that has taken over since the publication decides about them.
      if (!(thrown instanceof CatalogueError && thrown.code === 'LOCKED')) throw thrown
    }
  }

  /**
   * Files of an earlier run that this one no longer writes: missing identifiers without a list; profile, page or data
   * package at other paths.
   */
  listObsolete({ missingIds }: FinishedOutputs, earlier: EarlierCompanions): string[] {
    const {
      report: { manifest, rejects, profile, page: report, dataPackage },
      outputs: { files },
    } = this.#plan
    const path = missingPath(this.#plan.report)
    const missing = missingIds === undefined && earlier.missingPath === path ? [path] : []
    const own = [manifest, rejects, ...files, profile, report, dataPackage].flatMap((file) => file?.path ?? [])
    const broken = this.#hasFormerBroken ? [brokenPath(this.#plan.report)] : []
    const kept = new Set(own)
    const { profilePath, reportPath, dataPackagePath } = earlier
    const others = [profilePath, reportPath, dataPackagePath].filter((each) => each !== null)
    return [...missing, ...broken, ...others.filter((each) => !kept.has(each))]
  }

  async keep({ keepRejects = false, keepBroken = false, failed = null }: KeptFiles): Promise<void> {
    const home = this.#plan.report.manifest.path
    const { rejects, corrections, page } = this.#opened
    if (keepRejects && this.#firstReject !== null) {
      await this.#set.publish({ files: corrections === null ? [] : [corrections], manifest: rejects, home })
      await this.clearCorrections()
    }
    if (keepBroken && this.#broken !== null) await this.#set.publish({ files: [], manifest: this.#broken, home })
    if (failed !== null && page !== null) {
      const content = page.content.render(failed.report, await profileRun(this.#plan, failed), failed.runs)
      const manifest = await this.#set.write(failedReportPath(this.#plan.report), content)
      await this.#set.publish({ files: [], manifest, home })
    }
  }
}

/** Loaded lazily, as most runs have no list with several keys. */
async function formatMatched(
  source: SourcePlan,
  matched: MatchedList,
  end: Pick<RunEnd, 'counters' | 'limit'>,
  listed: readonly LineResult[] | undefined,
) {
  const { formatListMissing, matchList } = await import('../lists/format-list-missing.ts')
  return formatListMissing(matched, listed ?? matchList(source, matched, end))
}

/** Loads the page lazily, for runs with a report only. */
async function openPage(plan: PagePlan): Promise<ReportPage> {
  const { ReportPage } = await import('./report-page.ts')
  return new ReportPage(plan)
}

async function profileRun(
  { name, records, report: { profile, page } }: PipelinePlan,
  { runId, counters }: Pick<RunEnd, 'runId' | 'counters'>,
): Promise<RunProfile | null> {
  if (profile === null) return null
  const { toRunProfile } = await import('../../kernel/profile/to-run-profile.ts')
  const { rows, rowCounts } = counters
  return toRunProfile({ pipeline: name, runId, records, examples: page?.examples === true, rows, parts: rowCounts })
}

function formatJson(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

const mostSamples = 10

function formatIssue({ issues }: Pick<Reject, 'issues'>): string {
  const [issue] = issues
  return issue === undefined ? '' : `${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`
}
