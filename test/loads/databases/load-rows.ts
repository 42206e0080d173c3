import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseChanges, DatabaseLoad, DatabaseOutput } from '../../../src/loads/databases/database-output.ts'
import type { LakeOptions } from '../../../src/lake/lake-session.ts'
import { openTarget, type TargetPlan } from '../../../src/lake/open-target.ts'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { recordColumns } from '../../../src/records/record-table.ts'
import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { createCopyTextEncoder } from '../../../src/formats/copy-text.ts'
import { createParquetWriter } from '../../../src/formats/parquet/parquet-writer.ts'

export const anyLoad: DatabaseLoad = {
  kind: 'full',
  runId: 'run-1',
  startedAt: new Date('2026-03-01T00:00:00Z'),
  since: null,
  syncedUntil: new Date('2026-03-01T00:00:00Z'),
  configHash: 'config-1',
  maxRemoved: { kind: 'share', percent: 100 },
}

/** Loads rows by table, those of the records last, and commits. */
export async function loadRows(
  plan: TargetPlan,
  load: DatabaseLoad,
  rows: readonly (readonly Row[])[],
  options: LakeOptions = {},
): Promise<DatabaseChanges> {
  const output = await openTarget(plan, load, { lockWaitMs: 30_000, ...options })
  try {
    const changes = await giveRows(output, plan, load, rows)
    await output.commit()
    return changes
  } finally {
    await output.discard()
  }
}

/** Loads rows into an output in the form that it takes, without the commit, by way of files that are removed unless they are in `keptFolder`. */
export async function giveRows(
  output: DatabaseOutput,
  plan: Pick<TargetPlan, 'tables'>,
  load: DatabaseLoad,
  rows: readonly (readonly Row[])[],
  keptFolder?: string,
): Promise<DatabaseChanges> {
  const columns = [...plan.tables.map((table) => table.columns), recordColumns]
  if (output.takes === 'copy') {
    for (const [at, each] of columns.entries()) {
      const encode = createCopyTextEncoder(each, plan.tables[at]?.name ?? '_records')
      // Two pieces, as a table's rows come in many.
      const half = Math.ceil((rows[at]?.length ?? 0) / 2)
      for (const part of [rows[at]?.slice(0, half), rows[at]?.slice(half)]) await output.write(at, encode(part ?? []))
    }
    return output.finish(load)
  }
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), 'load-')))
  try {
    const paths = columns.map((_, at) => join(folder, `${at}.parquet`))
    for (const [at, path] of paths.entries()) await writeParquet(path, columns[at] ?? [], rows[at] ?? [])
    return await output.finish(load, { records: paths.at(-1) ?? '', tables: paths.slice(0, -1) })
  } finally {
    if (keptFolder === undefined) await rm(folder, { recursive: true })
  }
}

async function writeParquet(path: string, columns: readonly Column[], rows: readonly Row[]): Promise<void> {
  const parts: Uint8Array[] = []
  const writer = createParquetWriter({
    columns,
    compression: 'zstd',
    rowGroupRows: 1000,
    metadata: {},
    runIdKey: 'run',
    write: (bytes) => Promise.resolve(void parts.push(bytes)),
  })
  if (rows.length > 0) await writer.write(createRecordBatchEncoder(columns)(rows))
  await writer.finish('run')
  await writeFile(path, Buffer.concat(parts))
}
