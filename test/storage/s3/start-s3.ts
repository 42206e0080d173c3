import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import S3rver, { type Context, type Middleware } from 's3rver'

/** After half of the answer, breaks the connection, sends no more, or ends as if that were all. */
type AnswerFault = 'cut' | 'freeze' | 'truncate'

/** A fault of matching requests, which ends after a number of them. */
export interface S3Fault {
  /** `*` for any. */
  readonly method: string
  /** A part of the path and query. */
  readonly where: string
  /** `hold` waits until the test releases it. */
  readonly how:
    | 'slow-down'
    | 'conflict'
    | 'unknown-header'
    | 'stall'
    | 'stall-after'
    | 'hold'
    | 'reset'
    | 'reset-after'
    | 'forbidden'
    | AnswerFault
  /** Default 1; Infinity for good. */
  times?: number
  /** The number of matching requests that succeed first. */
  after?: number
}

export interface S3Server {
  readonly env: Record<string, string>
  /** Every request: `PUT /warehouse/out/a.csv?partNumber=1`. */
  readonly requests: string[]
  /** The headers of every request, in the same order. */
  readonly headers: IncomingHttpHeaders[]
  readonly faults: S3Fault[]
  /** Releases held requests. */
  readonly held: (() => void)[]
  /** The content of every object in the bucket, by key. */
  readonly objects: () => Promise<Record<string, string>>
  readonly keys: () => Promise<string[]>
  /** The ids of uploads that have neither been completed nor aborted. */
  readonly openUploads: () => Promise<string[]>
  /** The most bytes of parts received at a time. */
  readonly receiving: { now: number; most: number }
  readonly stop: () => Promise<void>
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * s3rver on loopback, extended by what it lacks of the protocol: aborting and listing uploads, and conditions on
 * versions, unless it is to take no notice of these.
 */
export async function startS3(bucket = 'warehouse', { hasConditions = true } = {}): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 's3-'))
  const uploads = join(folder, bucket, '._S3rver_uploads')
  const faults: S3Fault[] = []
  const held: (() => void)[] = []
  const requests: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const receiving = { now: 0, most: 0 }
  let port = 0
  let running = await start()

  async function start(): Promise<S3rver> {
    const server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory: folder,
      vhostBuckets: false,
      configureBuckets: [{ name: bucket }],
    })
    server.middleware.unshift(
      count(receiving),
      record(requests, headers),
      fail(faults, held),
      ...(hasConditions ? [checkVersion(folder)] : []),
      createUploadMiddleware(uploads),
    )
    await server.run()
    port = (server.httpServer.address() as AddressInfo).port
    return server
  }

  async function stop(): Promise<void> {
    running.httpServer.closeAllConnections()
    await running.close()
  }

  const keys = async () => {
    const names = await readdir(join(folder, bucket), { recursive: true })
    const suffix = '._S3rver_object'
    return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length))
  }
  return {
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'us-east-1',
    },
    requests,
    headers,
    faults,
    held,
    receiving,
    keys: async () => (await keys()).sort(),
    async objects() {
      const texts = (await keys())
        .sort()
        .map(async (key) => [key, await readFile(join(folder, bucket, `${key}._S3rver_object`), 'latin1')] as const)
      return Object.fromEntries(await Promise.all(texts))
    },
    openUploads: () => listIds(uploads),
    stop,
    async restart() {
      running = await start()
    },
    async close() {
      if (running.httpServer.listening) await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function record(requests: string[], headers: IncomingHttpHeaders[]): Middleware {
  return async ({ req }, next) => {
    requests.push(`${req.method} ${req.url}`)
    headers.push(req.headers)
    await next()
  }
}

function count(receiving: { now: number; most: number }): Middleware {
  return async ({ req }, next) => {
    const bytes = Number(req.headers['content-length'] ?? 0)
    receiving.now += bytes
    receiving.most = Math.max(receiving.most, receiving.now)
    try {
      await next()
    } finally {
      receiving.now -= bytes
    }
  }
}

function fail(faults: S3Fault[], held: (() => void)[]): Middleware {
  return async (context, next) => {
    const { req } = context
    const fault = faults.find(
      ({ method, where }) => (method === '*' || req.method === method) && req.url?.includes(where),
    )
    if (fault === undefined) return next()
    if ((fault.after ?? 0) > 0) {
      fault.after = (fault.after ?? 0) - 1
      return next()
    }
    fault.times = (fault.times ?? 1) - 1
    if (fault.times === 0) faults.splice(faults.indexOf(fault), 1)
    if (fault.how === 'reset') return reset(context)
    if (fault.how === 'reset-after') {
      await next()
      return reset(context)
    }
    if (fault.how === 'cut' || fault.how === 'freeze' || fault.how === 'truncate')
      return halve(context, next, fault.how)
    if (fault.how === 'hold') {
      await new Promise<void>((resolve) => held.push(resolve))
      return next()
    }
    if (fault.how === 'stall-after') await next()
    // Takes the request and says nothing any more.
    if (fault.how === 'stall' || fault.how === 'stall-after') return new Promise(() => {})
    req.resume()
    if (fault.how === 'conflict')
      answer(context, 409, 'ConditionalRequestConflict', 'A conflicting operation is under way.')
    else if (fault.how === 'unknown-header')
      answer(context, 501, 'NotImplemented', 'A header you provided implies functionality that is not implemented.')
    else if (fault.how === 'slow-down') answer(context, 503, 'SlowDown', 'Please reduce your request rate.')
    else answer(context, 403, 'AccessDenied', 'Access Denied')
  }
}

async function halve(context: Context, next: () => Promise<void>, how: AnswerFault): Promise<void> {
  await next()
  const { body } = context
  if (!(body instanceof Readable || Buffer.isBuffer(body))) return
  const whole = Buffer.isBuffer(body) ? body : Buffer.concat((await body.toArray()) as Buffer[])
  const half = whole.subarray(0, Math.ceil(whole.length / 2))
  if (how === 'truncate') {
    context.body = half
    return
  }
  context.respond = false
  const { res, req } = context
  res.writeHead(context.status, { ...context.response.header, 'content-length': whole.length })
  res.write(half)
  if (how === 'cut') setTimeout(() => req.socket.resetAndDestroy(), 20)
}

function refuse(context: Context): void {
  answer(context, 412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold.')
}

/**
 * Receives a small object whole, as s3rver stores what a killed client has sent of it; false if it is not whole. The rest of
 * s3rver reads headers from elsewhere.
 */
async function receiveSmall(context: Context): Promise<boolean> {
  const { req } = context
  if (Number(req.headers['content-length'] ?? Infinity) >= 65_536) return true
  try {
    context.req = Readable.from([Buffer.concat((await req.toArray()) as Buffer[])]) as typeof req
    return true
  } catch {
    context.respond = false
    return false
  }
}

/** Reads a small object before another request may replace it. */
async function readSmall(context: Context, next: () => Promise<void>): Promise<void> {
  await next()
  const isSmall = Number(context.response.header['content-length']) < 65_536
  if (context.body instanceof Readable && isSmall)
    context.body = Buffer.concat((await context.body.toArray()) as Buffer[])
}

/** Refuses to serve or replace another version than the requested one: one request for an object at a time. */
function checkVersion(folder: string): Middleware {
  const writing = new Map<string, Promise<unknown>>()

  async function alone({ path, request: { req } }: Context, act: () => Promise<unknown>): Promise<void> {
    const before = writing.get(path) ?? Promise.resolve()
    // s3rver waits for a body that a killed client does not send any more.
    const isCut = new Promise<void>((resolve) => req.once('close', () => !req.readableEnded && resolve()))
    const acting = before.then(() => (req.destroyed && !req.readableEnded ? undefined : Promise.race([act(), isCut])))
    const ended = acting.catch(() => undefined)
    writing.set(path, ended)
    await acting
  }

  return async (context, next) => {
    const { 'if-match': wanted, 'if-none-match': unwanted } = context.request.req.headers
    if (['PUT', 'POST', 'DELETE'].includes(context.method)) {
      if (context.query['partNumber'] !== undefined) return next()
      if (context.method === 'PUT' && !(await receiveSmall(context))) return
      return alone(context, async () => {
        if (wanted === undefined && unwanted === undefined) return next()
        const md5 = await readFile(join(folder, `${context.path}._S3rver_object.md5`), 'utf8').catch(() => null)
        if (md5 === null && wanted !== undefined)
          return answer(context, 404, 'NoSuchKey', 'The specified key does not exist.')
        const isAsWanted = unwanted === '*' ? md5 === null : wanted === JSON.stringify(md5)
        return isAsWanted ? next() : refuse(context)
      })
    }
    await (context.method === 'GET' ? alone(context, () => readSmall(context, next)) : next())
    if (wanted === undefined || context.status >= 300 || context.response.header['etag'] === wanted) return
    if (context.body instanceof Readable) context.body.destroy()
    refuse(context)
  }
}

async function reset(context: Context): Promise<void> {
  context.respond = false
  // In the middle of a part, where there is one.
  if (Number(context.request.req.headers['content-length'] ?? 0) > 0 && !context.request.req.readableEnded)
    await new Promise((resolve) => context.request.req.once('data', resolve))
  context.request.req.socket.resetAndDestroy()
}

function createUploadMiddleware(uploads: string): Middleware {
  return async (context, next) => {
    const upload = context.query['uploadId']
    if (context.method === 'DELETE' && upload !== undefined) {
      const isThere = (await listIds(uploads)).includes(upload)
      if (!isThere) return answer(context, 404, 'NoSuchUpload', 'The specified upload does not exist.')
      await rm(join(uploads, upload), { recursive: true })
      context.status = 204
    } else if (context.method === 'POST' && upload !== undefined) {
      const isThere = (await listIds(uploads)).includes(upload)
      if (!isThere) return answer(context, 404, 'NoSuchUpload', 'The specified upload does not exist.')
      await next()
    } else if (context.method === 'GET' && context.query['uploads'] !== undefined) {
      context.type = 'application/xml'
      context.body = await formatUploads(uploads, context.query['prefix'] ?? '')
    } else await next()
  }
}

async function formatUploads(uploads: string, prefix: string): Promise<string> {
  const entries: string[] = []
  for (const id of await listIds(uploads)) {
    const key = await readFile(join(uploads, id, 'key'), 'utf8')
    const { mtime } = await stat(join(uploads, id, 'key'))
    if (!key.startsWith(prefix)) continue
    const initiated = mtime.toISOString()
    entries.push(`<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`)
  }
  return `<?xml version="1.0"?><ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`
}

function answer(context: Context, status: number, code: string, message: string): void {
  context.status = status
  context.type = 'application/xml'
  context.body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
}

async function listIds(uploads: string): Promise<string[]> {
  try {
    return await readdir(uploads)
  } catch {
    // Nothing has been uploaded in parts yet.
    return []
  }
}
