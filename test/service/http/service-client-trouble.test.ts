import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { CatalogueError } from '../../../src/errors.ts'
import type { ServiceClient } from '../../../src/service/http/service-client.ts'
import { FakeClock } from './fake-clock.ts'
import { answerJson, answerText, createTestClient, keyId, keySecret, reset, ServiceStub } from '../read/service-stub.ts'

const stream = { method: 'POST', path: '/v4/products/stream', body: { filter: {}, sorting: { id: 'ASC' } } } as const
const ok = answerText(200, 'fine')
const basic = Buffer.from(`${keyId}:${keySecret}`).toString('base64')

describe('an answer with status 429', () => {
  test('status 429 waits as long as Retry-After says and is no failure', async () => {
    const busy = answerJson(429, { error: { status: 429, code: 'too_many_requests' } }, { 'retry-after': '7' })
    await using stub = await ServiceStub.start(busy, ok)
    const clock = new FakeClock()
    const start = clock.now()
    const { body } = await createTestClient(stub.url, { clock, retries: 0 }).open(stream)
    expect(await text(body)).toBe('fine')
    expect(clock.now() - start).toBe(7000)
  })

  test('status 429 has its Retry-After date read by the clock of the service', async () => {
    const date = 'Thu, 01 Jan 2015 00:00:00 GMT'
    const until = 'Thu, 01 Jan 2015 00:00:09 GMT'
    await using stub = await ServiceStub.start(answerText(429, '', { date, 'retry-after': until }), ok)
    const clock = new FakeClock()
    const start = clock.now()
    await text((await createTestClient(stub.url, { clock }).open(stream)).body)
    expect(clock.now() - start).toBe(9000)
  })

  test('status 429 without Retry-After waits until the window has room', async () => {
    await using stub = await ServiceStub.start(ok, answerText(429, ''), ok)
    const clock = new FakeClock()
    const client = createTestClient(stub.url, { clock })
    await text((await client.open(stream)).body)
    await clock.sleep(40_000)
    const start = clock.now()
    await text((await client.open(stream)).body)
    expect(clock.now() - start).toBe(20_001)
  })

  test('status 429 holds all other requests back, too', async () => {
    await using stub = await ServiceStub.start(answerText(429, '', { 'retry-after': '30' }), ok)
    const clock = new FakeClock()
    const client = createTestClient(stub.url, { clock })
    const start = clock.now()
    const first = client.open(stream).then(({ body }) => text(body))
    await expect.poll(() => clock.sleeps.length).toBeGreaterThan(0)
    await text((await client.open(stream)).body)
    expect(clock.now() - start).toBeGreaterThanOrEqual(30_000)
    await first
  })

  test('status 429 ends the run when it comes again and again', async () => {
    await using stub = await ServiceStub.start(answerJson(429, { error: { code: 'too_many_requests' } }))
    const error = await failure(createTestClient(stub.url))
    expect(error).toMatchObject({ code: 'SERVICE_BUSY', exitCode: 4 })
    expect(error.message).toContain('got 429 too_many_requests (5 tries)')
    expect(stub.requests).toHaveLength(5)
  })

  test('status 429 ends the run when the wait would be longer than an hour', async () => {
    await using stub = await ServiceStub.start(answerText(429, '', { 'retry-after': '86400' }))
    const error = await failure(createTestClient(stub.url))
    expect(error.message).toContain('got 429 too many requests, which asks to wait 86400 s, longer than an hour')
    stub.answerWith(answerText(429, '', { 'retry-after': '9'.repeat(18) }))
    expect((await failure(createTestClient(stub.url))).message).toContain('s, longer than an hour')
    expect(stub.requests).toHaveLength(2)
  })
})

