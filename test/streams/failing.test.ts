import { createReadStream } from 'node:fs'
import { pipeline as pipelineWithCallback, Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import {
  columnsOf,
  contracts,
  flattenRecords,
  parseRecords,
  splitLines,
  toCsv,
  toParquet,
  validateRecords,
} from '../../src/streams.ts'

const contract = contracts['v4/product']
const options = { contract, table: 'products', columns: ['id'] }
const line = Buffer.from('{"id":"M1"}\n')
const broken = new Error('broken')

describe('a failure of a pipeline of streams', () => {
  const failures: [string, () => { source?: Readable; own?: Transform; sink?: Writable }][] = [
    ['a source', () => ({ source: Readable.from(failAfter(3), { objectMode: false }) })],
    [
      'a stage of somebody else',
      () => ({ own: new Transform({ objectMode: true, transform: (_row, _enc, done) => done(broken) }) }),
    ],
    ['a sink', () => ({ sink: new Writable({ write: (_bytes, _enc, done) => done(broken) }) })],
  ]

  test.each(failures)(
    'a failure ends the pipeline with its error and destroys every stage: %s',
    async (_name, toFailing) => {
      for (const toEncoder of [() => toCsv(), () => toParquet({ columns: columnsOf(options) })]) {
        const { source = Readable.from([line]), own = passOn(), sink = takeAll() } = toFailing()
        const stages = [
          splitLines(),
          parseRecords(),
          validateRecords(contract),
          flattenRecords(options),
          own,
          toEncoder(),
        ]
        await expect(pipeline([source, ...stages, sink])).rejects.toBe(broken)
        expect(stages.map(({ destroyed }) => destroyed)).toEqual(stages.map(() => true))
      }
    },
  )

  test('a missing file ends the pipeline and destroys every stage', async () => {
    const reading = pipeline(createReadStream('/nowhere/export.ndjson'), splitLines(), parseRecords())
    await expect(reading).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a failing source also ends an iteration over the stages', async () => {
    const records = validateRecords(contract)
    const source = Readable.from(failAfter(3), { objectMode: false })
    pipelineWithCallback(source, splitLines(), parseRecords(), records, () => undefined)
    const ids: string[] = []
    const iterate = async (): Promise<void> => {
      for await (const { record } of records.items()) ids.push(record.id)
    }
    await expect(iterate()).rejects.toBe(broken)
  })

  test('an error line also ends an iteration over the stages', async () => {
    const records = parseRecords()
    const reading = pipeline(
      Readable.from([line, '{"error":{"code":"internal"}}\n'], { objectMode: false }),
      splitLines(),
      records,
    )
    const ended = reading.catch((error: unknown) => error)
    const iterate = async (): Promise<number[]> => {
      const lines: number[] = []
      for await (const record of records.items()) lines.push(record.line)
      return lines
    }
    await expect(iterate()).rejects.toMatchObject({ code: 'SOURCE_ERROR_LINE' })
    expect(await ended).toMatchObject({ code: 'SOURCE_ERROR_LINE' })
  })
})

function* failAfter(lines: number): Generator<Buffer> {
  for (let count = 0; count < lines; count++) yield line
  throw broken
}

function passOn(): Transform {
  return new Transform({ objectMode: true, transform: (row, _encoding, done) => done(null, row) })
}

function takeAll(): Writable {
  return new Writable({ write: (_bytes, _encoding, done) => done() })
}
