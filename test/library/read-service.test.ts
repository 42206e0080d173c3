import { EventEmitter, once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { readService, type ReadServiceReport } from '../../src/index.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { contracts, parseRecords, readRows, splitLines, trackCompleteness, type RowOf } from '../../src/streams.ts'
import { toLine, toLines } from '../service/read/read-source.ts'
import { keyId, keySecret, ServiceStub } from '../service/read/service-stub.ts'
import { cases } from '../depth.ts'
import { collect } from '../streams/collect.ts'

let sandbox: Sandbox
let access: { baseUrl: string; keyId: string; keySecret: string }

beforeAll(async () => {
  sandbox = await startSandbox({ products: 120, rateLimit: false })
  access = { baseUrl: sandbox.baseUrl, keyId: sandbox.keyId, keySecret: sandbox.keySecret }
})
afterAll(() => sandbox.close())

const endpoint = 'v4/products/stream'
const toAccess = ({ url }: ServiceStub) => ({ baseUrl: url, keyId, keySecret })

describe('readService', () => {
  test.each([
    ['v4/products/stream', 'proven', 120],
    ['v3/products/export', 'proven', 120],
    ['v4/products/query', 'proven', 120],
    ['v4/updates/query', 'proven', 12],
    // One document without a total.
    ['v3/attributes/all', 'unprovable', null],
  ] as const)('readService gives every record of %s once, each on a line: %s', async (name, status, records) => {
    const lines = readService({ ...access, endpoint: name })
    const ids = (await text(lines)).split('\n').slice(0, -1).map(idOf)
    const { completeness, ...counts } = lines.report()
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(records ?? ids.length)
    expect(completeness).toMatchObject({ status, total: records })
    expect(counts).toMatchObject({ lines: ids.length, repeats: [], changes: [], skippedRecords: 0, missing: [] })
    expect(counts.requests).toBe(1)
  })

  test('readService keeps lines byte for byte, and says when the service answered', async () => {
    const sent = `{ "meta" : {"index": 0 , "total": 2}, "result": {"id": "é", "price": 12345678901234567890.10} }\r\n\n${toLine('b', 1, 2)}`
    await using stub = await ServiceStub.start((response) => response.writeHead(200).end(sent))
    const lines = readService({ ...toAccess(stub), endpoint, filter: { status: ['active'] }, sorting: { id: 'DESC' } })
    expect(await text(lines)).toBe(sent)
    expect(lines.report()).toMatchObject({ lines: 3, bytes: Buffer.byteLength(sent), firstAnswerAt: expect.any(Date) })
    expect(stub.requests).toMatchObject([{ body: { filter: { status: ['active'] }, sorting: { id: 'DESC' } } }])
  })

  test('readService composes with readRows, and onEnd gets the report', async () => {
    const reports: ReadServiceReport[] = []
    const lines = readService({
      ...access,
      endpoint: 'v4/brands/query',
      page: { size: 10 },
      onEnd: (report) => void reports.push(report),
    })
    const rows: RowOf<'v4/brand', 'nl'>[] = []
    await pipeline(
      lines,
      readRows({ contract: contracts['v4/brand'], table: 'brands', locales: ['nl'], completeness: 'report' }),
      async (each: AsyncIterable<RowOf<'v4/brand', 'nl'>>) => {
        for await (const row of each) rows.push(row)
      },
    )
    expect(reports).toEqual([lines.report()])
    expect(reports[0]).toMatchObject({ completeness: { status: 'proven', total: rows.length } })
    expect(reports[0]?.requests).toBe(Math.ceil(rows.length / 10))
    expectTypeOf(rows[0]!.id).toEqualTypeOf<number | bigint>()
  })

  test('readService asks again where an answer is cut, and no record comes twice', async () => {
    sandbox.inject({ endpoint, fault: 'cut=50' })
    const warnings: string[] = []
    const lines = readService({ ...access, endpoint, retries: 2, onWarning: (message) => void warnings.push(message) })
    const ids = (await text(lines)).split('\n').slice(0, -1).map(idOf)
    expect(new Set(ids).size).toBe(120)
    expect(ids).toHaveLength(120)
    expect(lines.report()).toMatchObject({ requests: 2, repeats: [expect.any(String)] })
    // All that came of the first answer, which a cut connection may lose some of.
    expect(lines.report().skippedRecords).toBeLessThanOrEqual(50)
    expect(warnings).toEqual([expect.stringMatching(/^try 2 of 3 in /)])
  })

  test.each([
    ['cut=50', 'SOURCE_FAILED'],
    ['short=50', 'SOURCE_INCOMPLETE'],
    ['error-line=50', 'SOURCE_ERROR_LINE'],
  ])('readService with an answer that is not whole (%s) destroys the stream with %s', async (fault, code) => {
    sandbox.inject({ endpoint, fault })
    const reports: ReadServiceReport[] = []
    const lines = readService({ ...access, endpoint, retries: 0, onEnd: (report) => void reports.push(report) })
    await expect(pipeline(lines, takeAll)).rejects.toMatchObject({ code })
    expect(reports).toEqual([])
    expect(lines.destroyed).toBe(true)
  })

  test('readService hands over what there is where that is asked for, and the report says what is missing', async () => {
    sandbox.inject({ endpoint, fault: 'short=50' })
    const lines = readService({ ...access, endpoint, retries: 0, completeness: 'report' })
    expect((await text(lines)).split('\n')).toHaveLength(51)
    expect(lines.report().completeness).toMatchObject({ status: 'incomplete', total: 120 })
  })

  test('readService reads windows of time through files that are gone afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'read-service-'))
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = folder
    try {
      const lines = readService({ ...access, endpoint, partition: { by: 'createdAt', windows: 3, concurrency: 2 } })
      const ids = (await text(lines)).split('\n').slice(0, -1).map(idOf)
      expect(new Set(ids).size).toBe(120)
      expect(lines.report().completeness.status).toBe('proven')
      expect(await readdir(folder)).toEqual([])
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      await rm(folder, { recursive: true })
    }
  })

  test.each<[string, () => Duplex[]]>([
    ['readRows', () => [readRows({ contract: contracts['v4/product'], table: 'products' })]],
    ['trackCompleteness', () => [splitLines(), parseRecords(), trackCompleteness()]],
  ])('the stages behind readService take its verdict over: %s', async (_name, toStages) => {
    const partition = { by: 'createdAt', windows: 3 } as const
    expect(await collect(readService({ ...access, endpoint, partition }), ...toStages())).toHaveLength(120)
    sandbox.inject({ endpoint, fault: 'short=50' })
    const short = readService({ ...access, endpoint, retries: 0, completeness: 'report' })
    const [reason] = await collect(short, ...toStages()).catch((error: unknown) => [error])
    expect(reason).toMatchObject({ code: 'SOURCE_INCOMPLETE' })
    expect((reason as Error).message).toContain(short.report().completeness.reasons.join('; '))
  })

  test('a reader that takes nothing keeps readService from reading', async () => {
    const mebibyte = 1024 * 1024
    const total = cases(64, 40)
    let sent = 0
    await using stub = await ServiceStub.start(async (response) => {
      response.writeHead(200)
      for (const line of toLines(total)) {
        const long = line.replace('"active"', `"${'x'.repeat(mebibyte)}"`)
        sent += long.length
        if (!response.write(long)) await once(response, 'drain')
      }
      response.end()
    })
    const lines = readService({ ...toAccess(stub), endpoint })
    const [first] = (await once(
      lines.once('readable', () => undefined),
      'readable',
    ).then(() => [lines.read() as Buffer])) as [Buffer]
    expect(first.length).toBeGreaterThan(mebibyte)
    await sleep(300)
    expect(sent).toBeLessThan(24 * mebibyte)
    expect(lines.report().lines).toBeLessThan(8)
    expect((await text(lines)).length + first.length).toBeGreaterThan(total * mebibyte)
    expect(lines.report()).toMatchObject({ lines: total, completeness: { status: 'proven' } })
  })

  test('readService ends with INTERRUPTED once its signal aborts, also while nobody reads', async () => {
    await using stub = await ServiceStub.start((response) => response.writeHead(200).write(toLine('a', 0, 2)))
    const stop = new AbortController()
    const lines = readService({ ...toAccess(stub), endpoint, signal: stop.signal })
    const reading = pipeline(lines, takeAll)
    while (stub.requests.length === 0) await sleep(5)
    stop.abort()
    await expect(reading).rejects.toMatchObject({ code: 'INTERRUPTED' })
    const idle = readService({ ...toAccess(stub), endpoint, signal: stop.signal })
    await expect(once(idle, 'close')).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(stub.requests).toHaveLength(1)
  })

  test('a reader that stops early closes the connection without an error', async () => {
    const closing = new EventEmitter()
    const closed = once(closing, 'close')
    await using stub = await ServiceStub.start((response) => {
      response.on('close', () => closing.emit('close'))
      const long = toLines(3, 0, 2).map((line) => line.replace('"active"', `"${'x'.repeat(2_000_000)}"`))
      response.writeHead(200).write(long.join(''))
    })
    for await (const piece of readService({ ...toAccess(stub), endpoint })) {
      expect(piece).toBeInstanceOf(Buffer)
      break
    }
    await expect(closed).resolves.toEqual([])
  })

  test('all readings with one key share the budget of requests a minute', async () => {
    await using stub = await ServiceStub.start((response) => response.writeHead(200).end(toLines(1).join('')))
    const options = { ...toAccess(stub), endpoint, requestsPerMinute: 1 } as const
    await text(readService(options))
    const stop = new AbortController()
    const waiting = text(readService({ ...options, signal: stop.signal }))
    await sleep(200)
    expect(stub.requests).toHaveLength(1)
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })

  test('an error of the service does not hold the credentials that it quotes', async () => {
    await using stub = await ServiceStub.start((response) =>
      response.writeHead(422).end(JSON.stringify({ error: { message: `bad ${keyId} ${keySecret}` } })),
    )
    const error: unknown = await text(readService({ ...toAccess(stub), endpoint })).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'SERVICE_REFUSED' })
    expect(String(error)).not.toContain(keySecret)
    expect(String(error)).not.toContain(keyId)
  })

  test('a throw of onEnd is the error of the stream as it is', async () => {
    const mine = new TypeError('mine')
    const lines = readService({
      ...access,
      endpoint,
      onEnd() {
        throw mine
      },
    })
    await expect(pipeline(lines, takeAll)).rejects.toBe(mine)
  })
})

describe('wrong options of readService', () => {
  test('wrong options throw at once, all of them, by their names', () => {
    const options = { ...access, endpoint, filter: { statuss: ['active'] }, sorting: { id: 'UP' }, retries: -1 }
    // @ts-expect-error a misspelt filter key
    expect(() => readService(options)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(
          /^readService: expected a valid config, got 3 problems\nfilter\.statuss: .*\nsorting\.id: .*\nretries: /,
        ),
        fix: 'Correct the options named above.',
      }),
    )
  })

  test('a misspelt endpoint does not compile, and throws', () => {
    // @ts-expect-error no such endpoint
    expect(() => readService({ ...access, endpoint: 'v4/products/strem' })).toThrow(
      /did you mean "v4\/products\/stream"/,
    )
  })

  test('readService without options says what it expects', () => {
    // @ts-expect-error no options
    expect(() => readService()).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})

async function takeAll(lines: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of lines) continue
}

function idOf(line: string): string {
  const value = JSON.parse(line) as { result?: { id: unknown }; id?: unknown }
  return String(value.result?.id ?? value.id)
}
