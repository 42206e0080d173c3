import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { cases } from '../../depth.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask, readStream, type Json } from '../ask-sandbox.ts'

const products = cases(300, 150)
const options = { products, rateLimit: false, dialect: 'loose', now: () => Date.UTC(2027, 0, 1) } as const
let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox(options)
  sandbox.advance(3)
})

afterAll(() => sandbox.close())

test('productsOn returns the loose records of a day as sent', async () => {
  const sent = (await readStream(sandbox, 'v4/products/stream')).map(({ result }) => unsigned(result))
  expect([...sandbox.productsOn()].map(unsigned)).toEqual(sent)
  const before = await startSandbox(options)
  const first = (await readStream(before, 'v4/products/stream')).map(({ result }) => unsigned(result))
  await before.close()
  expect([...sandbox.productsOn(0)].map(unsigned)).toEqual(first)
})

test('changes of the loose dialect have loose records before and after', () => {
  const { changes } = sandbox
  expect(changes.length).toBeGreaterThan(10)
  const latest = new Map(changes.map((change) => [change.id, change]))
  const now = new Map([...sandbox.productsOn()].map((product) => [product['id'], product]))
  for (const [id, { after }] of latest) expect(after).toEqual(now.get(id) ?? null)
})

test('a touched product of the loose dialect differs in nothing but its meta', () => {
  const touched = sandbox.changes.filter(({ kind }) => kind === 'touched')
  expect(touched.length).toBeGreaterThan(5)
  for (const { before, after } of touched) expect({ ...after, meta: null }).toEqual({ ...before, meta: null })
})

test('changes over HTTP are those of the sandbox', async () => {
  const text = await (await ask(sandbox, 'sandbox/changes')).text()
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(lines).toEqual(JSON.parse(JSON.stringify(sandbox.changes)))
})

test('the same seed gives the same loose bytes, another seed others', async () => {
  const [same, other] = [await startSandbox(options), await startSandbox({ ...options, seed: 2 })]
  try {
    const read = async (from: Sandbox) => {
      const body = { filter: {}, sorting: { id: 'ASC' } }
      const text = await (await ask(from, 'v4/products/stream', { body })).text()
      return text.replaceAll(signature, '')
    }
    const [first, second] = [await read(same), await read(same)]
    expect(first).toBe(second)
    expect(first).not.toBe(await read(other))
    const generated = Buffer.concat([
      ...generateLines({ contract: 'v4/product', seed: 1, records: products, products, dialect: 'loose' }),
    ])
    expect(generated.toString().replaceAll(signature, '')).toBe(first)
  } finally {
    await Promise.all([same.close(), other.close()])
  }
})

const signature = /expires=\d+&signature=[0-9a-f]+/g

function unsigned(record: Json): Json {
  return JSON.parse(JSON.stringify(record).replaceAll(signature, '')) as Json
}
