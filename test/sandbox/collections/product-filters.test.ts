import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../src/service/endpoints/endpoints.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { cases } from '../../depth.ts'
import { idsOf, readStream, type Json } from '../ask-sandbox.ts'
import { productCases, productCasesV3, type FilterCase } from './product-filter-cases.ts'

let sandbox: Sandbox
let v4: Json[]
let v3: Json[]

beforeAll(async () => {
  sandbox = await startSandbox({ products: 120, seed: 11, rateLimit: false })
  v4 = (await readStream(sandbox, 'v4/products/stream')).map(({ result }) => result)
  v3 = (await readStream(sandbox, 'v3/products/export')).map(({ result }) => result)
})

afterAll(() => sandbox.close())

test.each(Object.keys(endpoints['v4/products/stream'].filters).filter((key) => key !== 'popularity'))(
  'v4 filter %s leaves exactly the products that meet it',
  async (key) => {
    const { found, expected } = await compare('v4/products/stream', key, productCases[key]!, v4)
    expect(found).toEqual(expected)
  },
)

test.each(Object.keys(endpoints['v3/products/export'].filters))(
  'v3 filter %s leaves exactly the products that meet it',
  async (key) => {
    const { found, expected } = await compare('v3/products/export', key, productCasesV3[key]!, v3)
    expect(found).toEqual(expected)
  },
)

test('the synthetic popularity can be compared with every operator', async () => {
  const all = idsOf(v4)
  let value = 0
  let equal: unknown[] = []
  while (equal.length === 0) equal = await readPopular({ value: ++value })
  const above = await readPopular({ value, operator: 'gt' })
  const below = await readPopular({ value, operator: 'lt' })
  const others = (ids: readonly unknown[]) => all.filter((id) => !ids.includes(id))
  expect(await readPopular({ value, operator: 'eq' })).toEqual(equal)
  expect(new Set([...below, ...equal, ...above])).toEqual(new Set(all))
  expect(await readPopular({ value, operator: 'neq' })).toEqual(others(equal))
  expect(await readPopular({ value, operator: 'gte' })).toEqual(others(below))
  expect(await readPopular({ value, operator: 'lte' })).toEqual(others(above))
  expect((await readPopular({ value: 500, operator: 'lt' })).length / all.length).toBeCloseTo(0.5, 0)
})

test('filters combine with and, or and not to any depth', async () => {
  const leaves = ['status', 'prescription', 'brand', 'createdAt', 'conservation', 'cnk'].flatMap((key) => {
    const { parameters, holds } = productCases[key]!
    return parameters(v4).map((parameter) => ({
      filter: { [key]: parameter },
      holds: (record: Json) => holds(record, parameter),
    }))
  })
  const { tree } = fc.letrec<{ tree: FilterTree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...leaves),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((parts) => ({
        filter: { and: parts.map(({ filter }) => filter) },
        holds: (record: Json) => parts.every((part) => part.holds(record)),
      })),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((parts) => ({
        filter: { or: parts.map(({ filter }) => filter) },
        holds: (record: Json) => parts.some((part) => part.holds(record)),
      })),
      tie('tree').map((part) => ({ filter: { not: part.filter }, holds: (record: Json) => !part.holds(record) })),
    ),
  }))
  await fc.assert(
    fc.asyncProperty(tree, async ({ filter, holds }) => {
      expect(await readIds('v4/products/stream', filter)).toEqual(idsOf(v4.filter((record) => holds(record))))
    }),
    { numRuns: cases(40) },
  )
})

interface FilterTree {
  readonly filter: Json
  readonly holds: (record: Json) => boolean
}

/** Found and expected ids by parameter. */
async function compare(name: ProductStream, key: string, { parameters, holds }: FilterCase, records: readonly Json[]) {
  const found: Found[] = []
  const expected: Found[] = []
  for (const parameter of parameters(records)) {
    found.push({ parameter, ids: await readIds(name, { [key]: parameter }) })
    expected.push({ parameter, ids: idsOf(records.filter((record) => holds(record, parameter))) })
  }
  // A case that matches all or no products would prove nothing.
  const divides = expected.some(({ ids }) => ids.length > 0 && ids.length < records.length)
  return { found, expected: divides ? expected : 'parameters that some products meet and others do not' }
}

type ProductStream = 'v4/products/stream' | 'v3/products/export'

interface Found {
  readonly parameter: unknown
  readonly ids: readonly unknown[]
}

function readPopular(popularity: Json): Promise<unknown[]> {
  return readIds('v4/products/stream', { popularity })
}

/** Throws unless index and total of every line are right. */
async function readIds(name: ProductStream, filter: Json): Promise<unknown[]> {
  const lines = await readStream(sandbox, name, filter)
  for (const [position, { meta }] of lines.entries()) {
    if (meta.index !== position || meta.total !== lines.length) throw new Error(JSON.stringify(meta))
  }
  return idsOf(lines.map(({ result }) => result))
}
