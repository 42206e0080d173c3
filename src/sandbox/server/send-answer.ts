import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { jsonType, toPieces, type AnswerBody, type BodyEnd } from './answer-body.ts'
import type { RouteCall } from './routes.ts'

const chunkBytes = 64 * 1024

/**
 * Sends an answer with the faults of its call, compressed if the client accepts that. Creates no more than the client
 * reads, plus a chunk and the buffer of the socket. Logs how the answer ended.
 */
export async function sendAnswer({ response, headers, fault, log }: RouteCall, body: AnswerBody): Promise<void> {
  if (response.destroyed) return
  const gzip = acceptsGzip(headers['accept-encoding'])
  response.writeHead(body.status ?? 200, {
    'content-type': body.contentType,
    vary: 'accept-encoding',
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
  })
  response.flushHeaders()
  log.status = body.status ?? 200
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const outlet = createOutlet(response, gzip, gone.signal)
  const pace = fault.bytesPerSecond === undefined ? undefined : createPace(fault.bytesPerSecond, gone.signal)
  const pieces = toPieces(body, fault, () => log.records++)
  try {
    const end = await sendChunks(pieces, async (chunk) => {
      log.bytes += chunk.length
      await (pace === undefined ? outlet.write(chunk) : pace(chunk, outlet.write))
      // Without this, sockets that accept everything at once would make other clients wait for the end of the stream.
      await nextTurn()
    })
    await outlet.finish()
    await endResponse(response, end)
    log.end = end
  } catch (error) {
    if (!gone.signal.aborted) throw error
  }
}

type Headers = Readonly<Record<string, string>>

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  sendText(response, status, JSON.stringify(body), { ...headers, 'content-type': jsonType })
}

export function sendText(response: ServerResponse, status: number, text: string, headers: Headers): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(?:^|[\s,])(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/.test(String(header ?? ''))
}

export async function endResponse(response: ServerResponse, end: BodyEnd): Promise<void> {
  const { socket } = response
  if (end === 'complete') response.end()
  else if (socket === null || socket.destroyed) return
  else if (end === 'stall') await once(response, 'close')
  // Both deliver everything written before.
  else if (end === 'cut') socket.destroySoon()
  else await resetWhenWritten(socket)
}

async function resetWhenWritten(socket: Socket): Promise<void> {
  for (;;) {
    if (socket.writableLength === 0 || socket.destroyed) break
    await wait(1)
  }
  socket.resetAndDestroy()
}

async function sendChunks(
  pieces: Generator<Buffer, BodyEnd, undefined>,
  send: (chunk: Buffer) => Promise<void>,
): Promise<BodyEnd> {
  let held: Buffer[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = pieces.next()
    if (done !== true) {
      held.push(value)
      bytes += value.length
      if (bytes < chunkBytes) continue
    }
    if (bytes > 0) await send(Buffer.concat(held, bytes))
    if (done === true) return value
    held = []
    bytes = 0
  }
}

interface Outlet {
  readonly write: (chunk: Buffer) => Promise<void>
  /** Resolves once everything written has reached the response, which stays open. */
  readonly finish: () => Promise<void>
}

function createOutlet(response: ServerResponse, gzip: boolean, signal: AbortSignal): Outlet {
  if (!gzip) return { write: createWrite(response, signal), finish: () => Promise.resolve() }
  // The fastest level has several times the speed of the default and half its compression ratio.
  const compressor = createGzip({ level: 1 })
  compressor.pipe(response, { end: false })
  signal.addEventListener('abort', () => compressor.destroy(), { once: true })
  return {
    write: createWrite(compressor, signal),
    async finish() {
      compressor.end()
      await once(compressor, 'end', { signal })
    },
  }
}

function createWrite(target: NodeJS.WritableStream, signal: AbortSignal) {
  return async (chunk: Buffer) => {
    signal.throwIfAborted()
    if (!target.write(chunk)) await once(target, 'drain', { signal })
  }
}

/** Writes slices of a twentieth of a second, each when due. */
function createPace(bytesPerSecond: number, signal: AbortSignal) {
  const sliceBytes = Math.max(1, Math.min(chunkBytes, Math.floor(bytesPerSecond / 20)))
  const start = performance.now()
  let sent = 0
  return async (chunk: Buffer, write: (chunk: Buffer) => Promise<void>) => {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      const early = start + (sent / bytesPerSecond) * 1000 - performance.now()
      if (early > 0) await wait(early, undefined, { signal })
      const slice = chunk.subarray(at, at + sliceBytes)
      await write(slice)
      sent += slice.length
    }
  }
}
