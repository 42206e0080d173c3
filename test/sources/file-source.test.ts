import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { CatalogueError } from '../../src/errors.ts'
import { linesOf } from '../../src/records/raw-line.ts'
import { createFileSource } from '../../src/sources/file-source.ts'
import type { DocumentMeta } from '../../src/sources/completeness.ts'
import { cases } from '../depth.ts'

const folder = await mkdtemp(join(tmpdir(), 'file-source-'))
afterAll(() => rm(folder, { recursive: true }))

const neverAborted = new AbortController().signal
const text = '\uFEFF{"name":"Crème €"}\r\n\n{"name":"😀"}\n{"name":"last"}'
const textLines = ['{"name":"Crème €"}', '', '{"name":"😀"}', '{"name":"last"}']

describe('lines of a file', () => {
  test('lines of a file come out the same wherever the bytes are cut, characters and line breaks included', async () => {
    const bytes = Buffer.from(text)
    for (let at = 0; at <= bytes.length; at++) {
      expect(await readStdin([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(textLines)
    }
    expect(await readStdin(bytewise(bytes))).toEqual(textLines)
  })

  test('lines of a file come out of gzip the same wherever its bytes are cut', async () => {
    const bytes = gzipSync(text)
    expect(await readStdin(bytewise(bytes))).toEqual(textLines)
    expect(await readStdin([bytes.subarray(0, 1), bytes.subarray(1)])).toEqual(textLines)
  })

  test('lines of a file are those of every gzip member, in order', async () => {
    const members = Buffer.concat(['a\nb', 'c\n', '', 'd\n'].map((part) => gzipSync(part)))
    expect(await readStdin(bytewise(members))).toEqual(['a', 'bc', 'd'])
  })

  test('lines of a file and of standard input are the same', async () => {
    await writeFile(join(folder, 'lines'), text)
    expect(await read('lines')).toEqual(await readStdin([Buffer.from(text)]))
  })
})

describe('gzip that is not whole', () => {
  test('gzip that is cut fails wherever it is: even without the last byte of its checksum', async () => {
    const bytes = gzipSync(text)
    for (let length = 2; length < bytes.length; length++) {
      await expect(readStdin([bytes.subarray(0, length)])).rejects.toMatchObject({
        code: 'SOURCE_FAILED',
        message:
          '<stdin>: expected whole gzip data, got an end in the middle: it was cut off, or stray bytes follow it',
      })
    }
  })
})

describe('a read that fails', () => {
  test('a read that fails names the source and the reason', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('{"id":1}\n')
        throw new Error('connection reset')
      })(),
    )
    const error = await collect(createFileSource('-', broken, options('auto'))).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CatalogueError)
    expect(error).toMatchObject({ code: 'SOURCE_FAILED', message: '<stdin>: the read failed: connection reset' })
  })

  test('a read that never gives a byte ends when it is aborted', async () => {
    const controller = new AbortController()
    const stalled = new Readable({ read: () => undefined })
    const reading = createFileSource('-', stalled, options('auto')).read(controller.signal)
    setTimeout(() => controller.abort(), 10)
    for await (const _ of reading.blocks) expect.unreachable()
    expect(stalled.destroyed).toBe(true)
  })

  test('a read closes its input when the reader stops early', async () => {
    for (const input of [`${'x'.repeat(100)}\n`.repeat(100_000), `[${'{"id":"M"},'.repeat(200_000)}{}]`]) {
      for (const bytes of [Buffer.from(input), gzipSync(input)]) {
        const stdin = Readable.from(inPieces(bytes, 10_000))
        const { blocks } = createFileSource('-', stdin, options('auto')).read(neverAborted)
        for await (const _ of blocks) break
        await expect.poll(() => stdin.destroyed).toBe(true)
      }
    }
  })
})