describe('a failure that may pass', () => {
  test('a failure that may pass is met with ever longer waits, with full jitter', async () => {
    const down = answerText(503, '<html>Down</html>')
    await using stub = await ServiceStub.start(down, reset, down, down, ok)
    const clock = new FakeClock()
    const { body } = await createTestClient(stub.url, { clock }).open(stream)
    expect(await text(body)).toBe('fine')
    expect(clock.sleeps).toEqual([500, 1000, 2000, 4000])
  })

  test('a failure that may pass is a warning at each wait', async () => {
    await using stub = await ServiceStub.start(answerText(503, ''), answerText(429, '', { 'retry-after': '1' }), ok)
    const warnings: string[] = []
    const repeats: string[] = []
    const client = createTestClient(stub.url, { onWarning: (message) => warnings.push(message) })
    const { body } = await client.open(stream, undefined, (reason) => repeats.push(reason))
    body.close()
    expect(warnings).toEqual([
      `try 2 of 6 in 0.5 s: POST ${stub.url}/v4/products/stream: expected an answer, got 503 service unavailable`,
      'waiting 1 s: the service allows no more requests this minute',
    ])
    expect(repeats).toHaveLength(2)
  })

  test('a failure that may pass is no warning where the request is not repeated', async () => {
    await using stub = await ServiceStub.start(answerText(503, ''))
    const warnings: string[] = []
    const onWarning = (message: string): unknown => warnings.push(message)
    expect((await failure(createTestClient(stub.url, { retries: 1, onWarning }))).message).toContain('(2 tries)')
    await failure(createTestClient(stub.url, { retries: 0, onWarning }))
    expect(warnings).toHaveLength(1)
  })

  test('a failure that may pass is one warning for all requests that are refused together', async () => {
    await using stub = await ServiceStub.start(answerText(429, '', { 'retry-after': '41' }))
    const warnings: string[] = []
    const stop = new AbortController()
    const clock = { now: () => 1000, sleep: () => new Promise<void>(() => undefined) }
    const client = createTestClient(stub.url, { clock, onWarning: (message) => warnings.push(message) })
    let refused = 0
    const asking = Array.from({ length: 5 }, () => client.open(stream, stop.signal, () => refused++))
    await expect.poll(() => refused).toBe(5)
    stop.abort()
    await Promise.allSettled(asking)
    expect(warnings).toEqual(['waiting 41 s: the service allows no more requests this minute'])
  })

  test('a header that cannot be sent and a client that was closed are no failures that may pass', async () => {
    await using stub = await ServiceStub.start(ok)
    const clock = new FakeClock()
    const error = await failure(createTestClient(stub.url, { clock, userAgent: 'line\nbreak' }))
    expect(error.code).toBe('SERVICE_UNREACHABLE')
    const client = createTestClient(stub.url, { clock })
    await client.close()
    expect((await failure(client)).message).toContain('UND_ERR_DESTROYED')
    expect(clock.sleeps).toEqual([])
  })

  test('a failure that may pass waits at least as long as Retry-After says', async () => {
    await using stub = await ServiceStub.start(answerText(503, '', { 'retry-after': '20' }), ok)
    const clock = new FakeClock()
    await text((await createTestClient(stub.url, { clock }).open(stream)).body)
    expect(clock.sleeps).toEqual([20_000])
  })

  test('a failure that may pass ends the run after the last try', async () => {
    await using stub = await ServiceStub.start(answerJson(500, { error: { code: 'internal_error', message: 'Oh.' } }))
    const error = await failure(createTestClient(stub.url, { retries: 2 }))
    expect(error).toMatchObject({ code: 'SERVICE_FAILED', exitCode: 4 })
    expect(error.message).toBe(
      `POST ${stub.url}/v4/products/stream: expected an answer, got 500 internal_error, "Oh." (3 tries)`,
    )
    expect(stub.requests).toHaveLength(3)
  })

  test('a name that cannot be found is a failure that may pass', async () => {
    const clock = new FakeClock()
    const client = createTestClient('http://does-not-exist.invalid', { clock, retries: 2 })
    const error = await failure(client)
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', exitCode: 4 })
    expect(error.message).toMatch(/got none: the name does-not-exist.invalid (was not found|could not be looked up)/)
    expect(clock.sleeps).toEqual([500, 1000])
  })

  test('a connection that is refused is a failure that may pass', async () => {
    const url = await (async () => {
      await using stub = await ServiceStub.start(ok)
      return stub.url
    })()
    const error = await failure(createTestClient(url, { retries: 1 }))
    expect(error.message).toContain('got none: 127.0.0.1 does not take connections (ECONNREFUSED) (2 tries)')
    // A name with two addresses fails with a list of errors.
    const byName = await failure(createTestClient(url.replace('127.0.0.1', 'localhost'), { retries: 0 }))
    expect(byName.message).toContain('got none: localhost does not take connections (ECONNREFUSED)')
  })

  test('an answer that does not begin is a failure that may pass', async () => {
    await using stub = await ServiceStub.start(() => undefined, ok)
    const { body } = await createTestClient(stub.url, { limits: { firstByteTimeoutMs: 300 } }).open(stream)
    expect(await text(body)).toBe('fine')
    await using silent = await ServiceStub.start(() => undefined)
    const client = createTestClient(silent.url, { limits: { firstByteTimeoutMs: 300 }, retries: 1 })
    expect((await failure(client)).fix).toContain('raise `source.timeouts.firstByte`')
  })

  test('a failure that may pass is not repeated for a request that changes something and may have arrived', async () => {
    await using stub = await ServiceStub.start(
      reset,
      answerText(503, ''),
      answerText(429, '', { 'retry-after': '1' }),
      ok,
    )
    const client = createTestClient(stub.url)
    const create = { method: 'POST', path: '/v4/users/create', body: {}, isWrite: true } as const
    await expect(client.open(create)).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
    await expect(client.open(create)).rejects.toMatchObject({ code: 'SERVICE_FAILED' })
    expect(await text((await client.open(create)).body)).toBe('fine')
    expect(stub.requests).toHaveLength(4)
  })
})

