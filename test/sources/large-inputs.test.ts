import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RunFolder, toStream } from '../engine/run-folder.ts'
import { cases } from '../depth.ts'

const mebibyte = 1024 * 1024
let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

describe('a line that is too long', { timeout: 30_000 }, () => {
  test('a line of 100 MB is a reject with its beginning, its length and the reason, and the rest is not kept', async () => {
    await writeLongLine(100)
    const peak = watchMemory()
    const report = await folder.run({ rejects: { limit: 1 }, completeness: 'report' }, { workers: 0 })
    expect(peak.stop()).toBeLessThan(100 * mebibyte)
    expect(report.ledger).toMatchObject({ lines: 3, rejected: 1, accepted: 2 })
    const reject = JSON.parse(await folder.readOut('_rejects.ndjson')) as Record<string, unknown>
    const lineBytes = `{"id":"LONG","packageContent":""}`.length + 100 * mebibyte
    expect(reject).toMatchObject({ line: 2, byteOffset: 16, rawTruncated: true, rawBytes: lineBytes })
    expect(reject['raw']).toBe(`{"id":"LONG","packageContent":"${'x'.repeat(64 * 1024 - 31)}`)
    expect(reject['issues']).toEqual([
      {
        code: 'line_too_long',
        path: '',
        message: `expected a line of at most 16777216 bytes (maxLineBytes), got ${lineBytes}`,
      },
    ])
    expect(await folder.readOut('products.csv')).toBe('id,status\nBEFORE,\nAFTER,\n')
  })

  test('a line that is too long otherwise is read where maxLineBytes allows it', async () => {
    await writeLongLine(20)
    const report = await folder.run({ source: { maxLineBytes: 21 * mebibyte } })
    expect(report.ledger).toMatchObject({ lines: 3, rejected: 0, accepted: 3 })
  })

  test.each([
    { maxLineBytes: 48, rejected: 0 },
    { maxLineBytes: 47, rejected: 1 },
  ])(
    'a line that is too long counts without its line break: 48 bytes with a limit of $maxLineBytes',
    async ({ maxLineBytes, rejected }) => {
      const line = JSON.stringify({ id: 'M', packageContent: 'x'.repeat(18) })
      for (const lineBreak of ['\n', '\r\n', '']) {
        await folder.write('input.ndjson', line + lineBreak)
        const report = await folder.run({ source: { maxLineBytes }, rejects: { limit: 1 }, completeness: 'report' })
        expect(report.ledger.rejected).toBe(rejected)
      }
    },
  )
})

describe('a document larger than memory', { timeout: 30_000 }, () => {
  test('a document larger than memory is read record by record, through less than 100 MiB', async () => {
    const mebibytes = cases(300, 110)
    const records = 213 * mebibytes
    const peak = watchMemory()
    const stdin = Readable.from(generateDocument(mebibytes))
    const report = await folder.run({ source: { files: '-' } }, { stdin, workers: 0 })
    expect(peak.stop()).toBeLessThan(100 * mebibyte)
    expect(report.ledger).toMatchObject({ lines: records, rejected: 0, accepted: records })
    expect(report.completeness).toEqual({ status: 'proven', reasons: [], total: records })
  })
})

test('a stream of lines far larger than a block is read block by block', { timeout: 30_000 }, async () => {
  const ids = Array.from({ length: 12_000 }, (_, index) => `M${'0'.repeat(300)}${index}`)
  await folder.write('input.ndjson', toStream(ids))
  const progress: number[] = []
  await folder.run({}, { workers: 0, onProgress: ({ lines }) => progress.push(lines) })
  expect(progress.length).toBeGreaterThan(3)
  expect(progress.at(-1)).toBe(12_000)
})

/**
 * How far the memory that is held rises above what is held now, in bytes. Garbage does not count: a process that has run
 * many other tests collects it late.
 */
function watchMemory(): { stop: () => number } {
  const start = readHeld()
  let peak = start
  let timer: NodeJS.Timeout
  const look = (): void => {
    const before = performance.now()
    peak = Math.max(peak, readHeld())
    // Collecting takes long in a process that holds much: a tenth of the time is for it.
    timer = setTimeout(look, Math.max(200, 10 * (performance.now() - before)))
  }
  look()
  return {
    stop: () => {
      clearTimeout(timer)
      return peak - start
    },
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function readHeld(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** A line before, a line with this many MiB of text, a line after. */
async function writeLongLine(mebibytes: number): Promise<void> {
  const file = createWriteStream(join(folder.path, 'input.ndjson'))
  const piece = Buffer.alloc(mebibyte, 'x')
  file.write('{"id":"BEFORE"}\n')
  file.write('{"id":"LONG","packageContent":"')
  for (let count = 0; count < mebibytes; count++) if (!file.write(piece)) await once(file, 'drain')
  file.end('"}\n{"id":"AFTER"}\n')
  await once(file, 'close')
}

/** 4923 bytes, so that 213 of them and their commas are a mebibyte. */
function toRecord(index: number): string {
  const record = { id: `M${index}`, status: 'active', descriptions: [{ content: { nl: '' } }] }
  const text = JSON.stringify(record)
  return text.replace('"nl":""', `"nl":"${'x'.repeat(4922 - text.length)}"`)
}

function* generateDocument(mebibytes: number): Generator<Buffer> {
  const recordsEach = 213
  let index = 0
  for (; index < mebibytes * recordsEach; index += recordsEach) {
    const records = Array.from({ length: recordsEach }, (_, at) => toRecord(index + at))
    yield Buffer.from((index === 0 ? '{"results":[' : ',') + records.join(','))
  }
  yield Buffer.from(`],"meta":{"total":${index}}}`)
}
