import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, expectTypeOf, test } from 'vitest'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { contracts, readRows, type RowOf, toCsv } from '../../src/streams.ts'

type Photo = RowOf<'v4/product', 'nl', 'product_photos', 'id'>

const lines = Buffer.concat([...generateLines({ contract: 'v4/product', records: 20, seed: 3 })])
const contract = contracts['v4/product']
const readPhotos = () => readRows({ contract, table: 'product_photos', columns: ['id'], locales: ['nl'] })

async function* takeFirst(photos: AsyncIterable<Photo>): AsyncGenerator<Photo> {
  for await (const photo of photos) if (photo.position === 1) yield photo
}

test('a pipeline takes typed functions between and behind the stages of the library', async () => {
  const ids = await pipeline(Readable.from([lines]), readPhotos(), takeFirst, async (photos: AsyncIterable<Photo>) => {
    const found: Photo['id'][] = []
    for await (const { id } of photos) found.push(id)
    return found
  })
  expectTypeOf(ids).toEqualTypeOf<Photo['id'][]>()
  expect(ids.length).toBeGreaterThan(3)
  let text = ''
  const write = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  await pipeline(Readable.from([lines]), readPhotos(), takeFirst, toCsv(), write)
  const rows = text.trimEnd().split('\n').slice(1)
  expect(rows.map((row) => row.split(',').at(-1))).toEqual(ids.map(String))
})

test('the rows of a stage that is iterated have their types', async () => {
  const stage = Readable.from([lines]).pipe(readPhotos())
  let count = 0
  for await (const row of stage) {
    expectTypeOf(row.position).toEqualTypeOf<number>()
    // @ts-expect-error
    expect(row.positon).toBeUndefined()
    count++
  }
  expect(count).toBeGreaterThan(3)
})
