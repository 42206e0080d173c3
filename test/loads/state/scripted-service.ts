import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A record of the scripted service, or one of several versions of it that come in one answer. */
export interface ScriptedRecord {
  readonly id: string
  readonly status?: string
  readonly name?: string
  readonly price?: number | null
  /** The ids of its photos. */
  readonly photos?: readonly number[]
  /** Unix seconds; null if the record has none. */
  readonly updatedAt: number | null
  /** `contract`: a value of the wrong kind; `json`: the line is no JSON, and its id can't be read. */
  readonly broken?: 'contract' | 'json'
}

interface Filter {
  readonly and?: readonly Filter[]
  readonly id?: string | readonly string[]
  readonly status?: string | readonly string[]
  readonly updatedSince?: number | { readonly from?: number; readonly until?: number }
}

/** A stream endpoint over records that a test sets, in their order; 204 if none matches. */
export class ScriptedService {
  records: readonly ScriptedRecord[] = []
  /** The filters of every request, in order. */
  readonly filters: Filter[] = []
  /** Milliseconds that answers give as the time; null for the time that it is. */
  now: number | null = null
  /** The status of answers to requests for ids; 200 answers them. */
  idStatus = 200
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        if (this.now !== null) response.setHeader('date', new Date(this.now).toUTCString())
        const { filter = {} } = JSON.parse(body) as { filter?: Filter }
        this.filters.push(filter)
        const asksIds = JSON.stringify(filter).includes('"id"')
        if (asksIds && this.idStatus !== 200) return response.writeHead(this.idStatus).end()
        const lines = this.#answer(filter)
        if (lines.length === 0) return response.writeHead(204).end()
        return response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines.join(''))
      })
    })
  }

  static async start(): Promise<ScriptedService> {
    const service = new ScriptedService()
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve))
    return service
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** As the source of a pipeline. */
  get source() {
    const { baseUrl } = this
    const access = { baseUrl, keyId: 'scripted-key', keySecret: 'scripted-secret' }
    return { endpoint: 'v4/products/stream', ...access, requestsPerMinute: 10_000, retries: 0 }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(filter: Filter): string[] {
    const found = this.records.filter((record) => matches(record, filter))
    return found.map((record, index) => toLine(record, { total: found.length, index }))
  }
}

function matches({ id, status = 'active', updatedAt }: ScriptedRecord, filter: Filter): boolean {
  const { and = [], id: ids, status: statuses, updatedSince } = filter
  if (ids !== undefined && ![ids].flat().includes(id)) return false
  if (statuses !== undefined && ![statuses].flat().includes(status)) return false
  const { from = 0, until = Infinity } =
    typeof updatedSince === 'number' ? { from: updatedSince } : (updatedSince ?? {})
  const isThen = updatedSince === undefined || (updatedAt !== null && updatedAt >= from && updatedAt <= until)
  return isThen && and.every((part) => matches({ id, status, updatedAt }, part))
}

function toLine(
  { id, status = 'active', name, price, photos, updatedAt, broken }: ScriptedRecord,
  meta: object,
): string {
  const record = {
    id,
    status,
    ...(name !== undefined && { name: { nl: name } }),
    ...(price !== undefined && { publicPrice: price }),
    ...(photos !== undefined && { photos: photos.map((photo) => ({ id: photo })) }),
    ...(broken === 'contract' && { publicPrice: 'no price' }),
    meta: { updatedAt },
  }
  const line = JSON.stringify({ meta, result: record })
  return `${broken === 'json' ? line.replace('"id"', '"id') : line}\n`
}
