import type { Completeness } from '../sources/completeness.ts'
import { CatalogueError } from '../errors.ts'
import { BlockBuffers } from '../memory/block-buffers.ts'
import { BlockCutter, type Block } from '../records/block.ts'
import type { Reading, Source } from '../sources/source.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { askFor, toWayToRead } from './read-endpoint.ts'
import { toHttpRequest, type SourceRequest } from '../http/http-request.ts'
import { IdentifierTally, tallyIdentifiers } from './identifier-tally.ts'
import { ConcatenatedReader } from './concatenated-reader.ts'
import type { LineReading } from './line-reader.ts'
import type { ReadContext } from './read-context.ts'
import { readTotal } from './read-stream.ts'
import { ReadLog, type ReadReport } from './read-log.ts'
import { RetryingReader } from './retrying-reader.ts'
import type { ServiceClient } from '../http/service-client.ts'
import { listIdentifiers, splitIdentifiers } from '../api/split-identifiers.ts'
import { checkPartition, toWindows, type Partition } from './time-windows.ts'
import type { RequestFilter } from '../api/to-request-filter.ts'
import { PartitionedReader } from './partitioned-reader.ts'

export interface ServiceSourceOptions {
  readonly maxLineBytes: number
  /**
   * What happens when the result is still not whole after the last try: SOURCE_INCOMPLETE or SOURCE_FAILED, or a
   * reading that ends with what there is and says so. An error line and a refusal throw either way.
   */
  readonly incomplete: 'fail' | 'deliver'
  readonly partition?: Partition | undefined
  /** Where windows wait for their turn; needed for a partition only. */
  readonly spoolPath?: ((window: number) => string) | undefined
  /** Milliseconds since 1970: the end of the span that a partition divides. */
  readonly now: number
  /** Told at once what the notes say of changes. */
  readonly onWarning?: ((message: string) => void) | undefined
}

export interface ServiceSource extends Source {
  /** Throws CONFIG_INVALID at once for a partition that this request can't have. */
  read(signal: AbortSignal): ServiceReading
}

export interface ServiceReading extends Reading {
  /**
   * The verdict over the answers of the service, after the last block. It replaces one made from the lines alone: those
   * that came again, from a repeated request or another part of it, are not among the lines.
   */
  readonly completeness: () => Completeness
  /** What is worth telling, so far. */
  readonly notes: () => ReadReport
}

/** An endpoint of the service as a source. Two readings never give the same bytes, as some addresses are signed anew. */
export function createServiceSource(
  endpoint: Endpoint,
  request: SourceRequest,
  client: ServiceClient,
  options: ServiceSourceOptions,
): ServiceSource {
  const way = toWayToRead(endpoint, request)
  const isBare = way === 'document' || way === 'find'
  return {
    name: endpoint.name,
    canBeReadAgain: false,
    read(signal) {
      const requests = new Requests(endpoint, request, client, options)
      const { notes } = requests
      const reading = requests.open()
      const lists = listIdentifiers(endpoint, request.filter ?? {})
      const lines = reading.lines(signal)
      const told = lists.length === 0 ? lines : tallyIdentifiers(lines, new IdentifierTally(lists), notes)
      return {
        blocks: cutBlocks(told, options.maxLineBytes),
        document: () => (isBare ? { total: reading.completeness().total, offset: 0 } : null),
        completeness: () => reading.completeness(),
        notes: () => notes.read(),
      }
    },
  }
}

async function* cutBlocks(lines: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<Block> {
  const cutter = new BlockCutter({ maxLineBytes, buffers: new BlockBuffers() })
  for await (const bytes of lines) yield* cutter.push(bytes)
  yield* cutter.end()
}

/** The requests that one reading of a source takes. */
class Requests {
  readonly notes: ReadLog
  readonly #endpoint: Endpoint
  readonly #request: SourceRequest
  readonly #client: ServiceClient
  readonly #options: ServiceSourceOptions

  constructor(endpoint: Endpoint, request: SourceRequest, client: ServiceClient, options: ServiceSourceOptions) {
    this.#endpoint = endpoint
    this.#request = request
    this.#client = client
    this.#options = options
    this.notes = new ReadLog(options.onWarning)
  }

  open(): LineReading {
    const { name } = this.#endpoint
    const { filter } = this.#request
    const { partition } = this.#options
    const filters = splitIdentifiers(this.#endpoint, filter ?? {})
    if (partition !== undefined) {
      const problem = filters.length > 1 ? `${name}: expected at most 1000 codes beside a partition, got more` : null
      return this.#openWindows(partition, problem ?? checkPartition(this.#endpoint))
    }
    if (filters.length === 1) return this.#openOne(name, filter)
    return new ConcatenatedReader(this.#openAll(filters, 'part'), this.notes)
  }

  #openWindows(partition: Partition, problem: string | null): LineReading {
    const { spoolPath, now, incomplete } = this.#options
    if (problem !== null) throw new CatalogueError('CONFIG_INVALID', problem)
    if (spoolPath === undefined) throw new TypeError('a partition needs a place where windows wait')
    const filters = toWindows(this.#request.filter ?? {}, partition, now)
    const whole = toHttpRequest(this.#endpoint, this.#request)
    return new PartitionedReader({
      name: this.#endpoint.name,
      windows: this.#openAll(filters, 'window'),
      countAll: (signal) => readTotal(whole, this.#toContext(this.#endpoint.name, signal)),
      spoolPath,
      concurrency: partition.concurrency ?? defaultConcurrency,
      notes: this.notes,
      incomplete,
    })
  }

  #openAll(filters: readonly RequestFilter[], noun: string) {
    return filters.map((filter, at) => {
      const name = `${this.#endpoint.name}, ${noun} ${at + 1} of ${filters.length}`
      return { name, reading: this.#openOne(name, filter) }
    })
  }

  #openOne(name: string, filter: RequestFilter | null): LineReading {
    const request = { ...this.#request, filter }
    const way = toWayToRead(this.#endpoint, request)
    const first = request.page?.no ?? 0
    return new RetryingReader({
      name,
      ask: (signal) => askFor(way, this.#endpoint, request, this.#toContext(name, signal)),
      client: this.#client,
      notes: this.notes,
      incomplete: this.#options.incomplete,
      idsAreUnique: way === 'pages' || way === 'document',
      onPurpose: first > 0 ? `only the records from page ${first} on were asked for, on purpose` : undefined,
    })
  }

  #toContext(name: string, signal: AbortSignal): ReadContext {
    const { maxLineBytes } = this.#options
    return { name, client: this.#client, notes: this.notes, maxLineBytes, signal }
  }
}

const defaultConcurrency = 4
