import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { CatalogueError } from '../../../src/errors.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask, readError, readPage, toBasic, toLines, type Page } from '../ask-sandbox.ts'

const everything = { filter: {}, sorting: { id: 'ASC' } }
const total = 200
let sandbox: Sandbox
let whole: string[]

beforeAll(async () => {
  sandbox = await startSandbox({ products: total / 2, rateLimit: false })
  whole = (await read({})).text.split('\n').slice(0, -1)
})

afterAll(() => sandbox.close())

test.each(['identity', 'gzip'])('fault cut=120 (%s): 120 lines, then the connection is closed', async (encoding) => {
  const { text, failure } = await read({ fault: 'cut=120', encoding })
  expect(text.split('\n')).toEqual([...whole.slice(0, 120), ''])
  expect(failure).toMatch(/UND_ERR_SOCKET/)
  expect(sandbox.requests.at(-1)).toMatchObject({ fault: 'cut=120', end: 'cut', status: 200 })
})

test('fault cut=120.5: the connection is closed in the middle of the next line', async () => {
  const { text, failure } = await read({ fault: 'cut=120.5' })
  const lines = text.split('\n')
  expect(lines.slice(0, 120)).toEqual(whole.slice(0, 120))
  expect(lines[120]).toBe(whole[120]!.slice(0, lines[120]!.length))
  expect(lines[120]!.length / whole[120]!.length).toBeCloseTo(0.5, 1)
  expect(failure).toMatch(/UND_ERR_SOCKET/)
})

test('a fault cut after the last line leaves out nothing but the end of the body', async () => {
  const { text, failure } = await read({ fault: `cut=${total}` })
  expect(text.split('\n')).toEqual([...whole, ''])
  expect(failure).toMatch(/UND_ERR_SOCKET/)
})

test('fault reset=120: the connection is reset', async () => {
  const { text, failure } = await read({ fault: 'reset=120' })
  expect(failure).toMatch(/ECONNRESET|UND_ERR_SOCKET/)
  expect(text.split('\n').length).toBeLessThanOrEqual(121)
})

test('fault stall=50: 50 lines, then silence on an open connection', async () => {
  const { text, failure } = await read({ fault: 'stall=50', silenceMs: 300 })
  expect(text.split('\n')).toEqual([...whole.slice(0, 50), ''])
  expect(failure).toMatch(/UND_ERR_BODY_TIMEOUT/)
})

test('fault short=120: the stream ends after 120 lines as if it were complete', async () => {
  expect(await read({ fault: 'short=120' })).toEqual({ text: `${whole.slice(0, 120).join('\n')}\n`, failure: null })
  const { text, failure } = await read({ fault: 'short=120.5' })
  expect([text.split('\n').length, text.endsWith('\n'), failure]).toEqual([121, false, null])
})

test('fault error-line=50: 50 lines, then an error as a line, and the end', async () => {
  const { text, failure } = await read({ fault: 'error-line=50' })
  const lines = text.split('\n')
  expect(lines.slice(0, 50)).toEqual(whole.slice(0, 50))
  expect(lines).toHaveLength(52)
  expect(JSON.parse(lines[50]!)).toMatchObject({ error: { status: 500, code: 'internal_error' } })
  expect(failure).toBeNull()
})

test('fault gap=7: the line at position 7 is missing', async () => {
  const { text } = await read({ fault: 'gap=7' })
  expect(text.split('\n').slice(0, -1)).toEqual(whole.toSpliced(7, 1))
})

test('fault repeat=7: the line at position 7 comes twice', async () => {
  const { text } = await read({ fault: 'repeat=7' })
  expect(text.split('\n').slice(0, -1)).toEqual(whole.toSpliced(7, 0, whole[7]!))
})

test('fault malformed=9: the line at position 9 is no JSON, the others are unchanged', async () => {
  const { text, failure } = await read({ fault: 'malformed=9' })
  const lines = text.split('\n').slice(0, -1)
  expect(lines.toSpliced(9, 1)).toEqual(whole.toSpliced(9, 1))
  expect(() => JSON.parse(lines[9]!) as unknown).toThrow(SyntaxError)
  expect(failure).toBeNull()
})

