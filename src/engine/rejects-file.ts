import { formatReject, type Reject } from '../records/reject.ts'
import { openStagedFile, type StagedFile, type WrittenFile } from '../sinks/staged-file.ts'
import type { ProcessedBlock } from './read-lines.ts'

/** The rejects of a run: one line of JSON each, opened with the first one or at the end. */
export class RejectsFile {
  readonly #path: string
  readonly #token: string
  #staged: StagedFile | null = null

  constructor(path: string, token: string) {
    this.#path = path
    this.#token = token
  }

  /** Whether anything was rejected so far. */
  get hasRejects(): boolean {
    return this.#staged !== null
  }

  async write({ source, linesBefore, hasByteOffsets, outcome }: ProcessedBlock): Promise<void> {
    if (outcome.rejects.length === 0) return
    const toLine = (reject: Reject): string =>
      formatReject(reject, source.name, linesBefore + reject.lineInBlock + 1, hasByteOffsets)
    const staged = await this.#open()
    await staged.write(Buffer.from(outcome.rejects.map(toLine).join('')))
  }

  /** The finished file; an empty one where nothing was rejected, so that no old one misleads. */
  async finish(): Promise<WrittenFile & { readonly staged: StagedFile }> {
    const staged = await this.#open()
    return { ...(await staged.finish()), staged }
  }

  async discard(): Promise<void> {
    await this.#staged?.discard()
  }

  async #open(): Promise<StagedFile> {
    this.#staged ??= await openStagedFile(this.#path, { token: this.#token })
    return this.#staged
  }
}
