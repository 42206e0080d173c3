import { afterAll, beforeAll, expect, test } from 'vitest'
import { someOf } from '../../depth.ts'
import { endpoints, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { idsOf, readPage, readStream, type Json } from '../ask-sandbox.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ products: 300, seed: 4, rateLimit: false })
})

afterAll(() => sandbox.close())

type Holds = (record: Json) => boolean

/** A parameter of each key, and its meaning, written independently of the sandbox. */
type Cases = Record<string, (records: readonly Json[]) => [parameter: unknown, holds: Holds][]>

const media: Cases = {
  id: ([, second, third]) => [
    [second!['id'], (record) => record['id'] === second!['id']],
    [[String(second!['id']), third!['id']], (record) => [second!['id'], third!['id']].includes(record['id'])],
  ],
  published: () => [true, false].map((value) => [value, (record) => record['published'] === value]),
  organization: (records) => {
    const id = first(records, (record) => many(record['organizations']).map(toId))
    return [[id, (record) => many(record['organizations']).map(toId).includes(id)]]
  },
  targetGroup: () => [['pharmacist', (record) => many(record['targetGroups']).includes('pharmacist')]],
  type: () => [
    ['link', (record) => record['type'] === 'link'],
    [['photo', 'frontal'], (record) => record['type'] === 'photo' || record['type'] === 'frontal'],
  ],
  photoType: () => [['lifestyle_image', (record) => record['photoType'] === 'lifestyle_image']],
  linkType: () => [['video', (record) => record['linkType'] === 'video']],
  visibleSides: () => [
    [['top', 'left'], (record) => ['top', 'left'].some((side) => many(record['visibleSides']).includes(side))],
  ],
  createdAt: (records) => times(records, 'createdAt'),
  touchedAt: (records) => times(records, 'updatedAt'),
  updatedSince: (records) => times(records, 'updatedAt'),
  product: (records) => {
    const id = first(records, (record) => many(record['products']))
    return [[id, (record) => many(record['products']).includes(id)]]
  },
  available: (records) => {
    const start = first(records, (record) => [period(record).from]) as number
    // The end of the generated data.
    const now = 1_750_000_000
    return [
      [{ from: start - 500_000, until: start - 1 }, isAvailable(start - 500_000, start - 1)],
      [start, isAvailable(start, Infinity)],
      [true, isAvailable(now, now)],
      [false, (record) => !isAvailable(now, now)(record)],
    ]
  },
  locale: () => [['de', (record) => many(record['locales']).includes('de')]],
}

const news: Cases = {
  id: ([, second]) => [[second!['id'], (record) => record['id'] === second!['id']]],
  organization: ([one]) => [[one!['organization'], (record) => record['organization'] === one!['organization']]],
  newsType: () => [[['brand', 'product'], (record) => record['type'] === 'brand' || record['type'] === 'product']],
  createdAt: (records) => times(records, 'createdAt'),
  updatedSince: (records) => times(records, 'updatedAt'),
  locale: () => [
    ['en', (record) => many(record['content']).some((part) => many((part as Json)['locales']).includes('en'))],
  ],
  product: (records) => linked(records, 'products'),
  publicCategory: (records) => linked(records, 'categories'),
  brand: (records) => linked(records, 'brands'),
}

const corrections: Cases = {
  product: ([one]) => [[one!['product'], (record) => record['product'] === one!['product']]],
  status: () => [
    ['open', (record) => record['status'] === 'open'],
    ['handled', (record) => ['handled', 'solved', 'closed'].includes(String(record['status']))],
  ],
  search: ([one]) => {
    const [word = ''] = String(one!['text']).split(' ')
    return [
      [
        word,
        (record) =>
          JSON.stringify(record['text'] ?? '')
            .toLowerCase()
            .includes(word.toLowerCase()),
      ],
    ]
  },
  locale: () => [[['fr', 'nl'], (record) => record['locale'] === 'fr' || record['locale'] === 'nl']],
  type: () => [['wrong_price', (record) => record['type'] === 'wrong_price']],
  createdAt: (records) => times(records, 'createdAt'),
}

const named: Cases = {
  id: ([, second, third]) => [[[second!['id'], third!['id']], ({ id }) => [second!['id'], third!['id']].includes(id)]],
  search: (records) => {
    const name = first(records, (record) => [(record['name'] as Json | null)?.['nl']]) as string
    const query = name.split(' ')[0]!.toUpperCase()
    const holds: Holds = (record) => inDutch(record)?.toLowerCase().includes(query.toLowerCase()) === true
    return [[{ query, locale: 'nl' }, holds]]
  },
}

