import type { RunContext } from '../../../run-context.ts'
import type { FinishedRun, RunObserver, StartedRun } from '../run-observer.ts'
import { type PipesSession, openPipesSession } from './pipes-session.ts'
import { listMessages } from './list-messages.ts'

/** Tells the step of Dagster that started this process of its run. */
export class DagsterObserver implements RunObserver {
  readonly name = 'Dagster'
  hasSent = false
  readonly #env: NonNullable<RunContext['env']>
  #opened: { readonly session: PipesSession; readonly run: StartedRun } | null = null

  constructor(env: NonNullable<RunContext['env']>) {
    this.#env = env
  }

  async started(run: StartedRun): Promise<void> {
    const session = await openPipesSession(this.#env)
    await session.write([{ method: 'opened', params: { extras: {} } }])
    this.hasSent = true
    this.#opened = { session, run }
  }

  async finished(end: FinishedRun): Promise<void> {
    if (this.#opened === null) return
    const { session, run } = this.#opened
    await session.write(listMessages(end, run.plan, session.context))
  }
}
