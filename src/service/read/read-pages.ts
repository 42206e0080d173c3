import { totalCap } from '../../sources/completeness.ts'
import { CatalogueError } from '../../errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { endpoints, isEndpointName } from '../endpoints/endpoints.ts'
import { toHttpRequest, type Page, type SourceRequest } from '../http/http-request.ts'
import { toStatement, type LineBatch } from './line-batch.ts'
import { retryRead, type ReadContext } from './retry-read.ts'
import { findId, openDocument, toBareLines, toEnvelopes } from './read-document.ts'
import { pageSizes } from '../endpoints/request-schema.ts'

/** The largest page needs the fewest requests. */
const defaultSize = Math.max(...pageSizes)

export function toFirstPage({ page }: Pick<SourceRequest, 'page'>): Page {
  return { no: page?.no ?? 0, size: page?.size ?? defaultSize }
}

/**
 * All pages to the end, as lines of a stream. Throws SOURCE_CAPPED if the total is the highest that the service counts
 * to, SOURCE_INCOMPLETE if the total changes between pages.
 */
export async function* readPages(
  endpoint: Endpoint,
  request: SourceRequest,
  context: ReadContext,
): AsyncGenerator<LineBatch> {
  const { no, size } = toFirstPage(request)
  const start = { no, size, offset: no * size, total: null, ownSize: null, first: null }
  for await (const { records, total, offset } of readFrom(start, endpoint, request, context)) {
    yield records.length === 0 ? toStatement({ total, offset: 0 }) : toEnvelopes(records, total, offset)
  }
}

/**
 * Reads everything in one document, which an endpoint gives if no page is asked for. If that turns out to be only the
 * first page, or may be because it states no total, the other pages are read too. A document that is short of its total
 * by any other number has lost records, and pages can't replace them.
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
    const start = { no: 1, size: read, offset: read, total, ownSize: read, first: toKey(first) }
    for await (const page of readFrom(start, endpoint, request, context)) {
      yield toBareLines(page.records, read)
      read += page.records.length
    }
  }
  yield toStatement({ total, offset: 0 })
}

interface PageRecords {
  readonly records: readonly string[]
  readonly total: number | null
  readonly offset: number
}

interface PagesStart extends Page {
  readonly offset: number
  readonly total: number | null
  /** The page size that the service really uses, whatever was asked for. */
  readonly ownSize: number | null
  readonly first: string | null
}

/**
 * Reads pages to the last one. Each is held until it is whole, so that only a page that was cut off is requested again.
 */
async function* readFrom(
  { no, size, ...start }: PagesStart,
  endpoint: Endpoint,
  request: SourceRequest,
  context: ReadContext,
): AsyncGenerator<PageRecords> {
  let { offset, total, ownSize, first } = start
  for (; ; no++) {
    const page = await retryRead(context, () => readPage(endpoint, request, { no, size }, offset, context))
    checkTotal(page.total, total, endpoint, `${context.name}, page ${no}`, context)
    const key = toKey(page.records[0])
    // A service that ignores the page number sends the first page again.
    if (page.total === null && key !== null && key === first) return
    yield page
    total ??= page.total
    first ??= key
    ownSize ??= page.records.length
    offset = page.offset + page.records.length
    if (isLast(page, ownSize)) return
  }
}

async function readPage(
  endpoint: Endpoint,
  request: SourceRequest,
  page: Page,
  expectedOffset: number,
  context: ReadContext,
): Promise<PageRecords> {
  const name = `${context.name}, page ${page.no}`
  const { records, meta } = await openDocument(toHttpRequest(endpoint, request, page), { ...context, name })
  const all: string[] = []
  // Not spread: a page has too many records to be the arguments of one call.
  for await (const some of records) for (const record of some) all.push(record)
  const { total, offset } = meta()
  return { records: all, total, offset: offset > 0 ? offset : expectedOffset }
}

function checkTotal(
  total: number | null,
  earlier: number | null,
  endpoint: Endpoint,
  page: string,
  { name }: ReadContext,
): void {
  if (total === totalCap) throw capped(endpoint, name)
  if (total === null || earlier === null || total === earlier) return
  const message = `${page}: expected the same total on every page, got ${total} after ${earlier}`
  throw new CatalogueError('SOURCE_INCOMPLETE', message)
}

/** If no total is stated, a page that is not full is the last one. */
function isLast({ records: { length }, total, offset }: PageRecords, ownSize: number): boolean {
  if (length === 0) return true
  return total === null ? !isPageSize(length) || length !== ownSize : offset + length >= total
}

function isPageSize(count: number): boolean {
  return pageSizes.some((size) => size === count)
}

function toKey(record: string | undefined): string | null {
  return record === undefined ? null : (findId(record) ?? record)
}

function capped(endpoint: Endpoint, name: string): CatalogueError {
  const instead = streamInsteadOf(endpoint)
  const advice = instead === null ? 'narrow the filter' : `read ${instead} instead`
  const message = `${name}: expected a total below ${totalCap}, where the service stops counting, got just that: ${advice}`
  return new CatalogueError('SOURCE_CAPPED', message)
}

/** The endpoint that returns the same records without pages; null if there is none. */
export function streamInsteadOf({ name }: Pick<Endpoint, 'name'>): string | null {
  const candidates = [name.replace(/\/query$/, '/stream'), name.replace(/\/search$/, '/export')]
  return candidates.find((other) => isEndpointName(other) && endpoints[other].read === 'stream') ?? null
}
