import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../../src/service/endpoints/endpoints.ts'
import { checkPartition, toWindows } from '../../../src/service/read/time-windows.ts'
import { readSource } from './read-source.ts'
import { answerText, ServiceStub, type Answer, type ReceivedRequest } from './service-stub.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windows-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const now = Date.UTC(2026, 0, 1)
const products = toRecords(1000)

describe('windows of time', () => {
  test('windows cover all of time, overlap by a second and leave room for records without a date', () => {
    expect(toWindows({}, { by: 'createdAt', windows: 3, from: 1000, until: 1300 }, now)).toEqual([
      { createdAt: { until: 1100 } },
      { createdAt: { from: 1099, until: 1200 } },
      { createdAt: { from: 1199 } },
      { not: { createdAt: { from: 0 } } },
    ])
  })

  test('windows divide the time since 2000, or what the filter asks for', () => {
    const [first] = toWindows({}, { by: 'createdAt', windows: 2 }, now)
    expect(first).toEqual({ createdAt: { until: (Date.UTC(2000, 0, 1) + now) / 2000 } })
    const filter = { and: [{ status: 'active' }, { createdAt: { from: 1000, until: 2000 } }] }
    expect(toWindows(filter, { by: 'createdAt', windows: 2 }, now)[1]).toEqual({
      and: [...filter.and, { createdAt: { from: 1499 } }],
    })
  })

  test('windows keep the conditions of the filter', () => {
    const partition = { by: 'createdAt', windows: 2, from: 0, until: 100 } as const
    expect(toWindows({ status: 'active' }, partition, now)[0]).toEqual({
      and: [{ status: 'active' }, { createdAt: { until: 50 } }],
    })
    expect(toWindows({ status: 'active' }, { ...partition, windows: 1 }, now)).toEqual([{ status: 'active' }])
  })

  test('windows are only for streams that can be filtered by creation date', () => {
    expect(checkPartition(endpoints['v4/products/stream'])).toBeNull()
    expect(checkPartition(endpoints['v3/products/export'])).toBeNull()
    expect(checkPartition(endpoints['v4/media/stream'])).toBeNull()
    expect(checkPartition(endpoints['v4/products/query'])).toContain('got v4/products/query')
  })
})

