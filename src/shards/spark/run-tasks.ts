import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CatalogueError, exitCodes, interrupted } from '../../errors.ts'
import { packageFile } from '../../package-file.ts'
import { createTempFolder } from '../../storage/file-system.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { formatNumbers } from '../commit/choose-attempts.ts'
import { findSpark } from './find-spark.ts'

export interface SparkOptions {
  /** `spark://HOST:7077`; by default the master in the settings of the installation. */
  readonly master?: string | undefined
  /** A server of Spark Connect in place of a master: `sc://HOST:15002`. */
  readonly remote?: string | undefined
  readonly conf?: readonly string[] | undefined
  /** The command on executors; by default CATALOGUE_ETL there, else `catalogue-etl`. */
  readonly command?: string | undefined
  /** Files of environment variables, on every machine. */
  readonly envFiles?: readonly string[] | undefined
}

export interface TaskOptions extends SparkOptions {
  /** The folder of the plan, or its prefix in a bucket, as all machines see it. */
  readonly plan: string
  readonly shards: readonly number[]
  readonly stage: 'rows' | 'ids'
}

/** How the final attempt of a shard ended. */
export interface ShardRow {
  readonly shard: number
  readonly attempt: number
  readonly host: string
  readonly exit_code: number
  readonly seconds: number
  /** The end of its standard error. */
  readonly stderr: string
}

type TaskContext = Pick<RunContext, 'onWarning'> & RequiredContext<'env' | 'signal'>

/**
 * Runs each shard as a task on Spark, with spark/catalogue_etl.py, and resolves with a row for each, even if it failed
 * for good. All tasks end if the signal aborts or this process is killed. Throws INTERRUPTED, PEER_MISSING without
 * Spark on this machine, and OUTPUT_FAILED if Spark can't run the tasks.
 */
export async function runTasks(options: TaskOptions, context: TaskContext): Promise<readonly ShardRow[]> {
  const program = await findSpark(context)
  const folder = await createTempFolder('catalogue-etl-spark-')
  const rows = join(folder, 'rows.json')
  const { code, log } = await runScript(program, [...toArguments(options), '--rows', rows], context)
  if (context.signal.aborted || code === exitCodes.interrupted) {
    await rm(folder, { recursive: true })
    throw interrupted('the work on Spark')
  }
  const outcome = await readOutcome(rows)
  if ('rows' in outcome) {
    await rm(folder, { recursive: true })
    return outcome.rows
  }
  const logFile = join(folder, 'spark.log')
  await writeFile(logFile, log)
  throw toEngineError(outcome.failure ?? `the script of Spark ended with ${code ?? 'a signal'}`, code, logFile)
}

function toArguments(options: TaskOptions): string[] {
  const { plan, shards, stage, master, remote, conf = [], command, envFiles = [] } = options
  const task = ['--to', plan, '--shards', formatNumbers(shards), '--stage', stage, '--end-with-stdin']
  return [
    ...task,
    ...(master === undefined ? [] : ['--master', master]),
    ...(remote === undefined ? [] : ['--remote', remote]),
    ...(command === undefined ? [] : ['--command', command]),
    ...conf.flatMap((setting) => ['--conf', setting]),
    ...envFiles.flatMap((file) => ['--env', file]),
  ]
}

interface ScriptEnd {
  readonly code: number | null
  readonly log: string
}

/** Keeps standard input open as long as this process lives: when it closes, the script ends, and all tasks with it. */
async function runScript(program: string, args: readonly string[], context: TaskContext): Promise<ScriptEnd> {
  const { env, signal, onWarning } = context
  const child = spawn(program, [packageFile('spark/catalogue_etl.py'), ...args], { env: { ...env } })
  let log = ''
  const listen = (chunk: Buffer): void => {
    const text = chunk.toString()
    log = (log + text).slice(-mostLog)
    for (const [, note] of text.matchAll(/^(spark: .*)$/gm)) onWarning?.(note!)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  child.stdin.on('error', () => undefined)
  const stop = () => child.stdin.end()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, log }))
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const mostLog = 1 << 20

type Outcome = { readonly rows: readonly ShardRow[] } | { readonly failure: string | null }

async function readOutcome(path: string): Promise<Outcome> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Outcome
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { failure: null }
    throw error
  }
}

function toEngineError(message: string, code: number | null, logFile: string): CatalogueError {
  const isUsage = code === exitCodes.usage
  const usage = message.includes('Python package') ? 'PEER_MISSING' : 'USAGE'
  return new CatalogueError(isUsage ? usage : 'OUTPUT_FAILED', `${message}; the log of Spark is in ${logFile}`, {
    title: isUsage ? undefined : 'Spark could not run the shards',
    outputs: 'Nothing was saved.',
    fix: isUsage
      ? undefined
      : 'Check the address and the machines of Spark, then run again: shards that are finished are kept.',
  })
}
