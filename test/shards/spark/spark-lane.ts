import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuiltCli, CliProcess } from '../../cli/built-cli.ts'
import { createRandom } from '../../crash/moments.ts'
import { findVictims, killNow, type Victim } from './processes.ts'
import type { SparkCluster } from './spark-cluster.ts'

export interface SparkLaneOptions {
  readonly cluster: SparkCluster
  readonly cli: BuiltCli
  /** Options of the command that address Spark. */
  readonly reached: readonly string[]
  readonly bytes: string
  /** Two configs that write to the same outputs in `folder`. Runs alternate between them. */
  readonly configs: readonly [string, string]
  readonly folder: string
  /** Number of shards of each config. */
  readonly shards: number
  readonly seed: number
}

/** `commit`: the command itself, once all shards are finished; `worker`: the process of Spark that starts executors. */
type Kind = Victim | 'command line' | 'commit' | 'worker'

const kinds = [
  'command',
  'python',
  'commit',
  'executor',
  'command',
  'driver',
  'python',
  'command line',
  'worker',
] as const

export type SparkTally = Record<Kind, number>

/** Runs on Spark while processes are killed. After each run the outputs are compared with those of undisturbed runs. */
export class SparkLane {
  readonly #options: SparkLaneOptions
  readonly #tally: SparkTally = {
    command: 0,
    python: 0,
    executor: 0,
    driver: 0,
    worker: 0,
    commit: 0,
    'command line': 0,
  }
  /** The outputs of one process, for each config. */
  readonly #expected: readonly [string, string]

  private constructor(options: SparkLaneOptions, expected: readonly [string, string]) {
    this.#options = options
    this.#expected = expected
  }

  static async start(options: SparkLaneOptions): Promise<SparkLane> {
    const expected: string[] = []
    for (const config of options.configs) {
      const plan = join(options.folder, 'plan-one-process')
      for (const args of [
        ['shards', 'plan', config, '--to', plan, '--bytes', options.bytes],
        ['run', config, '--plan', plan, '--quiet'],
      ]) {
        const { code, stderr } = await options.cli.start(args, { cwd: options.folder }).ended
        assert.equal(code, 0, stderr)
      }
      expected.push(await digestOutputs(options.folder))
      await rm(plan, { recursive: true, force: true })
    }
    return new SparkLane(options, [expected[0]!, expected[1]!])
  }

  /** Runs until this number of processes was killed. */
  async run(kills: number): Promise<SparkTally> {
    for (let number = 0; this.#killed() < kills; number++) {
      try {
        await this.#runOne(number)
      } catch (error) {
        throw new Error(`seed ${this.#options.seed}, run ${number}: ${String(error)}`, { cause: error })
      }
    }
    return this.#tally
  }

  #killed(): number {
    return Object.values(this.#tally).reduce((sum, count) => sum + count, 0)
  }

  async #runOne(number: number): Promise<void> {
    const { folder, configs, seed } = this.#options
    const random = createRandom(`${seed} ${number}`)
    const [config, plan] = [configs[number % 2]!, join(folder, `plan-${number}`)]
    const [before, after] = [this.#expected[(number + 1) % 2]!, this.#expected[number % 2]!]
    const run = this.#start(config, plan)
    const ended = run.ended.then(() => 'ended' as const)
    for (let kill = 0; kill < 3; kill++) {
      await this.#kill(kinds[(3 * number + kill) % kinds.length]!, plan, run, 800 * random())
      if ((await Promise.race([ended, sleep(0)])) === 'ended') break
    }
    const { code, stderr } = await run.ended
    const left = await digestOutputs(folder)
    assert.ok(left === before || left === after, `neither the earlier outputs nor the new ones: ${left}`)
    if (code === 0) assert.equal(left, after)
    else await this.#runAgain(config, plan, `${code}: ${stderr}`)
    assert.equal(await digestOutputs(folder), after)
    await rm(plan, { recursive: true, force: true })
  }

  async #runAgain(config: string, plan: string, first: string): Promise<void> {
    const { code, stderr } = await this.#start(config, plan).ended
    assert.equal(code, 0, `${stderr}\nafter ${first}`)
  }

  #start(config: string, plan: string): CliProcess {
    const { cli, reached, bytes, cluster, folder } = this.#options
    const env = { ...cluster.driverEnv, CATALOGUE_WORKERS: '0' }
    return cli.start(['run', config, '--plan', plan, '--quiet', '--bytes', bytes, ...reached], { cwd: folder, env })
  }

  /** Waits for a process of the kind, then a little longer, and kills it. */
  async #kill(kind: Kind, plan: string, run: CliProcess, delayMs: number): Promise<void> {
    const ended = run.ended.then(() => 'ended' as const)
    for (;;) {
      if (await this.#isThere(kind, plan)) {
        await sleep(delayMs)
        if (await this.#killOne(kind, plan, run)) this.#tally[kind]++
        return
      }
      if ((await Promise.race([ended, sleep(20)])) === 'ended') return
    }
  }

  async #isThere(kind: Kind, plan: string): Promise<boolean> {
    if (kind === 'commit') return (await countFinished(plan)) === this.#options.shards
    const begun = kind === 'worker' || kind === 'command line' ? 'command' : kind
    return (await findVictims(begun, plan)).length > 0
  }

  async #killOne(kind: Kind, plan: string, run: CliProcess): Promise<boolean> {
    const { cluster } = this.#options
    if (kind === 'commit' || kind === 'command line') {
      run.kill('SIGKILL')
      return true
    }
    if (kind === 'worker') {
      killNow(cluster.workerPid('127.0.0.3'))
      await cluster.startWorker('127.0.0.3')
      return true
    }
    const [pid] = await findVictims(kind, plan)
    return pid !== undefined && killNow(pid)
  }
}

async function countFinished(plan: string): Promise<number> {
  if (!existsSync(join(plan, 'attempts'))) return 0
  const attempts = await readdir(join(plan, 'attempts'))
  const finished = attempts.filter((name) => existsSync(join(plan, 'attempts', name, 'shard.json')))
  return new Set(finished.map((name) => name.slice(0, 5))).size
}

/** Names and digests of the tables' files, one on each line. */
async function digestOutputs(folder: string): Promise<string> {
  const out = join(folder, 'out')
  const entries = await readdir(out, { recursive: true, withFileTypes: true })
  const paths = entries.filter((each) => each.isFile() && !/^[_.]|^datapackage/.test(each.name))
  const lines = paths.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    const digest = createHash('sha256').update(await readFile(path))
    return `${relative(out, path)} ${digest.digest('hex')}`
  })
  return (await Promise.all(lines)).toSorted().join('\n')
}
