import { randomBytes } from 'node:crypto'
import { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  columnsOf,
  contracts,
  flattenRecords,
  parseRecords,
  splitLines,
  toCsv,
  toNdjson,
  toParquet,
  trackCompleteness,
  validateRecords,
} from '../../src/streams.ts'

const contract = contracts['v4/product']
const options = { contract, table: 'products', columns: ['id', 'packageContent'] }
const mebibyte = 1024 * 1024
const lineBytes = 1041

describe('a sink that does not take anything', () => {
  test.each([
    ['toCsv', () => toCsv()],
    ['toNdjson', () => toNdjson()],
    ['toParquet', () => toParquet({ columns: columnsOf(options), rowGroupRows: 100 })],
  ])('a sink that does not take anything stops the reading before %s', async (_name, toEncoder) => {
    const source = createEndlessSource()
    const sink = createStuckSink()
    const stages = [
      splitLines(),
      parseRecords(),
      trackCompleteness(),
      validateRecords(contract),
      flattenRecords(options),
      toEncoder(),
    ]
    const reading = pipeline([source.stream, ...stages, sink])
    const read = await steadyValue(source.readBytes)
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(8 * mebibyte)
    sink.destroy(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    expect(source.stream.destroyed).toBe(true)
  })

  test('a sink that does not take anything stops the reading of objects within some hundred lines', async () => {
    const source = createEndlessSource()
    const sink = createStuckSink({ objectMode: true })
    const reading = pipeline([source.stream, splitLines(), parseRecords(), validateRecords(contract), sink])
    expect(await steadyValue(source.readBytes)).toBeLessThan(300 * lineBytes)
    sink.destroy(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
  })
})

describe('a consumer that stops', () => {
  test('a consumer that stops gets no more lines of a large chunk', async () => {
    const lines = splitLines()
    lines.write(Buffer.from('{}\n'.repeat(100_000)))
    await wait(5)
    expect(lines.readableLength).toBeLessThanOrEqual(lines.readableHighWaterMark)
    lines.destroy()
  })

  test('a consumer that stops gets no more rows of a large record until it asks, and then all', async () => {
    const record = JSON.stringify({ id: 'M1', photos: Array.from({ length: 5000 }, (_, id) => ({ id })) })
    const rows = flattenRecords({ contract, table: 'product_photos', columns: ['id'] })
    const source = Readable.from([Buffer.from(record)], { objectMode: false })
    const reading = pipeline(source, splitLines(), parseRecords(), validateRecords(contract), rows)
    await wait(5)
    expect(rows.readableLength).toBeLessThanOrEqual(rows.readableHighWaterMark)
    let count = 0
    for await (const row of rows.items()) count += row['product_id'] === 'M1' ? 1 : 0
    expect(count).toBe(5000)
    await reading
  })

  test('a consumer that stops ends the reading when it breaks off', async () => {
    const source = createEndlessSource()
    const records = validateRecords(contract)
    const reading = pipeline(source.stream, splitLines(), parseRecords(), records)
    const ended = reading.catch((error: NodeJS.ErrnoException) => error.code)
    for await (const { line } of records.items()) if (line === 3) break
    expect(await ended).toBe('ABORT_ERR')
    expect(source.stream.destroyed).toBe(true)
  })
})

describe('a slow sink of a stream', () => {
  test('a slow sink gets everything in the end', async () => {
    const ids: unknown[] = []
    const slow = new Writable({
      objectMode: true,
      highWaterMark: 1,
      write({ id }: { readonly id: string }, _encoding, done) {
        ids.push(id)
        setImmediate(done)
      },
    })
    const lines = Array.from({ length: 200 }, (_, id) => toLine(id))
    const own = new Transform({ objectMode: true, transform: (row, _encoding, done) => done(null, row) })
    const stages = [splitLines(), parseRecords(), validateRecords(contract), flattenRecords(options), own]
    await pipeline([Readable.from(lines, { objectMode: false }), ...stages, slow])
    expect(ids).toEqual(lines.map((line) => (JSON.parse(line.toString()) as { readonly id: string }).id))
  })
})

function createEndlessSource() {
  let lines = 0
  const stream = new Readable({
    read() {
      this.push(toLine(lines++))
    },
  })
  return { stream, readBytes: () => lines * lineBytes }
}

/** A line that no encoding makes much shorter. */
function toLine(id: number): Buffer {
  const text = randomBytes(500).toString('hex')
  return Buffer.from(`{"id":"M${String(id).padStart(9, '0')}","packageContent":"${text}"}\n`)
}

function createStuckSink(streamOptions = {}): Writable {
  return new Writable({ ...streamOptions, write: () => undefined })
}

/** The number once it has not changed for a while. */
async function steadyValue(read: () => number): Promise<number> {
  for (let last = -1; last !== read();) {
    last = read()
    await wait(100)
  }
  return read()
}
