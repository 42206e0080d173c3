import { describe, expect, test } from 'vitest'
import { answerLines, cutAfter, readSource, toLine, toLines } from './read-source.ts'
import { answerJson, answerText, keySecret, ServiceStub, type Answer } from './service-stub.ts'

const whole = toLines(20)

describe('a stream of the service', () => {
  test('a stream of the service is handed on as it comes', async () => {
    await using stub = await ServiceStub.start(answerLines(whole))
    const { text, reading, error } = await readSource(stub)
    expect(error).toBeUndefined()
    expect(text).toBe(whole.join(''))
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 20 })
    expect(reading.document()).toBeNull()
    expect(reading.notes()).toMatchObject({ repeats: [], changes: [], skippedRecords: 0, missing: [] })
    expect(reading.notes().firstAnswerAt).toBeInstanceOf(Date)
    expect(stub.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v4/products/stream',
      body: { filter: {}, sorting: { id: 'ASC' } },
    })
  })

  test('a stream without records is status 204', async () => {
    await using stub = await ServiceStub.start(answerText(204, ''))
    const { text, blocks, reading, error } = await readSource(stub)
    expect(error).toBeUndefined()
    expect([text, blocks]).toEqual(['', 0])
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 0 })
  })

  test('a stream that comes byte by byte, with white space and without a last line break, is the same', async () => {
    const lines = [
      '{ "meta" : { "index" : 0 , "total" : 4 } , "result" : { "id" : "A" } }\r\n',
      '\n',
      '{"result":{"name":"x","id":"B"},"meta":{"total":4,"index":1}}\n',
      '{"meta":{"total":4,"index":2,"more":1},"result":{"id":17}}\n',
      '{"meta":{"total":4,"index":3},"result":{"id":"é\\u00e9"}}',
    ]
    await using stub = await ServiceStub.start(async (response) => {
      for (const byte of Buffer.from(lines.join(''))) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    const { text, reading } = await readSource(stub)
    expect(text).toBe(`${lines.join('')}\n`)
    expect(reading.completeness().status).toBe('proven')
  })

  test('a stream of bare records is unprovable, and is handed on all the same', async () => {
    await using stub = await ServiceStub.start(answerLines(['{"id":"A"}\n', '{"id":"B"}\n']))
    const { ids, reading } = await readSource(stub)
    expect(ids).toEqual(['A', 'B'])
    expect(reading.completeness().status).toBe('unprovable')
  })

  test('a stream keeps lines that are broken or too long, for the engine to reject', async () => {
    const lines = [whole[0], '{"meta":{"total":20,"index":1},"result":{"id":\n', `{"x":"${'y'.repeat(500_000)}"}\n`]
    await using stub = await ServiceStub.start(answerLines([...lines.map(String), ...whole.slice(3)]))
    const { text, ids, reading, error } = await readSource(stub, { source: { maxLineBytes: 1000 } })
    expect(error).toBeUndefined()
    expect(ids).toHaveLength(20)
    expect(text).toContain('"index":1},"result":{"id":\n')
    // One byte over the limit, and no more of it.
    expect(text.split('\n')[2]).toHaveLength(1001)
    expect(reading.completeness().status).toBe('proven')
  })
})

