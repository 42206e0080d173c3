import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contracts } from '../../../src/contracts/contracts.ts'
import { startSandbox, type Sandbox, type SandboxChange } from '../../../src/sandbox.ts'
import { cases } from '../../depth.ts'
import { ask, idsOf, readError, readPage, readStream, type Json } from '../ask-sandbox.ts'

const start = 1_800_000_000
const day = 86_400
let month: Sandbox
/** Every change of the month, with its records: a sandbox makes those anew at each access. */
let log: readonly SandboxChange[]

beforeAll(async () => {
  month = await open()
  month.advance(30)
  log = month.changes.map((change) => ({ ...change, before: change.before, after: change.after }))
})

afterAll(() => month.close())

test('the sandbox has no changed product on day 0, and the clock of the system', async () => {
  const sandbox = await open()
  try {
    expect([sandbox.day, sandbox.changes, sandbox.now()]).toEqual([0, [], start * 1000])
    expect([...sandbox.productsOn()]).toHaveLength(300)
  } finally {
    await sandbox.close()
  }
})

test('the product stream equals the generated catalogue with the log of changes applied, record for record', async () => {
  const replayed = new Map([...month.productsOn(0)].map((record) => [record['id'], record]))
  for (const { id, before, after } of log) {
    // Of which toEqual takes a second.
    expect({ id, isAsBefore: isDeepStrictEqual(replayed.get(id) ?? null, before) }).toEqual({ id, isAsBefore: true })
    if (after === null) replayed.delete(id)
    else replayed.set(id, after)
  }
  const expected = [...replayed.values()].sort((left, right) => (String(left['id']) < String(right['id']) ? -1 : 1))
  const streamed = (await readStream(month, 'v4/products/stream')).map(({ result }) => withoutAddresses(result))
  expect(streamed).toEqual(expected.map(withoutAddresses))
  expect([...month.productsOn()].map(withoutAddresses)).toEqual(streamed)
  const lines = await readStream(month, 'v4/products/stream', {}, { id: 'DESC' })
  expect(lines.map(({ result }) => result['id'])).toEqual(idsOf(streamed).toReversed())
  expect(lines.map(({ meta }) => meta)).toEqual(lines.map((_, index) => ({ total: streamed.length, index })))
})

test('every kind of change happens within a month with its documented effect', () => {
  const kinds = new Set(log.map(({ kind }) => kind))
  expect(kinds).toEqual(new Set(Object.keys(meanings)))
  const wrong = log.filter((change) => !meanings[change.kind](change))
  expect(wrong.map(({ kind, before, after }) => ({ kind, before, after }))).toEqual([])
  const untimed = log.filter(({ at, after }) => after !== null && timeOf(after) !== at)
  expect(untimed).toEqual([])
})

test('touches are about as many as changes; a mass touch reaches most of the catalogue within an hour', () => {
  const on = (wanted: number) => log.filter((change) => change.day === wanted)
  const ordinary = log.filter((change) => change.day % 10 !== 4)
  const touched = ordinary.filter(({ kind }) => kind === 'touched').length
  const changed = ordinary.filter(({ kind }) => kind === 'changed').length
  expect(touched / (touched + changed)).toBeGreaterThan(0.35)
  expect(touched / (touched + changed)).toBeLessThan(0.65)
  const mass = on(14).filter(({ kind }) => kind === 'touched')
  expect(mass.length).toBeGreaterThan(0.7 * 300)
  const perSecond = countBy(mass, ({ at }) => at)
  expect([...perSecond.values()].sort((left, right) => right - left).slice(0, 5)).toEqual([24, 24, 24, 24, 24])
  const [first = 0, ...rest] = [...perSecond].filter(([, count]) => count >= 20).map(([second]) => second)
  expect(Math.max(...rest) - first).toBeLessThan(3600)
})

test('changes of a day share seconds, also with the start of the day; some come late; some products change twice a day', () => {
  const days = Array.from({ length: 30 }, (_, at) => log.filter((change) => change.day === at + 1))
  const starts = days.map((_, at) => start + at * day)
  expect(days.filter((changes, at) => changes.some((change) => change.at === starts[at])).length).toBeGreaterThan(10)
  expect(days.some((changes, at) => changes.some((change) => change.at < (starts[at] ?? 0)))).toBe(true)
  for (const [at, changes] of days.entries()) {
    expect(changes.every((change) => change.at >= (starts[at] ?? 0) - 2700)).toBe(true)
    expect(changes.every((change) => change.at < (starts[at] ?? 0) + day)).toBe(true)
  }
  const twice = days.filter((changes) => new Set(changes.map(({ id }) => id)).size < changes.length)
  expect(twice.length).toBeGreaterThan(5)
})

