import { allOrFirstFailure } from '../../storage/open-together.ts'
import type { EncodeGroup } from '../../kernel/encode/encode-block.ts'
import { noBytes } from '../../records/memory/copy-bytes.ts'
import type { EncodingPlan } from '../../kernel/encode/encoding-plan.ts'
import { createCopyTextEncoder } from '../../formats/copy-text.ts'
import { createRecordBatchEncoder } from '../../formats/parquet/record-batch-encoder.ts'
import { shareRowGroupBytes } from '../../formats/parquet/row-group-cutter.ts'
import type { LoadFiles } from '../../loads/merge-result.ts'
import type { FileFormat } from '../../formats/file-format.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { isServerPlan } from '../../plan/outputs/database-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { StatefulPlan } from '../../plan/loads/stateful-plan.ts'
import { createLocalStorage } from '../../storage/local-storage.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import type { EncodeRows } from '../../records/flatten/column.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import { toTombstoneRow } from '../../records/record-table.ts'
import { loadPath } from '../side-files.ts'
import { openOutput, type OutputFile } from './output-file.ts'

/** Formats needed of a load. Each has every table of the plan, followed by the records. */
export interface LoadForms {
  /** For files, DuckDB and lakes, which read the complete load. */
  readonly parquet: boolean
  /** For databases that receive a stream. */
  readonly copy: boolean
}

export function listLoadForms({ files }: OutputsPlan, { databases }: Pick<StatefulPlan, 'databases'>): LoadForms {
  return {
    parquet: files.length > 0 || databases.some((database) => !isServerPlan(database)),
    copy: databases.some(isServerPlan),
  }
}

/** Encodes each block as one Parquet piece per table, then one COPY piece per table, if needed. */
export function toLoadEncoding(records: RecordPlan, forms: LoadForms): EncodingPlan {
  const tables = [...records.tables.keys()]
  const parquet = forms.parquet ? tables.map((table) => ({ table, format: loadFormat })) : []
  const copy = forms.copy ? tables.map((table) => ({ table, format: { format: 'copy' as const } })) : []
  return { records, files: [...parquet, ...copy] }
}

/**
 * Parquet files of a load. They are never published, but staged beside the manifest and removed at the end of the run.
 */
export class LoadWriter {
  readonly #files: readonly OutputFile[]

  readonly #set: StagedSet

  private constructor(files: readonly OutputFile[], set: StagedSet) {
    this.#files = files
    this.#set = set
  }

  static async open(
    report: ReportPlan,
    { tables }: RecordPlan,
    token: string,
    encodeGroup: EncodeGroup,
  ): Promise<LoadWriter> {
    // Outputs may be in a bucket, but DuckDB reads these files locally.
    const storage = createLocalStorage()
    return StagedSet.begin({ storage, token }, async (set) => {
      const files: OutputFile[] = []
      for (const [table, { columns }] of tables.entries()) {
        const options = {
          columns,
          metadata: {},
          rowGroupBytes: shareRowGroupBytes(tables.length),
          encodeGroup: (group: Parameters<EncodeGroup>[1]) => encodeGroup(table, group),
        }
        files.push(await openOutput(toLoadFile(report, table), set, options))
      }
      return new LoadWriter(files, set)
    })
  }

  /** Copies the pieces of a block, one per table. */
  async write(pieces: readonly Uint8Array[]): Promise<void> {
    for (const [table, file] of this.#files.entries()) await file.write(pieces[table] ?? new Uint8Array(0))
  }

  async finish(runId: string): Promise<LoadFiles> {
    await allOrFirstFailure(this.#files.map((file) => file.finish(runId)))
    const paths = this.#files.map(({ staged }) => staged.path)
    return { records: paths.at(-1) ?? '', tables: paths.slice(0, -1) }
  }

  discard(): Promise<void> {
    return this.#set.discard()
  }
}

/** Only the run that writes these files reads them, so any compression of the kernel will do. */
const loadFormat: FileFormat = { format: 'parquet', compression: 'zstd', rowGroupRows: 100_000 }

function toLoadFile(report: ReportPlan, table: number): FilePlan {
  const whole = { partitionBy: [], rowsPerFile: null, bytesPerFile: null }
  const path = loadPath(report, table)
  return { table, path, format: loadFormat, gzip: false, mode: 'snapshot', removed: 'drop', ...whole }
}

/** Encodes tombstones of vanished records in every needed form, as pieces by table. */
export function encodeTombstones(
  ids: readonly string[],
  { tables }: RecordPlan,
  { parquet, copy }: LoadForms,
): Uint8Array[] {
  const recordTable = tables.at(-1)
  if (ids.length === 0 || recordTable === undefined) return []
  const { columns, name } = recordTable
  const rows = ids.map((id) => toTombstoneRow(id, 'filtered'))
  const toPieces = (encode: EncodeRows) => tables.map((table) => (table === recordTable ? encode(rows) : noBytes))
  return [
    ...(parquet ? toPieces(createRecordBatchEncoder(columns)) : []),
    ...(copy ? toPieces(createCopyTextEncoder(columns, name)) : []),
  ]
}
