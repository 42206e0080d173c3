import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import type { Collection } from '../collections/collection.ts'
import { selectRecords, type Selection } from '../collections/select-records.ts'
import { toRecordName, type AnswerShapes } from '../dialect/answer-shapes.ts'
import { toDocument, toLines, type AnswerBody } from './answer-body.ts'
import type { AnswerFault } from './parse-fault.ts'
import type { ServiceRequest } from './parse-request.ts'
import { ServiceError, toInvalid } from './service-error.ts'

/** The most records that a paged product query counts and reaches (specification: Limits). */
const totalCap = 10_000
const usualPageSize = 100

/**
 * Creates the body of the answer to a checked request; null if the status is 204 as nothing matches. Throws a 404 if a
 * `find` finds nothing.
 */
export async function answerRequest(
  endpoint: Endpoint,
  request: ServiceRequest,
  collection: Collection,
  fault: AnswerFault,
  shapes: AnswerShapes,
): Promise<AnswerBody | null> {
  const selection = await selectRecords(collection, request.filter, request.sorting)
  switch (endpoint.read) {
    case 'stream':
      return selection.total === 0 ? null : toStream(endpoint, collection, selection, fault, shapes)
    case 'paged':
      return toPage(endpoint, request, collection, selection, fault, shapes)
    case 'list':
      return toList(endpoint, collection, selection, fault, shapes)
    case 'find':
      return toFound(endpoint, request, collection, selection, shapes)
  }
}

function toStream(
  endpoint: Endpoint,
  collection: Collection,
  selection: Selection,
  fault: AnswerFault,
  { streamType }: AnswerShapes,
): AnswerBody {
  return toLines(collection, selection, {
    contentType: streamType(endpoint),
    totalAt: (position) => toTotal(selection.total, fault, position),
  })
}

/** Creates one page. Returns everything, without `meta.page`, if an optional `page` is absent. */
function toPage(
  endpoint: Endpoint,
  { page: asked }: ServiceRequest,
  collection: Collection,
  selection: Selection,
  fault: AnswerFault,
  shapes: AnswerShapes,
): AnswerBody {
  const page = asked ?? (shapes.pagesUnasked(endpoint) ? {} : undefined)
  const isCapped = endpoint.contract === 'v4/product' || endpoint.contract === 'v3/product'
  const reached = isCapped ? Math.min(selection.total, totalCap) : selection.total
  const { no = 0, size = usualPageSize } = page ?? { size: reached }
  const offset = no * size
  const meta = {
    total: toTotal(reached, fault, 0),
    ...(page === undefined ? {} : { page: { no, offset, size } }),
  }
  return toDocument(
    collection,
    {
      total: Math.max(0, Math.min(size, reached - offset)),
      at: (position) => selection.at(offset + position),
    },
    { ...shapes.page(endpoint, meta), contentType: shapes.jsonType },
  )
}

function toList(
  endpoint: Endpoint,
  collection: Collection,
  selection: Selection,
  fault: AnswerFault,
  shapes: AnswerShapes,
): AnswerBody {
  const meta = { total: toTotal(selection.total, fault, 0) }
  return toDocument(collection, selection, { ...shapes.list(endpoint, meta), contentType: shapes.jsonType })
}

function toFound(
  endpoint: Endpoint,
  { filter }: ServiceRequest,
  collection: Collection,
  selection: Selection,
  shapes: AnswerShapes,
): AnswerBody {
  if (filter?.['id'] === undefined) {
    const violations = [{ path: 'filter.id', message: 'expected an id in the query string, got nothing' }]
    throw toInvalid(violations)
  }
  if (selection.total === 0)
    throw new ServiceError(404, `There is no ${toRecordName(endpoint.contract)} ${JSON.stringify(filter['id'])}`)
  const found = { total: 1, at: selection.at }
  return toDocument(collection, found, { ...shapes.found(endpoint), contentType: shapes.jsonType })
}

function toTotal(total: number, { total: wrong }: AnswerFault, position: number): number {
  if (wrong === undefined || position < wrong.from) return total
  return wrong.is ?? total + (wrong.add ?? 0)
}
