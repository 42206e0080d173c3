import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { endpointNames, endpoints, type EndpointName } from '../../service/endpoints/endpoints.ts'
import { toRequestProblems } from '../../service/endpoints/request-issues.ts'
import { toUserKey, userRequest } from '../../service/endpoints/user-request.ts'
import type { Catalogue } from '../catalogue.ts'
import { createListCollection } from '../collections/collection.ts'
import { createAddressSigner, mediaHost } from '../data/addresses.ts'
import type { JsonObject } from '../data/record-writer.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { toUserId } from '../data/synthetic-records.ts'
import { toDocument, type AnswerBody } from './answer-body.ts'
import { answerRequest } from './answer-request.ts'
import { parseRequest } from './parse-request.ts'
import type { RouteCall, RouteHandler, Routes } from './routes.ts'
import { sendAnswer } from './send-answer.ts'
import { usersCreate } from './served-endpoints.ts'
import { ServiceError, toInvalid } from './service-error.ts'
import { imagesPath } from '../images/image-file.ts'

export interface ServiceRouteOptions {
  readonly catalogue: Catalogue
  readonly dialect: Dialect
  readonly mayCreateUsers: boolean
  readonly now: () => number
  /** Base address of served images; null if none are served. */
  readonly imagesAt: (() => string) | null
}

/** Endpoints that one index of the specification also lists as GET. */
const alsoGet: ReadonlySet<EndpointName> = new Set(['v4/active-ingredients/query', 'v3/news-items/search'])

export function createServiceRoutes(options: ServiceRouteOptions): Routes {
  const answerData = createDataHandler(options)
  const routes = new Map<string, RouteHandler>()
  for (const name of endpointNames) {
    const { method, path } = endpoints[name]
    routes.set(`${method} ${path}`, (call) => answerData(name, call))
    if (alsoGet.has(name)) routes.set(`GET ${path}`, (call) => answerData(name, call))
  }
  routes.set(`POST /${usersCreate}`, (call) => answerUserCreation(call, options))
  return routes
}

function createDataHandler({ catalogue, dialect, now, imagesAt }: ServiceRouteOptions) {
  let requests = 0
  return async (name: EndpointName, call: RouteCall): Promise<void> => {
    const sign = createAddressSigner(++requests, Math.floor(now() / 1000))
    const endpoint: Endpoint = endpoints[name]
    const collection = dialect.toSent(name, catalogue.collectionOf(name))
    const body = call.method === 'GET' ? toQueryRequest(endpoint, call.query) : (call.body ?? {})
    const checked = parseRequest(name, body, collection)
    const answer = await answerRequest(endpoint, checked, collection, call.fault, dialect.shapes)
    if (answer === null) call.response.writeHead(204).end()
    else {
      const signed = collection.signed ? withSigned(answer, sign) : answer
      await sendAnswer(call, imagesAt === null ? signed : withOwnAddresses(signed, imagesAt()))
    }
  }
}

/** The filter in a query string; ignored if the endpoint takes none. */
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

async function answerUserCreation(
  call: RouteCall,
  { catalogue, dialect, mayCreateUsers, now }: ServiceRouteOptions,
): Promise<void> {
  if (!mayCreateUsers) throw new ServiceError(403, 'The subscription of this API key does not allow to create users')
  const user = createUser(call.body, catalogue.users, Math.floor(now() / 1000))
  catalogue.addUser(user)
  const { jsonType, created: status } = dialect.shapes
  const created = createListCollection([dialect.toSentUser(user)])
  const wrapping = { head: '{"user":', tail: '}', contentType: jsonType }
  await sendAnswer(call, { ...toDocument(created, { total: 1, at: () => 0 }, wrapping), status })
}

/**
 * Creates the user of a request, without the password. Throws a 422 with every violation, which is assumed to include
 * an address that another user has.
 */
function createUser(body: unknown, users: readonly JsonObject[], nowSeconds: number): JsonObject {
  const { data, error } = userRequest.safeParse(body, { reportInput: true })
  if (error !== undefined) {
    const problems = error.issues.flatMap((issue) => toRequestProblems(issue))
    throw toInvalid(problems.map(({ path, message }) => ({ path: path.map(String).join('.'), message })))
  }
  const key = toUserKey(data.email)
  if (users.some((user) => toUserKey(String(user['email'])) === key)) {
    throw toInvalid([{ path: 'email', message: 'expected an address that no other user has' }])
  }
  const { password: _, ...user } = data
  return { id: toUserId(users.length), ...user, meta: { createdAt: nowSeconds, updatedAt: nowSeconds } }
}

/**
 * Replaces addresses of photos and leaflets by those of this sandbox. Records from `generate` keep theirs, which lead
 * nowhere.
 */
function withOwnAddresses(body: AnswerBody, baseUrl: string): AnswerBody {
  return {
    ...body,
    item(position) {
      const text = body.item(position).toString('latin1')
      return Buffer.from(
        text.replaceAll(generated, (_, folder: string) => `"${baseUrl}${imagesPath}${folder}/`),
        'latin1',
      )
    },
  }
}

const generated = new RegExp(`"${mediaHost.replaceAll('.', String.raw`\.`)}/(photos|leaflets)/`, 'g')
