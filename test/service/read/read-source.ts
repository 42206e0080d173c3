import { endpoints, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import type { SourceRequest } from '../../../src/service/http/http-request.ts'
import type { ServiceClientOptions } from '../../../src/service/http/service-client.ts'
import { createServiceSource, type ServiceSourceOptions } from '../../../src/service/read/service-source.ts'
import { createTestClient, type Answer, type ServiceStub } from './service-stub.ts'

/** The line of a stream that holds a record with this id. */
export function toLine(id: string, index: number, total: number): string {
  return `${JSON.stringify({ meta: { total, index }, result: { id, status: 'active' } })}\n`
}

/** The lines of a stream with records `P0`, `P1` and so on. */
export function toLines(total: number, from = 0, until = total): string[] {
  return Array.from({ length: until - from }, (_, at) => toLine(`P${from + at}`, from + at, total))
}

export function answerLines(lines: readonly string[]): Answer {
  return (response) => response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines.join(''))
}

/** Sends these and cuts the connection. */
export function cutAfter(lines: readonly string[]): Answer {
  return (response) => {
    response.write(lines.join(''))
    setTimeout(() => response.destroy(), 10)
  }
}

/** The result of a reading. */
export interface Gathered {
  readonly text: string
  /** The ids in order; null for a line that has none. */
  readonly ids: (string | null)[]
  readonly blocks: number
  readonly reading: ReturnType<ReturnType<typeof createServiceSource>['read']>
  readonly error: unknown
}

interface ReadOptions {
  readonly endpoint?: EndpointName
  readonly request?: Partial<SourceRequest>
  readonly client?: Partial<ServiceClientOptions>
  readonly source?: Partial<ServiceSourceOptions>
  readonly signal?: AbortSignal
}

/** Reads an endpoint of the stub to its end, or to its error. */
export async function readSource(
  stub: ServiceStub,
  { endpoint = 'v4/products/stream', request, client, source, signal = new AbortController().signal }: ReadOptions = {},
): Promise<Gathered> {
  const reading = createServiceSource(
    endpoints[endpoint],
    { filter: {}, sorting: { id: 'ASC' }, page: null, ...request },
    createTestClient(stub.url, { retries: 3, ...client }),
    { maxLineBytes: 1_000_000, incomplete: 'fail', now: Date.UTC(2026, 0, 1), ...source },
  ).read(signal)
  const bytes: Buffer[] = []
  let error: unknown
  try {
    for await (const block of reading.blocks) bytes.push(block.bytes)
  } catch (thrown) {
    error = thrown
  }
  const text = Buffer.concat(bytes).toString()
  return { text, ids: text.split('\n').slice(0, -1).map(findId), blocks: bytes.length, reading, error }
}

function findId(line: string): string | null {
  try {
    const value = JSON.parse(line) as { result?: { id?: string }; id?: string }
    return String((value.result ?? value).id)
  } catch {
    return null
  }
}
