import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { answerText, createTestClient, keyId, keySecret, ServiceStub } from '../read/service-stub.ts'

const stream = { method: 'POST', path: '/v4/products/stream', body: { filter: {}, sorting: { id: 'ASC' } } } as const
const ok = answerText(200, 'fine')
const basic = Buffer.from(`${keyId}:${keySecret}`).toString('base64')

describe('a request', () => {
  test('a request carries credentials, name and version, and its body as JSON', async () => {
    await using stub = await ServiceStub.start(ok)
    const { body, status, date } = await createTestClient(`${stub.url}/api/`).open(stream)
    expect(await text(body)).toBe('fine')
    expect(status).toBe(200)
    expect(date).toBeInstanceOf(Date)
    const [request] = stub.requests
    expect(request).toMatchObject({ method: 'POST', url: '/api/v4/products/stream', body: stream.body })
    expect(request?.headers).toMatchObject({
      authorization: `Basic ${basic}`,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    })
    expect(request?.headers['user-agent']).toMatch(/^catalogue-etl\/\d+\.\d+\.\d+/)
  })

  test('a request has the User-Agent that is configured, and no body where it is a GET', async () => {
    await using stub = await ServiceStub.start(ok)
    const client = createTestClient(stub.url, { userAgent: 'nightly-mirror/3' })
    await text((await client.open({ method: 'GET', path: '/v4/products/find?id=M1' })).body)
    expect(stub.requests[0]).toMatchObject({ method: 'GET', url: '/v4/products/find?id=M1', body: undefined })
    expect(stub.requests[0]?.headers['user-agent']).toBe('nightly-mirror/3')
  })

  test('a request reuses the connection', async () => {
    const ports = new Set<number | undefined>()
    await using stub = await ServiceStub.start((response) => {
      ports.add(response.socket?.remotePort)
      response.end('fine')
    })
    const client = createTestClient(stub.url)
    for (let i = 0; i < 3; i++) {
      await text((await client.open(stream)).body)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(ports.size).toBe(1)
  })
})

describe('an answer', () => {
  test('an answer in gzip is decompressed', async () => {
    const lines = 'a line\n'.repeat(100_000)
    await using stub = await ServiceStub.start((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(lines)),
    )
    const { body } = await createTestClient(stub.url).open(stream)
    expect(await text(body)).toBe(lines)
  })

  test('an answer in an encoding that was not asked for is refused', async () => {
    await using stub = await ServiceStub.start((response) =>
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('lines')),
    )
    await expect(createTestClient(stub.url).open(stream)).rejects.toThrow(
      'expected gzip or nothing as encoding, got "br"',
    )
  })

  test('an answer that is cut off is SOURCE_FAILED, in gzip too', async () => {
    const half = gzipSync('a line\n'.repeat(1000)).subarray(0, 20)
    await using stub = await ServiceStub.start(
      (response) => {
        response.write('the beginning')
        setTimeout(() => response.destroy(), 20)
      },
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(half),
    )
    const client = createTestClient(stub.url)
    const cut = await client.open(stream)
    await expect(text(cut.body)).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      message: expect.stringMatching(/got 13 bytes of it: the connection was cut/) as string,
    })
    const torn = await client.open(stream)
    await expect(text(torn.body)).rejects.toThrow('the compressed data was cut off')
  })

  test.concurrent('an answer that stops is given up after the idle limit; a slow one is not', async () => {
    await using stub = await ServiceStub.start(
      (response) => void response.write('the beginning'),
      async (response) => {
        for (let i = 0; i < 4; i++) {
          response.write('.')
          await new Promise((resolve) => setTimeout(resolve, 400))
        }
        response.end()
      },
    )
    const client = createTestClient(stub.url, { limits: { idleTimeoutMs: 1000 } })
    const stalled = await client.open(stream)
    await expect(text(stalled.body)).rejects.toThrow('nothing came for 1 s')
    expect(await text((await client.open(stream)).body)).toBe('....')
  })

  test.concurrent('an answer may be taken slower than the idle limit', async () => {
    const whole = 'x'.repeat(5_000_000)
    await using stub = await ServiceStub.start(answerText(200, whole))
    const { body } = await createTestClient(stub.url, { limits: { idleTimeoutMs: 500 } }).open(stream)
    let bytes = 0
    for await (const chunk of body) {
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 2500))
      bytes += chunk.length
    }
    expect(bytes).toBe(whole.length)
  })

  test('an answer that is not read, or no further, ends the connection and nothing else', async () => {
    let closed = 0
    await using stub = await ServiceStub.start((response) => {
      response.on('close', () => closed++)
      response.write('x'.repeat(3_000_000))
    })
    const client = createTestClient(stub.url)
    const unread = await client.open(stream)
    unread.body.close()
    const half = await client.open(stream)
    for await (const chunk of half.body) if (chunk.length > 0) break
    await expect.poll(() => closed).toBe(2)
  })

  test('an answer whose reader begins late gets the error of a connection that was cut meanwhile', async () => {
    await using stub = await ServiceStub.start((response) => {
      response.write('the beginning')
      setTimeout(() => response.destroy(), 20)
    })
    const { body } = await createTestClient(stub.url).open(stream)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await expect(text(body)).rejects.toThrow('the connection was cut')
  })
})

describe('a slow reader', () => {
  test('a slow reader keeps the server waiting', async () => {
    const chunk = 'x'.repeat(65_536)
    let written = 0
    await using stub = await ServiceStub.start(async (response) => {
      for (let i = 0; i < 1000; i++) {
        written += chunk.length
        if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve))
      }
      response.end()
    })
    const { body } = await createTestClient(stub.url).open(stream)
    const chunks = body[Symbol.asyncIterator]()
    let read = 0
    for (let i = 0; i < 5; i++) read += ((await chunks.next()) as { value: Buffer }).value.length
    await new Promise((resolve) => setTimeout(resolve, 300))
    // All that is under way is in the buffers of both sockets, a few megabytes at most.
    const pausedAt = written
    expect(pausedAt - read).toBeLessThan(16_000_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(written).toBe(pausedAt)
    await chunks.return?.()
  })
})
