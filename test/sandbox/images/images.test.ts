import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { createImageFile } from '../../../src/sandbox/images/image-file.ts'
import { cases } from '../../depth.ts'

let sandbox: Sandbox
let addresses: string[]

beforeAll(async () => {
  sandbox = await startSandbox({ products: 20, images: true, rateLimit: 3 })
  addresses = await listAddresses(sandbox)
})
afterAll(() => sandbox.close())

const agent = { 'user-agent': 'test/1.0' }

test('every address of a photo or a leaflet in the records of a sandbox with images leads to a file of its type', async () => {
  expect(addresses.length).toBeGreaterThan(100)
  for (const address of addresses.slice(0, 60)) {
    const answer = await fetch(address, { headers: agent })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect({ address, status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      address,
      status: 200,
      type: address.endsWith('.webp') ? 'image/webp' : address.endsWith('.pdf') ? 'application/pdf' : 'image/jpeg',
    })
    expect(bytes.subarray(0, 4).toString('latin1')).toBe(toMagic(address))
  }
})

test('a sandbox without images sends addresses that lead nowhere', async () => {
  await using plain = await startPlain()
  expect(await listAddresses(plain.sandbox)).toEqual([])
  expect((await fetch(`${plain.sandbox.baseUrl}${new URL(addresses[0]!).pathname}`, { headers: agent })).status).toBe(
    401,
  )
})

test('an image is answered with 304 if the client has it', async () => {
  const [address = ''] = addresses
  const first = await fetch(address, { headers: agent })
  const etag = first.headers.get('etag') ?? ''
  expect((await fetch(address, { headers: { ...agent, 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(address, { headers: { ...agent, 'if-none-match': '"other"' } })).status).toBe(200)
})

test('an image request without a User-Agent or with credentials is refused', async () => {
  const [address = ''] = addresses
  expect((await fetch(address, { headers: { 'user-agent': '' } })).status).toBe(403)
  expect((await fetch(address, { headers: { ...agent, authorization: 'Basic abc' } })).status).toBe(400)
})

describe('faults of images', () => {
  test.each([
    ['404', 404, 'application/json; charset=utf-8'],
    ['malformed=0', 200, 'text/html; charset=utf-8'],
  ])('the fault %s of an image is answered with %d', async (fault, status, type) => {
    sandbox.inject({ endpoint: 'images', fault })
    const answer = await fetch(addresses[0]!, { headers: agent })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type])
  })

  test.each(['cut=0.5', 'reset=0.5', 'total=+10', 'cut', 'reset'])(
    'the fault %s of an image ends its connection',
    async (fault) => {
      sandbox.inject({ endpoint: 'images', fault })
      await expect(fetch(addresses[0]!, { headers: agent }).then((answer) => answer.arrayBuffer())).rejects.toThrow(
        TypeError,
      )
    },
  )

  test('the fault short of an image ends as if it were complete', async () => {
    const whole = await (await fetch(addresses[0]!, { headers: agent })).arrayBuffer()
    sandbox.inject({ endpoint: 'images', fault: 'short=0.5' })
    const half = await (await fetch(addresses[0]!, { headers: agent })).arrayBuffer()
    expect(half.byteLength).toBe(Math.floor(whole.byteLength / 2))
  })
})

test('a twentieth of the photos changes with every day, each of them once in twenty', () => {
  const photos = cases(400, 60)
  const paths = Array.from(
    { length: photos },
    (_, at) => `/images/photos/${(at + 1).toString(16).padStart(16, '0')}-medium.jpg`,
  )
  const etagsOn = (day: number) => paths.map((path) => createImageFile(path, day)?.etag)
  const etags = Array.from({ length: 21 }, (_, day) => etagsOn(day + 20))
  const changes = etags.slice(1).map((after, day) => after.filter((etag, at) => etag !== etags[day]![at]).length)
  expect(changes.reduce((sum, count) => sum + count)).toBe(photos)
  expect(Math.max(...changes)).toBeLessThan(0.15 * photos)
})

test.each([
  '/images/photos/zz-huge.jpg',
  '/images/photos/0a-giant.jpg',
  '/images/links/0a.jpg',
  '/images/photos/0a-huge.pdf',
])('there is no file at %s', (path) => expect(createImageFile(path, 0)).toBeNull())

function toMagic(address: string): string {
  return address.endsWith('.webp') ? 'RIFF' : address.endsWith('.pdf') ? '%PDF' : '\xff\xd8\xff\xe0'
}

async function startPlain() {
  const plain = await startSandbox({ products: 20 })
  return { sandbox: plain, [Symbol.asyncDispose]: () => plain.close() }
}

async function listAddresses({ baseUrl, keyId, keySecret }: Sandbox): Promise<string[]> {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  const answer = await fetch(`${baseUrl}/v4/products/stream`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ filter: {}, sorting: { id: 'ASC' } }),
  })
  return [...(await answer.text()).matchAll(/"(http[^"]*\/images\/[^"]*)"/g)].map(([, address = '']) => address)
}