describe('a JSON document', () => {
  test('a JSON document is recognized by its beginning', async () => {
    expect(await readDocument('[{"id":1},\n{"id":2}]')).toEqual(['{"id":1}', '{"id":2}'])
    expect(await readDocument(' {"results" :[ ]}')).toEqual([])
    expect(await readDocument('{"meta":{"total":1,"page":{"no":0}},"results":[1]}')).toEqual(['1'])
    expect(await readDocument('{"meta":{"total":1,"index":0},"result":{"id":1}}')).toBeNull()
    expect(await readDocument('{"id":1,"results":[1]}')).toBeNull()
  })

  test('a source is a JSON document with format: json, and lines with format: ndjson, whatever the beginning', async () => {
    const query = '{"took":3,"results":[{"id":1}]}'
    expect(await readDocument(query, 'json')).toEqual(['{"id":1}'])
    expect(await readDocument(query, 'ndjson')).toBeNull()
    expect(await readDocument('[1]', 'ndjson')).toBeNull()
  })

  test('a JSON document states its total and the offset of its page, also after the results', async () => {
    expect(await readMeta('[]')).toEqual({ total: null, offset: 0 })
    expect(await readMeta('{"results":[],"meta":{"total":7}}')).toEqual({ total: 7, offset: 0 })
    expect(await readMeta('{"meta":{"total":7,"page":{"no":2,"size":10}},"results":[]}')).toEqual({
      total: 7,
      offset: 20,
    })
    expect(await readMeta('{"meta":{"total":7,"page":{"no":2,"offset":5,"size":10}},"results":[]}')).toEqual({
      total: 7,
      offset: 5,
    })
    expect(await readMeta('{"meta":{"total":"7","page":null},"results":[]}')).toEqual({ total: 7, offset: 0 })
    expect(await readMeta('{"meta":{"total":"seven"},"results":[]}')).toEqual({ total: null, offset: 0 })
    expect(await readMeta('{"meta":null,"results":[]}')).toEqual({ total: null, offset: 0 })
  })

  test('a JSON document becomes lines of JSON with the same values, wherever its bytes are cut', async () => {
    const documents = fc.tuple(
      fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 }),
      fc.constantFrom('list', 'first', 'last'),
      fc.constantFrom(undefined, 2, '\t'),
    )
    await fc.assert(
      fc.asyncProperty(documents, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), async (document, sizes) => {
        const [records, shape, indent] = document
        const meta = { total: records.length, page: { no: 0, sizes: [1, { a: [] }] } }
        const root =
          shape === 'list' ? records : shape === 'first' ? { results: records, meta } : { meta, results: records }
        const bytes = Buffer.from(JSON.stringify(root, null, indent))
        const lines = await collect(createFileSource('-', Readable.from(inPieces(bytes, sizes)), options('json')))
        expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(JSON.stringify(records)))
      }),
      { numRuns: cases(150) },
    )
  })

  test('a JSON document keeps the digits of its numbers', async () => {
    const numbers = ['9007199254740993', '-12345678901234567890', '0.1000000000000000055511151231257827', '1e400', '-0']
    expect(await readDocument(`[${numbers.join(' , ')}]`)).toEqual(numbers)
  })

  test('a JSON document keeps texts with any characters', async () => {
    const texts = ['', '"\\/\b\f\n\r\t', '\u0000\u001f\u2028', '😀', '\ud83d', 'x'.repeat(5000), '{"id":1}\n']
    expect(await readDocument(JSON.stringify(texts))).toEqual(texts.map((value) => JSON.stringify(value)))
    expect(await readDocument('["\\u0041\\ud83d\\ude00\\/"]')).toEqual(['"A😀/"'])
  })

  test.each([
    ['an end in the middle: it was cut off', ['[', '[1', '[1,', '{"results":[1]', '[{"a":"b', '[{"a":"\\u00']],
    ['more text after its end', ['[1] 2', '[1][2]', '{"results":[]}{"results":[]}', '[1]]']],
    [
      'what is no JSON',
      ['[1,]', '[,1]', '[01]', '[+1]', '["\t", 1, 2, 3]', "['a']", '[NaN]', '{"results":[1 2]}', '[{1:2}]'],
    ],
    ['neither a list nor', ['{}', '{"meta":{"total":1}}', '{"results":{}}', '"text"', '1']],
  ])('a JSON document that is not whole or not right fails: %s', async (reason, documents) => {
    for (const document of documents) {
      await expect(readDocument(document, 'json')).rejects.toMatchObject({
        code: 'SOURCE_FAILED',
        message: expect.stringContaining(`<stdin>: expected one whole JSON document, got: ${reason}`) as string,
      })
    }
  })
})

function options(format: 'auto' | 'ndjson' | 'json') {
  return { format, maxLineBytes: 1024 * 1024 }
}

async function read(name: string): Promise<string[]> {
  return collect(createFileSource(join(folder, name), Readable.from([]), options('auto')))
}

async function readStdin(chunks: Iterable<Buffer>): Promise<string[]> {
  return collect(createFileSource('-', Readable.from(chunks), options('auto')))
}

async function collect(source: ReturnType<typeof createFileSource>): Promise<string[]> {
  const lines: string[] = []
  for await (const block of source.read(neverAborted).blocks) {
    for (const line of linesOf(block)) lines.push(line.bytes.toString())
  }
  return lines
}

/** The records of a document as lines; null where it was not taken for a document. */
async function readDocument(content: string, format: 'auto' | 'ndjson' | 'json' = 'auto'): Promise<string[] | null> {
  const reading = createFileSource('-', Readable.from([Buffer.from(content)]), options(format)).read(neverAborted)
  const lines: string[] = []
  for await (const block of reading.blocks) {
    for (const line of linesOf(block)) lines.push(line.bytes.toString())
  }
  return reading.document() === null ? null : lines
}

async function readMeta(content: string): Promise<DocumentMeta | null> {
  const reading = createFileSource('-', Readable.from([Buffer.from(content)]), options('json')).read(neverAborted)
  for await (const _ of reading.blocks);
  return reading.document()
}

function* bytewise(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
}

/** The bytes in pieces of one size, or of the sizes that come. */
function* inPieces(bytes: Buffer, sizes: number | Iterator<number>): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const size = typeof sizes === 'number' ? sizes : (sizes.next().value as number)
    yield bytes.subarray(at, at + size)
    at += size
  }
}
