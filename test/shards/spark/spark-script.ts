import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SparkCluster } from './spark-cluster.ts'

export const sparkScript = fileURLToPath(new URL('../../../spark/catalogue_etl.py', import.meta.url))

interface ScriptEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Runs the shards of a plan by the script, in a process of its own that can be killed. */
export class SparkScript {
  readonly #child
  readonly ended: Promise<ScriptEnd>

  constructor(cluster: SparkCluster, plan: string, args: readonly string[]) {
    const fixed = [sparkScript, '--to', plan, '--rows', join(plan, 'rows.json'), '--end-with-stdin']
    const child = spawn(cluster.python, [...fixed, ...args], {
      env: cluster.driverEnv,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.#child = child
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal }))
    })
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }
}
