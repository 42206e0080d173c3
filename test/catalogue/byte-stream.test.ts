import { once } from 'node:events'
import { expect, test } from 'vitest'
import { ByteStream } from '../../src/catalogue/byte-stream.ts'

const defect = new Error('the other end is broken')

/** A source whose end fails in some way. */
const toSource = (leave: () => Promise<never>): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: false, value: 'text\n' }), return: leave }),
})

test.each<[way: string, leave: () => Promise<never>]>([
  ['rejects', () => Promise.reject(defect)],
  [
    'throws',
    () => {
      throw defect
    },
  ],
])('the end of a source that %s as a reading leaves it is a warning, and no unhandled rejection', async (_, leave) => {
  const stream = new ByteStream(toSource(leave))
  await once(stream, 'readable')
  const warned = once(process, 'warning')
  const closed = once(stream, 'close')
  stream.destroy()
  await closed
  const message = 'a stream given to `from` failed when it was closed: the other end is broken'
  expect(await warned).toMatchObject([{ message }])
})
