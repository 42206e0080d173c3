import { totalCap } from '../sources/completeness.ts'
import { CatalogueError } from '../errors.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { endpoints, isEndpointName } from '../api/endpoints.ts'
import { toHttpRequest, type Page, type SourceRequest } from '../http/http-request.ts'
import { toStatement, type LineBatch } from './line-batch.ts'
import { retryRead, type ReadContext } from './retry-read.ts'
import { findId, openDocument, toBareLines, toEnvelopes } from './read-document.ts'
import { pageSizes } from '../api/request-schema.ts'

/** The largest page: the fewest requests. */
const defaultSize = Math.max(...pageSizes)

/** The page to begin with. */
export function toFirstPage({ page }: Pick<SourceRequest, 'page'>): Page {
  return { no: page?.no ?? 0, size: page?.size ?? defaultSize }
}

/**
 * Every page to the end, as lines of a stream. Throws SOURCE_CAPPED where the total is the highest that the service
 * counts to, SOURCE_INCOMPLETE where the total changes from page to page.
 */
export async function* readPages(
  endpoint: Endpoint,
  request: SourceRequest,
  context: ReadContext,
): AsyncGenerator<LineBatch> {
  const { no: first, size } = toFirstPage(request)
  const pages = new PageReader(endpoint, request, size, context, { offset: first * size })
  for (let no = first; ; no++) {
    const page = await pages.read(no)
    const { records, total, offset } = page
    if (!page.isRepeated)
      yield records.length === 0 ? toStatement({ total, offset: 0 }) : toEnvelopes(records, total, offset)
    if (page.isLast) return
  }
}

/**
 * One document with everything, as the endpoint gives when no page is asked for. When it turns out to be the first page
 * only, or may be that as it states no total, the others follow. One that is short of its total by any other number has
 * lost records, which no page may replace.
 */
export async function* readUnpaged(
  endpoint: Endpoint,
  request: SourceRequest,
  context: ReadContext,
): AsyncGenerator<LineBatch> {
  const { records, meta } = await openDocument(toHttpRequest(endpoint, request), context)
  let read = 0
  let first: string | undefined
  for await (const some of records) {
    first ??= some[0]
    yield toBareLines(some, read)
    read += some.length
  }
  const { total } = meta()
  if (endpoint.page !== 'none' && (total === null || read < total) && isPageSize(read)) {
    const begun = { offset: read, total, size: read, first: toKey(first) }
    for await (const rest of readRest(endpoint, request, begun, context)) {
      yield toBareLines(rest, read)
      read += rest.length
    }
  }
  yield toStatement({ total, offset: 0 })
}

function isPageSize(count: number): boolean {
  return pageSizes.some((size) => size === count)
}

/** The pages behind the first. */
async function* readRest(
  endpoint: Endpoint,
  request: SourceRequest,
  begun: Required<BegunPages>,
  context: ReadContext,
): AsyncGenerator<readonly string[]> {
  const pages = new PageReader(endpoint, request, begun.size, context, begun)
  for (let no = 1; ; no++) {
    const { records, isLast, isRepeated } = await pages.read(no)
    if (!isRepeated) yield records
    if (isLast) return
  }
}

interface PageRecords {
  readonly records: readonly string[]
  readonly total: number | null
  /** Records before the page. */
  readonly offset: number
}

interface ReadPage extends PageRecords {
  readonly isLast: boolean
  /** It is the first page once more: the service does not look at which one is asked for. */
  readonly isRepeated: boolean
}

/** The state before the first page that is asked for. */
interface BegunPages {
  readonly offset: number
  readonly total?: number | null
  /** Records that a page turned out to have, whatever was asked for. */
  readonly size?: number
  readonly first?: string | null
}

/** The key of the first record of a page, to recognize the page. */
function toKey(record: string | undefined): string | null {
  return record === undefined ? null : (findId(record) ?? record)
}

/** Reads page by page; each is held until it is whole, so that only that page is requested again when it is cut. */
class PageReader {
  readonly #endpoint: Endpoint
  readonly #request: SourceRequest
  readonly #size: number
  readonly #context: ReadContext
  #total: number | null
  #offset: number
  #ownSize: number | null
  #first: string | null

  constructor(
    endpoint: Endpoint,
    request: SourceRequest,
    size: number,
    context: ReadContext,
    { offset, total = null, size: ownSize, first = null }: BegunPages,
  ) {
    this.#endpoint = endpoint
    this.#request = request
    this.#size = size
    this.#context = context
    this.#total = total
    this.#offset = offset
    this.#ownSize = ownSize ?? null
    this.#first = first
  }

  async read(no: number): Promise<ReadPage> {
    const { name } = this.#context
    const page = await retryRead(this.#context, () => this.#readOnce(no))
    if (page.total === totalCap) throw capped(this.#endpoint, name)
    if (page.total !== null && this.#total !== null && page.total !== this.#total) {
      const message = `${name}, page ${no}: expected the same total on every page, got ${page.total} after ${this.#total}`
      throw new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    this.#total ??= page.total
    const { length } = page.records
    const key = toKey(page.records[0])
    const isRepeated = page.total === null && key !== null && key === this.#first
    this.#first ??= key
    this.#ownSize ??= length
    this.#offset = page.offset + length
    return { ...page, isRepeated, isLast: isRepeated || this.#isLast(page) }
  }

  /** Where no total is stated, a page that is not full is the last one. */
  #isLast({ records: { length }, total, offset }: PageRecords): boolean {
    if (length === 0) return true
    return total === null ? !isPageSize(length) || length !== this.#ownSize : offset + length >= total
  }

  async #readOnce(no: number): Promise<PageRecords> {
    const request = toHttpRequest(this.#endpoint, this.#request, { no, size: this.#size })
    const { records, meta } = await openDocument(request, {
      ...this.#context,
      name: `${this.#context.name}, page ${no}`,
    })
    const all: string[] = []
    // Spread, a page would be the arguments of one call, of which there can't be any number.
    for await (const some of records) for (const record of some) all.push(record)
    const { total, offset } = meta()
    return { records: all, total, offset: offset > 0 ? offset : this.#offset }
  }
}

function capped(endpoint: Endpoint, name: string): CatalogueError {
  const instead = streamInsteadOf(endpoint)
  const advice = instead === null ? 'narrow the filter' : `read ${instead} instead`
  const message = `${name}: expected a total below ${totalCap}, where the service stops counting, got just that: ${advice}`
  return new CatalogueError('SOURCE_CAPPED', message)
}

/** The endpoint that returns the same records without pages, where there is one. */
export function streamInsteadOf({ name }: Pick<Endpoint, 'name'>): string | null {
  const candidates = [name.replace(/\/query$/, '/stream'), name.replace(/\/search$/, '/export')]
  return candidates.find((other) => isEndpointName(other) && endpoints[other].read === 'stream') ?? null
}
