import { CatalogueError } from '../../errors.ts'
import { BlockBuffers } from '../../records/memory/block-buffers.ts'
import { BlockCutter, type Block, type CutOptions } from '../../records/block.ts'
import type { RunContext } from '../../run-context.ts'
import type { Reading, Source, SourceNotes } from '../../sources/source.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { readEndpoint, toReadStrategy } from './read-endpoint.ts'
import { toHttpRequest, type SourceRequest } from '../http/http-request.ts'
import { IdentifierTally, tallyIdentifiers } from './identifier-tally.ts'
import { ConcatenatedReader, type NamedReader } from './concatenated-reader.ts'
import type { BatchReader, LineBatch } from './line-batch.ts'
import type { ReadContext } from './retry-read.ts'
import { readTotal } from './read-stream.ts'
import { ReadLog } from './read-log.ts'
import { RetryingReader } from './retrying-reader.ts'
import type { ServiceClient, ServiceUsage } from '../http/service-client.ts'
import { listIdentifiers, splitIdentifiers } from '../endpoints/split-identifiers.ts'
import { checkPartition, toWindows, type Partition } from './time-windows.ts'
import type { RequestFilter } from '../endpoints/to-request-filter.ts'
import { PartitionedReader } from './partitioned-reader.ts'
import type { Completeness } from '../../manifest/manifest.ts'

/** `onWarning` is called at once with each change that the notes will list. */
export interface ServiceSourceOptions extends Pick<RunContext, 'onWarning'> {
  readonly maxLineBytes: number
  /**
   * What to do with a result that is incomplete after the last try: throw SOURCE_INCOMPLETE or SOURCE_FAILED, or
   * deliver what there is and say so. Error lines and refusals throw in either case.
   */
  readonly incomplete: 'fail' | 'deliver'
  readonly partition?: Partition | undefined
  /** The files that hold windows until their turn; required with a partition. */
  readonly spoolPath?: ((window: number) => string) | undefined
  /** Milliseconds since 1970; the end of the span that a partition divides. */
  readonly now: number
}

export interface ServiceSource extends Source {
  /** Throws CONFIG_INVALID at once for a partition that this request can't have. */
  read(signal: AbortSignal, buffers?: BlockBuffers): ServiceReading
}

export interface ServiceReading extends Reading {
  /**
   * The verdict over the answers of the service; valid after the last block. It replaces a verdict over the lines
   * alone, which lack the records that came more than once.
   */
  readonly completeness: () => Completeness
  readonly notes: () => SourceNotes
}

/**
 * An endpoint of the service as a source. No two readings give the same bytes, because some addresses are signed anew.
 */
export function createServiceSource(
  endpoint: Endpoint,
  request: SourceRequest,
  client: ServiceClient,
  options: ServiceSourceOptions,
): ServiceSource {
  const strategy = toReadStrategy(endpoint, request)
  const isBare = strategy === 'document' || strategy === 'find'
  return {
    name: endpoint.name,
    canBeReadAgain: false,
    read(signal, buffers = new BlockBuffers()) {
      const log = new ReadLog(options.onWarning)
      const reader = new ReaderFactory(endpoint, request, options, { client, log }).create()
      const lists = listIdentifiers(endpoint, request.filter ?? {})
      const usage = new UsageSpan(client)
      const all = usage.of(reader.batches(signal))
      const batches = lists.length === 0 ? all : tallyIdentifiers(all, new IdentifierTally(lists), log)
      return {
        blocks: cutBlocks(batches, { maxLineBytes: options.maxLineBytes, buffers }),
        document: () => (isBare ? { total: reader.completeness().total, offset: 0 } : null),
        completeness: () => reader.completeness(),
        notes: () => ({ ...log.read(), ...usage.read() }),
      }
    },
  }
}

/** The requests of one reading; the client may send others before and after it. */
class UsageSpan {
  readonly #client: Pick<ServiceClient, 'usage'>
  #from: ServiceUsage
  #to: ServiceUsage | null = null

