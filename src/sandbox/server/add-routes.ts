import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../api/endpoint.ts'
import { endpointNames, endpoints, type EndpointName } from '../../api/endpoints.ts'
import { toDocument, type AnswerBody } from './answer-body.ts'
import { answerRequest } from './answer-request.ts'
import { toPieces } from './body-pieces.ts'
import type { Catalogue } from '../catalogue.ts'
import { createListCollection } from '../collections/collection.ts'
import { createUser } from './create-user.ts'
import { parseRequest } from './parse-request.ts'
import { sendBody } from './send-body.ts'
import { usersCreate } from './served-endpoints.ts'
import { ServiceError } from './service-error.ts'
import { createAddressSigner } from './sign-addresses.ts'

export interface RouteOptions {
  readonly catalogue: Catalogue
  readonly mayCreateUsers: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** One index of the specification lists these as GET too. */
const alsoGet: ReadonlySet<EndpointName> = new Set(['v4/active-ingredients/query', 'v3/news-items/search'])

/** Adds every endpoint of the table, and the creation of users. */
export function addRoutes(server: FastifyInstance, options: RouteOptions): void {
  const answerData = createDataHandler(options)
  for (const name of endpointNames) {
    const { method, path } = endpoints[name]
    server.route({
      method: alsoGet.has(name) ? ['GET', 'POST'] : method,
      url: path,
      handler: (request, reply) => answerData(name, request, reply),
    })
  }
  server.post(`/${usersCreate}`, (request, reply) => answerUserCreation(request, reply, options))
}

function createDataHandler({ catalogue, now }: RouteOptions) {
  let requests = 0
  return async (name: EndpointName, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const sign = createAddressSigner(++requests, Math.floor(now() / 1000))
    const endpoint: Endpoint = endpoints[name]
    const collection = catalogue.collectionOf(name)
    const body = request.method === 'GET' ? toQueryRequest(endpoint, request) : (request.body ?? {})
    const checked = parseRequest(name, body, collection)
    const answer = await answerRequest(endpoint, checked, collection, request.visit.mishap?.answer ?? {})
    if (answer === null) await reply.code(204).send()
    else await send(collection.signed ? withSigned(answer, sign) : answer, request, reply)
  }
}

/** A query string holds a filter; where the endpoint takes none, what it holds means nothing. */
function toQueryRequest({ filter }: Endpoint, { query }: FastifyRequest): unknown {
  const isGiven = filter === 'required' || Object.keys(query as object).length > 0
  return filter !== 'none' && isGiven ? { filter: query } : {}
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

async function answerUserCreation(
  request: FastifyRequest,
  reply: FastifyReply,
  { catalogue, mayCreateUsers, now }: RouteOptions,
): Promise<void> {
  if (!mayCreateUsers) throw new ServiceError(403, 'The subscription of this API key does not allow to create users')
  const user = createUser(request.body, catalogue.users, Math.floor(now() / 1000))
  catalogue.addUser(user)
  const created = createListCollection([user])
  await send(toDocument(created, { total: 1, at: () => 0 }, { head: '{"user":', tail: '}' }), request, reply)
}

async function send(body: AnswerBody, { visit, headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { log, mishap } = visit
  const fault = mishap?.answer ?? {}
  const gzip = acceptsGzip(headers['accept-encoding'])
  reply.hijack()
  reply.raw.writeHead(200, {
    'content-type': body.contentType,
    vary: 'accept-encoding',
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
  })
  log.status = 200
  log.end = await sendBody(
    reply.raw,
    toPieces(body, fault, () => log.records++),
    { gzip, bytesPerSecond: fault.bytesPerSecond, onBytes: (count) => (log.bytes += count) },
  )
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(?:^|[\s,])(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/.test(String(header ?? ''))
}
