import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { misuse, misusedBy, requireOptions } from '../check-options.ts'
import type { PipelineConfig } from '../config/pipeline-config.ts'
import { type ReadServiceOptions, sourceOptions } from '../engine/fetch/read-service.ts'
import type { EndpointName } from '../service/endpoints/endpoints.ts'
import { ByteStream } from './byte-stream.ts'

/**
 * Where records come from: the path or glob of files, or several of them; bytes or text of NDJSON or of one JSON document in
 * any kind of stream; or `service({ … })`. Gzip is recognized by its content.
 */
export type RecordSource =
  string | readonly string[] | ReadableStream<Uint8Array | string> | AsyncIterable<Uint8Array | string> | ServiceSource

/** The same keys as in `source` of a config. */
export type ServiceOptions<Name extends EndpointName> = Omit<
  ReadServiceOptions<Name>,
  'signal' | 'env' | 'onWarning' | 'onEnd' | 'completeness'
>

/** An endpoint of the service as a source, which `service` makes. Nothing is requested before records are read. */
export class ServiceSource {
  readonly options: ServiceOptions<EndpointName>

  constructor(options: ServiceOptions<EndpointName>) {
    this.options = options
  }
}

/**
 * An endpoint of the service as a source of records, with the same keys and checks as in `source` of a config. `${NAME}` in
 * a text is an environment variable.
 */
export function service<const Name extends EndpointName>(options: ServiceOptions<Name>): ServiceSource {
  requireOptions('service', options, sourceOptions)
  return new ServiceSource(options)
}

/** A source as a config has it, and the stream behind `-`. */
export interface OpenableSource {
  readonly config: Pick<PipelineConfig, 'source' | 'sourceIds'>
  /** Takes the stream; null for a source that can be opened by the config alone. */
  readonly takeStream: (() => Readable) | null
}

export function toOpenable(source: RecordSource): OpenableSource {
  if (source instanceof ServiceSource) {
    const { sourceIds, ...config } = source.options
    return {
      config: { source: config as OpenableSource['config']['source'], ...(sourceIds !== undefined && { sourceIds }) },
      takeStream: null,
    }
  }
  if (typeof source === 'string') return ofFiles([source])
  if (Array.isArray(source)) return ofFiles(source as readonly string[])
  if (typeof source === 'object' && source !== null && Symbol.asyncIterator in source) {
    return { config: { source: { files: '-' } }, takeStream: takeOnce(source) }
  }
  throw misuse('from', 'a path, a stream of bytes or service({ … })', source)
}

function ofFiles(files: readonly string[]): OpenableSource {
  if (files.includes('-')) throw misuse('from', 'process.stdin for standard input', '-')
  return { config: { source: { files: [...files] } }, takeStream: null }
}

function takeOnce(source: AsyncIterable<unknown>): () => Readable {
  let isTaken = false
  return () => {
    if (isTaken) throw misusedBy('from', 'a path, to read more than once', 'a stream that was read already')
    if (isSpent(source)) throw misusedBy('from', 'a stream that is still to be read', 'one that was read or closed')
    isTaken = true
    return new ByteStream(source)
  }
}

/** Whether another reader has it, or has read it, which would leave no record to read. */
function isSpent(source: AsyncIterable<unknown>): boolean {
  if (source instanceof ReadableStream) return source.locked
  return source instanceof Readable && (source.readableEnded || source.destroyed)
}