test('a filter by updatedSince with an hour of overlap finds every change but vanished products', async () => {
  const sandbox = await open()
  try {
    for (let night = 1; night <= cases(6, 2); night++) {
      const since = Math.floor(sandbox.now() / 1000) - 3600
      sandbox.advance()
      const today = sandbox.changes.filter((change) => change.day === night)
      const there = new Set([...sandbox.productsOn()].map(({ id }) => id))
      const delta = await readStream(sandbox, 'v4/products/stream', { updatedSince: since })
      const read = new Set(delta.map(({ result }) => result['id']))
      expect([...new Set(today.map(({ id }) => id))].filter((id) => there.has(id) && !read.has(id))).toEqual([])
      expect(delta.every(({ result }) => Number((result['meta'] as Json)['updatedAt']) >= since)).toBe(true)
      expect(read.size).toBeLessThanOrEqual(there.size)
    }
  } finally {
    await sandbox.close()
  }
})

test('filters, sortings, find and the v3 export of the sandbox show the products of the current day', async () => {
  const now = [...month.productsOn()]
  for (const status of ['active', 'inactive', 'replaced']) {
    const lines = await readStream(month, 'v4/products/stream', { status })
    expect(lines.map(({ result }) => result['id'])).toEqual(idsOf(now.filter((record) => record['status'] === status)))
  }
  const touched = await readStream(month, 'v4/products/stream', { updatedSince: start }, { touchedAt: 'DESC' })
  const times = touched.map(({ result }) => Number((result['meta'] as Json)['updatedAt']))
  expect(times).toEqual([...times].sort((left, right) => right - left))
  expect(times.length).toBeGreaterThan(200)
  const v3 = await readStream(month, 'v3/products/export')
  expect(v3.map(({ result }) => [result['id'], result['publicPrice'], timeOf(result)])).toEqual(
    now.map((record) => [record['id'], record['publicPrice'], timeOf(record)]),
  )
  const gone = log.find(({ id, kind }) => kind === 'vanished' && !idsOf(now as Json[]).includes(id))
  expect((await ask(month, 'v4/products/find', { query: { id: gone?.id ?? '' } })).status).toBe(404)
  const page = await readPage(month, 'v4/products/query', { filter: {}, sorting: { id: 'ASC' }, page: {} })
  expect(page.meta.total).toBe(now.length)
  const minimum = (await (await ask(month, 'v3/products/minimum-content')).json()) as { results?: Json[] } | Json[]
  expect(Array.isArray(minimum) ? minimum : minimum.results).toHaveLength(now.length)
})

test('changed products of the sandbox still meet the contract', () => {
  const { schema } = contracts['v4/product']
  const after = log.slice(0, 300).flatMap((change) => change.after ?? [])
  expect(after.length).toBeGreaterThan(200)
  expect(after.flatMap((record) => schema.safeParse(record).error?.issues ?? [])).toEqual([])
})

test('the days of the sandbox depend on the seed and not on the clock', async () => {
  const [same, other] = [await open({ now: () => (start + 5 * day) * 1000 }), await open({ seed: 2 })]
  try {
    same.advance(10)
    other.advance(10)
    expect(shapeOf(same, start + 5 * day)).toEqual(shapeOf(month, start))
    expect(shapeOf(other, start)).not.toEqual(shapeOf(month, start))
    expect([...same.productsOn(10)].map(withoutTimes)).toEqual([...month.productsOn(10)].map(withoutTimes))
  } finally {
    await Promise.all([same.close(), other.close()])
  }
})

test('a running answer of the sandbox keeps the products of the day of its request', async () => {
  const sandbox = await open()
  try {
    const before = await readStream(sandbox, 'v4/products/stream')
    const response = await ask(sandbox, 'v4/products/stream', {
      body: { filter: {}, sorting: { id: 'ASC' } },
      headers: { 'x-sandbox-fault': 'slow=12000000' },
    })
    sandbox.advance(4)
    const lines = (await response.text()).trimEnd().split('\n')
    const read = lines.map((line) => (JSON.parse(line) as { result: Json }).result)
    expect(read.map(withoutAddresses)).toEqual(before.map(({ result }) => withoutAddresses(result)))
  } finally {
    await sandbox.close()
  }
})

test('option days starts the sandbox after that number of days, ending now', async () => {
  const sandbox = await open({ days: 3 })
  try {
    expect([sandbox.day, sandbox.now()]).toEqual([3, start * 1000])
    const times = sandbox.changes.map(({ at }) => at)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(start - 3 * day - 2700)
    expect(Math.max(...times)).toBeLessThan(start)
  } finally {
    await sandbox.close()
  }
})