const plainlyNamed: Cases = {
  search: ([one]) => {
    const [query = ''] = String(one!['name']).split(' ')
    return [query, { query, locale: 'nl' }].map((parameter) => [
      parameter,
      (record) => String(record['name']).toLowerCase().includes(query.toLowerCase()),
    ])
  },
}

const table: [EndpointName, string, Cases][] = [
  ...rows('v4/media/stream', media),
  ...rows('v4/updates/query', news),
  ...rows('v4/corrections/query', corrections),
  ...rows('v4/active-ingredients/query', named),
  ...rows('v4/public-categories/query', named),
  ...rows('v4/catalog-categories/query', named),
  ...rows('v4/colors/query', named),
  ...rows('v4/brands/query', plainlyNamed),
]

test.each(table)('%s: filter %s leaves exactly the records that meet it', async (name, key, cases) => {
  const records = await readAll(name, {})
  for (const [parameter, holds] of cases[key]!(records)) {
    const expected = records.filter((record) => holds(record))
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(records.length)
    const ids = idsOf(await readAll(name, { [key]: parameter }))
    expect({ parameter, ids }).toEqual({ parameter, ids: idsOf(expected) })
  }
})

const synthetic = [
  ['v4/updates/query', 'targetGroup'],
  ['v4/corrections/query', 'organization'],
  ['v4/corrections/query', 'createdBy'],
] as const

test.each(someOf(synthetic, synthetic[0], synthetic[2]))(
  '%s: the synthetic values of filter %s are stable and divide the records',
  async (name, key) => {
    const all = idsOf(await readAll(name, {}))
    const values = key === 'targetGroup' ? ['public', 'pharmacist'] : idsOf(await readAll(listOf[key], {}))
    const found = await Promise.all(values.map(async (value) => idsOf(await readAll(name, { [key]: value }))))
    expect(new Set(found.flat())).toEqual(new Set(all))
    for (const ids of found) expect(ids.length).toBeLessThan(all.length)
    expect(idsOf(await readAll(name, { [key]: values[0] }))).toEqual(found[0])
  },
)

const listOf = { organization: 'v4/organizations/query', createdBy: 'v4/users/query' } as const

test('every filter key of the specification has a case here or is synthetic', () => {
  expect(untried('v4/media/stream')).toEqual([])
  expect(untried('v4/updates/query')).toEqual(['targetGroup'])
  expect(untried('v4/corrections/query')).toEqual(['organization', 'createdBy'])
  expect(untried('v4/active-ingredients/query')).toEqual([])
})

function untried(name: EndpointName): string[] {
  const tried = new Set(table.filter(([endpoint]) => endpoint === name).map(([, key]) => key))
  return Object.keys(endpoints[name].filters).filter((key) => !tried.has(key))
}

function rows(name: EndpointName, cases: Cases): [EndpointName, string, Cases][] {
  return Object.keys(cases).map((key) => [name, key, cases])
}

async function readAll(name: EndpointName, filter: Json): Promise<Json[]> {
  if (endpoints[name].read === 'stream') return (await readStream(sandbox, name, filter)).map(({ result }) => result)
  return (await readPage(sandbox, name, { filter })).results
}

function times(records: readonly Json[], key: 'createdAt' | 'updatedAt'): [unknown, Holds][] {
  const read = (record: Json) => (record['meta'] as Json | null | undefined)?.[key]
  const dateTimes = records
    .map(read)
    .filter((value): value is number => typeof value === 'number')
    .toSorted((left, right) => left - right)
  const from = dateTimes[Math.floor(dateTimes.length / 3)]!
  const until = dateTimes[Math.floor(dateTimes.length / 2)]!
  const isWithin = (start: number, end: number) => (record: Json) => {
    const value = read(record)
    return typeof value === 'number' && value >= start && value <= end
  }
  return [
    [from, isWithin(from, Infinity)],
    [{ from, until }, isWithin(from, until)],
    [{ until }, isWithin(0, until)],
  ]
}

function linked(records: readonly Json[], field: string): [unknown, Holds][] {
  const id = first(records, (record) => many(record[field]))
  return [[id, (record) => many(record[field]).includes(id)]]
}

function first(records: readonly Json[], read: (record: Json) => unknown[]): unknown {
  return records.flatMap(read).find((value) => value !== undefined && value !== null)
}

function many(value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function isAvailable(from: number, until: number): Holds {
  return (record) => (period(record).from ?? 0) <= until && (period(record).until ?? Infinity) >= from
}

function period(record: Json) {
  return (record['available'] ?? {}) as { from?: number | null; until?: number | null }
}

function toId(item: unknown): unknown {
  return typeof item === 'object' ? (item as Json)['id'] : item
}

function inDutch(record: Json): string | undefined {
  return (record['name'] as Record<string, string | null> | null)?.['nl'] ?? undefined
}
