import { totalCap } from '../sources/completeness.ts'
import { CatalogueError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints, isEndpointName } from './endpoints.ts'
import { toHttpRequest, type Page, type SourceRequest } from './http-request.ts'
import { statementOf, type LineBatch } from './line-batch.ts'
import { readAgain } from './read-again.ts'
import type { ReadContext } from './read-context.ts'
import { openDocument, toBareLines, toEnvelopes } from './read-document.ts'
import { pageSizes } from './request-schema.ts'

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
  const pages = new PageReader(endpoint, request, size, context)
  for (let no = first; ; no++) {
    const { records, total, offset } = await pages.read(no)
    yield records.length === 0 ? statementOf({ total, offset: 0 }) : toEnvelopes(records, total, offset)
    if (isEnd(records.length, { total, offset, size })) return
  }
}

/**
 * One document with everything, as the endpoint gives when no page is asked for. Where it turns out to be the first
 * page only, the others follow. One that is short of its total by any other number has lost records: no page may stand
 * in for these.
 */
export async function* readUnpaged(
  endpoint: Endpoint,
  request: SourceRequest,
  context: ReadContext,
): AsyncGenerator<LineBatch> {
  const { records, meta } = await openDocument(toHttpRequest(endpoint, request), context)
  let read = 0
  for await (const some of records) {
    yield toBareLines(some, read)
    read += some.length
  }
  const { total } = meta()
  if (endpoint.page !== 'none' && total !== null && read < total && isPageSize(read)) {
    for await (const rest of readRest(endpoint, request, read, total, context)) {
      yield toBareLines(rest, read)
      read += rest.length
    }
  }
  yield statementOf({ total, offset: 0 })
}

function isPageSize(count: number): boolean {
  return pageSizes.some((size) => size === count)
}

/** What follows the first page, of `size` records. */
async function* readRest(
  endpoint: Endpoint,
  request: SourceRequest,
  size: number,
  total: number,
  context: ReadContext,
): AsyncGenerator<readonly string[]> {
  const pages = new PageReader(endpoint, request, size, context, total)
  for (let no = 1; ; no++) {
    const { records, offset, ...page } = await pages.read(no)
    yield records
    if (isEnd(records.length, { ...page, offset, size })) return
  }
}

interface PageRecords {
  readonly records: readonly string[]
  readonly total: number | null
  /** How many records stand before the page. */
  readonly offset: number
}

/** Where no total is stated, a page that is not full is the last one. */
function isEnd(
  count: number,
  { total, offset, size }: Pick<PageRecords, 'total' | 'offset'> & { size: number },
): boolean {
  if (count === 0) return true
  return total === null ? count !== size : offset + count >= total
}

/** Reads page by page; each is held until it is whole, so that only that page is asked again when it is cut. */
class PageReader {
  readonly #endpoint: Endpoint
  readonly #request: SourceRequest
  readonly #size: number
  readonly #context: ReadContext
  #total: number | null

  constructor(
    endpoint: Endpoint,
    request: SourceRequest,
    size: number,
    context: ReadContext,
    total: number | null = null,
  ) {
    this.#endpoint = endpoint
    this.#request = request
    this.#size = size
    this.#context = context
    this.#total = total
  }

  async read(no: number): Promise<PageRecords> {
    const { name } = this.#context
    const page = await readAgain(this.#context, () => this.#readOnce(no))
    if (page.total === totalCap) throw capped(this.#endpoint, name)
    if (page.total !== null && this.#total !== null && page.total !== this.#total) {
      const message = `${name}, page ${no}: expected the same total on every page, got ${page.total} after ${this.#total}`
      throw new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    this.#total ??= page.total
    return page
  }

  async #readOnce(no: number): Promise<PageRecords> {
    const request = toHttpRequest(this.#endpoint, this.#request, { no, size: this.#size })
    const { records, meta } = await openDocument(request, {
      ...this.#context,
      name: `${this.#context.name}, page ${no}`,
    })
    const all: string[] = []
    for await (const some of records) all.push(...some)
    const { total, offset } = meta()
    return { records: all, total, offset: offset > 0 ? offset : no * this.#size }
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
