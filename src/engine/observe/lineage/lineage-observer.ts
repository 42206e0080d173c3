import { randomUUID } from 'node:crypto'
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import type { RequiredContext } from '../../../run-context.ts'
import type { FinishedRun, RunObserver, StartedRun } from '../run-observer.ts'
import { findParentRun, type ParentRun } from './parent-run.ts'
import { type RunEvent, type RunIdentity, toEndEvent, toStartEvent } from './run-event.ts'

type Environment = RequiredContext<'env'>['env']

/**
 * Sends the OpenLineage events of a run to the collector or the file that the config names, else to the collector at
 * OPENLINEAGE_URL.
 */
export class LineageObserver implements RunObserver {
  readonly name = 'OpenLineage'
  hasSent = false
  readonly #plan: PipelinePlan
  readonly #env: Environment
  readonly #runId = randomUUID()
  #parent: ParentRun | null = null

  constructor(plan: PipelinePlan, env: Environment) {
    this.#plan = plan
    this.#env = env
  }

  async started({ startedAt }: StartedRun): Promise<void> {
    const problem = this.#findParent()
    // The collector may take the last event even if it is too busy for the first one.
    const signal = AbortSignal.timeout(mostStartMs)
    await this.#send(toStartEvent(this.#identity, startedAt), signal)
    if (problem !== null) throw problem
  }

  async finished(end: FinishedRun, signal: AbortSignal): Promise<void> {
    await this.#send(toEndEvent(this.#identity, end), signal)
  }

  get #identity(): RunIdentity {
    const namespace = this.#plan.report.lineage?.namespace ?? (this.#env['OPENLINEAGE_NAMESPACE'] || 'default')
    return { plan: this.#plan, runId: this.#runId, namespace, parent: this.#parent }
  }

  /** An unreadable parent is a problem, but no reason to send nothing. */
  #findParent(): Error | null {
    try {
      this.#parent = findParentRun(this.#env)
      return null
    } catch (error) {
      return error as Error
    }
  }

  async #send(event: RunEvent, signal: AbortSignal): Promise<void> {
    await this.#deliver(event, signal)
    this.hasSent = true
  }

  async #deliver(event: RunEvent, signal: AbortSignal): Promise<void> {
    const { lineage } = this.#plan.report
    if (lineage !== undefined && 'path' in lineage) return append(lineage.path, event)
    const { OPENLINEAGE_API_KEY: key } = this.#env
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const { postJson } = await import('../post-json.ts')
    await postJson(toAddress(lineage?.url, this.#env), event, { headers, env: this.#env, signal })
  }
}

const mostStartMs = 2000

async function append(path: string, event: RunEvent): Promise<void> {
  // One write, so that lines of several processes don't mix.
  const write = () => appendFile(path, `${JSON.stringify(event)}\n`)
  try {
    await write().catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      await makeFolder(dirname(path))
      await write()
    })
  } catch (error) {
    throw codeOf(error) === 'ENOTDIR' ? new Error(`${dirname(path)} is no folder`, { cause: error }) : error
  }
}

/** Makes a folder and those above it. In /proc, `mkdir` with `recursive` of Node 20 never ends. */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  await make().catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await make()
  })
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

/** Throws TypeError for an address that is none; it may have a password, so it is not shown. */
function toAddress(configured: string | undefined, env: Environment): URL {
  const base = configured ?? env['OPENLINEAGE_URL'] ?? ''
  const endpoint = env['OPENLINEAGE_ENDPOINT'] || 'api/v1/lineage'
  const address = `${base.replace(/\/+$/, '')}/${endpoint.replace(/^\/+/, '')}`
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return new URL(address)
  throw new TypeError(
    'environment variable OPENLINEAGE_URL: expected an address such as http://marquez.example.com:5000',
  )
}
