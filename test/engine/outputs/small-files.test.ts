import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cases } from '../../depth.ts'
import { RunFolder } from '../run-folder.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

let folder: RunFolder

beforeEach(async () => void (folder = await RunFolder.create()))
afterEach(() => folder.remove())

interface SmallFile {
  readonly lines: readonly string[]
  readonly lineBreak: '\n' | '\r\n'
  readonly isTerminated: boolean
  readonly hasMark: boolean
  readonly isGzip: boolean
}

const line = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 30 }).map((id) => JSON.stringify({ id: `M${id}`, status: 'active' })) },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat({ max: 5 }), fc.option(fc.constantFrom(3, 4))).map(([index, total]) => {
      const meta = total === null ? { index } : { index, total }
      return JSON.stringify({ meta, result: { id: `M${index}`, status: 'new' } })
    }),
  },
  fc.constantFrom(
    '',
    ' \t',
    'garbage',
    '{"id":7',
    '{"meta":{"index":1,"total":4},"result":{"id":[]}}',
    '{"id":"\u00e9"}',
  ),
)
const smallFile: fc.Arbitrary<SmallFile> = fc.record({
  lines: fc.array(line, { maxLength: 6 }),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  isTerminated: fc.nat({ max: 3 }).map((number) => number > 0),
  hasMark: fc.nat({ max: 4 }).map((number) => number === 0),
  isGzip: fc.boolean(),
})

function toBytes({ lines, lineBreak, isTerminated, hasMark, isGzip }: SmallFile): Buffer {
  const end = isTerminated && lines.length > 0 ? lineBreak : ''
  const bytes = Buffer.from(`${hasMark ? '\ufeff' : ''}${lines.join(lineBreak)}${end}`)
  return isGzip ? gzipSync(bytes) : bytes
}

/** Files that look like what they are, or not. */
async function writeFiles(files: readonly (string | Buffer)[], extension: string | string[] = ''): Promise<string[]> {
  const toExtension = (at: number) => (typeof extension === 'string' ? extension : extension[at])
  const toName = (at: number) => `in/${String(at).padStart(4, '0')}.ndjson${toExtension(at)}`
  return Promise.all(files.map((bytes, at) => folder.write(toName(at), bytes)))
}

const lenient = { completeness: 'report', maxRemoved: '100%', rejects: { limit: 1_000_000 } } as const

/** The parts of a report that do not depend on how the files are cut into blocks. */
function summarize({ sources, ledger, drift, completeness }: Manifest) {
  return { sources, ledger, drift, completeness }
}

async function runAlone(files: readonly string[]) {
  const alone = []
  for (const file of files) {
    const report = await folder.run({ source: { files: file }, ...lenient })
    alone.push({ report, rows: await folder.readOut('products.csv'), rejects: await folder.readOut('_rejects.ndjson') })
  }
  return alone
}