describe('an answer that is not whole', () => {
  test.each([
    ['cut between lines', cutAfter(whole.slice(0, 7))],
    ['cut inside of a line', cutAfter([whole.slice(0, 7).join(''), '{"meta":{"tot'])],
    ['ended inside of a line', answerLines([whole.slice(0, 7).join(''), '{"meta":{"tot'])],
    ['ended inside of a record', answerLines([whole.slice(0, 7).join(''), String(whole[7]).slice(0, -9)])],
    ['ended early', answerLines(whole.slice(0, 7))],
    ['with an error line', answerLines([...whole.slice(0, 7), '{"error":{"status":500,"code":"oops"}}\n', 'more\n'])],
    ['with a gap', answerLines([...whole.slice(0, 7), ...whole.slice(8)])],
    ['with a gap at the beginning', answerLines(whole.slice(1))],
    ['with an index twice', answerLines([...whole.slice(0, 7), ...whole.slice(6)])],
    ['with another total later', answerLines(whole.map((line, at) => (at > 10 ? line.replace(':20,', ':15,') : line)))],
    ['with nothing', answerText(200, '')],
    ['with HTML', answerText(200, '<!DOCTYPE html>\n<html>')],
    ['with HTML on one line', answerText(200, '<!DOCTYPE html><html>login</html>')],
    ['with plain text', answerText(200, '\nService temporarily unavailable\n')],
    ['with a document', answerJson(200, { meta: { total: 20 }, results: [{ id: 'P0' }] })],
    ['with a document on several lines', answerText(200, '{\n  "meta": {\n "total": 20 },\n "results": []\n}\n')],
    ['with an empty object', answerText(200, '{}\n')],
    ['with what is no object', answerText(200, '[1]\n')],
  ])('an answer that is not whole is requested again, and no record comes twice: %s', async (_, first) => {
    await using stub = await ServiceStub.start(first, answerLines(whole))
    const { text, reading, error } = await readSource(stub)
    expect(error).toBeUndefined()
    expect(text).toBe(whole.join(''))
    expect(reading.completeness().status).toBe('proven')
    expect(reading.notes().repeats).toHaveLength(1)
    expect(stub.requests).toHaveLength(2)
  })

  test('an answer that is not whole is requested again with its beginning in the message, redacted', async () => {
    await using stub = await ServiceStub.start(
      answerProse('Sorry,'),
      answerProse('<html>'),
      answerText(200, '<html>one'),
    )
    const { error, text } = await readSource(stub, { client: { retries: 2 } })
    expect(text).toBe('')
    expect(error).toMatchObject({
      code: 'SOURCE_FAILED',
      message:
        'v4/products/stream: expected lines of JSON with records, got text that begins with "<html>one" (3 tries)',
    })
    await using other = await ServiceStub.start(answerProse('Sorry,'))
    const { error: otherError } = await readSource(other, { client: { retries: 0 } })
    expect((otherError as Error).message).toContain('begins with "Sorry, ***"')
  })

  test('an answer is not requested again if its first record alone is damaged or too long', async () => {
    const damaged = '{"meta":{"total":20,"index":0},"result":{"id":"P0","na\n'
    for (const first of [damaged, `{"x":"${'y'.repeat(2000)}"}\n`]) {
      await using stub = await ServiceStub.start(answerLines([first, ...whole.slice(1)]))
      const { error, text } = await readSource(stub, { source: { maxLineBytes: 1000 } })
      expect(error).toBeUndefined()
      expect(text.split('\n')).toHaveLength(21)
      expect(stub.requests).toHaveLength(1)
    }
  })

  test('an answer is not requested again if records have neither index nor id, so that they would come twice', async () => {
    const unknown = Array.from({ length: 20 }, (_, at) => `{"result":{"name":"${at}"}}\n`)
    await using stub = await ServiceStub.start(cutAfter(unknown.slice(0, 7)), answerLines(unknown))
    const { error } = await readSource(stub)
    expect(error).toMatchObject({ code: 'SOURCE_FAILED' })
    expect((error as Error).message).toContain('the request is not repeated, as there are records without index and id')
    expect(stub.requests).toHaveLength(1)
  })

  test('an answer is not requested again if the result has changed and records have no id', async () => {
    await using stub = await ServiceStub.start(
      cutAfter(toLinesWithoutId(20).slice(0, 7)),
      answerLines(toLinesWithoutId(19)),
    )
    const { error } = await readSource(stub)
    expect(error).toMatchObject({ code: 'SOURCE_INCOMPLETE' })
    expect(stub.requests).toHaveLength(2)
    await using same = await ServiceStub.start(
      cutAfter(toLinesWithoutId(20).slice(0, 7)),
      answerLines(toLinesWithoutId(20)),
    )
    expect((await readSource(same)).text).toBe(toLinesWithoutId(20).join(''))
  })

  test('an answer that stalls is requested again', async () => {
    await using stub = await ServiceStub.start(
      (response) => void response.write(whole.slice(0, 7).join('')),
      answerLines(whole),
    )
    const { text, reading } = await readSource(stub, { client: { limits: { idleTimeoutMs: 200 } } })
    expect(text).toBe(whole.join(''))
    expect(reading.notes().repeats[0]).toContain('nothing came for 0.2 s')
  })

  test('an answer that is cut again and again, a little later every time, is requested again', async () => {
    await using stub = await ServiceStub.start(
      cutAfter(whole.slice(0, 3)),
      cutAfter(whole.slice(0, 2)),
      cutAfter(whole.slice(0, 11)),
      answerLines(whole),
    )
    const { text, reading } = await readSource(stub)
    expect(text).toBe(whole.join(''))
    expect(reading.notes()).toMatchObject({ skippedRecords: 2 + 3 + 11, repeats: { length: 3 } })
  })

  test('an answer with a broken line before the cut is requested again', async () => {
    const broken = [...whole.slice(0, 5), 'no JSON\n', ...whole.slice(6)]
    await using stub = await ServiceStub.start(cutAfter(broken.slice(0, 9)), answerLines(broken))
    const { text, reading } = await readSource(stub)
    expect(text).toBe(broken.join(''))
    expect(reading.completeness().status).toBe('proven')
  })

  test('an answer with a line that is broken the first time only is requested again: its record comes, too', async () => {
    const broken = [...whole.slice(0, 5), 'no JSON\n', ...whole.slice(6)]
    await using stub = await ServiceStub.start(cutAfter(broken.slice(0, 9)), answerLines(whole))
    const { ids } = await readSource(stub)
    expect(ids.filter((id) => id === null)).toHaveLength(1)
    expect(new Set(ids).size).toBe(21)
  })

  test('an answer of bare records that is cut is requested again: they are identified by id', async () => {
    const bare = ['A', 'B', 'C', 'D'].map((id) => `{"id":"${id}"}\n`)
    await using stub = await ServiceStub.start(cutAfter(bare.slice(0, 2)), answerLines(bare))
    expect((await readSource(stub)).ids).toEqual(['A', 'B', 'C', 'D'])
  })
})

