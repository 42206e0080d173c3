import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfigDocument } from '../../src/config/config-document.ts'
import { checkPipeline } from '../../src/plan/check-pipeline.ts'
import type { PipelinePlan } from '../../src/plan/pipeline-plan.ts'
import { isLakePlan } from '../../src/plan/outputs/database-plan.ts'
import type { OutputsPlan } from '../../src/plan/outputs/outputs-plan.ts'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { runInMemory, type CliResult } from '../cli/memory-terminal.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from '../loads/databases/postgres-server.ts'
import { readSheet } from '../formats/xlsx/read-sheet.ts'
import { readDelta } from '../lake/readers/read-delta.ts'
import { startS3, type S3Server } from '../storage/s3/start-s3.ts'
import { queryDuckDb, readRows, toRows, type Row } from './read-outputs.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'

const folder = fileURLToPath(new URL('../../pipelines/', import.meta.url))

/** Every config of the folder, so that a new one can't be forgotten. */
export const readyFiles = (await readdir(folder)).filter((file) => file.endsWith('.yaml'))

/** Those that this machine has the servers for. */
export const runnableFiles = readyFiles.filter((file) => !(skipsPostgres && file.includes('postgres')))

export const readyPath = (file: string): string => join(folder, file)

/** What pipelines need: a sandbox, a PostgreSQL server where one is installed, a bucket, and a working folder. */
export class ReadyRig {
  readonly sandbox: Sandbox
  readonly work: string
  readonly #postgres: PostgresServer | null
  readonly #bucket: string
  readonly #s3: S3Server

  private constructor(sandbox: Sandbox, work: string, bucket: string, s3: S3Server, postgres: PostgresServer | null) {
    this.sandbox = sandbox
    this.work = work
    this.#bucket = bucket
    this.#s3 = s3
    this.#postgres = postgres
  }

  static async start(options: SandboxOptions): Promise<ReadyRig> {
    return ReadyRig.beside(await startSandbox({ rateLimit: false, ...options }))
  }

  /** Places of its own for what comes from a sandbox. */
  static async beside(sandbox: Sandbox): Promise<ReadyRig> {
    const bucket = `warehouse-${randomUUID()}`
    const [work, s3, postgres] = await Promise.all([
      mkdtemp(join(tmpdir(), 'ready-')),
      startS3(bucket),
      skipsPostgres ? null : startPostgres(),
    ])
    return new ReadyRig(sandbox, work, bucket, s3, postgres)
  }

  async close(): Promise<void> {
    await Promise.all([this.sandbox.close(), this.#s3.close(), this.#postgres?.stop()])
    await rm(this.work, { recursive: true })
  }

  get env(): Record<string, string> {
    const { baseUrl, keyId, keySecret } = this.sandbox
    return {
      CATALOGUE_URL: baseUrl,
      CATALOGUE_KEY_ID: keyId,
      CATALOGUE_KEY_SECRET: keySecret,
      ...this.#s3.env,
      CATALOGUE_BUCKET: this.#bucket,
      ...(this.#postgres === null ? {} : { DATABASE_URL: this.#postgres.url.text }),
    }
  }

  /** The plan of a config. Fails on any problem. */
  async plan(file: string): Promise<PipelinePlan> {
    const { value, problems } = await readConfigDocument(readyPath(file))
    const options = { env: this.env, needsService: true, outDir: join(this.work, 'out'), now: this.sandbox.now() }
    const { plan, problems: more } = checkPipeline(value, options)
    const [problem] = [...problems, ...more]
    if (problem !== undefined || plan === null) throw new Error(`${file}: ${problem?.message}`)
    return plan
  }

  async run(file: string, ...options: string[]): Promise<CliResult & { report: Manifest }> {
    const pace = ['--set', 'source.requestsPerMinute=100000']
    const call = ['run', readyPath(file), '--out', join(this.work, 'out'), '--json', ...pace, ...options]
    const result = await runInMemory(call, { env: this.env })
    if (result.exitCode !== 0) throw new Error(`${file} ended with ${result.exitCode}: ${result.stdout}`)
    const { runs } = JSON.parse(result.stdout) as { runs: { report: Manifest }[] }
    return { ...result, report: runs[0]!.report }
  }

  /** A table's rows in each output of a pipeline; of a history the current ones. */
  async readTable({ files, stateful }: OutputsPlan, report: Manifest, table: string): Promise<Row[][]> {
    const outputs: Row[][] = []
    for (const { path, format } of report.files.filter((file) => file.table === table)) {
      const file = files.find(({ format: planned }) => planned.format === format)
      const delimiter = file?.format.format === 'csv' ? file.format.dialect.delimiter : ','
      const local = await this.toLocal(path)
      const isSheet = format === 'xlsx'
      outputs.push(
        isSheet ? readSheet(await readFile(local), table) : await readRows({ path: local, format }, delimiter),
      )
    }
    for (const database of stateful?.databases ?? []) {
      if (isLakePlan(database)) {
        if (database.format !== 'delta') throw new Error('expected no Iceberg tables in a ready pipeline')
        outputs.push(await readLakeTable(database.path.replace('{table}', table)))
        continue
      }
      const current = database.mode === 'history' ? 'WHERE is_current' : ''
      outputs.push(
        toRows(
          await this.query(
            database,
            `SELECT CAST(to_json(t) AS VARCHAR) FROM "${database.schema}"."${table}" AS t ${current}`,
          ),
        ),
      )
    }
    return outputs
  }

  query(
    database: NonNullable<PipelinePlan['outputs']['stateful']>['databases'][number],
    sql: string,
  ): Promise<unknown[][]> {
    if (database.format === 'duckdb') return queryDuckDb(sql, database.path)
    if (this.#postgres === null) throw new Error('expected a PostgreSQL server')
    return this.#postgres.query(sql)
  }

  /** A file of the bucket, and any other, as one on disk. */
  async toLocal(path: string): Promise<string> {
    if (!path.startsWith('s3://')) return path
    const key = path.replace(/^s3:\/\/[^/]+\//, '')
    const local = join(this.work, key.replaceAll('/', '-'))
    await writeFile(local, (await this.#s3.objects())[key]!, 'latin1')
    return local
  }
}

async function readLakeTable(table: string): Promise<Row[]> {
  const paths = (await readDelta(table)).files.map(({ path }) => `'${path}'`)
  if (paths.length === 0) return []
  return toRows(
    await queryDuckDb(
      `SELECT CAST(to_json(t) AS VARCHAR) FROM read_parquet([${paths.join(', ')}], union_by_name = true) AS t`,
    ),
  )
}