  constructor(client: Pick<ServiceClient, 'usage'>) {
    this.#client = client
    this.#from = client.usage()
  }

  async *of(batches: AsyncIterable<LineBatch>): AsyncGenerator<LineBatch> {
    this.#from = this.#client.usage()
    try {
      yield* batches
    } finally {
      this.#to = this.#client.usage()
    }
  }

  read(): ServiceUsage {
    const to = this.#to ?? this.#client.usage()
    return { requests: to.requests - this.#from.requests, waitedMs: to.waitedMs - this.#from.waitedMs }
  }
}

async function* cutBlocks(batches: AsyncIterable<LineBatch>, options: CutOptions): AsyncGenerator<Block> {
  const cutter = new BlockCutter(options)
  for await (const { bytes } of batches) yield* cutter.push(bytes)
  yield* cutter.end()
}

class ReaderFactory {
  readonly #endpoint: Endpoint
  readonly #request: SourceRequest
  readonly #options: ServiceSourceOptions
  readonly #context: Pick<ReadContext, 'client' | 'log' | 'maxLineBytes'>

  constructor(
    endpoint: Endpoint,
    request: SourceRequest,
    options: ServiceSourceOptions,
    context: Pick<ReadContext, 'client' | 'log'>,
  ) {
    this.#endpoint = endpoint
    this.#request = request
    this.#options = options
    this.#context = { ...context, maxLineBytes: options.maxLineBytes }
  }

  create(): BatchReader {
    const { name } = this.#endpoint
    const { filter, alternatives } = this.#request
    const { partition } = this.#options
    const filters = (alternatives ?? [filter ?? {}]).flatMap((each) => splitIdentifiers(this.#endpoint, each))
    if (partition !== undefined) {
      const problem = filters.length > 1 ? `${name}: expected at most 1000 codes beside a partition, got more` : null
      return this.#createPartitioned(partition, problem ?? checkPartition(this.#endpoint))
    }
    if (filters.length === 1) return this.#createOne(name, alternatives?.[0] ?? filter)
    return new ConcatenatedReader(this.#createEach(filters, 'part'), this.#context.log)
  }

  #createPartitioned(partition: Partition, problem: string | null): BatchReader {
    const { name } = this.#endpoint
    const { spoolPath, now, incomplete } = this.#options
    if (problem !== null) throw new CatalogueError('CONFIG_INVALID', problem)
    if (spoolPath === undefined) throw new TypeError('a partition needs files in which windows wait')
    const filters = toWindows(this.#request.filter ?? {}, partition, now)
    const whole = toHttpRequest(this.#endpoint, this.#request)
    return new PartitionedReader({
      name,
      windows: this.#createEach(filters, 'window'),
      countAll: (signal) => readTotal(whole, { ...this.#context, name, signal }),
      spoolPath,
      concurrency: partition.concurrency ?? defaultConcurrency,
      log: this.#context.log,
      incomplete,
    })
  }

  #createEach(filters: readonly RequestFilter[], noun: string): NamedReader[] {
    return filters.map((filter, at) => {
      const name = `${this.#endpoint.name}, ${noun} ${at + 1} of ${filters.length}`
      return { name, reader: this.#createOne(name, filter) }
    })
  }

  #createOne(name: string, filter: RequestFilter | null): BatchReader {
    const request = { ...this.#request, filter }
    const strategy = toReadStrategy(this.#endpoint, request)
    const first = request.page?.no ?? 0
    return new RetryingReader({
      name,
      open: (signal) => readEndpoint(strategy, this.#endpoint, request, { ...this.#context, name, signal }),
      client: this.#context.client,
      log: this.#context.log,
      incomplete: this.#options.incomplete,
      idsAreUnique: strategy === 'pages' || strategy === 'document',
      partialReason: first > 0 ? `only the records from page ${first} on were asked for, on purpose` : undefined,
    })
  }
}

const defaultConcurrency = 4