describe('a refusal', () => {
  test.each([
    [400, 'SERVICE_REFUSED'],
    [401, 'SERVICE_UNAUTHORIZED'],
    [403, 'SERVICE_UNAUTHORIZED'],
    [404, 'SERVICE_NOT_FOUND'],
    [409, 'SERVICE_REFUSED'],
    [422, 'SERVICE_REFUSED'],
  ])('a refusal with status %i ends the run at once', async (status, code) => {
    await using stub = await ServiceStub.start(
      answerJson(status, { error: { status, code: 'the_code', message: 'Why.' } }),
    )
    const error = await failure(createTestClient(stub.url))
    expect(error).toMatchObject({ code, exitCode: 4 })
    expect(error.message).toContain(`got ${status} the_code, "Why."`)
    expect(error.fix).not.toBe('')
    expect(stub.requests).toHaveLength(1)
  })

  test('a refusal says which values are wrong', async () => {
    const violations = [
      { path: 'filter.cnk', message: 'Too many codes.' },
      'Sorting is missing.',
      { code: 7 },
      { x: 1 },
    ]
    await using stub = await ServiceStub.start(answerJson(422, { error: { code: 'invalid', violations } }))
    const { message } = await failure(createTestClient(stub.url))
    expect(message).toContain('got 422 invalid; "filter.cnk: Too many codes."; "Sorting is missing."; "7"; "{"x":1}"')
  })

  test.each([
    ['nothing', '', 'got 401 unauthorized'],
    ['HTML', '<html><body>No.</body></html>', 'got 401 unauthorized'],
    ['a list', '[1]', 'got 401 unauthorized'],
    ['another form', '{"code":"nope","message":"Not you."}', 'got 401 nope, "Not you."'],
    ['control characters', '{"error":{"message":"a\\u001b[31m\\n\\tb"}}', 'got 401 unauthorized, "a [31m b"'],
  ])('a refusal whose body is %s still has its status', async (_, body, expected) => {
    await using stub = await ServiceStub.start(answerText(401, body))
    const { message } = await failure(createTestClient(stub.url))
    expect(message.endsWith(expected)).toBe(true)
  })

  test('a refusal of endless text is read no further than needed', async () => {
    await using stub = await ServiceStub.start(async (response) => {
      response.writeHead(400)
      const closed = new Promise((resolve) => response.once('close', resolve))
      while (!response.destroyed) {
        if (response.write('x'.repeat(65_536))) continue
        await Promise.race([closed, new Promise((resolve) => response.once('drain', resolve))])
      }
    })
    expect((await failure(createTestClient(stub.url))).message).toContain('got 400 bad request')
  })
})

