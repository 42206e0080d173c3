import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../src/engine/run/run-pipeline.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import type { BuiltCli, CliProcess, ProcessEnd } from '../cli/built-cli.ts'
import { runInMemory } from '../cli/memory-terminal.ts'
import { createPlace, type CrashTarget, type Place } from './crash-target.ts'
import { phases, type KillPoint, type Phase } from './moments.ts'

export interface CrashRunsOptions {
  readonly target: CrashTarget
  readonly cli: BuiltCli
  /** A clock that changes only by the days that pass: a run that is repeated may then equal one that is not. */
  readonly sandbox: Sandbox
  /** For configs and places. */
  readonly folder: string
}

/** The number of steps that a run made; the last phase is the one in which it ended. */
type Steps = Partial<Record<Phase, number>>

interface Ended {
  readonly isKilled: boolean
  readonly steps: Steps
  readonly lifeMs: number
}

/** Measurements of a run that nobody disturbs. */
interface Life {
  readonly ms: number
  readonly full: Steps
  readonly delta: Steps
}

/** Runs of one config over one target: undisturbed ones, and processes that are killed. */
export class CrashRuns {
  readonly #options: CrashRunsOptions
  readonly #life: Life

  private constructor(options: CrashRunsOptions, life: Life) {
    this.#options = options
    this.#life = life
  }

  /** Measures first how long a run lives, and how many steps it makes. */
  static async start(options: CrashRunsOptions): Promise<CrashRuns> {
    const place = await createPlace(options.folder, 'measured')
    const full = await runProcess(options, place, true)
    options.sandbox.advance()
    const delta = await runProcess(options, place, false)
    return new CrashRuns(options, {
      ms: Math.min(full.lifeMs, delta.lifeMs),
      full: full.steps,
      delta: delta.steps,
    })
  }

  /** The phases of the runs. */
  get phases(): readonly Phase[] {
    return phases.filter((phase) => this.#life.full[phase] !== undefined)
  }

  /** Starts a real process and kills it; resolves with the phase that it had reached, null where it ended before. */
  async kill(place: Place, isFull: boolean, moment: KillPoint): Promise<Phase | null> {
    const { isKilled, steps } = await runProcess(this.#options, place, isFull, this.#toKill(moment, isFull))
    return isKilled ? (phases.findLast((phase) => steps[phase] !== undefined) ?? 'start') : null
  }

  /** In this process, which is quicker. */
  async run(place: Place, isFull: boolean): Promise<void> {
    const options = { outDir: place.folder, env: {}, workers: 0, fullRefresh: isFull }
    await runPipeline(toConfig(this.#options, place), options)
  }

  /** The output of `state show`: how far the state has come, and what comes next. */
  async showState(place: Place): Promise<unknown> {
    const config = await writeConfig(this.#options, place)
    const { exitCode, stdout, stderr } = await runInMemory(['state', 'show', config, '--out', place.folder, '--json'])
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' })
    const { state, next } = JSON.parse(stdout) as { state: Record<string, unknown>; next: unknown }
    const { startedAt, syncedUntil, lastFullAt } = state
    return { startedAt, syncedUntil, lastFullAt, next }
  }

  #toKill(moment: KillPoint, isFull: boolean): Kill {
    if (moment.at === 'time') return { at: 'time', delayMs: moment.share * this.#life.ms }
    if (moment.at === 'answer') return moment
    const { share, afterMs } = moment
    const steps = isFull ? this.#life.full : this.#life.delta
    const phase = steps[moment.phase] === undefined ? replacePhase(moment.phase) : moment.phase
    return { at: 'step', phase, step: Math.floor(share * (steps[phase] ?? 0)), afterMs }
  }
}

/** Without databases nothing is loaded, without files nothing merged. */
function replacePhase(phase: Phase): Phase {
  return phase === 'load' ? 'merge' : phase === 'merge' ? 'load' : phase
}

/** A kill point, measured. */
type Kill =
  | { readonly at: 'time'; readonly delayMs: number }
  | Extract<KillPoint, { at: 'answer' }>
  | { readonly at: 'step'; readonly phase: Phase; readonly step: number; readonly afterMs: number | null }

async function runProcess(options: CrashRunsOptions, place: Place, isFull: boolean, kill?: Kill): Promise<Ended> {
  const { cli, folder, target, sandbox } = options
  const notes = join(folder, 'notes.json')
  await writeFile(notes, '')
  const env = {
    NODE_OPTIONS: `--import=${new URL('track-run.mjs', import.meta.url).href}`,
    CRASH_NOTES: notes,
    CRASH_AT: kill?.at === 'step' ? JSON.stringify(kill) : '',
    ...target.env,
  }
  const config = await writeConfig(options, place)
  const args = ['run', config, '--out', place.folder, '--quiet', '--workers', '0']
  const asked = sandbox.requests.length
  if (kill?.at === 'answer') sandbox.inject({ endpoint: 'v4/products/stream', fault: kill.fault })
  const startedAt = performance.now()
  const child = cli.start([...args, ...(isFull ? ['--full-refresh'] : [])], { env })
  if (kill?.at === 'time') await killAfter(child, kill.delayMs)
  if (kill?.at === 'answer') await killAtAnswer(child, sandbox, asked, kill.delayMs)
  const isKilled = checkEnd(await child.ended)
  const lifeMs = performance.now() - startedAt
  return { isKilled, lifeMs, steps: JSON.parse((await readFile(notes, 'utf8')) || '{}') as Steps }
}

async function killAfter(child: CliProcess, delayMs: number): Promise<void> {
  await Promise.race([sleep(delayMs), child.ended])
  child.kill('SIGKILL')
}

/** Once the request has come whose answer falls silent. */
async function killAtAnswer(child: CliProcess, sandbox: Sandbox, asked: number, delayMs: number): Promise<void> {
  const isSilent = () => sandbox.requests.slice(asked).some(({ fault }) => fault !== null)
  const ended = child.ended.then(() => 'ended' as const)
  while (!isSilent()) {
    if ((await Promise.race([sleep(2), ended])) === 'ended') throw new Error('expected a request, got none')
  }
  await killAfter(child, delayMs)
}

/** Returns true if it was killed; throws where it failed. */
function checkEnd({ code, signal, stdout, stderr }: ProcessEnd): boolean {
  if (signal === 'SIGKILL') return true
  if (code === 0) return false
  throw new Error(`the run ended with ${signal ?? code}: ${stderr}${stdout}`)
}

async function writeConfig(options: CrashRunsOptions, place: Place): Promise<string> {
  const path = join(options.folder, `${place.prefix}.yaml`)
  await writeFile(path, JSON.stringify(toConfig(options, place)))
  return path
}

function toConfig({ sandbox, target }: CrashRunsOptions, place: Place): PipelineConfig {
  const { baseUrl, keyId, keySecret } = sandbox
  return {
    name: 'products',
    source: { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret, requestsPerMinute: 10_000 },
    incremental: { fullEvery: '3660d' },
    maxRemoved: '100%',
    tables: {
      products: { columns: ['id', 'status', 'deleted', 'meta.updatedAt', 'name'] },
      photos: { each: 'photos[]' },
    },
    outputs: target.outputs(place),
    manifest: { path: 'out/_manifest.json' },
    rejects: { path: 'out/_rejects.ndjson' },
  }
}
