import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { chooseContract } from '../../contracts/choose-contract.ts'
import type { ContractName } from '../../contracts/contracts.ts'
import { toPipelineName } from '../../config/pipeline-name.ts'
import type { PipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { formatParquetFiles, formatPaths, quoteText } from '../../loads/files/sql-text.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import { withObjects } from '../../storage/s3/with-objects.ts'
import { planPipeline } from '../../plan/plan-pipeline.ts'
import { recognizeExport } from '../../plan/source/recognize-export.ts'
import type { LocalizedProfile, RunProfile } from '../../kernel/profile/run-profile.ts'
import { createLocalStorage } from '../../storage/local-storage.ts'
import { readSha256 } from '../../storage/file-system.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { findFiles } from '../../sources/find-files.ts'
import { findObject } from '../../sources/object-source.ts'
import { unobserved } from '../../engine/observe/observe-run.ts'
import { runPlan } from '../../engine/run/run-pipeline.ts'
import type { RunProgress } from '../../engine/run/transform.ts'
import { readLocalized } from './profile-pipeline.ts'
import { isWanted, type ProfileSelection } from './profile-selection.ts'
import { profileTables } from './profile-table.ts'
import { describeTable, type ReadableTable } from './readable-table.ts'
import { findListed, type ListedFile } from './find-listed.ts'
import { copyTable, openListedTables } from './published-tables.ts'
import { formatForeignCsv } from './text-table.ts'
import { withDuckdb, type Workbench } from './with-duckdb.ts'
import type { Manifest } from '../../manifest/manifest.ts'

export interface ProfileFileOptions extends ProfileSelection, RequiredContext<'env' | 'signal'> {
  readonly contract?: ContractName | undefined
  readonly stdin: Readable
  readonly onWarning?: RunContext['onWarning']
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
}

export interface FileProfile {
  readonly profile: RunProfile
  readonly export: ReadExport | null
  /** Origin of the types of a text table; null if there is none, absent for formats with types. */
  readonly typesFrom?: string | null
}

export interface ReadExport {
  readonly contract: ContractName
  readonly reason: string
  readonly ledger: Manifest['ledger']
  readonly completeness: Manifest['completeness']
}

/**
 * Profiles one file. Files of runs and other Parquet or CSV files are read as tables; an export is read as the tables
 * that a run with every field makes of it. Leaves no files. Throws errors of recognizing and reading, and of
 * `withDuckdb`.
 */
export async function profileFile(path: string, options: ProfileFileOptions): Promise<FileProfile> {
  const { signal, env } = options
  return withDuckdb(path, { signal }, async (workbench) => {
    const place = await withObjects(env, (objects) => bringFile(path, workbench, { signal, objects }))
    const listed = place.form === 'parquet' || path === '-' ? null : await findListed(path, options)
    const opened = await openFile(path, place, listed, workbench, options)
    const { runId, localized, typesFrom } = opened
    const tables = await profileTables(workbench.duckdb, opened.tables, options)
    const wanted = localized.filter(({ table }) => isWanted(options, table))
    const profile = { version: 1, pipeline: toPipelineName(path), runId, tables, localized: wanted } as const
    return { profile, export: opened.export, ...(typesFrom !== undefined && { typesFrom }) }
  })
}

interface FilePlace {
  readonly form: 'parquet' | 'csv' | 'export'
  /** Local path. An export in a bucket keeps its own path. */
  readonly local: string
}

/**
 * Recognizes the form of a file by its first bytes or extension. Copies a table from a bucket. Throws SOURCE_NOT_FOUND
 * if there is no such file.
 */
async function bringFile(
  path: string,
  { folder }: Workbench,
  { signal, objects }: RequiredContext<'signal'> & { readonly objects: ObjectReader },
): Promise<FilePlace> {
  if (path === '-') return { form: 'export', local: path }
  await findFiles([path], objects)
  if (!isObjectPath(path)) return { form: toForm(path, await readLocalBeginning(path)), local: path }
  const object = await findObject(path, objects)
  const form = toForm(path, await objects.readAt(object, 0, magicBytes))
  if (form === 'export') return { form, local: path }
  const local = join(folder, `table.${form}${path.endsWith('.gz') ? '.gz' : ''}`)
  await pipeline(objects.read(object, { signal }), createWriteStream(local))
  return { form, local }
}

const magicBytes = 4

function toForm(path: string, beginning: Buffer): FilePlace['form'] {
  if (beginning.toString('latin1') === 'PAR1') return 'parquet'
  return /\.(?:csv|tsv|txt)(?:\.gz)?$/i.test(path) ? 'csv' : 'export'
}

async function readLocalBeginning(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magicBytes), 0, magicBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

interface OpenedFile extends Pick<FileProfile, 'typesFrom'> {
  readonly runId: string
  readonly tables: readonly ReadableTable[]
  readonly localized: readonly LocalizedProfile[]
  readonly export: ReadExport | null
}

function openFile(
  path: string,
  place: FilePlace,
  listed: ListedFile | null,
  workbench: Workbench,
  options: ProfileFileOptions,
): Promise<OpenedFile> {
  if (listed !== null) return openAsListed(listed, place, workbench)
  return place.form === 'export' ? openExport(path, workbench, options) : openTable(path, place, workbench)
}

async function openAsListed(
  { file, runId, manifest }: ListedFile,
  { local }: FilePlace,
  { duckdb, folder }: Workbench,
): Promise<OpenedFile> {
  const access = { duckdb, folder, storage: createLocalStorage() }
  const tables = await openListedTables({ files: [{ ...file, path: local }] }, access)
  return { runId, tables, localized: [], export: null, typesFrom: manifest }
}

async function openTable(path: string, { form, local }: FilePlace, { duckdb, folder }: Workbench): Promise<OpenedFile> {
  const name = toPipelineName(path)
  const from =
    form === 'parquet'
      ? formatParquetFiles([local])
      : await copyTable(duckdb, formatForeignCsv(local), join(folder, 'converted.parquet'))
  const runId = (await readRunId(local, form, duckdb)) ?? (await readSha256(local))?.slice(0, 32) ?? ''
  const types = form === 'csv' ? { typesFrom: null } : {}
  return { runId, tables: [await describeTable(duckdb, { name, from })], localized: [], export: null, ...types }
}

async function readRunId(path: string, form: FilePlace['form'], duckdb: Duckdb): Promise<string | null> {
  if (form !== 'parquet') return null
  const key = quoteText('catalogue-etl.run_id')
  const metadata = `parquet_kv_metadata(${formatPaths([path])})`
  const [[runId] = []] = await duckdb.readAll(`SELECT decode(value) FROM ${metadata} WHERE decode(key) = ${key}`)
  return typeof runId === 'string' && /^[0-9a-f]{32}$/.test(runId) ? runId : null
}

/** Runs a pipeline over the file with every field and without a limit of rejects. */
async function openExport(
  path: string,
  { duckdb, folder }: Workbench,
  options: ProfileFileOptions,
): Promise<OpenedFile> {
  const { signal, env, stdin, onWarning, onProgress } = options
  const { contract, reason } =
    options.contract === undefined
      ? await recognizeExport(path, { signal, env, choose: chooseContract })
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
  const report = await runPlan(plan, { signal, env, stdin, onWarning, onProgress, observation: unobserved })
  const { ledger, completeness, runId } = report
  const tables = await openOutputs(duckdb, report)
  const localized = await readLocalized(plan.report, runId, createLocalStorage())
  return { runId, tables, localized, export: { contract, reason, ledger, completeness } }
}

async function openOutputs(duckdb: Duckdb, { files }: Manifest): Promise<ReadableTable[]> {
  const tables: ReadableTable[] = []
  for (const { table: name, path, columns } of files)
    tables.push(await describeTable(duckdb, { name, from: formatParquetFiles([path]) }, columns))
  return tables
}
