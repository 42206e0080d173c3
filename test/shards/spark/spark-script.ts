import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quickJava, type SparkCluster } from './spark-cluster.ts'

const script = fileURLToPath(new URL('../../../spark/catalogue_etl.py', import.meta.url))

interface ShardRow {
  readonly shard: number
  readonly attempt: number
  readonly host: string
  readonly exit_code: number
  readonly seconds: number
  readonly stderr: string
}

interface ScriptEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Standard output and standard error. */
  readonly log: string
  /** None where it failed. */
  readonly rows: readonly ShardRow[]
}

/** The script, which runs the shards of a plan in the way in which the command starts it. */
export class SparkScript {
  readonly #child
  readonly ended: Promise<ScriptEnd>

  constructor(cluster: SparkCluster, plan: string, args: readonly string[]) {
    const rowsFile = join(plan, 'rows.json')
    const fixed = [script, '--to', plan, '--rows', rowsFile, '--end-with-stdin']
    const env = { PATH: process.env['PATH'], SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_PYTHON: cluster.python, ...quickJava }
    const child = spawn(cluster.python, [...fixed, ...args], { env })
    this.#child = child
    const log: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => log.push(chunk))
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => {
        const end = { code, signal, log: Buffer.concat(log).toString() }
        readRows(code === 0 ? rowsFile : null).then((rows) => resolve({ ...end, rows }), reject)
      })
    })
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  endInput(): void {
    this.#child.stdin.end()
  }
}

async function readRows(path: string | null): Promise<readonly ShardRow[]> {
  return path === null ? [] : (JSON.parse(await readFile(path, 'utf8')) as ShardRow[])
}
