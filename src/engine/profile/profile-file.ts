import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { chooseContract } from '../../contracts/choose-contract.ts'
import type { ContractName } from '../../contracts/contracts.ts'
import { toPipelineName } from '../../config/pipeline-name.ts'
import type { PipelineConfig } from '../../config/pipeline-schema.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { formatParquetFiles, formatPaths, quoteText } from '../../loads/files/sql-text.ts'
import { planPipeline } from '../../plan/plan-pipeline.ts'
import { recognizeExport } from '../../plan/source/recognize-export.ts'
import type { LocalizedProfile, RunProfile } from '../../profile/run-profile.ts'
import { createLocalStorage } from '../../publish/local-storage.ts'
import { readSha256 } from '../../publish/file-system.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { findFiles } from '../../sources/find-files.ts'
import { runPlan } from '../run/run-pipeline.ts'
import type { RunReport } from '../run/run-report.ts'
import type { RunProgress } from '../run/transform.ts'
import { readLocalized } from './profile-pipeline.ts'
import { isWanted, type ProfileSelection } from './profile-selection.ts'
import { profileTables } from './profile-table.ts'
import { describeTable, type ReadableTable } from './readable-table.ts'
import { copyTable } from './published-tables.ts'
import { formatForeignCsv } from './text-table.ts'
import { withDuckdb, type Workbench } from './with-duckdb.ts'

export interface ProfileFileOptions extends ProfileSelection, RequiredContext<'env' | 'signal'> {
  /** Says what the records of an export are; by default they are recognized. */
  readonly contract?: ContractName | undefined
  readonly stdin: Readable
  readonly onWarning?: RunContext['onWarning']
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
}

/** A profile of a file, and how it was read. */
export interface FileProfile {
  readonly profile: RunProfile
  /** The reading of an export; null for a table. */
  readonly export: ReadExport | null
}

export interface ReadExport {
  readonly contract: ContractName
  /** How the contract is known. */
  readonly reason: string
  readonly ledger: RunReport['ledger']
  readonly completeness: RunReport['completeness']
}

/**
 * The profile of one file: a Parquet or CSV file as a table, an export as the tables that a run with every field makes of it.
 * Nothing is left behind. Throws what recognizing and reading it throws, and what `withDuckdb` throws.
 */
export async function profileFile(path: string, options: ProfileFileOptions): Promise<FileProfile> {
  const { signal } = options
  return withDuckdb(path, { signal }, async (workbench) => {
    const form = path === '-' ? 'export' : await recognizeForm(path)
    const opened =
      form === 'export' ? await openExport(path, workbench, options) : await openTable(path, form, workbench)
    const { runId, localized } = opened
    const tables = await profileTables(workbench.duckdb, opened.tables, options)
    const wanted = localized.filter(({ table }) => isWanted(options, table))
    const profile = { version: 1, pipeline: toPipelineName(path), runId, tables, localized: wanted } as const
    return { profile, export: opened.export }
  })
}

/** The form of a file, by its first bytes, and of text by its name. Throws SOURCE_NOT_FOUND where there is none. */
async function recognizeForm(path: string): Promise<'parquet' | 'csv' | 'export'> {
  await findFiles([path])
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (buffer.toString('latin1') === 'PAR1') return 'parquet'
  } finally {
    await file.close()
  }
  return /\.(?:csv|tsv|txt)(?:\.gz)?$/i.test(path) ? 'csv' : 'export'
}

interface OpenedFile {
  readonly runId: string
  readonly tables: readonly ReadableTable[]
  readonly localized: readonly LocalizedProfile[]
  readonly export: ReadExport | null
}

async function openTable(path: string, form: 'parquet' | 'csv', { duckdb, folder }: Workbench): Promise<OpenedFile> {
  const name = toPipelineName(path)
  const from =
    form === 'parquet'
      ? formatParquetFiles([path])
      : await copyTable(duckdb, formatForeignCsv(path), join(folder, 'table.parquet'))
  const runId = (await readRunId(path, form, duckdb)) ?? (await readSha256(path))?.slice(0, 32) ?? ''
  return { runId, tables: [await describeTable(duckdb, { name, from })], localized: [], export: null }
}

/** The run that wrote a Parquet file; null for one of another program. */
async function readRunId(path: string, form: 'parquet' | 'csv', duckdb: Duckdb): Promise<string | null> {
  if (form === 'csv') return null
  const key = quoteText('catalogue-etl.run_id')
  const metadata = `parquet_kv_metadata(${formatPaths([path])})`
  const [[runId] = []] = await duckdb.readAll(`SELECT decode(value) FROM ${metadata} WHERE decode(key) = ${key}`)
  return typeof runId === 'string' && /^[0-9a-f]{32}$/.test(runId) ? runId : null
}

/** Runs a pipeline over the file that has every field, and keeps every line that fits the contract. */
async function openExport(
  path: string,
  { duckdb, folder }: Workbench,
  options: ProfileFileOptions,
): Promise<OpenedFile> {
  const { signal, env, stdin, onWarning, onProgress } = options
  const { contract, reason } =
    options.contract === undefined
      ? await recognizeExport(path, { signal, choose: chooseContract })
      : { contract: options.contract, reason: 'as the command says' }
  const config: PipelineConfig = {
    name: toPipelineName(path),
    source: { files: path.replaceAll('${', () => '$${'), contract },
    completeness: 'report',
    outputs: [{ format: 'parquet', path: `${folder}/{table}.parquet` }],
    rejects: { limit: '100%' },
    report: false,
  }
  const plan = planPipeline(config, { env })
  const report = await runPlan(plan, { signal, env, stdin, onWarning, onProgress })
  const { ledger, completeness, runId } = report
  const tables = await openOutputs(duckdb, report)
  const localized = await readLocalized(plan, runId, createLocalStorage())
  return { runId, tables, localized, export: { contract, reason, ledger, completeness } }
}

async function openOutputs(duckdb: Duckdb, { files }: RunReport): Promise<ReadableTable[]> {
  const tables: ReadableTable[] = []
  for (const { table: name, path, columns } of files)
    tables.push(await describeTable(duckdb, { name, from: formatParquetFiles([path]) }, columns))
  return tables
}
