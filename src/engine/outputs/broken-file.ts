import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../formats/csv.ts'
import type { BrokenReport } from '../../loads/state/published-state.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { compileProfileValue } from '../../profile/profile-value.ts'
import { openTogether } from '../../storage/open-together.ts'
import { type FinishedFile, toFinishedFile } from '../../storage/publication.ts'
import type { StagedFile } from '../../storage/staged-file.ts'
import type { Column, Row } from '../../records/flatten/column.ts'
import { brokenPath } from '../side-files.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { StagingOptions } from './outputs.ts'

/** A staged CSV of the rows that break rules, by rule: at most the first thousand of each. */
export class BrokenFile {
  readonly report: BrokenReport
  readonly finished: FinishedFile
  readonly #staged: StagedFile

  private constructor(staged: StagedFile, report: BrokenReport) {
    this.#staged = staged
    this.report = report
    this.finished = toFinishedFile(staged, report.sha256)
  }

  static async write(
    plan: Pick<PipelinePlan, 'manifest' | 'records' | 'rules'>,
    counters: Pick<RunCounters, 'rules' | 'broken'>,
    { storage, token }: StagingOptions,
  ): Promise<BrokenFile> {
    const path = brokenPath(plan)
    const rows = listRows(plan, counters)
    return openTogether(async (keep) => {
      const staged = keep(await storage.openFile(path, { token }))
      await staged.write(formatCsvHeader(columns, defaultCsvDialect))
      await staged.write(createCsvEncoder(columns, defaultCsvDialect)(rows))
      const { bytes, sha256 } = await staged.finish()
      return new BrokenFile(staged, { path, rows: rows.length, bytes, sha256 })
    })
  }

  discard(): Promise<void> {
    return this.#staged.discard()
  }
}

const columns: readonly Column[] = [
  { name: 'rule', type: { kind: 'text' }, list: false },
  { name: 'severity', type: { kind: 'text' }, list: false },
  { name: 'table', type: { kind: 'text' }, list: false },
  { name: 'id', type: { kind: 'text' }, list: false },
  { name: 'position', type: { kind: 'integer' }, list: true },
  { name: 'column', type: { kind: 'text' }, list: false },
  { name: 'value', type: { kind: 'text' }, list: false },
]

function listRows(
  { records, rules }: Pick<PipelinePlan, 'records' | 'rules'>,
  { rules: reports, broken }: Pick<RunCounters, 'rules' | 'broken'>,
): Row[] {
  return reports.flatMap(({ table, column = null, expected, severity, listed = 0 }, at) => {
    if (listed === 0) return []
    const { type } = records.tables[rules[at]?.table ?? 0]?.columns[rules[at]?.column ?? 0] ?? {}
    const show = compileProfileValue(type ?? { kind: 'text' })
    return broken.of(at).map(({ id, positions, value }): Row => {
      const place = positions.length === 0 ? null : positions
      return [expected, severity, table, id, place, column, value === null ? null : String(show(value))]
    })
  })
}
