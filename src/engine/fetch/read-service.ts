import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { aFunction, anObject, aSignal, keysOfConfig, type OptionKinds, requireOptions } from '../../check-options.ts'
import type { EndpointName } from '../../service/endpoints/endpoints.ts'
import type { EndpointSourceConfig } from '../../config/typed-pipeline.ts'
import type { PipelineConfig } from '../../config/pipeline-config.ts'
import { interrupted } from '../../errors.ts'
import { checkPipeline } from '../../plan/check-pipeline.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { configInvalid } from '../../plan/plan-pipeline.ts'
import type { RunContext } from '../../run-context.ts'
import { CallbackWatch } from '../../watch-callbacks.ts'
import { verdictOf, type Judged } from '../../sources/completeness.ts'
import type { SourceNotes } from '../../sources/source.ts'
import type { OpenedSources } from '../reading/open-sources.ts'
import { checkComplete } from '../run/check-run.ts'
import { Delivery } from './delivery.ts'
import { openUnpublished } from './open-unpublished.ts'
import type { Completeness } from '../../manifest/manifest.ts'

/** The same keys as in `source` of a config, with the same checks. `${NAME}` in a text is an environment variable. */
export interface ReadServiceOptions<Name extends EndpointName>
  extends
    Required<Pick<EndpointSourceConfig<Name>, 'endpoint' | 'baseUrl' | 'keyId' | 'keySecret'>>,
    Omit<
      EndpointSourceConfig<Name>,
      'endpoint' | 'baseUrl' | 'keyId' | 'keySecret' | 'files' | 'format' | 'parts' | 'contract'
    >,
    Pick<RunContext, 'signal' | 'env' | 'onWarning'> {
  readonly sourceIds?: PipelineConfig['sourceIds']
  /** `require`, the default, ends the stream of an incomplete result with SOURCE_INCOMPLETE; `report` accepts it. */
  readonly completeness?: PipelineConfig['completeness']
  /** Called with the report after the last line. */
  readonly onEnd?: ((report: ReadServiceReport) => void | Promise<void>) | undefined
}

export interface ReadServiceReport extends SourceNotes {
  /** The verdict from the answers of the service; `unprovable` before the end. */
  readonly completeness: Completeness
  readonly lines: number
  readonly bytes: number
  readonly requests: number
}

/**
 * Streams the lines of an endpoint as bytes, the same lines that `fetchPipeline` lands. All requests of the process
 * with this key share one budget per minute. Failed requests are repeated, and no record comes twice. Nothing is
 * requested before the first read, and reading follows demand. An incomplete result destroys the stream with a
 * CatalogueError such as SOURCE_INCOMPLETE, so that `pipeline()` rejects. Throws USAGE or CONFIG_INVALID at once for
 * wrong options.
 */
export function readService<const Name extends EndpointName>(options: ReadServiceOptions<Name>): ServiceLines {
  requireOptions('readService', options, { ...sourceOptions, ...readingOptions })
  const { signal, env = process.env, onWarning, onEnd, completeness, sourceIds, ...source } = options
  const config = {
    name: 'readService',
    source,
    ...(sourceIds !== undefined && { sourceIds }),
    ...(completeness !== undefined && { completeness }),
  }
  const { plan, problems } = checkPipeline(config, { env, needsService: true, now: Date.now() })
  if (plan?.source.kind === 'service') return new ServiceLines(plan, { signal, onWarning, onEnd })
  throw configInvalid(
    'readService',
    problems.map((problem) => ({ ...problem, path: problem.path.slice(problem.path[0] === 'source' ? 1 : 0) })),
    'Correct the options named above.',
  )
}

type ReadingOptions = 'signal' | 'env' | 'onWarning' | 'onEnd' | 'completeness'

/** What is read, and from where. */
export const sourceOptions: OptionKinds<Omit<ReadServiceOptions<EndpointName>, ReadingOptions>> = {
  ...keysOfConfig('endpoint', 'baseUrl', 'keyId', 'keySecret', 'userAgent', 'requestsPerMinute', 'timeouts', 'retries'),
  ...keysOfConfig('filter', 'sorting', 'page', 'partition', 'sourceIds', 'interface', 'maxLineBytes'),
}

const readingOptions: OptionKinds<Pick<ReadServiceOptions<EndpointName>, ReadingOptions>> = {
  signal: aSignal,
  env: anObject,
  onWarning: aFunction,
  onEnd: aFunction,
  ...keysOfConfig('completeness'),
}

type LinesOptions = Pick<ReadServiceOptions<EndpointName>, 'signal' | 'onWarning' | 'onEnd'>

/** A stream of NDJSON lines with line breaks, and a report on the reading. */
export class ServiceLines extends Readable implements Judged {
  readonly #plan: PipelinePlan
  readonly #options: LinesOptions
  readonly #watch: CallbackWatch
  readonly #stop = new AbortController()
  readonly #pieces: AsyncGenerator<Buffer>
  #opened: OpenedSources | null = null
  #delivery: Delivery | null = null

  constructor(plan: PipelinePlan, options: LinesOptions) {
    super()
    this.#plan = plan
    this.#watch = new CallbackWatch(options.signal)
    this.#options = this.#watch.wrap(options)
    this.#pieces = this.#readPieces()
    const { signal } = this.#watch
    if (signal.aborted) this.#interrupt()
    else signal.addEventListener('abort', this.#interrupt, { once: true })
  }

  /** The report so far; complete once the stream has ended. */
  report(): ReadServiceReport {
    const { lines = 0, bytes = 0 } = this.#delivery ?? {}
    return {
      completeness: this.#delivery?.completeness() ?? notRead,
      lines,
      bytes,
      ...(this.#delivery?.notes() ?? nothingNoted),
      requests: this.#opened?.requests() ?? 0,
    }
  }

  [verdictOf](): Completeness {
    return this.report().completeness
  }

  override _read(): void {
    callbackify(() => this.#pieces.next())((error: Error | null, next) => {
      if (error === null) this.push(next.done === true ? null : next.value)
      else this.destroy(error)
    })
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#watch.close()
    this.#stop.abort()
    callbackify(() => this.#pieces.return(undefined))((thrown: Error | null) => done(error ?? thrown))
  }

  readonly #interrupt = (): void => {
    const { lines = 0 } = this.#delivery ?? {}
    const { failure, signal } = this.#watch
    const options = { where: ` after line ${lines}`, cause: signal.reason }
    this.destroy(failure === null ? interrupted('readService: the reading', options) : (failure.error as Error))
  }

  /** Copies the blocks, whose memory is reused. */
  async *#readPieces(): AsyncGenerator<Buffer> {
    const { signal } = this.#stop
    try {
      const { onWarning } = this.#options
      this.#opened = await openUnpublished(this.#plan, { onWarning })
      const delivery = new Delivery(this.#opened.sources, this.#plan.records.maxLineBytes, signal)
      this.#delivery = delivery
      for await (const { bytes, release } of delivery.blocks(signal)) {
        const piece = Buffer.from(bytes)
        release?.()
        yield piece
      }
      if (signal.aborted) return
      checkComplete(this.#plan.name, this.#plan.limits, delivery.completeness())
      await this.#options.onEnd?.(this.report())
      await this.#watch.settle()
    } finally {
      await this.#opened?.close()
    }
  }
}

/** The verdict on what was not read, or not yet. */
export const notRead: Completeness = { status: 'unprovable', reasons: ['it was not read to its end'], total: null }
const nothingNoted: SourceNotes = { firstAnswerAt: null, repeats: [], changes: [], skippedRecords: 0, missing: [] }