test.each([
  ['total=+5', () => total + 5],
  ['total=-5', () => total - 5],
  ['total=10000', () => 10_000],
  ['total=+5@50', (index: number) => (index < 50 ? total : total + 5)],
] as const)('fault %s: meta.total of the lines is wrong', async (fault, expected) => {
  const lines = toLines((await read({ fault })).text)
  expect(lines.map(({ meta }) => meta.total)).toEqual(whole.map((_, index) => expected(index)))
})

test('fault slow=100000: no more than 100000 bytes a second are sent', async () => {
  const started = performance.now()
  const { text } = await read({ fault: 'slow=100000,short=40' })
  const seconds = (performance.now() - started) / 1000
  expect(text.split('\n')).toHaveLength(41)
  expect(text.length / seconds).toBeLessThan(110_000)
  expect(seconds).toBeGreaterThan(0.2)
})

test('fault delay=200: the first byte comes after 200 milliseconds', async () => {
  const started = performance.now()
  expect((await read({ fault: 'delay=200' })).failure).toBeNull()
  expect(performance.now() - started).toBeGreaterThan(195)
})

test('fault redirect: a 302 to the given address', async () => {
  const fault = { 'x-sandbox-fault': 'redirect=http://elsewhere.example.com/a' }
  const { statusCode, headers } = await post('v4/media/stream', fault)
  expect([statusCode, headers['location']]).toEqual([302, 'http://elsewhere.example.com/a'])
})

test.each([
  ['cut', /UND_ERR_SOCKET/],
  ['reset', /ECONNRESET|UND_ERR_SOCKET/],
  ['stall', /UND_ERR_HEADERS_TIMEOUT/],
])('fault %s without a number: no answer at all', async (fault, expected) => {
  const { failure, text } = await read({ fault, silenceMs: 300 })
  expect(failure).toMatch(expected)
  expect(text).toBe('')
  expect(sandbox.requests.at(-1)).toMatchObject({ fault, end: fault, status: null })
})

test('fault 429x3 in a header: three refusals of the same header, then the answer, then it starts anew', async () => {
  const statuses: unknown[] = []
  for (let count = 0; count < 8; count++) statuses.push((await readRefusal('429x3')).slice(0, 2))
  const refused = [429, '1']
  const answered = [200, undefined]
  expect(statuses).toEqual([refused, refused, refused, answered, refused, refused, refused, answered])
})

test('refusals have the Retry-After and the body of the fault', async () => {
  expect(await readRefusal('503,retry-after=7,error-body=empty')).toEqual([503, '7', undefined, ''])
  expect(await readRefusal('503x2,retry-after=none,error-body=html')).toEqual([
    503,
    undefined,
    'text/html; charset=utf-8',
    '<html><body><h1>503</h1></body></html>',
  ])
  const [status, , , text] = await readRefusal('401')
  expect(status).toBe(401)
  expect(JSON.parse(text)).toMatchObject({ error: { status: 401, code: 'unauthorized' } })
})

test('injected faults apply to the next requests to their endpoint, in order, without a header', async () => {
  sandbox.inject({ endpoint: 'v4/products/stream', fault: '500' })
  sandbox.inject({ fault: '503x2,short=3' })
  sandbox.inject({ endpoint: 'v4/media/stream', fault: 'gap=0', times: 2, after: 1 })
  expect((await post('v4/media/stream')).statusCode).toBe(503)
  expect((await post('v4/products/stream')).statusCode).toBe(500)
  expect((await post('v4/products/stream')).statusCode).toBe(503)
  expect((await read({ endpoint: 'v4/products/stream' })).text.split('\n')).toHaveLength(4)
  const firstIndexes = []
  for (let count = 0; count < 4; count++) firstIndexes.push(toLines((await read({})).text)[0]!.meta.index)
  // Refused requests do not succeed, so they do not count for `after`.
  expect(firstIndexes).toEqual([0, 1, 1, 0])
})

