import type { FilePlan, PipelinePlan } from '../config/pipeline-plan.ts'
import type { Reject } from '../records/reject.ts'
import { shareRowGroupBytes } from '../sinks/share-row-group-bytes.ts'
import { publish } from '../sinks/publication.ts'
import { journalPathFor } from '../sinks/publication-journal.ts'
import { recoverPublication } from '../sinks/recover-publication.ts'
import { openStagedFile, type StagedFile, type WrittenFile } from '../sinks/staged-file.ts'
import { clearStaleStaging } from '../sinks/stale-staging.ts'
import { openOutput, type OutputFile } from './output-file.ts'
import type { EncodedBlock } from './encode-block.ts'
import type { EncodeGroup } from './encode-group.ts'
import type { ProcessedBlock } from './read-lines.ts'
import { RejectsFile } from './rejects-file.ts'
import type { RunReport } from './run-report.ts'
import { settleAll } from './settle-all.ts'
import { listSideFiles } from './side-files.ts'

/** Every file of one run: staged while it goes on, published together at its end, or discarded together. */
export class RunOutputs {
  readonly #plan: PipelinePlan
  readonly #manifest: StagedFile
  readonly #rejects: RejectsFile
  readonly #files: readonly OutputFile[]

  private constructor(plan: PipelinePlan, manifest: StagedFile, rejects: StagedFile, files: readonly OutputFile[]) {
    this.#plan = plan
    this.#manifest = manifest
    this.#rejects = new RejectsFile(rejects)
    this.#files = files
  }

  /**
   * Finishes or undoes what a killed run left, clears its staging files, and opens the new ones. `activeTokens` are
   * those of the runs that go on in this process; `encodeGroup` encodes the row groups of Parquet files.
   */
  static async open(
    plan: PipelinePlan,
    token: string,
    activeTokens: ReadonlySet<string>,
    encodeGroup: EncodeGroup,
  ): Promise<RunOutputs> {
    await recoverPublication(journalPathFor(plan.manifest.path))
    const paths = [...plan.files, plan.rejects, plan.manifest].map(({ path }) => path)
    await clearStaleStaging([...paths, ...listSideFiles(plan)], activeTokens)
    const opened: { discard: () => Promise<void> }[] = []
    const keep = <File extends { discard: () => Promise<void> }>(file: File): File => {
      opened.push(file)
      return file
    }
    try {
      const manifest = keep(await openStagedFile(plan.manifest.path, { token }))
      const rejects = keep(await openStagedFile(plan.rejects.path, { token }))
      const files: OutputFile[] = []
      for (const at of plan.files.keys()) files.push(keep(await openFile(plan, at, token, encodeGroup)))
      return new RunOutputs(plan, manifest, rejects, files)
    } catch (error) {
      await settleAll(opened.map((file) => file.discard()))
      throw error
    }
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
    for (const [at, piece] of block.outcome.pieces.entries()) await this.#files[at]?.write(piece)
  }

  /** Flushes every output to disk, still under its staging name. */
  async finish(runId: string): Promise<{ readonly output: OutputFile; readonly file: WrittenFile }[]> {
    const finishing = this.#files.map(async (output) => ({ output, file: await output.finish(runId) }))
    return settleAll(finishing)
  }

  /** Renames everything into place, the manifest last. All of it, or nothing. */
  async publish(report: RunReport): Promise<void> {
    const rejects = await this.#rejects.finish()
    await this.#manifest.write(Buffer.from(`${JSON.stringify(report, null, 2)}\n`))
    const manifest = await this.#manifest.finish()
    const files = report.files.map((file, at) => toFinished(this.#files[at]?.staged, file.sha256))
    await publish({
      files: [...files, toFinished(this.#rejects.staged, rejects.sha256)],
      manifest: toFinished(this.#manifest, manifest.sha256),
      journalPath: journalPathFor(this.#plan.manifest.path),
    })
  }

  /** Removes every staging file; with `keepRejects` the rejects get their name all the same, if there are any. */
  async discard({ keepRejects = false } = {}): Promise<void> {
    try {
      if (keepRejects && this.firstReject !== null) await this.#publishRejects()
    } finally {
      await settleAll([...this.#files, this.#rejects, this.#manifest].map((file) => file.discard()))
    }
  }

  async #publishRejects(): Promise<void> {
    const { sha256 } = await this.#rejects.finish()
    const journalPath = journalPathFor(this.#plan.manifest.path)
    await publish({ files: [], manifest: toFinished(this.#rejects.staged, sha256), journalPath })
  }
}

async function openFile(plan: PipelinePlan, at: number, token: string, encodeGroup: EncodeGroup): Promise<OutputFile> {
  const { name, contract, contractVersion, configHash, records, files } = plan
  const file = files[at] as FilePlan
  const metadata = {
    'catalogue-etl.pipeline': name,
    'catalogue-etl.contract': `${contract}@${contractVersion}`,
    'catalogue-etl.config_hash': configHash,
  }
  return openOutput(file, {
    columns: records.tables[file.table]?.columns ?? [],
    token,
    metadata,
    rowGroupBytes: shareRowGroupBytes(files.filter(({ format }) => format.format === 'parquet').length),
    encodeGroup: (group) => encodeGroup(at, group),
  })
}

function toFinished(staged: StagedFile | undefined, sha256: string) {
  if (staged === undefined) throw new TypeError('a reported file has no output')
  return { path: staged.path, destination: staged.destination, sha256 }
}
