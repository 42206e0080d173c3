import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../src/service/endpoints/endpoints.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask, idsOf, readPage, readStream, type Json, type Line } from '../ask-sandbox.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ products: 160, seed: 7, rateLimit: false })
})

afterAll(() => sandbox.close())

const read: Record<string, (record: Json) => unknown> = {
  id: ({ id }) => id,
  cnk: ({ cnk }) => (cnk === null || cnk === undefined ? undefined : Number(cnk)),
  createdAt: (record) => meta(record)['createdAt'],
  touchedAt: (record) => meta(record)['updatedAt'],
  status: ({ status }) => status,
}

test.each(
  (['v4/products/stream', 'v3/products/export', 'v4/media/stream'] as const).flatMap((name) =>
    Object.keys(endpoints[name].sortings)
      .filter((key) => key in read)
      .map((key) => [name, key] as const),
  ),
)('%s sorts by %s in both directions, ties by id, records without it last', async (name, key) => {
  const filter = name === 'v4/media/stream' ? { published: true } : {}
  const byId = toRecords(await readStream(sandbox, name, filter))
  for (const direction of ['ASC', 'DESC'] as const) {
    const sorted = toRecords(await readStream(sandbox, name, filter, { [key]: direction }))
    expect(idsOf(sorted)).toEqual(idsOf(sortIndependently(byId, read[key]!, direction)))
  }
})

test.each(['ASC', 'DESC'] as const)('sorting by name %s uses the requested locale', async (direction) => {
  const byId = toRecords(await readStream(sandbox, 'v4/products/stream'))
  const sorted = await readStream(sandbox, 'v4/products/stream', {}, { name: { direction, locale: 'fr' } })
  expect(idsOf(toRecords(sorted))).toEqual(idsOf(sortIndependently(byId, toFrenchName, direction)))
})

test('the synthetic statusTouchedAt is between creation and last change', async () => {
  const sorted = toRecords(await readStream(sandbox, 'v4/products/stream', {}, { statusTouchedAt: 'ASC' }))
  const reversed = toRecords(await readStream(sandbox, 'v4/products/stream', {}, { statusTouchedAt: 'DESC' }))
  // Without a creation time this is the last change, which many records share.
  expect(idsOf(reversed.filter(hasBothTimes))).toEqual(idsOf(sorted.filter(hasBothTimes)).toReversed())
  const byId = toRecords(await readStream(sandbox, 'v4/products/stream'))
  expect(idsOf(sorted)).not.toEqual(idsOf(byId))
})

test('all pages of the sandbox together hold the records of the stream in its order', async () => {
  const filter = { status: 'active' }
  const sorting = { touchedAt: 'DESC' }
  const lines = await readStream(sandbox, 'v4/products/stream', filter, sorting)
  const pages: Json[] = []
  for (let no = 0; ; no++) {
    const { meta: of, results } = await readPage(sandbox, 'v4/products/query', {
      filter,
      sorting,
      page: { no, size: 50 },
    })
    expect(of).toEqual({ total: lines.length, page: { no, offset: no * 50, size: 50 } })
    pages.push(...results)
    if (results.length < 50) break
  }
  expect(pages.map(withoutSignatures)).toEqual(toRecords(lines).map(withoutSignatures))
})

test.each([10, 50, 100, 250])('a page of the sandbox may have %i records', async (size) => {
  const body = { filter: {}, sorting: { id: 'ASC' }, page: { size } }
  const { meta: of, results } = await readPage(sandbox, 'v4/products/query', body)
  expect(of).toEqual({ total: 160, page: { no: 0, offset: 0, size } })
  expect(results).toHaveLength(Math.min(size, 160))
})

