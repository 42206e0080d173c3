import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { anObject, aSignal, aText, listOf, type OptionKinds, requireOptions } from '../../check-options.ts'
import type { PipelineConfig } from '../../config/pipeline-config.ts'
import { interrupted } from '../../errors.ts'
import { type Duckdb, openDuckdb } from '../../loads/files/open-duckdb.ts'
import type { FileReport } from '../../manifest/manifest.ts'
import { requireManifest } from '../../manifest/read-manifest.ts'
import { planPipeline } from '../../plan/plan-pipeline.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { findIdColumn } from '../../plan/records/table-key.ts'
import type { RunContext } from '../../run-context.ts'
import { createTempFolder } from '../../storage/file-system.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { type ChangeRun, chooseRuns, findChangeTables, formatToken, listChangeRuns, missing } from './change-runs.ts'
import { compareIds, type LocalFile, readRecords, readRowsOfRecords, type WantedRows } from './changed-rows.ts'
import type { ChangedRow, RecordChange } from './record-change.ts'

export interface ReadChangesOptions extends Pick<RunContext, 'env' | 'signal'> {
  /** The `token` of the last change that was dealt with. Default: begins with every record there is. */
  readonly after?: string | undefined
  /** Other tables whose rows each change brings. Default: none. */
  readonly tables?: readonly string[] | undefined
  /** The folder of the outputs, as `--out`. */
  readonly outDir?: string | undefined
}

/**
 * Reads what the published runs of a pipeline changed, from its Parquet files with `mode: changes`, in their order and by
 * id. Reads no further than changes are asked for; leaving a loop early closes everything.
 *
 * Throws USAGE without such files, for a wrong token and for wrong options, SOURCE_NOT_FOUND if nothing is published, SOURCE_CHANGED if
 * changes are missing, STATE_INVALID for a damaged file, PEER_MISSING without DuckDB, or INTERRUPTED.
 */
