import type { Endpoint } from '../../api/endpoint.ts'
import { endpointNames, endpoints, type EndpointName } from '../../api/endpoints.ts'
import type { Catalogue } from '../catalogue.ts'
import { createAddressSigner } from '../data/addresses.ts'
import type { AnswerBody } from './answer-body.ts'
import { answerRequest } from './answer-request.ts'
import { parseRequest } from './parse-request.ts'
import type { RouteCall, RouteHandler, Routes } from './routes.ts'
import { sendAnswer } from './send-answer.ts'

export interface DataRouteOptions {
  readonly catalogue: Catalogue
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** One index of the specification lists these as GET too. */
const alsoGet: ReadonlySet<EndpointName> = new Set(['v4/active-ingredients/query', 'v3/news-items/search'])

/** The routes of every endpoint that returns data. */
export function createDataRoutes(options: DataRouteOptions): Routes {
  const answerData = createDataHandler(options)
  const routes = new Map<string, RouteHandler>()
  for (const name of endpointNames) {
    const { method, path } = endpoints[name]
    routes.set(`${method} ${path}`, (call) => answerData(name, call))
    if (alsoGet.has(name)) routes.set(`GET ${path}`, (call) => answerData(name, call))
  }
  return routes
}

function createDataHandler({ catalogue, now }: DataRouteOptions) {
  let requests = 0
  return async (name: EndpointName, call: RouteCall): Promise<void> => {
    const sign = createAddressSigner(++requests, Math.floor(now() / 1000))
    const endpoint: Endpoint = endpoints[name]
    const collection = catalogue.collectionOf(name)
    const body = call.method === 'GET' ? toQueryRequest(endpoint, call.query) : (call.body ?? {})
    const checked = parseRequest(name, body, collection)
    const answer = await answerRequest(endpoint, checked, collection, call.fault)
    if (answer === null) call.response.writeHead(204).end()
    else await sendAnswer(call, collection.signed ? withSigned(answer, sign) : answer)
  }
}

/** The filter that a query string holds; ignored where the endpoint takes none. */
function toQueryRequest({ filter }: Endpoint, query: RouteCall['query']): unknown {
  const isGiven = filter === 'required' || Object.keys(query).length > 0
  return filter !== 'none' && isGiven ? { filter: { ...query } } : {}
}

function withSigned(body: AnswerBody, sign: (record: Buffer) => void): AnswerBody {
  return {
    ...body,
    item(position) {
      const item = body.item(position)
      sign(item)
      return item
    },
  }
}