test('days of the sandbox advance over HTTP outside the rate limit, and changes come as lines', async () => {
  const sandbox = await open({ rateLimit: 1 })
  try {
    const advanced = await ask(sandbox, 'sandbox/advance', { body: { days: 2 } })
    const { day: today, changes } = (await advanced.json()) as { day: number; changes: Record<string, number> }
    expect([today, sandbox.day]).toEqual([2, 2])
    expect(changes).toEqual(Object.fromEntries(countBy(sandbox.changes, ({ kind }) => kind)))
    expect(advanced.headers.get('date')).toBe(new Date(start * 1000).toUTCString())
    const text = await (await ask(sandbox, 'sandbox/changes', { query: { day: '2' } })).text()
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SandboxChange)
    expect(lines).toEqual(sandbox.changes.filter((change) => change.day === 2))
    const later = await ask(sandbox, 'v4/colors/query', { body: {} })
    expect([later.status, later.headers.get('date')]).toEqual([200, new Date((start + 2 * day) * 1000).toUTCString()])
    expect((await readError(await ask(sandbox, 'sandbox/advance', { body: { days: 0 } }))).status).toBe(422)
    expect((await readError(await ask(sandbox, 'sandbox/changes', { query: { day: '3' } }))).status).toBe(422)
    const stranger = await fetch(`${sandbox.baseUrl}/sandbox/advance`, { method: 'POST' })
    expect([stranger.status, sandbox.day]).toEqual([401, 2])
  } finally {
    await sandbox.close()
  }
})

test('products kept in memory do not hide the changes of a day', async () => {
  const sandbox = await open({ products: 40, warmUp: true })
  try {
    await readStream(sandbox, 'v4/products/stream')
    sandbox.advance(4)
    const read = (await readStream(sandbox, 'v4/products/stream')).map(({ result }) => withoutAddresses(result))
    expect(read).toEqual([...sandbox.productsOn()].map(withoutAddresses))
  } finally {
    await sandbox.close()
  }
})

function open(options: Parameters<typeof startSandbox>[0] = {}): Promise<Sandbox> {
  return startSandbox({ products: 300, rateLimit: false, now: () => start * 1000, ...options })
}

const meanings: Readonly<Record<SandboxChange['kind'], (change: SandboxChange) => boolean>> = {
  new: ({ at, before, after }) => before === null && toMeta(after)['createdAt'] === at,
  changed: (change) => !isTouch(change) && change.before?.['publicPrice'] !== change.after?.['publicPrice'],
  touched: isTouch,
  inactive: ({ after }) => after?.['status'] === 'inactive' && after['replacement'] === null,
  replaced: ({ id, after }) =>
    after?.['status'] === 'replaced' && String(after['replacement']).startsWith('M') && after['replacement'] !== id,
  deleted: ({ at, after }) =>
    after?.['status'] === 'inactive' && after['deleted'] === true && after['officialDeletionAt'] === at,
  activated: ({ before, after }) => before?.['status'] === 'inactive' && after?.['status'] === 'active',
  vanished: ({ before, after }) => before !== null && after === null,
  returned: ({ before, after }) => before === null && after !== null,
}

function toMeta(record: Readonly<Json> | null): Json {
  return (record?.['meta'] ?? {}) as Json
}

function isTouch({ before, after }: SandboxChange): boolean {
  return before !== null && after !== null && toContent(before) === toContent(after)
}

function toContent(record: Readonly<Json>): string {
  return JSON.stringify(withoutTouch(record))
}

function shapeOf(sandbox: Sandbox, from: number) {
  return sandbox.changes.filter((change) => change.day <= 10).map(({ id, kind, at }) => [id, kind, at - from])
}

function withoutTimes(record: Readonly<Json>): Json {
  return { ...record, meta: null, officialDeletionAt: null }
}

function withoutTouch(record: Readonly<Json>): Json {
  const { updatedAt: _, ...meta } = withoutAddresses(record)['meta'] as Json
  return { ...record, meta }
}

/** Time of a record's latest change; null before the first day. */
function timeOf(record: Readonly<Json>): unknown {
  const updatedAt = Number((record['meta'] as Json | null | undefined)?.['updatedAt'])
  return updatedAt > start - day ? updatedAt : null
}

/** Treats an absent `meta` like an empty one, as a touch adds it. */
function withoutAddresses(record: Readonly<Json>): Json {
  const { embedUrl: _, publicPageUrl: __, ...meta } = (record['meta'] ?? {}) as Json
  return { ...record, meta }
}

function countBy<Item, Key>(items: readonly Item[], toKey: (item: Item) => Key): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const item of items) counts.set(toKey(item), (counts.get(toKey(item)) ?? 0) + 1)
  return counts
}
