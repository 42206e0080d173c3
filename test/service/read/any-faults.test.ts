import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLine, type ParsedLine } from '../../../src/records/parse-line.ts'
import { readLines, scanLines } from '../../../src/service/read/scan-lines.ts'
import { cases } from '../../depth.ts'
import { answerLines, cutAfter, readSource, toLines } from './read-source.ts'
import { ServiceStub, type Answer } from './service-stub.ts'

const whole = toLines(40)

// A gap that comes back is read past, and what was missing comes last once it is there: the order is not part of it.
test('records of a stream are the same, each once, whatever faults the answers before the last have', async () => {
  const at = fc.nat(39)
  const fault = fc.oneof(
    at.map((line): Answer => cutAfter(whole.slice(0, line))),
    at.map((line): Answer => cutAfter([...whole.slice(0, line), '{"meta":{"total":40,"index":'])),
    at.map((line): Answer => answerLines(whole.slice(0, line))),
    at.map((line): Answer => answerLines(whole.toSpliced(line, 1))),
    at.map((line): Answer => answerLines(whole.toSpliced(line, 0, String(whole[line])))),
    at.map((line): Answer => answerLines(whole.toSpliced(line, 0, '{"error":{"code":"oops"}}\n'))),
    at.map((line): Answer => answerLines(whole.toSpliced(line, 0, '\n', ' \r\n'))),
    at.map((line): Answer => answerLines(whole.toSpliced(line, 1, String(whole[line]).replace(':40,', ':41,')))),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 3 }), async (faults) => {
      await using stub = await ServiceStub.start(...faults, answerLines(whole))
      const { text, reading, error } = await readSource(stub)
      expect(error).toBeUndefined()
      expect(idsOf(text)).toHaveLength(whole.length)
      expect(new Set(idsOf(text))).toEqual(new Set(idsOf(whole.join(''))))
      expect(reading.completeness().status).toBe('proven')
    }),
    { numRuns: cases(60) },
  )
})

test('scanning a line finds the same kind, index, total and id as parsing it', () => {
  const count = fc.oneof(fc.nat(), fc.nat().map(String), fc.constant(-1), fc.constant(1e20))
  const meta = fc.oneof(
    fc.record({ total: count, index: count }, { requiredKeys: [] }),
    fc.record({ index: count, total: count, more: count }, { requiredKeys: ['index'] }),
    fc.constant(null),
  )
  const record = fc.oneof(
    fc.record({ id: fc.oneof(fc.string({ unit: 'binary' }), fc.nat(), fc.double()), name: fc.string() }),
    fc.record({ name: fc.string(), id: fc.string() }),
    fc.jsonValue(),
  )
  const line = fc.oneof(
    fc.record({ meta, result: record }),
    fc.record({ result: record, meta }),
    fc.record({ meta, error: fc.jsonValue() }),
    record,
  )
  const space = fc.constantFrom(undefined, 1, 3)
  const cut = fc.oneof({ weight: 5, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat(80))
  fc.assert(
    fc.property(fc.array(fc.tuple(line, space, cut), { maxLength: 5 }), (lines) => {
      const texts = lines.map(([value, width, length]) =>
        JSON.stringify(value, null, width).replaceAll('\n', ' ').slice(0, length),
      )
      const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''))
      const scanned = scanLines(bytes, 1_000_000)
      expect(scanned).toHaveLength(texts.length)
      expect(scanned.at(-1)?.end ?? 0).toBe(bytes.length)
      for (const [at, text] of texts.entries()) {
        const raw = { bytes: Buffer.from(text), lineBytes: 0, byteOffset: 0, terminated: true, isUtf8: true }
        const parsed = parseLine(raw, { maxLineBytes: 1_000_000, exactNumbers: false })
        const { kind, index, total, id } = scanned[at] ?? {}
        // The envelope of a line that is broken after its id is enough.
        const isReadEnough = parsed.kind === 'invalid' && kind === 'record'
        expect(kind).toBe(isReadEnough ? 'record' : toScannedKind(parsed))
        const place =
          parsed.kind === 'record' || parsed.kind === 'invalid' ? [parsed.index, parsed.total] : [null, null]
        expect([index, total]).toEqual(place)
        expect(isReadEnough || id === findId(parsed)).toBe(true)
      }
    }),
    { numRuns: cases(200) },
  )
})

test('lines of a stream are the same in whatever chunks they come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'bb\n', '\n', 'ccc', '\r\n', 'dddd\n'), { maxLength: 20 }),
      async (pieces) => {
        const runs: string[] = []
        const chunks = async function* (): AsyncGenerator<Buffer> {
          for (const piece of pieces) yield Buffer.from(piece)
        }
        for await (const { bytes, lines } of readLines(chunks(), 1000)) {
          runs.push(bytes.toString())
          expect(lines).toEqual(scanLines(bytes, 1000))
        }
        expect(runs.join('')).toBe(pieces.join(''))
        for (const run of runs.slice(0, -1)) expect(run.endsWith('\n')).toBe(true)
      },
    ),
  )
})

function idsOf(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => (JSON.parse(line) as { result: { id: string } }).result.id)
}

function toScannedKind({ kind }: ParsedLine): string {
  return kind === 'invalid' ? 'unreadable' : kind
}

function findId(parsed: ParsedLine): string | null {
  if (parsed.kind !== 'record') return null
  const id = (parsed.delivered as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}