describe('a source that is read in windows', () => {
  test('a source that is read in windows gives every record once, those without a date too, in the order of the windows', async () => {
    let most = 0
    let open = 0
    await using stub = await ServiceStub.start(async (response, request) => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setTimeout(resolve, 100))
      open--
      answerWindow(products)(response, request)
    })
    const { ids, reading, error } = await readWindows(stub, 6)
    expect(error).toBeUndefined()
    expect(ids).toHaveLength(1000)
    expect(new Set(ids)).toEqual(new Set(products.map(({ id }) => id)))
    expect(ids.slice(0, 990)).toEqual(products.slice(0, 990).map(({ id }) => id))
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 1000 })
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
    // The whole is asked for its total before and after.
    expect(stub.requests).toHaveLength(6 + 1 + 2)
    expect(await readdir(folder)).toEqual([])
  })

  test('a source that is read in windows repeats only the windows that fail', async () => {
    const failed = new Set<string>()
    await using stub = await ServiceStub.start((response, request) => {
      const filter = JSON.stringify(request.body)
      if (failed.has(filter) || !filter.includes('"from":1') || failed.size === 2) {
        answerWindow(products)(response, request)
        return
      }
      failed.add(filter)
      const [line] = formatLines(inWindow(products, request))
      response.write(line)
      setTimeout(() => response.destroy(), 10)
    })
    const { ids, reading, error } = await readWindows(stub, 6)
    expect(error).toBeUndefined()
    expect(ids).toHaveLength(1000)
    expect(reading.notes().repeats).toHaveLength(2)
    expect(stub.requests).toHaveLength(9 + 2)
  })

  test('a source that is read in windows stops all windows when one fails for good, with its reason and without a file left', async () => {
    await using stub = await ServiceStub.start((response, request) => {
      if (!JSON.stringify(request.body).includes('"from":')) answerWindow(products)(response, request)
      else if (JSON.stringify(request.body).includes('not')) answerText(422, '')(response, request)
      else response.write(formatLines(inWindow(products, request))[0])
    })
    const { ids, error } = await readWindows(stub, 3)
    expect(error).toMatchObject({ code: 'SERVICE_REFUSED' })
    expect(ids.length).toBeLessThan(1000)
    expect(await readdir(folder)).toEqual([])
  })

  test('a source that is read in windows is not complete when the windows hold less than the whole', async () => {
    await using stub = await ServiceStub.start((response, request) => {
      const isWhole = !JSON.stringify(request.body).includes('createdAt')
      answerWindow(isWhole ? products : products.slice(1))(response, request)
    })
    const { error } = await readWindows(stub, 3)
    expect(error).toMatchObject({ code: 'SOURCE_INCOMPLETE', exitCode: 4 })
    expect((error as Error).message).toContain('the windows hold 999 records, the total over all of them is 1000')
    const { error: none, reading, ids } = await readWindows(stub, 3, { incomplete: 'deliver' })
    expect(none).toBeUndefined()
    expect(ids).toHaveLength(999)
    expect(reading.completeness().status).toBe('incomplete')
  })

  test('a source that is read in windows cannot prove a whole that changed meanwhile', async () => {
    await using stub = await ServiceStub.start((response, request) => {
      const isFirst = stub.requests.length === 1
      answerWindow(isFirst ? products : products.slice(1))(response, request)
    })
    const { error, reading } = await readWindows(stub, 3)
    expect(error).toBeUndefined()
    expect(reading.completeness()).toEqual({
      status: 'unprovable',
      reasons: ['the windows hold 999 records, the total over all of them is 1000 before and 999 after'],
      total: 999,
    })
  })

  test('a source that is read in windows without records is one request', async () => {
    await using stub = await ServiceStub.start(answerText(204, ''))
    const { ids, reading } = await readWindows(stub, 3)
    expect(ids).toEqual([])
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 0 })
    expect(stub.requests).toHaveLength(1)
  })

  test('a source that is read in windows names the file that it could not write', async () => {
    await using stub = await ServiceStub.start(answerWindow(products))
    const path = join(folder, 'file', 'window')
    await writeFile(join(folder, 'file'), '')
    const { error } = await readWindows(stub, 3, { spoolPath: () => path })
    expect(error).toMatchObject({ code: 'OUTPUT_FAILED', exitCode: 5 })
    expect((error as Error).message).toContain(`${path}: expected to land a window here`)
  })

  test('a source that is read in windows stops when its signal aborts', async () => {
    const stop = new AbortController()
    await using stub = await ServiceStub.start((response, request) => {
      if (stub.requests.length === 1) answerWindow(products)(response, request)
      else setTimeout(() => stop.abort(), 20)
    })
    const { error } = await readWindows(stub, 3, {}, stop.signal)
    expect(error).toMatchObject({ code: 'INTERRUPTED' })
    expect(await readdir(folder)).toEqual([])
  })
})

function readWindows(stub: ServiceStub, windows: number, source: object = {}, signal = new AbortController().signal) {
  const partition = { by: 'createdAt', windows } as const
  return readSource(stub, { source: { partition, spoolPath: toSpoolPath, now, ...source }, signal })
}

function toSpoolPath(window: number): string {
  return join(folder, `window-${window}`)
}

interface Product {
  readonly id: string
  readonly createdAt: number | null
}

/** One a week, the last ten without a date-time. */
function toRecords(count: number): Product[] {
  const week = 7 * 24 * 3600
  return Array.from({ length: count }, (_, at) => ({
    id: `P${at}`,
    createdAt: at < count - 10 ? 960_000_000 + (at * week * 1200) / count : null,
  }))
}

function answerWindow(records: readonly Product[]): Answer {
  return (response, request) => {
    const lines = formatLines(inWindow(records, request))
    if (lines.length === 0) response.writeHead(204).end()
    else response.end(lines.join(''))
  }
}

function inWindow(records: readonly Product[], request: ReceivedRequest): Product[] {
  const { filter } = request.body as { filter: { createdAt?: { from?: number; until?: number }; not?: unknown } }
  const { createdAt: range, not } = filter
  if (not !== undefined) return records.filter(({ createdAt }) => createdAt === null)
  if (range === undefined) return [...records]
  const { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = range
  return records.filter(({ createdAt }) => createdAt !== null && createdAt >= from && createdAt <= until)
}

function formatLines(records: readonly Product[]): string[] {
  return records.map(({ id, createdAt }, index) => {
    const result = { id, meta: { createdAt } }
    return `${JSON.stringify({ meta: { total: records.length, index }, result })}\n`
  })
}
