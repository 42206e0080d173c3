/**
 * Everything from outside that work depends on, beside its own options. Functions take the parts that they need:
 * `Pick<RunContext, 'env' | 'signal'>`, or `RequiredContext<'signal'>` where a part has to be there.
 */
export interface RunContext {
  /** Ends the work with INTERRUPTED once it aborts, with its reason as the cause; nothing is published. */
  readonly signal?: AbortSignal | undefined
  /** Called at once with everything that does not end the work: a request is retried, or another run is waited for. */
  readonly onWarning?: ((message: string, about?: WarningFacts) => void) | undefined
  /** Milliseconds since 1970. Default: the clock of the system. */
  readonly now?: (() => number) | undefined
  /** Secrets, proxy and number of workers are read from it. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Waits for the promises of callbacks, before something is published. Throws what one rejects with. */
  readonly settle?: (() => Promise<void>) | undefined
  /** Unique to the run: part of its lock and of the names of its staging files. */
  readonly token?: string | undefined
}

export interface WarningFacts {
  /** True if the report of the run tells it, too. */
  readonly isReported: boolean
}

/** Parts of a context that have to be there. */
export type RequiredContext<Part extends keyof RunContext> = {
  readonly [Name in Part]: NonNullable<RunContext[Name]>
}