export async function* readChanges(
  config: PipelineConfig,
  options: ReadChangesOptions = {},
): AsyncGenerator<RecordChange, void, undefined> {
  requireOptions('readChanges', options, changesOptions)
  const { after, tables = [], outDir, env = process.env, signal } = options
  const plan = planPipeline(config, { env, outDir })
  const { path } = plan.report.manifest
  const found = findChangeTables(plan, tables)
  const storage = await openStorage(path, env, { settings: plan.outputs.s3 })
  try {
    const runs = listChangeRuns(plan.name, await requireManifest(path, plan.name, storage), found)
    const { first, afterId } = chooseRuns(plan.name, runs, after)
    const folder = await createTempFolder('catalogue-etl-changes-')
    const files = new LocalFiles(storage, folder)
    try {
      const duckdb = await openDuckdb({
        memoryLimitMb: 256,
        tempFolder: join(folder, 'spilled'),
        signal,
        baselineFiles: files.paths,
        shown: 'reading changes',
      })
      try {
        const reading = { plan, duckdb, files, root: found.root, signal }
        for (let at = first; at < runs.length; at++) yield* readRun(reading, runs, at, at === first ? afterId : null)
      } finally {
        duckdb.close()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } catch (thrown) {
    if (signal?.aborted !== true) throw thrown
    throw interrupted(`${plan.name}: reading changes`, { cause: signal.reason })
  } finally {
    await storage.close()
  }
}

const changesOptions: OptionKinds<ReadChangesOptions> = {
  after: aText,
  tables: listOf(aText),
  outDir: aText,
  env: anObject,
  signal: aSignal,
}

interface Reading {
  readonly plan: Pick<PipelinePlan, 'name' | 'records'>
  readonly duckdb: Duckdb
  readonly files: LocalFiles
  readonly root: string
  readonly signal: AbortSignal | undefined
}

async function* readRun(
  { plan, duckdb, files, root, signal }: Reading,
  runs: readonly ChangeRun[],
  at: number,
  afterId: string | null,
): AsyncGenerator<RecordChange, void, undefined> {
  const { run, previousRun, files: ofRun } = runs[at] as ChangeRun
  const wanted = new Map<string, WantedRows>()
  for (const [table, listed] of ofRun) {
    const { columns = [] } = plan.records.tables.find(({ name }) => name === table) ?? {}
    wanted.set(table, {
      files: await files.require(plan.name, listed),
      idColumn: findIdColumn(columns)?.name ?? '',
      afterId,
    })
  }
  const begin = runs.findLastIndex((each, index) => index <= at && each.previousRun === null)
  const earlier = runs.slice(Math.max(begin, 0), at).flatMap((each) => each.files.get(root) ?? [])
  const records = readRecords(duckdb, wanted.get(root) as WantedRows, await files.find(earlier))
  const others = [...wanted].filter(([table]) => table !== root)
  const rows = others.map(([table, each]) => new RowsByRecord(table, readRowsOfRecords(duckdb, each), compareIds(each)))
  try {
    let next = await records.next()
    while (next.done !== true) {
      signal?.throwIfAborted()
      const change = next.value
      const tables: Record<string, readonly ChangedRow[]> = {}
      for (const table of rows) tables[table.name] = await table.take(change.id)
      next = await records.next()
      // Behind the last one is the whole run, whose files are no longer needed to continue.
      const token = formatToken({ run, id: next.done === true ? null : change.id })
      yield { ...change, tables, run, previousRun, token }
    }
  } finally {
    await Promise.all([records.return(undefined), ...rows.map((table) => table.close())])
  }
}

/** The rows of a table, taken record by record in the order of their ids. */
class RowsByRecord {
  readonly name: string
  readonly #records: ReturnType<typeof readRowsOfRecords>
  readonly #compare: ReturnType<typeof compareIds>
  #next: Awaited<ReturnType<ReturnType<typeof readRowsOfRecords>['next']>> | null = null

  constructor(name: string, records: ReturnType<typeof readRowsOfRecords>, compare: ReturnType<typeof compareIds>) {
    this.name = name
    this.#records = records
    this.#compare = compare
  }

  async take(id: string): Promise<readonly ChangedRow[]> {
    this.#next ??= await this.#records.next()
    // Files of an earlier version may have rows of records that are not among the changes.
    while (this.#next.done !== true && this.#compare(this.#next.value.id, id) < 0)
      this.#next = await this.#records.next()
    if (this.#next.done === true || this.#next.value.id !== id) return []
    const { rows } = this.#next.value
    this.#next = await this.#records.next()
    return rows
  }

  async close(): Promise<void> {
    await this.#records.return(undefined)
  }
}

/** Files of changes on this machine: objects are copied into the folder, each once. */
class LocalFiles {
  /** All that were brought. */
  readonly paths: string[] = []
  readonly #storage: Pick<FileStorage, 'sizeOf' | 'toLocal'>
  readonly #folder: string
  readonly #known = new Map<string, LocalFile>()

  constructor(storage: Pick<FileStorage, 'sizeOf' | 'toLocal'>, folder: string) {
    this.#storage = storage
    this.#folder = folder
  }

  async require(name: string, listed: readonly FileReport[]): Promise<LocalFile[]> {
    const found = await this.find(listed)
    const [first] = listed
    const gone = listed.find(({ path }) => !this.#known.has(path))
    if (first !== undefined && gone === undefined) return found
    throw missing(
      `${name}: expected the file of changes ${gone?.path ?? 'of each table'} as the manifest lists it, got none or another`,
    )
  }

  /** Files behind the last one that is gone or not as it was published. */
  async find(listed: readonly FileReport[]): Promise<LocalFile[]> {
    const found: LocalFile[] = []
    for (const file of listed) {
      const local = this.#known.get(file.path) ?? (await this.#bring(file))
      if (local === null) found.length = 0
      else found.push(local)
    }
    return found
  }

  async #bring({ path, bytes, columns }: FileReport): Promise<LocalFile | null> {
    if ((await this.#storage.sizeOf(path)) !== bytes) return null
    const local = await this.#storage.toLocal(path, join(this.#folder, `${this.paths.length}.parquet`))
    this.paths.push(local)
    const file = { path: local, columns, shape: JSON.stringify(columns) }
    this.#known.set(path, file)
    return file
  }
}
