import { formatReject, type Reject } from '../../records/reject.ts'
import type { StagedFile, WrittenFile } from '../../publish/staged-file.ts'
import type { ProcessedBlock } from '../reading/read-lines.ts'
import type { LineOutcome } from '../reading/source-reading.ts'

/** The rejects of a run: one line of JSON each. */
export class RejectsFile {
  readonly staged: StagedFile
  #first: string | null = null
  readonly #samples: Reject[] = []

  constructor(staged: StagedFile) {
    this.staged = staged
  }

  /** Where and why the first line was rejected; null while none was. */
  get first(): string | null {
    return this.#first
  }

  /** The first few of them. */
  get samples(): readonly Reject[] {
    return this.#samples
  }

  async write({ source, linesBefore, hasByteOffsets, outcome }: ProcessedBlock<LineOutcome>): Promise<void> {
    const [first] = outcome.rejects
    if (first === undefined) return
    this.#samples.push(...outcome.rejects.slice(0, mostSamples - this.#samples.length))
    const lineOf = (reject: Reject): number => linesBefore + reject.lineInBlock + 1
    this.#first ??= `${source.name}, line ${lineOf(first)}: ${formatIssue(first)}`
    const lines = outcome.rejects.map((reject) => formatReject(reject, source.name, lineOf(reject), hasByteOffsets))
    await this.staged.write(Buffer.from(lines.join('')))
  }

  finish(): Promise<WrittenFile> {
    return this.staged.finish()
  }

  discard(): Promise<void> {
    return this.staged.discard()
  }
}

const mostSamples = 10

function formatIssue({ issues }: Reject): string {
  const [issue] = issues
  return issue === undefined ? '' : `${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`
}
