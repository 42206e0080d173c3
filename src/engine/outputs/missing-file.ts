import type { PipelinePlan, SourceIdsPlan } from '../../plan/pipeline-plan.ts'
import { toComparableCode } from '../../records/flatten/condition-test.ts'
import type { Column, Row } from '../../records/flatten/column.ts'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../formats/csv.ts'
import { openTogether } from '../../publish/open-together.ts'
import { type FinishedFile, toFinishedFile } from '../../publish/publication.ts'
import type { StagedFile } from '../../publish/staged-file.ts'
import type { StagingOptions, RunEnd } from './outputs.ts'
import type { MissingReport } from '../../loads/state/published-state.ts'
import { missingPath } from '../side-files.ts'

/** A staged CSV of the entries of a list that brought nothing: line, as written, as asked for, and why. */
export class MissingFile {
  readonly report: MissingReport
  readonly finished: FinishedFile
  readonly #staged: StagedFile

  private constructor(staged: StagedFile, report: MissingReport) {
    this.#staged = staged
    this.report = report
    this.finished = toFinishedFile(staged, report.sha256)
  }

  /** Null of a pipeline without a list. */
  static async write(
    plan: Pick<PipelinePlan, 'source' | 'manifest'>,
    end: Pick<RunEnd, 'read' | 'counters' | 'limit'>,
    { storage, token }: StagingOptions,
  ): Promise<MissingFile | null> {
    const list = plan.source.sourceIds
    if (list === null) return null
    const missing = findMissing(plan.source.kind, list, end)
    return openTogether(async (keep) => {
      const staged = keep(await storage.openFile(missingPath(plan), { token }))
      await staged.write(formatCsvHeader(columns, defaultCsvDialect))
      await staged.write(createCsvEncoder(columns, defaultCsvDialect)(missing.map(toRow)))
      const { bytes, sha256 } = await staged.finish()
      const bad = missing.filter(({ code }) => code === null).length
      const counts = { rows: missing.length, bytes, sha256, notFound: missing.length - bad, bad }
      return new MissingFile(staged, { path: missingPath(plan), ...counts })
    })
  }

  discard(): Promise<void> {
    return this.#staged.discard()
  }
}

interface MissingEntry {
  readonly line: number
  readonly written: string
  /** Null for what is no identifier. */
  readonly code: string | null
  readonly reason: string
}

/** In the order of the list. A sample does not tell what is missing. */
function findMissing(
  kind: PipelinePlan['source']['kind'],
  list: SourceIdsPlan,
  end: Pick<RunEnd, 'read' | 'counters' | 'limit'>,
): MissingEntry[] {
  const { identifiers, bad = [] } = list
  const isMissing = end.limit === null ? compileMissing(kind, list, end) : () => false
  const notFound = identifiers.flatMap(({ code, line, written }) =>
    isMissing(code) ? [{ line, written, code: String(code), reason: 'not found' }] : [],
  )
  const wrong = bad.map(({ line, written, expected }) => {
    return { line, written, code: null, reason: `bad identifier: expected ${expected}` }
  })
  return [...notFound, ...wrong].toSorted((a, b) => a.line - b.line)
}

/** The service's answers have been looked through on their way; of files the conditions have found the codes. */
function compileMissing(
  kind: PipelinePlan['source']['kind'],
  { summary }: SourceIdsPlan,
  { read, counters }: Pick<RunEnd, 'read' | 'counters'>,
): (code: string | number) => boolean {
  if (kind === 'files') return (code) => !counters.foundCodes.has(toComparableCode(code))
  const lists = read.sources.flatMap(({ notes }) => notes?.missing ?? []).filter(({ key }) => key === summary.field)
  const missing = new Set(lists.flatMap((each) => each.missing))
  return (code) => missing.has(String(code))
}

const columns: readonly Column[] = [
  { name: 'line', type: { kind: 'integer' }, list: false },
  { name: 'written', type: { kind: 'text' }, list: false },
  { name: 'asked', type: { kind: 'text' }, list: false },
  { name: 'reason', type: { kind: 'text' }, list: false },
]

function toRow({ line, written, code, reason }: MissingEntry): Row {
  return [line, written, code, reason]
}
