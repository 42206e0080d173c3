import pLimit from 'p-limit'
import type { FilePlan, PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { Reject } from '../../records/reject.ts'
import { toFinishedFile } from '../../publish/publication.ts'
import { shareRowGroupBytes } from '../../formats/parquet/row-group-cutter.ts'
import type { StagedFile } from '../../publish/staged-file.ts'
import { clearStaleStaging } from '../../publish/stale-staging.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import type { FormerRun } from '../../loads/state/read-manifest.ts'
import { listReplaced } from '../../publish/objects/object-path.ts'
import { checkLoss, explainLoss } from './check-loss.ts'
import { MissingFile } from './missing-file.ts'
import { openOutput, type OutputFile } from './output-file.ts'
import type { Outputs, RunEnd } from './outputs.ts'
import type { EncodedBlock } from '../../encode/encoding-plan.ts'
import type { EncodeGroup } from '../../encode/encode-block.ts'
import { toParquetMetadata } from './parquet-metadata.ts'
import { publishAlone } from './publish-alone.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import { RejectsFile } from './rejects-file.ts'
import { type RunReport } from '../run/run-report.ts'
import { toFileReport, type FinishedOutputs } from './output-reports.ts'
import { allOrFirstFailure, discardAll, openTogether } from '../../publish/open-together.ts'
import { listSideFiles, missingPath } from '../side-files.ts'

/** Every file of one run: staged while it goes on, published together at its end, or discarded together. */
export class RunOutputs implements Outputs {
  readonly #plan: PipelinePlan
  readonly #storage: FileStorage
  readonly #manifest: StagedFile
  readonly #rejects: RejectsFile
  readonly #files: readonly OutputFile[]
  readonly #former: FormerRun
  readonly #token: string
  #missing: MissingFile | null = null

  private constructor(
    plan: PipelinePlan,
    storage: FileStorage,
    { manifest, rejects, files }: { manifest: StagedFile; rejects: StagedFile; files: readonly OutputFile[] },
    former: FormerRun,
    token: string,
  ) {
    this.#plan = plan
    this.#storage = storage
    this.#manifest = manifest
    this.#rejects = new RejectsFile(rejects)
    this.#files = files
    this.#former = former
    this.#token = token
  }

  /**
   * Clears the staging files of killed runs, and opens the new ones. `former` is the run that the manifest in place is of.
   * `activeTokens` are those of the runs in this process; `encodeGroup` encodes the row groups of Parquet files.
   */
  static async open(
    plan: PipelinePlan,
    former: FormerRun,
    storage: FileStorage,
    token: string,
    activeTokens: ReadonlySet<string>,
    encodeGroup: EncodeGroup,
  ): Promise<RunOutputs> {
    const paths = [...plan.files, plan.rejects, plan.manifest].map(({ path }) => path)
    await storage.clearStale([...paths, missingPath(plan)], activeTokens)
    await clearStaleStaging(listSideFiles(plan), activeTokens)
    return openTogether(async (keep) => {
      const manifest = keep(await storage.openFile(plan.manifest.path, { token }))
      const rejects = keep(await storage.openFile(plan.rejects.path, { token }))
      const files: OutputFile[] = []
      for (const at of plan.files.keys()) files.push(keep(await openFile(plan, at, { storage, token, encodeGroup })))
      return new RunOutputs(plan, storage, { manifest, rejects, files }, former, token)
    })
  }

  /** Where and why the first line was rejected; null while none was. */
  get firstReject(): string | null {
    return this.#rejects.first
  }

  /** The first few rejects. */
  get rejectSamples(): readonly Reject[] {
    return this.#rejects.samples
  }

  /** Takes the pieces and rejects of a block. Resolves when there is room for more. */
  async write(block: ProcessedBlock<EncodedBlock>): Promise<void> {
    await this.#rejects.write(block)
    const { pieces } = block.outcome
    await allOrFirstFailure(pieces.map(async (piece, at) => this.#files[at]?.write(piece)))
  }

  /** Flushes every output to disk, still under its staging name. Throws REMOVED_TOO_MANY before. */
  async finish(end: RunEnd): Promise<FinishedOutputs> {
    const { runId, tally } = end
    try {
      checkLoss(this.#plan, this.#former.rows, end)
    } catch (error) {
      throw explainLoss(error, tally)
    }
    // Each has a last row group and a footer to be encoded.
    const atATime = pLimit(mostFinishing)
    const finishing = this.#files.map((output) =>
      atATime(async () => toFileReport(output, await output.finish(runId), this.#plan, tally)),
    )
    const files = await allOrFirstFailure(finishing)
    this.#missing = await MissingFile.write(this.#plan, end, { storage: this.#storage, token: this.#token })
    return { files, ...(this.#missing && { missingIds: this.#missing.report }) }
  }

  /** Renames everything into place, the manifest last. All of it, or nothing. */
  async publish(report: RunReport): Promise<void> {
    const rejects = await this.#rejects.finish()
    await this.#manifest.write(Buffer.from(`${JSON.stringify(report, null, 2)}\n`))
    const manifest = await this.#manifest.finish()
    const files = report.files.map((file, at) => toFinishedFile((this.#files[at] as OutputFile).staged, file.sha256))
    const home = this.#plan.manifest.path
    const isListGone = this.#missing === null && this.#former.rows?.missingPath === missingPath(this.#plan)
    const replaced = listReplaced(
      this.#former.paths,
      this.#plan.files.map(({ path }) => path),
    )
    await this.#storage.publish({
      files: [
        ...files,
        ...(this.#missing === null ? [] : [this.#missing.finished]),
        toFinishedFile(this.#rejects.staged, rejects.sha256),
      ],
      manifest: toFinishedFile(this.#manifest, manifest.sha256),
      home,
      removals: [...replaced, ...(isListGone ? [missingPath(this.#plan)] : [])],
    })
  }

  /** Removes every staging file; with `keepRejects` the rejects get their name all the same, if there are any. */
  async discard({ keepRejects = false } = {}): Promise<void> {
    try {
      if (keepRejects && this.firstReject !== null)
        await publishAlone(this.#rejects.staged, this.#plan.manifest.path, this.#storage)
    } finally {
      const missing = this.#missing === null ? [] : [this.#missing]
      await discardAll([...this.#files, ...missing, this.#rejects, this.#manifest])
    }
  }
}

async function openFile(
  plan: PipelinePlan,
  at: number,
  { storage, token, encodeGroup }: { storage: FileStorage; token: string; encodeGroup: EncodeGroup },
): Promise<OutputFile> {
  const { records, files } = plan
  const file = files[at] as FilePlan
  return openOutput(file, {
    columns: records.tables[file.table]?.columns ?? [],
    storage,
    token,
    metadata: toParquetMetadata(plan),
    rowGroupBytes: shareRowGroupBytes(files.filter(({ format }) => format.format === 'parquet').length),
    encodeGroup: (group) => encodeGroup(at, group),
  })
}

const mostFinishing = 4
