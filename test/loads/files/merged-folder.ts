import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FilePlan } from '../../../src/plan/outputs/file-plan.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import type { Row } from '../../../src/records/flatten/column.ts'
import { mergeLoad } from '../../../src/loads/files/merge-load.ts'
import { type Baseline, type Load, type MergeResult, type MergeOptions } from '../../../src/loads/merge-result.ts'
import { recordColumns } from '../../../src/records/record-table.ts'
import { writeParquet } from '../../formats/parquet/write-parquet.ts'

export interface LoadedRecord {
  readonly id: string
  /** Null in a delta for a record that left. */
  readonly hash: string | null
  readonly updatedAt: number | null
  readonly status?: string | null
  readonly replacement?: string | null
  /** The rows of each table. */
  readonly rows: readonly (readonly Row[])[]
}

export interface LoadSettings {
  readonly kind?: 'full' | 'delta'
  /** Milliseconds since 1970. */
  readonly startedAt?: number
  readonly runId?: string
  readonly refresh?: boolean
}

/** A folder in which loads are merged one after the other, each published by renaming. */
export class MergedFolder {
  readonly path: string
  readonly tables: readonly KeyedTable[]
  outputs: readonly FilePlan[]
  baseline: Baseline = { records: null, current: null, history: null }
  #runs = 0

  private constructor(path: string, tables: readonly KeyedTable[], outputs: readonly FilePlan[]) {
    this.path = path
    this.tables = tables
    this.outputs = outputs.map((output) => ({ ...output, path: join(path, output.path) }))
  }

  static async create(tables: readonly KeyedTable[], outputs: readonly FilePlan[]): Promise<MergedFolder> {
    return new MergedFolder(await mkdtemp(join(tmpdir(), 'merge-')), tables, outputs)
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true })
  }

  /** Merges a load; its files stay staged. */
  async stage(
    records: readonly LoadedRecord[],
    settings: LoadSettings = {},
    options: Partial<Omit<MergeOptions, 'keepsUnchanged'>> = {},
    tables = this.tables,
  ): Promise<MergeResult> {
    const load = await this.#writeLoad(records, settings, tables)
    return mergeLoad(load, this.baseline, tables, this.outputs, {
      token: `run${this.#runs}`,
      tempFolder: join(this.path, 'temp'),
      stateFolder: join(this.path, '_state'),
      maxRemoved: { kind: 'share', percent: 100 },
      metadata: {},
      ...options,
    })
  }

  /** Merges a load and publishes it. */
  async run(...load: Parameters<MergedFolder['stage']>): Promise<MergeResult> {
    const merged = await this.stage(...load)
    for (const { staged } of listFiles(merged)) await rename(staged.path, staged.destination)
    this.baseline = merged.baseline
    return merged
  }

  read(path: string): Promise<Buffer> {
    return readFile(join(this.path, path))
  }

  async #writeLoad(
    records: readonly LoadedRecord[],
    { kind = 'full', startedAt = this.#runs * 1000, runId = 'f'.repeat(32), refresh = false }: LoadSettings,
    tables: readonly KeyedTable[],
  ): Promise<Load> {
    const folder = join(this.path, `load${(this.#runs += 1)}`)
    await mkdir(folder)
    const rows = records.map(({ id, hash, updatedAt, status = null, replacement = null }): Row => [
      id,
      hash,
      updatedAt,
      status,
      replacement,
    ])
    const paths = tables.map(({ name }) => join(folder, `${name}.parquet`))
    await writeFile(join(folder, '_records.parquet'), await writeParquet(recordColumns, [rows]))
    for (const [table, { columns }] of tables.entries()) {
      const tableRows = records.flatMap((record) => record.rows[table] ?? [])
      await writeFile(paths[table]!, await writeParquet(columns, [tableRows]))
    }
    return {
      kind,
      refresh,
      runId,
      startedAt: new Date(startedAt),
      records: join(folder, '_records.parquet'),
      tables: paths,
    }
  }
}

/** All files that a merge stages. */
export function listFiles({ files, stateFiles }: MergeResult) {
  return [...files, stateFiles.records, ...stateFiles.tables]
}