test('the default page is the first 100 records, and one beyond the end is empty', async () => {
  const usual = await readPage(sandbox, 'v4/products/query', { filter: {}, sorting: { id: 'ASC' }, page: {} })
  expect(usual.meta.page).toEqual({ no: 0, offset: 0, size: 100 })
  const beyond = await readPage(sandbox, 'v4/products/query', { filter: {}, sorting: { id: 'ASC' }, page: { no: 3 } })
  expect(beyond).toEqual({ meta: { total: 160, page: { no: 3, offset: 300, size: 100 } }, results: [] })
})

test('queries with an optional page answer without one with all records and no meta.page', async () => {
  for (const name of ['v4/updates/query', 'v4/corrections/query', 'v4/active-ingredients/query'] as const) {
    const { meta: of, results } = await readPage(sandbox, name, {})
    expect(of).toEqual({ total: results.length })
    expect(results.length).toBeGreaterThan(5)
    const paged = await readPage(sandbox, name, { page: { no: 0, size: 10 } })
    expect(paged.meta).toEqual({ total: results.length, page: { no: 0, offset: 0, size: 10 } })
    expect(paged.results).toEqual(results.slice(0, 10))
  }
})

test('the total of a paged product query stops at 10000, and pages reach no further; the stream has everything', async () => {
  const large = await startSandbox({ products: 10_050, rateLimit: false, keptBytes: 0 })
  try {
    for (const name of ['v4/products/query', 'v3/products/search'] as const) {
      const body = { filter: {}, sorting: { id: 'DESC' } }
      const last = await readPage(large, name, { ...body, page: { no: 999, size: 10 } })
      expect(last.meta).toEqual({ total: 10_000, page: { no: 999, offset: 9990, size: 10 } })
      expect(last.results).toHaveLength(10)
      const beyond = await readPage(large, name, { ...body, page: { no: 1000, size: 10 } })
      expect(beyond.results).toEqual([])
    }
    const response = await ask(large, 'v4/products/stream', { body: { filter: {}, sorting: { id: 'DESC' } } })
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    expect(
      Buffer.from(value ?? [])
        .toString()
        .slice(0, 40),
    ).toContain('{"meta":{"total":10050,"index":0}')
    await reader.cancel()
    const mediaPage = await readPage(large, 'v4/media/query', {
      filter: {},
      sorting: { id: 'ASC' },
      page: { size: 10 },
    })
    expect(mediaPage.meta.total).toBe(20_100)
  } finally {
    await large.close()
  }
})

test.each(['v4/products/stream', 'v3/products/export', 'v4/media/stream'] as const)(
  '%s answers 204 without a body when nothing matches',
  async (name) => {
    const filter = { and: [{ createdAt: { until: 5 } }] }
    const response = await ask(sandbox, name, { body: { filter, sorting: { id: 'ASC' } } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
  },
)

test('a paged query without a match is an empty page', async () => {
  const filter = { createdAt: { until: 5 } }
  const { meta: of, results } = await readPage(sandbox, 'v3/products/search', { filter, page: {} })
  expect([of.total, results]).toEqual([0, []])
})

function sortIndependently(byId: Json[], value: (record: Json) => unknown, direction: 'ASC' | 'DESC'): Json[] {
  const isKnown = (record: Json) => value(record) !== undefined && value(record) !== null
  const known = byId.filter(isKnown).toSorted((left, right) => {
    const [one, other] = [value(left) as number, value(right) as number]
    const order = one < other ? -1 : one > other ? 1 : 0
    return direction === 'ASC' ? order : -order
  })
  return [...known, ...byId.filter((record) => !isKnown(record))]
}

function toRecords(lines: readonly Line[]): Json[] {
  return lines.map(({ result }) => result)
}

function meta(record: Json): Json {
  return (record['meta'] ?? {}) as Json
}

function hasBothTimes(record: Json): boolean {
  return Object.values(meta(record)).filter((value) => typeof value === 'number').length === 2
}

function toFrenchName({ name }: Json): unknown {
  return (name as Json | null | undefined)?.['fr']
}

function withoutSignatures(record: Json): string {
  return JSON.stringify(record).replaceAll(/expires=\d+&signature=[0-9a-f]+/g, '')
}