describe('a result that changes between two tries', () => {
  test('a result whose total changes between two tries is identified by id, and reported', async () => {
    const changed = ['P0', 'P2', 'P3', 'NEW', 'P4', 'P5'].map((id, index) => toLine(id, index, 6))
    await using stub = await ServiceStub.start(cutAfter(toLines(5).slice(0, 3)), answerLines(changed))
    const { ids, reading, error } = await readSource(stub)
    expect(error).toBeUndefined()
    expect(ids).toEqual(['P0', 'P1', 'P2', 'P3', 'NEW', 'P4', 'P5'])
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 6 })
    expect(reading.notes().changes).toEqual([
      'v4/products/stream: the total changed from 5 to 6; records are identified by id',
      'v4/products/stream: 1 record of an earlier answer did not come again; they are kept',
    ])
  })

  test('a result whose order alone changes between two tries is identified by id, too', async () => {
    const changed = ['P0', 'P2', 'P1', 'P3', 'P4'].map((id, index) => toLine(id, index, 5))
    await using stub = await ServiceStub.start(cutAfter(toLines(5).slice(0, 2)), answerLines(changed))
    const { ids, reading } = await readSource(stub)
    expect(ids).toEqual(['P0', 'P1', 'P2', 'P3', 'P4'])
    expect(reading.notes().changes).toEqual([
      'v4/products/stream: there is another record at index 1 now; records are identified by id',
    ])
  })
})

describe('a total that is wrong', () => {
  test.each([
    ['too low', 5, /expected an index below the total of 5, got 5/],
    ['too high', 21, /1 record is missing, index 20/],
  ])('a total that is wrong, %s, is not believed, and all records come', async (_, total, reason) => {
    const wrong = whole.map((line) => line.replace(':20,', `:${total},`))
    await using stub = await ServiceStub.start(answerLines(wrong), answerLines(whole))
    const { ids, reading, error } = await readSource(stub)
    expect(error).toBeUndefined()
    expect(ids).toEqual(whole.map((_line, at) => `P${at}`))
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 20 })
    expect(reading.notes().repeats[0]).toMatch(reason)
  })

  test('a total that is wrong as it is the cap, above which the service does not count, is not believed', async () => {
    const lines = whole.map((line, at) => line.replace(`:20,"index":${at}`, `:10000,"index":${at + 9990}`))
    const first = Array.from({ length: 9990 }, (_, at) => toLine(`Q${at}`, at, 10_000))
    await using stub = await ServiceStub.start(answerLines([...first, ...lines]))
    const { ids, reading } = await readSource(stub)
    expect(ids).toHaveLength(10_010)
    expect(reading.completeness().status).toBe('unprovable')
    expect(stub.requests).toHaveLength(1)
  })
})

