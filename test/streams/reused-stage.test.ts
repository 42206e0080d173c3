import { Readable, Writable, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { contracts, parseRecords, readRows, splitLines, toCsv } from '../../src/streams.ts'
import { collect, toChunks } from './collect.ts'

const line = '{"id":"M1"}\n'
const refusal = { code: 'USAGE', message: expect.stringContaining('expected to be in one pipeline, made for it') }

function toStage() {
  return readRows({ contract: contracts['v4/product'], table: 'products', columns: ['id'] })
}

async function* toLines(): AsyncGenerator<Buffer> {
  yield Buffer.from(line)
}

describe('a stage that has been used', () => {
  test.each<[string, () => Iterable<unknown> | AsyncIterable<unknown> | Readable]>([
    ['a stream', () => toChunks(line)],
    ['a generator', toLines],
    ['a list', () => [Buffer.from(line)]],
  ])('a second pipeline with it ends at once, with every stream of it destroyed: %s', async (_name, toSource) => {
    const stage = toStage()
    const again = [stage, toCsv()] as const
    await collect(toChunks(line), stage)
    const sink = new Writable({ write: (_bytes, _encoding, done) => done() })
    const source = toSource()
    await expect(pipeline(source, ...again, sink)).rejects.toMatchObject(refusal)
    expect([...again, sink].map(({ destroyed }) => destroyed)).toEqual([true, true, true])
    expect(source instanceof Readable ? source.destroyed : true).toBe(true)
  })

  test('two pipelines at a time with it both end', async () => {
    const stage = splitLines()
    const both = [1, 2].map(() => collect(toChunks(line), stage))
    const ends = await Promise.allSettled(both)
    expect(ends).toMatchObject([
      { status: 'rejected', reason: refusal },
      { status: 'rejected', reason: refusal },
    ])
  })

  test('a pipeline with one that has failed ends, and an iteration of one that has ended throws', async () => {
    const failed = parseRecords()
    await expect(collect(toChunks('{"error":{}}\n'), splitLines(), failed)).rejects.toMatchObject({
      code: 'SOURCE_ERROR_LINE',
    })
    await expect(collect(toChunks(line), splitLines(), failed)).rejects.toMatchObject({ name: 'CatalogueError' })
    const ended = toStage()
    await collect(toChunks(line), ended)
    expect(() => ended.items()).toThrow(expect.objectContaining(refusal))
  })

  test('several sources may be piped into it one after the other', async () => {
    const stage: Duplex = toStage()
    const rows = stage.toArray()
    for (const end of [false, true]) await pipeline(toChunks(line), stage, { end })
    expect(await rows).toEqual([{ id: 'M1' }, { id: 'M1' }])
  })
})