describe('many small files', () => {
  test('many small files give the rows, rejects and verdicts that each gives alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(smallFile, { minLength: 1, maxLength: 8 }), async (all) => {
        const extensions = all.map(({ isGzip }) => (isGzip ? '.gz' : ''))
        const files = await writeFiles(all.map(toBytes), extensions)
        const alone = await runAlone(files)
        const report = await folder.run({ source: { files }, ...lenient })
        expect(report.sources).toEqual(alone.flatMap((each) => each.report.sources))
        expect(report.ledger.lines).toBe(alone.reduce((sum, each) => sum + each.report.ledger.lines, 0))
        expect(await folder.readOut('_rejects.ndjson')).toBe(alone.map(({ rejects }) => rejects).join(''))
        const rows = alone.map((each) => each.rows.slice('id,status\n'.length))
        expect(await folder.readOut('products.csv')).toBe(['id,status\n', ...rows].join(''))
      }),
      { numRuns: cases(30, 4) },
    )
  })

  test('many small files of one stream are judged like one file with their lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(smallFile, { minLength: 1, maxLength: 8 }), async (all) => {
        const whole = all.map((file) => ({ ...file, hasMark: false, isTerminated: true }))
        const files = await writeFiles(whole.map(toBytes))
        const together = await folder.write(
          'whole.ndjson',
          Buffer.concat(whole.map((file) => toBytes({ ...file, isGzip: false }))),
        )
        const { completeness, ledger, drift } = await folder.run({ source: { files: together }, ...lenient })
        const report = await folder.run({ source: { files, parts: true }, ...lenient })
        const { total, status } = completeness
        expect(report.completeness).toMatchObject({ total, status })
        expect(report).toMatchObject({ ledger, drift })
      }),
      { numRuns: cases(20, 4) },
    )
  })

  test('rejects of many small files have the file, line and byte offset that an editor shows', async () => {
    const files = await writeFiles([
      '\ufeff{"id":"A"}\nbad\n',
      gzipSync('\n{"id":"B"}\r\n\r\nbad\r\n{"id":"C"}'),
      '',
      gzipSync(''),
      'bad\n',
    ])
    await folder.run({ source: { files }, ...lenient })
    const rejects = (await folder.readOut('_rejects.ndjson')).trimEnd().split('\n')
    const places = rejects.map((text) => JSON.parse(text) as { source: string; line: number; byteOffset: number })
    expect(places.map(({ source, line: number, byteOffset }) => [basename(source), number, byteOffset])).toEqual([
      ['0000.ndjson', 2, 14],
      ['0001.ndjson', 4, 15],
      ['0004.ndjson', 1, 0],
    ])
  })

  test.each([0, 2])(
    'many small files mixed with large ones and documents give the same result with %i workers',
    async (workers) => {
      const large = Array.from(
        { length: 40_000 },
        (_, at) => `{"id":"L${at}","seoName":{"nl":"${'x'.repeat(20)}"}}\n`,
      ).join('')
      const files = await writeFiles([
        ...Array.from({ length: 300 }, (_, at) => small(at)),
        large,
        ...Array.from({ length: 300 }, (_, at) => gzipSync(small(300 + at))),
        '{"meta":{"total":2},"results":[{"id":"D1"},{"id":"D2"}]}',
        gzipSync(large.replaceAll('"L', '"G')),
        small(600),
      ])
      const report = await folder.run({ source: { files }, ...lenient }, { workers })
      expect(report.sources.map(({ lines }) => lines)).toEqual([
        ...Array<number>(300).fill(2),
        40_000,
        ...Array<number>(300).fill(2),
        2,
        40_000,
        2,
      ])
      expect(report.ledger).toMatchObject({ lines: 81_204, accepted: 80_603, rejected: 601 })
      const csv = await folder.readOut('products.csv')
      const rejects = await folder.readOut('_rejects.ndjson')
      expect(csv.split('\n').filter((text) => text.startsWith('S')).length).toBe(601)
      expect(JSON.parse(rejects.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ source: files.at(-1), line: 2 })
      expect(createHash('sha256').update(csv).digest('hex')).toBe(csvOf(large))
    },
  )

  test('a broken file among many small ones is named in the message, and earlier rejects are kept', async () => {
    const cut = gzipSync(good(2).repeat(20)).subarray(0, -9)
    const middle = (broken: string | Buffer) => [good(0), gzipSync(good(1)), broken, good(3)]
    const expected: [string | Buffer, string, RegExp][] = [
      [cut, 'SOURCE_FAILED', /0002\.ndjson\S*: expected whole gzip data, got an end in the middle/],
      [
        Buffer.concat([gzipSync(good(2)), Buffer.from('stray')]),
        'SOURCE_FAILED',
        /0002\.ndjson\S*: expected whole gzip/,
      ],
      ['{"id":"B"}\n{"error":{"status":500,"message":"no"}}\n', 'SOURCE_ERROR_LINE', /0002\.ndjson\S*, line 2: /],
      [Buffer.from('\ufeff{"id":"B"}\n', 'utf16le'), 'SOURCE_FAILED', /0002\.ndjson\S*: expected UTF-8, got UTF-16/],
    ]
    for (const [broken, code, message] of expected) {
      for (const [workers, extension] of [
        [0, ''],
        [2, ''],
        [0, '.gz'],
        [2, '.gz'],
      ] as const) {
        const files = await writeFiles(middle(broken), extension)
        const error = await folder.fail({ source: { files }, ...lenient }, { workers })
        expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string })
        const rejects = (await folder.readOut('_rejects.ndjson')).trimEnd().split('\n')
        expect(rejects.slice(0, 2).map((text) => basename((JSON.parse(text) as { source: string }).source))).toEqual([
          `0000.ndjson${extension}`,
          `0001.ndjson${extension}`,
        ])
      }
    }
  })

  test('many small gzip files give the same result for any names, members and padding', async () => {
    const contents = Array.from({ length: 60 }, (_, at) => {
      const ids = Array.from({ length: 1000 }, (_none, id) => `{"id":"A${at}-${id}","supplierReference":"${id % 7}"}\n`)
      return gzipSync(ids.join('') + (at === 40 ? '{"id":"Z"}' : ''))
    })
    // A file of two members tells the size of the second alone; one that is padded with zeros tells none.
    contents[20] = Buffer.concat([gzipSync('{"id":"B"}\n'), contents[20] as Buffer])
    contents[30] = Buffer.concat([contents[30] as Buffer, Buffer.alloc(512)])
    const read = await folder.run({ source: { files: await writeFiles(contents) }, ...lenient })
    const rows = await folder.readOut('products.csv')
    for (const workers of [0, 2]) {
      const named = await folder.run({ source: { files: await writeFiles(contents, '.gz') }, ...lenient }, { workers })
      expect(named).toMatchObject({ inputDigest: read.inputDigest, ledger: { lines: 60_002, accepted: 60_002 } })
      expect(await folder.readOut('products.csv')).toBe(rows)
    }
  })

  test('a stopped run over many small gzip files leaves no files', async () => {
    const files = await writeFiles(
      Array.from({ length: 200 }, (_, at) => gzipSync(`{"id":"A${at}"}\n`.repeat(2000))),
      '.gz',
    )
    const stop = new AbortController()
    const onSource = (name: string): void => {
      if (basename(name).startsWith('0070')) stop.abort()
    }
    const error = await folder.fail({ source: { files }, ...lenient }, { signal: stop.signal, onSource })
    expect(error).toMatchObject({ code: 'INTERRUPTED' })
    expect(Object.keys(await folder.snapshot())).toEqual([])
  })

  test('many small files keep one version of each record', async () => {
    const files = await writeFiles(
      Array.from({ length: 50 }, (_, at) => `{"id":"A","status":"s${at}"}\n{"id":"B${at}"}\n`),
    )
    const last = await folder.run({ source: { files }, duplicates: 'last', completeness: 'report' })
    expect(last.ledger).toMatchObject({ lines: 100, duplicate: 49, accepted: 51 })
    expect(await folder.readOut('products.csv')).toContain('\nB48,\nA,s49\nB49,\n')
    const first = await folder.run({ source: { files }, duplicates: 'reject', ...lenient })
    expect(first.ledger).toMatchObject({ lines: 100, rejected: 49, accepted: 51 })
    expect(JSON.parse((await folder.readOut('_rejects.ndjson')).split('\n')[41] ?? '')).toMatchObject({
      source: files[42],
      line: 1,
    })
  })

  test('a limit ends in the middle of one of many small files', async () => {
    const files = await writeFiles(Array.from({ length: 9 }, (_, at) => `{"id":"A${at}"}\n\n{"id":"B${at}"}\n`))
    const report = await folder.run({ source: { files } }, { limit: 10 })
    expect(report.ledger).toMatchObject({ lines: 10, blank: 3, accepted: 7 })
    expect(report.sources.map(({ name, lines, bytes }) => [basename(name), lines, bytes])).toEqual([
      ['0000.ndjson', 3, 25],
      ['0001.ndjson', 3, 25],
      ['0002.ndjson', 3, 25],
      ['0003.ndjson', 1, 12],
    ])
    expect((await folder.readOut('products.csv')).endsWith('\nA3,\n')).toBe(true)
  })

  test('run ids of small files differ exactly if the files do', async () => {
    const content = Array.from({ length: 20 }, (_, at) => `{"id":"A${at}"}\n`)
    const plain = await folder.run({ source: { files: await writeFiles(content) }, ...lenient })
    const again = await folder.run({ source: { files: await writeFiles(content) }, ...lenient }, { workers: 2 })
    const files = await writeFiles(content.toSpliced(7, 1, '{"id":"B7"}\n'))
    const other = await folder.run({ source: { files }, ...lenient })
    expect(again).toMatchObject({ runId: plain.runId, inputDigest: plain.inputDigest, ...summarize(plain) })
    expect(other.inputDigest).not.toBe(plain.inputDigest)
  })
})

/** A valid line and a rejected one. */
function good(at: number): string {
  return `{"id":"A${at}"}\nbad\n`
}

function small(at: number): string {
  return `{"id":"S${at}"}\nbad ${at}\n`
}

function smallIds(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => `S${from + at}`)
}

/** The hash of the rows of the files with large ones between, made without any of this code. */
function csvOf(large: string): string {
  const ids = [...large.matchAll(/"(L\d+)"/g)].map(([, id]) => id as string)
  const all = [
    ...smallIds(0, 300),
    ...ids,
    ...smallIds(300, 600),
    'D1',
    'D2',
    ...ids.map((id) => id.replace('L', 'G')),
    'S600',
  ]
  return createHash('sha256')
    .update(['id,status', ...all.map((id) => `${id},`), ''].join('\n'))
    .digest('hex')
}