test('faults apply to documents too', async () => {
  const page = { filter: {}, sorting: { id: 'ASC' }, page: { size: 50 } }
  const good = await readPage(sandbox, 'v4/media/query', page)
  const bad = async (fault: string) => {
    sandbox.inject({ endpoint: 'v4/media/query', fault })
    const response = await ask(sandbox, 'v4/media/query', { body: page })
    return response.text()
  }
  const results = async (fault: string) => (JSON.parse(await bad(fault)) as Page).results
  expect(await results('gap=0')).toEqual(good.results.slice(1))
  expect(await results('gap=49')).toEqual(good.results.slice(0, 49))
  expect(await results('repeat=2')).toEqual(good.results.toSpliced(2, 0, good.results[2]!))
  expect(await results('short=10')).toEqual(good.results.slice(0, 10))
  expect((JSON.parse(await bad('total=+5')) as Page).meta.total).toBe(good.meta.total + 5)
  expect((await results('error-line=3'))[3]).toMatchObject({ error: { status: 500 } })
  await expect(results('malformed=3')).rejects.toThrow(SyntaxError)
  await expect(bad('cut=10')).rejects.toThrow(/terminated/)
})

test('a fault beyond the last record does not happen', async () => {
  expect(await read({ fault: 'cut=100000,gap=100000' })).toEqual({ text: `${whole.join('\n')}\n`, failure: null })
})

test.each([
  'cutt=3',
  'cut=x',
  'gap',
  'slow=0',
  '200x3',
  'total=',
  'retry-after=3',
  '',
  'short',
  'gap=-1',
  'gap=1;cut=2',
])('unknown fault "%s" is refused with a list of faults', async (fault) => {
  expect(() => sandbox.inject({ fault })).toThrow(CatalogueError)
  expect(() => sandbox.inject({ fault })).toThrow(/expected a status such as 429x3 or one of .*gap/)
  if (fault === '') return
  const response = await ask(sandbox, 'v4/colors/query', { body: {}, headers: { 'x-sandbox-fault': fault } })
  expect(await readError(response)).toMatchObject({ status: 400, message: expect.stringContaining(fault) as string })
})

test('a fault for an unknown endpoint is refused', () => {
  const endpoint = 'v4/products/steam' as 'v4/products/stream'
  expect(() => sandbox.inject({ endpoint, fault: 'cut=1' })).toThrow('did you mean "v4/products/stream"?')
})

function post(endpoint: EndpointName, headers: Record<string, string> = {}, silenceMs = 10_000) {
  return request(`${sandbox.baseUrl}/${endpoint}`, {
    method: 'POST',
    headers: {
      authorization: toBasic('sandbox', 'sandbox-secret'),
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(everything),
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })
}

async function readRefusal(fault: string) {
  const { statusCode, headers, body } = await post('v4/media/stream', { 'x-sandbox-fault': fault })
  return [statusCode, headers['retry-after'], headers['content-type'], await body.text()] as const
}

interface ReadOptions {
  readonly endpoint?: EndpointName
  readonly fault?: string
  readonly encoding?: string
  readonly silenceMs?: number
}

/** Returns the part of a stream that arrives, and the error code if it was broken off. */
async function read({ endpoint = 'v4/media/stream', fault, encoding = 'identity', silenceMs }: ReadOptions) {
  const headers = { 'accept-encoding': encoding, ...(fault === undefined ? {} : { 'x-sandbox-fault': fault }) }
  const chunks: Buffer[] = []
  let failure: string | null = null
  try {
    const { body } = await post(endpoint, headers, silenceMs)
    for await (const chunk of body) chunks.push(chunk as Buffer)
  } catch (error) {
    failure = (error as { code: string }).code
  }
  const bytes = Buffer.concat(chunks)
  return { text: (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString(), failure }
}
