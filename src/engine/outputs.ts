import type { FileFormat, FilePlan } from '../config/pipeline-plan.ts'
import type { Column, Row } from '../records/column.ts'
import { createArrowEncoder } from '../sinks/arrow.ts'
import { createCsvEncoder, formatCsvHeader } from '../sinks/csv.ts'
import { createNdjsonEncoder } from '../sinks/ndjson.ts'
import { createParquetWriter } from '../sinks/parquet-writer.ts'
import { openStagedFile, type StagedFile, type WrittenFile } from '../sinks/staged-file.ts'

/** One output file on its way to its staging place: rows in, finished file out. */
export interface OutputFile {
  readonly plan: FilePlan
  readonly staged: StagedFile
  /** Resolves when there is room for more. */
  write(rows: readonly Row[]): Promise<void>
  finish(runId: string): Promise<WrittenFile>
  /** Ends whatever is under way and removes the staging file. */
  discard(): Promise<void>
}

/** Opens one staged file for a table in a format. `metadata` goes into the footer of Parquet files. */
export async function openOutput(
  plan: FilePlan,
  columns: readonly Column[],
  token: string,
  metadata: Readonly<Record<string, string>>,
): Promise<OutputFile> {
  const staged = await openStagedFile(plan.path, { token, gzip: plan.gzip })
  const { write, finish, abort } = await openFormat(plan.format, columns, staged, metadata)
  return {
    plan,
    staged,
    write: async (rows) => {
      if (rows.length > 0) await write(rows)
    },
    async finish(runId) {
      await finish(runId)
      return staged.finish()
    },
    async discard() {
      await abort()
      await staged.discard()
    },
  }
}

interface FormatWriter {
  readonly write: (rows: readonly Row[]) => Promise<void>
  readonly finish: (runId: string) => Promise<unknown>
  readonly abort: () => Promise<void>
}

const nothing = async (): Promise<void> => {}

async function openFormat(
  format: FileFormat,
  columns: readonly Column[],
  staged: StagedFile,
  metadata: Readonly<Record<string, string>>,
): Promise<FormatWriter> {
  switch (format.format) {
    case 'csv': {
      const encode = createCsvEncoder(columns, format.dialect)
      await staged.write(formatCsvHeader(columns, format.dialect))
      return { write: (rows) => staged.write(encode(rows)), finish: nothing, abort: nothing }
    }
    case 'ndjson': {
      const encode = createNdjsonEncoder(columns)
      return { write: (rows) => staged.write(encode(rows)), finish: nothing, abort: nothing }
    }
    case 'parquet': {
      const { compression, rowGroupRows } = format
      const encode = createArrowEncoder(columns)
      const writer = createParquetWriter({
        columns,
        compression,
        rowGroupRows,
        metadata,
        write: (bytes) => staged.write(bytes),
      })
      const batches = new RowBatches((rows) => writer.write(encode(rows)))
      return {
        write: (rows) => batches.write(rows),
        async finish(runId) {
          await batches.flush()
          await writer.finish(runId)
        },
        abort: () => writer.abort(),
      }
    }
  }
}

/** Hands rows on in batches of one size, so that a file's bytes don't depend on how its rows came in. */
class RowBatches {
  readonly #handOn: (rows: readonly Row[]) => Promise<void>
  #rows: Row[] = []

  constructor(handOn: (rows: readonly Row[]) => Promise<void>) {
    this.#handOn = handOn
  }

  async write(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.#rows.push(row)
      if (this.#rows.length === batchRows) await this.flush()
    }
  }

  async flush(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    if (rows.length > 0) await this.#handOn(rows)
  }
}

const batchRows = 2048