describe('a redirect', () => {
  test.each([300, 304])(
    'a redirect with status %i that names no address gives no advice about the filter',
    async (status) => {
      await using stub = await ServiceStub.start(answerText(status, ''))
      const error = await failure(createTestClient(stub.url))
      expect(error).toMatchObject({ code: 'SERVICE_REFUSED', exitCode: 4 })
      expect(error.fix).not.toContain('source.filter')
      expect(error.fix).toContain('source.baseUrl')
    },
  )

  test.each([301, 302, 307, 308])(
    'a redirect with status %i on the same host sends the same request there',
    async (status) => {
      await using stub = await ServiceStub.start(answerText(status, 'moved', { location: '/new/stream?x=1' }), ok)
      expect(await text((await createTestClient(stub.url).open(stream)).body)).toBe('fine')
      expect(stub.requests[1]).toMatchObject({ method: 'POST', url: '/new/stream?x=1', body: stream.body })
      expect(stub.requests[1]?.headers['authorization']).toBe(`Basic ${basic}`)
    },
  )

  test('a redirect with status 303 gets the answer from there', async () => {
    await using stub = await ServiceStub.start(answerText(303, '', { location: '/answer' }), ok)
    await text((await createTestClient(stub.url).open(stream)).body)
    expect(stub.requests[1]).toMatchObject({ method: 'GET', url: '/answer', body: undefined })
  })

  test('a redirect is followed three times', async () => {
    await using stub = await ServiceStub.start(answerText(307, '', { location: '/again' }))
    const error = await failure(createTestClient(stub.url))
    expect(error.code).toBe('SERVICE_REDIRECTED')
    expect(error.message).toContain('after 3 others')
    expect(stub.requests).toHaveLength(4)
  })

  test('a redirect to another host is not followed, and no credentials go there', async () => {
    await using other = await ServiceStub.start(ok)
    const location = `${other.url}/v4/products/stream?key=${encodeURIComponent(keySecret)}`
    await using stub = await ServiceStub.start(answerText(307, '', { location }))
    const error = await failure(createTestClient(stub.url))
    expect(error).toMatchObject({ code: 'SERVICE_REDIRECTED', exitCode: 4 })
    expect(error.message).toContain(`expected an answer from ${stub.url}, got 307 to "${other.url}/v4/products/stream"`)
    expect(other.requests).toHaveLength(0)
  })
})

describe('credentials', () => {
  test('credentials with a short key id, which any text may hold, are not redacted', async () => {
    await using stub = await ServiceStub.start(answerText(401, '{"message":"The sandbox knows no sandbox-secret."}'))
    const error = await failure(createTestClient(stub.url, { keyId: 'sandbox', keySecret: 'sandbox-secret' }))
    expect(error.message).toContain('"The sandbox knows no ***."')
  })

  test('credentials are in nothing that can be printed', async () => {
    const echo = `${'x'.repeat(290)} ${keyId} ${keySecret} ${basic} ${encodeURIComponent(keySecret)}`
    const answers = [
      answerJson(422, { error: { code: echo, message: echo, violations: [echo, { path: echo, message: echo }] } }),
      answerText(400, `{"error":{"message":"${keySecret.replace('/', '\\/')}"}}`),
      answerText(307, '', { location: `http://${keyId}:${encodeURIComponent(keySecret)}@example.com/${echo}` }),
      answerText(307, '', { location: `http://${echo}:x` }),
      reset,
    ]
    const shown: string[] = []
    for (const answer of answers) {
      await using stub = await ServiceStub.start(answer)
      const client = createTestClient(stub.url, { retries: 0 })
      shown.push(...show(await failure(client)), ...show(client))
    }
    await using stub = await ServiceStub.start((response) => void response.writeHead(200).write('x'), reset)
    const client = createTestClient(stub.url, { retries: 0 })
    const response = await client.open(stream)
    // While a request is under way, too.
    shown.push(...show(client), ...show(response))
    await client.close()
    const cut = await text(response.body).catch((error: unknown) => error)
    shown.push(...show(cut))
    for (const output of shown) {
      for (const secret of [keyId, keySecret, basic, encodeURIComponent(keySecret)])
        expect(output).not.toContain(secret)
    }
  })
})

describe('a run that is stopped', () => {
  test('a run that is stopped stops waiting for the budget, the answer, the next try and the body', async () => {
    await using stub = await ServiceStub.start(() => undefined)
    const stop = new AbortController()
    const client = createTestClient(stub.url)
    const waiting = client.open(stream, stop.signal)
    await expect.poll(() => stub.requests.length).toBe(1)
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    await expect(client.open(stream, stop.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await expect(client.backOff(1, stop.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' })

    stub.answerWith((response) => void response.write('x'))
    const next = new AbortController()
    const { body } = await createTestClient(stub.url, { signal: next.signal }).open(stream)
    const reading = text(body)
    next.abort()
    await expect(reading).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})

/** The error that a request ends with. */
async function failure(client: ServiceClient): Promise<CatalogueError> {
  const error = await client.open(stream).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof CatalogueError) return error
  throw new TypeError('expected a CatalogueError', { cause: error })
}

function show(value: unknown): string[] {
  const details = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }
  const causes = value instanceof Error && value.cause !== undefined ? show(value.cause) : []
  return [inspect(value, details), JSON.stringify(value) ?? '', String((value as Error).stack), ...causes]
}
