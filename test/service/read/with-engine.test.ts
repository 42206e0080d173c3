import { describe, expect, test } from 'vitest'
import { LineReader } from '../../../src/engine/reading/read-lines.ts'
import { addIndex, type BlockOutcome, type IndexRun } from '../../../src/records/block-outcome.ts'
import { linesOf } from '../../../src/records/raw-line.ts'
import { parseLine } from '../../../src/records/parse-line.ts'
import { createRequestBudget } from '../../../src/service/http/request-budget.ts'
import { createServiceSources } from '../../../src/service/read/create-service-sources.ts'
import type { EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { FakeClock } from '../http/fake-clock.ts'
import { answerLines, cutAfter, toLines } from './read-source.ts'
import { answerJson, answerText, keyId, keySecret, ServiceStub, type Answer } from './service-stub.ts'

const records = [{ id: 'A' }, { id: 'B' }, { id: 'C' }]
const document = answerJson(200, { meta: { total: 3 }, results: records })

describe('the verdict of the engine over the lines alone', () => {
  test.each([
    ['v4/products/stream', answerLines(toLines(3)), 'proven', 3],
    ['v4/products/query', document, 'proven', 3],
    ['v4/updates/query', document, 'proven', 3],
    ['v3/brands/all', answerJson(200, records), 'unprovable', null],
    ['v4/products/find', answerJson(200, { product: records[0] }), 'proven', 1],
  ] as const)(
    'the verdict of the engine over the lines alone is that of the source for %s',
    async (endpoint, answer, status, total) => {
      expect(await read(endpoint, answer)).toMatchObject({
        lines: total ?? 3,
        engine: { status, total },
        source: { status, total },
      })
    },
  )

  test('the verdict of the engine over the lines alone is that of the source after an answer that was cut', async () => {
    const verdicts = await read('v4/products/stream', cutAfter(toLines(3).slice(0, 2)), answerLines(toLines(3)))
    expect(verdicts).toMatchObject({ lines: 3, engine: { status: 'proven' }, source: { status: 'proven' } })
  })

  test('the verdict of the engine over the lines alone is that of the source for an empty result, which has no line', async () => {
    const verdicts = await read('v4/products/stream', answerText(204, ''))
    expect(verdicts).toMatchObject({
      lines: 0,
      engine: { status: 'proven' },
      source: { status: 'proven' },
    })
  })
})

async function read(endpoint: EndpointName, ...answers: Answer[]) {
  await using stub = await ServiceStub.start(...answers)
  const clock = new FakeClock()
  const service = createServiceSources(
    { endpoint, filter: endpoint === 'v4/products/find' ? { id: 'A' } : {}, sorting: { id: 'ASC' }, page: null },
    { baseUrl: stub.url, keyId, keySecret },
    { budget: createRequestBudget({ clock }), clock, maxLineBytes: 1_000_000, incomplete: 'fail' },
  )
  const readings = service.sources.map((source) => source.read(new AbortController().signal))
  const opened = service.sources.map((source, at) => ({ ...source, read: () => readings[at]! }))
  const reader = new LineReader(opened, {
    process: (block) => toOutcome([...linesOf(block)].map((line) => parseLine(line, parseOptions))),
    mostLines: 1000,
    parts: false,
    limit: null,
    signal: new AbortController().signal,
  })
  let lines = 0
  for await (const { outcome } of reader.blocks()) lines += outcome.counts.lines
  await service.close()
  return { lines, engine: reader.end().completeness, source: readings[0]?.completeness() }
}

const parseOptions = { maxLineBytes: 1_000_000, exactNumbers: false }

/** As much of an outcome as completeness is made of. */
function toOutcome(parsed: readonly ReturnType<typeof parseLine>[]): BlockOutcome {
  const placed = parsed.filter((line) => line.kind === 'record')
  const counts = { lines: parsed.length, blank: 0, rejected: 0, filtered: 0, duplicate: 0, accepted: parsed.length }
  const indexes: IndexRun[] = []
  for (const { index, total } of placed) addIndex(indexes, index, total)
  return { counts, indexes, isCut: false, streamError: null } as unknown as BlockOutcome
}
