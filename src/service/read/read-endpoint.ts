import type { Endpoint } from '../endpoints/endpoint.ts'
import { toHttpRequest, type SourceRequest } from '../http/http-request.ts'
import type { LineBatch } from './line-batch.ts'
import type { ReadContext } from './retry-read.ts'
import { readFound } from './read-found.ts'
import { readPages, readUnpaged, streamInsteadOf } from './read-pages.ts'
import { readStream } from './read-stream.ts'

/** `stream`: a record a line. `pages`: page by page. `document`: everything in one. `find`: one record. */
export type ReadStrategy = 'stream' | 'pages' | 'document' | 'find'

/**
 * Without a page, lists answer with one document of everything (specification: Conventions). The exceptions are lists
 * that require a page, and those of products and media, which never give everything and have a stream instead.
 */
export function toReadStrategy(endpoint: Endpoint, { page }: Pick<SourceRequest, 'page'>): ReadStrategy {
  if (endpoint.read === 'stream' || endpoint.read === 'find') return endpoint.read
  if (endpoint.read === 'list') return 'document'
  const isPaged = page !== null || endpoint.page === 'required' || streamInsteadOf(endpoint) !== null
  return isPaged ? 'pages' : 'document'
}

export function readEndpoint(
  strategy: ReadStrategy,
  endpoint: Endpoint,
  request: SourceRequest,
  context: ReadContext,
): AsyncGenerator<LineBatch> {
  switch (strategy) {
    case 'stream':
      return readStream(toHttpRequest(endpoint, request), context)
    case 'pages':
      return readPages(endpoint, request, context)
    case 'document':
      return readUnpaged(endpoint, request, context)
    case 'find':
      return readFound(endpoint, toHttpRequest(endpoint, request), context)
  }
}
