import type { FilePlan, PipelinePlan } from '../config/pipeline-plan.ts'
import type { Row } from '../records/column.ts'
import { publish } from '../sinks/publication.ts'
import { journalPathFor } from '../sinks/publication-journal.ts'
import { recoverPublication } from '../sinks/recover-publication.ts'
import { openStagedFile, type StagedFile, type WrittenFile } from '../sinks/staged-file.ts'
import { clearStaleStaging } from '../sinks/stale-staging.ts'
import { openOutput, type OutputFile } from './output-file.ts'
import type { ProcessedBlock } from './read-lines.ts'
import { RejectsFile } from './rejects-file.ts'
import type { RunReport } from './run-report.ts'
import { shareRowGroups } from './share-row-groups.ts'

/** Every file of one run: staged while it goes on, published together at its end, or discarded together. */
export class RunOutputs {
  readonly #plan: PipelinePlan
  readonly #token: string
  readonly #files: OutputFile[] = []
  readonly #rejects: RejectsFile
  #manifest: StagedFile | null = null

  private constructor(plan: PipelinePlan, token: string) {
    this.#plan = plan
    this.#token = token
    this.#rejects = new RejectsFile(plan.rejects.path, token)
  }

  /**
   * Finishes or undoes what a killed run left, clears its staging files, and opens the new ones. `activeTokens` are
   * those of the runs that go on in this process.
   */
  static async open(plan: PipelinePlan, token: string, activeTokens: ReadonlySet<string>): Promise<RunOutputs> {
    await recoverPublication(journalPathFor(plan.manifest.path))
    const paths = [...plan.files, plan.rejects, plan.manifest, { path: stdinCopyPath(plan) }].map(({ path }) => path)
    await clearStaleStaging(paths, activeTokens)
    const outputs = new RunOutputs(plan, token)
    try {
      const rowGroupBytes = shareRowGroups(plan.files, plan.records.tables)
      for (const file of plan.files) outputs.#files.push(await outputs.#openFile(file, rowGroupBytes.get(file) ?? 0))
    } catch (error) {
      await outputs.discard()
      throw error
    }
    return outputs
  }

  get hasRejects(): boolean {
    return this.#rejects.hasRejects
  }

  /** Takes the rows and rejects of a block. Resolves when there is room for more. */
  async write(block: ProcessedBlock): Promise<void> {
    await this.#rejects.write(block)
    await this.#writeRows(block.outcome.rows)
  }

  /** Flushes every output to disk, still under its staging name. */
  async finish(runId: string): Promise<{ readonly output: OutputFile; readonly file: WrittenFile }[]> {
    const finishing = this.#files.map(async (output) => ({ output, file: await output.finish(runId) }))
    await Promise.allSettled(finishing)
    return Promise.all(finishing)
  }

  /** Renames everything into place, the manifest last. All of it, or nothing. */
  async publish(report: RunReport): Promise<void> {
    const rejects = await this.#rejects.finish()
    const manifest = await openStagedFile(this.#plan.manifest.path, { token: this.#token })
    this.#manifest = manifest
    await manifest.write(Buffer.from(`${JSON.stringify(report, null, 2)}\n`))
    const { sha256 } = await manifest.finish()
    const files = report.files.map((file, at) => toFinished(this.#files[at]?.staged, file.sha256))
    await publish({
      files: [...files, toFinished(rejects.staged, rejects.sha256)],
      manifest: toFinished(manifest, sha256),
      journalPath: journalPathFor(this.#plan.manifest.path),
    })
  }

  /** Removes every staging file; with `keepRejects` the rejects get their name all the same, if there are any. */
  async discard({ keepRejects = false } = {}): Promise<void> {
    try {
      if (keepRejects && this.#rejects.hasRejects) await this.#publishRejects()
    } finally {
      const opened = [...this.#files, this.#rejects, ...(this.#manifest === null ? [] : [this.#manifest])]
      const results = await Promise.allSettled(opened.map((file) => file.discard()))
      const failed = results.find((result) => result.status === 'rejected')
      if (failed !== undefined) await Promise.reject(failed.reason as Error)
    }
  }

  async #publishRejects(): Promise<void> {
    const { staged, sha256 } = await this.#rejects.finish()
    await publish({
      files: [],
      manifest: toFinished(staged, sha256),
      journalPath: journalPathFor(this.#plan.manifest.path),
    })
  }

  async #writeRows(rows: readonly (readonly Row[])[]): Promise<void> {
    for (const file of this.#files) await file.write(rows[file.plan.table] ?? [])
  }

  async #openFile(file: FilePlan, rowGroupBytes: number): Promise<OutputFile> {
    const { name, contract, contractVersion, configHash, records } = this.#plan
    const metadata = {
      'catalogue-etl.pipeline': name,
      'catalogue-etl.contract': `${contract}@${contractVersion}`,
      'catalogue-etl.config_hash': configHash,
    }
    const columns = records.tables[file.table]?.columns ?? []
    return openOutput(file, { columns, token: this.#token, metadata, rowGroupBytes })
  }
}

/** Where standard input is copied to when it has to be read twice. */
export function stdinCopyPath({ manifest }: PipelinePlan): string {
  return `${manifest.path}.stdin`
}

function toFinished(staged: StagedFile | undefined, sha256: string) {
  if (staged === undefined) throw new TypeError('a reported file has no output')
  return { path: staged.path, destination: staged.destination, sha256 }
}