describe('lines that come out of order', () => {
  test('lines that come out of order are a gap once, then the order in which the service delivers', async () => {
    const lines = [0, 2, 1, 4, 3, 5].map((index) => toLine(`P${index}`, index, 6))
    await using stub = await ServiceStub.start(answerLines(lines))
    const { ids, reading } = await readSource(stub)
    expect(ids).toEqual(['P0', 'P2', 'P1', 'P4', 'P3', 'P5'])
    expect(reading.completeness().status).toBe('proven')
    expect(stub.requests).toHaveLength(3)
  })
})

describe('the last try of a stream', () => {
  test.each([
    ['a cut', cutAfter(whole.slice(0, 7)), 'SOURCE_FAILED', /expected the answer to its end.*\(4 tries\)/],
    [
      'a gap',
      answerLines(whole.filter((_, at) => at !== 7)),
      'SOURCE_INCOMPLETE',
      /1 record is missing, index 7 \(4 t/,
    ],
    ['a short count', answerLines(whole.slice(0, 18)), 'SOURCE_INCOMPLETE', /2 records are missing, index 18 to 19/],
    [
      'an error line',
      answerLines([...whole.slice(0, 7), `{"error":{"status":500,"code":"oops","message":"Not ${keySecret}."}}\n`]),
      'SOURCE_ERROR_LINE',
      /^v4\/products\/stream: expected a record, got an error line: 500 oops Not \*\*\*\. \(4 tries\)$/,
    ],
    [
      'nothing',
      answerText(200, ''),
      'SOURCE_INCOMPLETE',
      /expected lines, or status 204 for none, got status 200 with/,
    ],
  ])('the last try of a stream ends the reading after %s', async (_, answer, code, message) => {
    await using stub = await ServiceStub.start(answer)
    const { error } = await readSource(stub)
    expect(error).toMatchObject({ code, exitCode: 4, message: expect.stringMatching(message) as string })
    expect(stub.requests).toHaveLength(4)
  })

  test('after the last try, the incomplete result is delivered on purpose, with the reason', async () => {
    await using stub = await ServiceStub.start(answerLines(whole.slice(0, 18)))
    const { ids, reading, error } = await readSource(stub, { source: { incomplete: 'deliver' } })
    expect(error).toBeUndefined()
    expect(ids).toHaveLength(18)
    expect(reading.completeness()).toMatchObject({ status: 'incomplete', total: 20 })
    await using cut = await ServiceStub.start(cutAfter(whole.slice(0, 7)))
    const gathered = await readSource(cut, { source: { incomplete: 'deliver' } })
    expect(gathered.ids).toHaveLength(7)
    expect(gathered.reading.completeness().reasons[0]).toContain('the connection was cut')
  })

  test('a refusal ends the reading of a stream at once', async () => {
    await using stub = await ServiceStub.start(cutAfter(whole.slice(0, 7)), answerJson(401, {}))
    const { error } = await readSource(stub)
    expect(error).toMatchObject({ code: 'SERVICE_UNAUTHORIZED' })
    expect(stub.requests).toHaveLength(2)
  })
})

test('blocks of a stream have the same bytes after an answer that was cut', async () => {
  const lines = toLines(30_000)
  await using smooth = await ServiceStub.start(answerLines(lines))
  await using rough = await ServiceStub.start(cutAfter(lines.slice(0, 12_345)), answerLines(lines))
  const { blocks } = await readSource(smooth)
  expect(blocks).toBeGreaterThan(1)
  expect((await readSource(rough)).blocks).toBe(blocks)
})

test('a reading of a stream that is stopped ends, and closes its connection', async () => {
  let closed = false
  await using stub = await ServiceStub.start((response) => {
    response.on('close', () => (closed = true))
    response.write(whole.slice(0, 7).join(''))
  })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 50)
  const { error } = await readSource(stub, { signal: stop.signal })
  expect(error).toMatchObject({ code: 'INTERRUPTED' })
  await expect.poll(() => closed).toBe(true)
})

function answerProse(beginning: string): Answer {
  return answerText(200, `${beginning} ${keySecret} \nmore\n`)
}

function toLinesWithoutId(total: number): string[] {
  return Array.from({ length: total }, (_, index) => `{"meta":{"total":${total},"index":${index}},"result":{}}\n`)
}
