import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../src/service/endpoints/endpoints.ts'
import { splitIdentifiers } from '../../../src/service/endpoints/split-identifiers.ts'
import type { RequestFilter } from '../../../src/service/endpoints/to-request-filter.ts'
import { readSource } from '../read/read-source.ts'
import { ServiceStub, type Answer } from '../read/service-stub.ts'

const codes = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => String(from + at).padStart(7, '0'))

describe('lists of identifiers', () => {
  test('a list of up to 1000 identifiers stays one request, as it is written', () => {
    const filter = { and: [{ cnk: [...codes(500), ...codes(500)] }, { ean: codes(500) }, { status: 'active' }] }
    expect(split(filter)).toEqual([filter])
    expect(split({})).toEqual([{}])
    expect(split({ cnk: '0000001' })).toEqual([{ cnk: '0000001' }])
  })

  test('a list of more than 1000 identifiers is split over requests, each code once', () => {
    expect(split({ cnk: [...codes(2500), ...codes(100)] })).toEqual([
      { cnk: codes(1000) },
      { cnk: codes(1000, 1000) },
      { cnk: codes(500, 2000) },
    ])
  })

  test('a list of identifiers shares the 1000 with all others, those that cannot be split first', () => {
    const rest = { or: [{ ean: codes(300) }, { not: { id: ['A', 'B'] } }] }
    const parts = split({ and: [{ cnk: codes(1000) }, { eanGtin13: codes(98) }, rest, { brand: [1, 2] }] })
    expect(parts.map((part) => (part['and'] as [{ cnk: string[] }])[0].cnk.length)).toEqual([600, 400])
    expect(parts[1]).toEqual({ and: [{ cnk: codes(400, 600) }, { eanGtin13: codes(98) }, rest, { brand: [1, 2] }] })
  })

  test('a list of identifiers is split against every part of another that is split', () => {
    const parts = split({ and: [{ cnk: codes(600) }, { and: [{ ean: codes(520) }] }] })
    expect(parts).toHaveLength(4)
    const pairs = parts.flatMap(({ and }) => {
      const [{ cnk }, { and: inner }] = and as [{ cnk: string[] }, { and: [{ ean: string[] }] }]
      expect(cnk.length + inner[0].ean.length).toBeLessThanOrEqual(1000)
      return cnk.flatMap((left) => inner[0].ean.map((right) => `${left} ${right}`))
    })
    expect(new Set(pairs).size).toBe(600 * 520)
    expect(pairs).toHaveLength(600 * 520)
  })
})

describe('a source with identifiers', () => {
  test('a source with identifiers asks for them in parts, takes each record once and names what brought nothing', async () => {
    await using stub = await ServiceStub.start(answerByCode(new Set(['0000003', '0001500', '0002999'])))
    const { ids, reading, error } = await readSource(stub, { request: { filter: { cnk: codes(3283) } } })
    expect(error).toBeUndefined()
    expect(stub.requests).toHaveLength(4)
    // BOTH carries a code of every part.
    expect(ids.filter((id) => id === 'BOTH')).toHaveLength(1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(3280 + 1)
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 3281 })
    expect(reading.notes().missing).toEqual([{ key: 'cnk', asked: 3283, missing: ['0000003', '0001500', '0002999'] }])
    expect(reading.notes().skippedRecords).toBe(3)
  })

  test('a source with identifiers repeats only the request of the part that was cut', async () => {
    const whole = answerByCode(new Set())
    let requests = 0
    await using stub = await ServiceStub.start((response, request) => {
      if (++requests !== 2) {
        whole(response, request)
        return
      }
      response.write('{"meta":{"total":1001,"index":0},"result":{"id":"C0001000","cnk":"0001000"}}\n')
      setTimeout(() => response.destroy(), 10)
    })
    const { ids, reading } = await readSource(stub, { request: { filter: { cnk: codes(2500) } } })
    expect(new Set(ids).size).toBe(2501)
    expect(ids).toHaveLength(2501)
    expect(stub.requests).toHaveLength(4)
    expect(reading.notes().missing[0]?.missing).toEqual([])
  })

  test('a source with identifiers finds a bar code in any of its fields, with and without leading zeros', async () => {
    const records = [
      { id: 'A', ean: [5012345678900] },
      { id: 'B', ean: [], eanGtin14: '01234567890128', gtin: null },
      { id: 'C', cnk: '5555555' },
    ]
    const lines = records.map((result, index) => JSON.stringify({ meta: { total: 3, index }, result }))
    await using stub = await ServiceStub.start((response) => response.end(`${lines.join('\n')}\n`))
    const filter = { and: [{ ean: ['5012345678900', '1234567890128', '5555555'] }, { id: ['A', 'D'] }] }
    const { reading } = await readSource(stub, { request: { filter } })
    expect(reading.notes().missing).toEqual([
      { key: 'ean', asked: 3, missing: ['5555555'] },
      { key: 'id', asked: 2, missing: ['D'] },
    ])
  })

  test('a source with identifiers is read in pages as well', async () => {
    await using stub = await ServiceStub.start((response, request) => {
      const { filter } = request.body as { filter: { cnk: string[] } }
      const results = filter.cnk.slice(0, 200).map((cnk) => ({ id: `C${cnk}`, cnk }))
      response.end(JSON.stringify({ meta: { total: 200 }, results }))
    })
    const { ids, reading } = await readSource(stub, {
      endpoint: 'v4/products/query',
      request: { filter: { cnk: codes(1200) } },
    })
    expect(ids).toHaveLength(400)
    expect(reading.notes().missing[0]?.missing).toHaveLength(800)
    expect(reading.completeness()).toMatchObject({ status: 'proven', total: 400 })
  })
})

/** A record for every code that is asked for but these, and one that has them all. */
function answerByCode(unknown: ReadonlySet<string>): Answer {
  return (response, request) => {
    const { filter } = request.body as { filter: { cnk: string[] } }
    const found = filter.cnk.filter((cnk) => !unknown.has(cnk)).map((cnk) => ({ id: `C${cnk}`, cnk }))
    const records = [...found, { id: 'BOTH', cnk: '9999999' }]
    const lines = records.map((result, index) => JSON.stringify({ meta: { total: records.length, index }, result }))
    response.end(`${lines.join('\n')}\n`)
  }
}

function split(filter: RequestFilter): RequestFilter[] {
  return splitIdentifiers(endpoints['v4/products/stream'], filter)
}
