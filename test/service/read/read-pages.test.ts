import { describe, expect, test } from 'vitest'
import { cases } from '../../depth.ts'
import { readSource } from './read-source.ts'
import { answerJson, answerText, ServiceStub, type Answer } from './service-stub.ts'

const query = { endpoint: 'v4/products/query' } as const
const updates = { endpoint: 'v4/updates/query', request: { filter: null, sorting: null } } as const

describe('pages of a query', () => {
  test('pages of a query are read to the end, the largest size first, as lines of a stream', async () => {
    await using stub = await ServiceStub.start(answerPages(toRecords(600)))
    const { text, ids, reading, error } = await readSource(stub, query)
    expect(error).toBeUndefined()
    expect(ids).toEqual(toRecords(600).map(({ id }) => id))
    expect(text.split('\n')[251]).toBe(
      '{"meta":{"total":600,"index":251},"result":{"id":"P251","price":9007199254740993}}',
    )
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 600 })
    expect(reading.document()).toBeNull()
    expect(stub.requests.map(({ body }) => body)).toEqual(
      [0, 1, 2].map((no) => ({ filter: {}, sorting: { id: 'ASC' }, page: { no, size: 250 } })),
    )
  })

  test('pages have the size that is asked for', async () => {
    await using stub = await ServiceStub.start(answerPages(toRecords(20)))
    const { ids } = await readSource(stub, { ...query, request: { page: { no: 0, size: 10 } } })
    expect(ids).toHaveLength(20)
    expect(stub.requests).toHaveLength(2)
  })

  test('pages may be smaller than asked for', async () => {
    await using stub = await ServiceStub.start(answerPages(toRecords(25), { size: 10 }))
    const { ids, reading } = await readSource(stub, query)
    expect(ids).toHaveLength(25)
    expect(reading.completeness().status).toBe('proven')
  })

  test('pages of nothing are one request', async () => {
    await using stub = await ServiceStub.start(answerPages([]), answerText(204, ''))
    for (let i = 0; i < 2; i++) {
      const { text, reading } = await readSource(stub, query)
      expect(text).toBe('')
      expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 0 })
    }
    expect(stub.requests).toHaveLength(2)
  })

  test('pages without a total end with the first that is not full', async () => {
    const records = toRecords(30)
    const answer: Answer = (response, request) => {
      const { no, size } = (request.body as { page: { no: number; size: number } }).page
      response.end(formatRecords(records.slice(no * size, (no + 1) * size)))
    }
    await using stub = await ServiceStub.start(answer)
    const { ids, reading } = await readSource(stub, { ...query, request: { page: { size: 10 } } })
    expect(ids).toHaveLength(30)
    expect(reading.completeness()).toMatchObject({ status: 'unprovable', reasons: ['nothing states a total'] })
    expect(stub.requests).toHaveLength(4)
  })

  test('pages without a total, and smaller than asked for, are read to the end', async () => {
    await using stub = await ServiceStub.start(answerBarePages(toRecords(230), { size: 100 }))
    const { ids, reading, error } = await readSource(stub, query)
    expect(error).toBeUndefined()
    expect(ids).toEqual(toRecords(230).map(({ id }) => id))
    expect(reading.completeness().status).toBe('unprovable')
    expect(stub.requests).toHaveLength(3)
  })

  test('pages without a total that are always the first one prove nothing', async () => {
    await using stub = await ServiceStub.start(answerText(200, formatRecords(toRecords(100))))
    const { ids, reading, error } = await readSource(stub, query)
    expect(error).toBeUndefined()
    expect(ids).toHaveLength(100)
    expect(reading.completeness().status).toBe('unprovable')
    expect(stub.requests).toHaveLength(2)
  })

  test('pages may state their total as text, and not where they begin', async () => {
    const records = toRecords(600)
    await using stub = await ServiceStub.start((response, request) => {
      const { no } = (request.body as { page: { no: number } }).page
      response.end(`{"meta":{"total":"600"},"results":${formatRecords(records.slice(no * 100, (no + 1) * 100))}}`)
    })
    const { ids, reading } = await readSource(stub, query)
    expect(ids).toHaveLength(600)
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 600 })
  })

  test('pages may hold any number of records', async () => {
    const total = cases(400_000, 150_000)
    const page = `{"meta":{"total":${total}},"results":[${Array.from({ length: total }, (_, at) => at).join(',')}]}`
    await using stub = await ServiceStub.start(answerText(200, page))
    const { text, error } = await readSource(stub, query)
    expect(error).toBeUndefined()
    expect(text.split('\n')).toHaveLength(total + 1)
  })

  test('pages from a later one on are incomplete, on purpose', async () => {
    await using stub = await ServiceStub.start(answerPages(toRecords(25)))
    const { ids, reading, error } = await readSource(stub, { ...query, request: { page: { no: 1, size: 10 } } })
    expect(error).toBeUndefined()
    expect(ids).toEqual(toRecords(25, 10).map(({ id }) => id))
    expect(reading.completeness()).toMatchObject({
      status: 'incomplete',
      reasons: ['only the records from page 1 on were asked for, on purpose'],
    })
  })

  test.each([
    ['v4/products/query', 'read v4/products/stream instead'],
    ['v3/products/search', 'read v3/products/export instead'],
    ['v4/media/query', 'read v4/media/stream instead'],
    ['v4/brands/query', 'narrow the filter'],
  ] as const)('pages of %s whose total is at the cap end at the first', async (endpoint, advice) => {
    await using stub = await ServiceStub.start(answerJson(200, { meta: { total: 10_000 }, results: [{ id: 1 }] }))
    const { error } = await readSource(stub, { endpoint, request: { page: { size: 250 } } })
    expect(error).toMatchObject({ code: 'SOURCE_CAPPED', exitCode: 4 })
    expect((error as Error).message).toContain(advice)
    expect(stub.requests).toHaveLength(1)
  })

  test('pages that are cut off are requested again, each on its own', async () => {
    const pages = answerPages(toRecords(600))
    await using stub = await ServiceStub.start(pages, cutPage, answerText(200, '<html>'), pages)
    const { ids, reading } = await readSource(stub, query)
    expect(ids).toEqual(toRecords(600).map(({ id }) => id))
    expect(reading.notes().repeats).toHaveLength(2)
    expect(reading.notes().skippedRecords).toBe(0)
    expect(stub.requests.map(({ body }) => (body as { page: { no: number } }).page.no)).toEqual([0, 1, 1, 1, 2])
  })

  test('pages that never come whole end the reading', async () => {
    await using stub = await ServiceStub.start(answerText(200, '{"meta":{"total":1},"results":[{"id":'))
    const { error } = await readSource(stub, query)
    expect(error).toMatchObject({ code: 'SERVICE_FAILED', exitCode: 4 })
    expect((error as Error).message).toContain('page 0: expected one whole JSON document, got: an end in the middle')
    expect(stub.requests).toHaveLength(4)
  })

  test.each([
    ['v4/products/query', '{"meta":{"total":1},"result":{"id":1}}', 'neither a list nor an object with a list'],
    ['v4/brands/query', '{"brands":[{"id":1}],"colors":[{"id":2}]}', 'two lists of results, "brands" and "colors"'],
    ['v3/apb-categories/all', '{"message":"moved"}', 'neither a list nor an object with a list'],
    ['v4/products/find', '{"meta":{"total":1}}', 'expected a record, alone or as "product", got something else'],
  ] as const)('a whole document of %s in another form is not requested again: %s', async (endpoint, body, message) => {
    await using stub = await ServiceStub.start(answerText(200, body))
    const { error } = await readSource(stub, { endpoint })
    expect(error).toMatchObject({ code: 'SOURCE_FAILED', exitCode: 4 })
    expect((error as Error).message).toContain(message)
    expect((error as Error).message).not.toContain('tries')
    expect(stub.requests).toHaveLength(1)
  })

  test('pages with an error in place of records end the reading', async () => {
    await using stub = await ServiceStub.start(
      answerJson(200, { error: { status: 500, code: 'oops', message: 'No.' } }),
    )
    const { error } = await readSource(stub, query)
    expect((error as Error).message).toContain('expected a record, got an error line: 500 oops No.')
  })

  test('pages between which the total changes are read again from the first', async () => {
    const before = toRecords(25)
    const after = [...before.slice(0, 3), { id: 'NEW', price: 1 }, ...before.slice(3)]
    const first = answerPages(before, { size: 10 })
    await using stub = await ServiceStub.start(first, answerPages(after, { size: 10 }))
    const { ids, reading, error } = await readSource(stub, { ...query, request: { page: { size: 10 } } })
    expect(error).toBeUndefined()
    expect(new Set(ids)).toEqual(new Set(after.map(({ id }) => id)))
    expect(ids).toHaveLength(26)
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 26 })
    const { repeats, changes, skippedRecords } = reading.notes()
    expect(repeats).toEqual(['v4/products/query, page 1: expected the same total on every page, got 26 after 25'])
    expect(changes).toEqual(['v4/products/query: the total changed from 25 to 26; records are identified by id'])
    expect(skippedRecords).toBe(10)
  })

  test('pages in which a record comes twice are read again from the first', async () => {
    const whole = answerPages(toRecords(25), { size: 10 })
    const shifted = answerPages([...toRecords(25).slice(0, 1), ...toRecords(25).slice(0, 24)], { size: 10 })
    await using stub = await ServiceStub.start(whole, shifted, whole)
    const { ids, reading } = await readSource(stub, { ...query, request: { page: { size: 10 } } })
    expect(ids).toEqual(toRecords(25).map(({ id }) => id))
    expect(reading.notes().repeats).toEqual([
      'v4/products/query: expected every record once, got "P9" again at index 10',
    ])
  })

  test('pages whose totals never agree end the reading', async () => {
    let total = 25
    await using stub = await ServiceStub.start((response, request) =>
      answerPages(toRecords(total++), { size: 10 })(response, request),
    )
    const { error } = await readSource(stub, query)
    expect(error).toMatchObject({ code: 'SOURCE_INCOMPLETE' })
  })
})

describe('a list in one document', () => {
  test('a list in one document is asked for without a page, and never held whole', async () => {
    await using stub = await ServiceStub.start(
      answerText(200, `{"results":${formatRecords(toRecords(5000))},"meta":{"total":5000}}`),
    )
    const { text, ids, reading } = await readSource(stub, updates)
    expect(ids).toHaveLength(5000)
    expect(text.split('\n')[7]).toBe('{"id":"P7","price":9007199254740993}')
    expect(reading.document()).toEqual({ total: 5000, offset: 0 })
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 5000 })
    expect(stub.requests.map(({ body }) => body)).toEqual([{}])
  })

  test('a list in one document may be a bare list, which proves nothing', async () => {
    await using stub = await ServiceStub.start(answerText(200, formatRecords(toRecords(3))))
    const { ids, reading } = await readSource(stub, {
      endpoint: 'v3/brands/all',
      request: { filter: null, sorting: null },
    })
    expect(ids).toEqual(['P0', 'P1', 'P2'])
    expect(reading.document()).toEqual({ total: null, offset: 0 })
    expect(reading.completeness().status).toBe('unprovable')
    expect(stub.requests[0]).toMatchObject({ method: 'GET', url: '/v3/brands/all' })
  })

  test('a list in one document may hold any records', async () => {
    await using stub = await ServiceStub.start(answerJson(200, ['name', 7, null]))
    const { text } = await readSource(stub, { endpoint: 'v4/products/get-fields', request: { filter: null } })
    expect(text).toBe('"name"\n7\nnull\n')
  })

  test('a list in one document that is cut off is requested again, and no record comes twice', async () => {
    const document = `{"meta":{"total":900},"results":${formatRecords(toRecords(900))}}`
    await using stub = await ServiceStub.start(
      (response) => {
        response.write(document.slice(0, 20_000))
        setTimeout(() => response.destroy(), 10)
      },
      answerText(200, document),
    )
    const { ids, reading } = await readSource(stub, updates)
    expect(ids).toEqual(toRecords(900).map(({ id }) => id))
    expect(reading.notes().skippedRecords).toBeGreaterThan(100)
    expect(reading.completeness().status).toBe('proven')
  })

  // 99 of 100, and as many as a page has of 101: what is missing is not what a page would bring.
  test.each([100, 101])('a list in one document that lacks one of its %i records is requested again', async (total) => {
    const records = toRecords(total)
    const pages = answerPages(records, { size: 100 })
    const document = answerDocument(total, records)
    const whole: Answer = (response, request) =>
      (Object.hasOwn(request.body as object, 'page') ? pages : document)(response, request)
    await using stub = await ServiceStub.start(answerDocument(total, records.toSpliced(7, 1)), whole)
    const { ids, reading, error } = await readSource(stub, updates)
    expect(error).toBeUndefined()
    expect(new Set(ids)).toEqual(new Set(records.map(({ id }) => id)))
    expect(ids).toHaveLength(total)
    expect(reading.completeness().status).toBe('proven')
    expect(reading.notes().repeats).toHaveLength(1)
  })

  test('a list in one document in which a record comes twice is requested again', async () => {
    const records = toRecords(30)
    await using stub = await ServiceStub.start(
      answerDocument(30, records.toSpliced(7, 0, records[3]!)),
      answerDocument(30, records.toSpliced(7, 1, records[3]!)),
      answerDocument(30, records),
    )
    const { ids, reading } = await readSource(stub, updates)
    expect(ids).toEqual(records.map(({ id }) => id))
    expect(reading.notes().repeats).toHaveLength(2)
  })

  test.each([updates, query])(
    'a list in one document keeps the beginning of a record that is too long: %j',
    async (asked) => {
      const records = [{ id: 'A' }, { name: 'x'.repeat(3000) }, { id: 'C' }]
      await using stub = await ServiceStub.start(answerJson(200, { meta: { total: 3 }, results: records }))
      const { text, reading, error } = await readSource(stub, { ...asked, source: { maxLineBytes: 1000 } })
      expect(error).toBeUndefined()
      const lengths = text.split('\n').map(({ length }) => length)
      expect(lengths.map((length) => length > 1000)).toEqual([false, true, false, false])
      expect(Math.max(...lengths)).toBeLessThan(1100)
      expect(reading.completeness().status).toBe('proven')
    },
  )

  test('a list in one document that turns out to be the first page is followed by the others', async () => {
    await using stub = await ServiceStub.start(answerPages(toRecords(230), { size: 100 }))
    const { ids, reading } = await readSource(stub, updates)
    expect(ids).toEqual(toRecords(230).map(({ id }) => id))
    expect(reading.document()).toEqual({ total: 230, offset: 0 })
    expect(reading.completeness().status).toBe('proven')
    expect(stub.requests.map(({ body }) => body)).toEqual([
      {},
      { page: { no: 1, size: 100 } },
      { page: { no: 2, size: 100 } },
    ])
  })

  test.each([100, 250])(
    'a list in one document that states no total and has as many records as a page, %i, may be the first',
    async (size) => {
      await using stub = await ServiceStub.start(answerBarePages(toRecords(560), { size }))
      const { ids, reading, error } = await readSource(stub, updates)
      expect(error).toBeUndefined()
      expect(ids).toEqual(toRecords(560).map(({ id }) => id))
      expect(reading.completeness().status).toBe('unprovable')
      expect(stub.requests[1]?.body).toEqual({ page: { no: 1, size } })
    },
  )

  test('a list in one document that states no total and is the answer to every page is everything there is', async () => {
    const document = `{"results":${formatRecords(toRecords(100))}}`
    await using stub = await ServiceStub.start(answerText(200, document))
    const { ids, reading, error } = await readSource(stub, updates)
    expect(error).toBeUndefined()
    expect(ids).toHaveLength(100)
    expect(reading.completeness().status).toBe('unprovable')
    expect(stub.requests).toHaveLength(2)
  })

  test('a list in one document that has fewer records than its total is requested again', async () => {
    const short = answerJson(200, { meta: { total: 3 }, results: [{ id: 1 }, { id: 2 }] })
    const whole = answerJson(200, { meta: { total: 3 }, results: [{ id: 1 }, { id: 2 }, { id: 3 }] })
    await using stub = await ServiceStub.start(short, whole)
    const { ids } = await readSource(stub, { endpoint: 'v3/brands/all', request: { filter: null, sorting: null } })
    expect(ids).toEqual(['1', '2', '3'])
    await using empty = await ServiceStub.start(answerJson(200, { meta: { total: 3 }, results: [] }))
    expect((await readSource(empty, updates)).error).toMatchObject({ code: 'SOURCE_INCOMPLETE' })
  })
})

describe('a record that is found by its id', () => {
  const find = { endpoint: 'v4/products/find', request: { filter: { id: 'M 1' }, sorting: null } } as const

  test.each([
    ['in the key that is known', '{"meta":{"x":1},"product":{"id":"M1","big":9007199254740993}}'],
    ['alone', '{"id":"M1","big":9007199254740993}'],
    ['in another key', '{"meta":{"x":1},"item":{"id":"M1","big":9007199254740993}}'],
  ])('a record that is found by its id is taken out, with every digit: %s', async (_, body) => {
    await using stub = await ServiceStub.start(answerText(200, body))
    const { text, reading } = await readSource(stub, find)
    expect(text).toBe('{"id":"M1","big":9007199254740993}\n')
    expect(reading.document()).toEqual({ total: 1, offset: 0 })
    expect(reading.completeness()).toEqual({ status: 'proven', reasons: [], total: 1 })
    expect(stub.requests[0]).toMatchObject({ method: 'GET', url: '/v4/products/find?id=M+1', body: undefined })
  })

  test.each([
    ['in the key that is known', '{"meta":{"x":1},"product": {"id":"M1",\r\n "cnk":"1","cnk":"2"}\n}'],
    ['alone', '\n{"id":"M1",\r\n "cnk":"1","cnk":"2"}\n'],
  ])(
    'a record that is found by its id is taken out with the keys that it repeats, which the run counts: %s',
    async (_, body) => {
      await using stub = await ServiceStub.start(answerText(200, body))
      const { text } = await readSource(stub, find)
      expect(text).toBe('{"id":"M1",   "cnk":"1","cnk":"2"}\n')
    },
  )

  test.each([
    ['twice there', '{"product":{"id":"M1"},"product":{"id":"M2"}}', 'got something else'],
    ['a list', '[1]', 'expected a record, alone or as "product", got something else'],
    ['two of them', '{"a":{},"b":{}}', 'got something else'],
    ['an error', '{"error":{"code":"gone"}}', 'got an error line: gone'],
    ['half of it', '{"product":{"id":', 'got something else'],
  ])('a record that is asked for by its id but is %s ends the reading', async (_, body, message) => {
    await using stub = await ServiceStub.start(answerText(200, body))
    const { error } = await readSource(stub, find)
    expect((error as Error).message).toContain(message)
  })

  test('a record that is asked for by its id but is not there ends the reading at once', async () => {
    await using stub = await ServiceStub.start(answerJson(404, { error: { code: 'not_found' } }))
    expect((await readSource(stub, find)).error).toMatchObject({ code: 'SERVICE_NOT_FOUND' })
    expect(stub.requests).toHaveLength(1)
  })
})

interface ListedRecord {
  readonly id: string
  readonly price: number
}

function toRecords(count: number, from = 0): ListedRecord[] {
  return Array.from({ length: count - from }, (_, at) => ({ id: `P${from + at}`, price: 0 }))
}

/** With a number that JSON.parse would round. */
function formatRecords(records: readonly ListedRecord[]): string {
  return JSON.stringify(records).replaceAll('"price":0', '"price":9007199254740993')
}

function answerDocument(total: number, records: readonly ListedRecord[]): Answer {
  return answerText(200, `{"meta":{"total":${total}},"results":${formatRecords(records)}}`)
}

const cutPage: Answer = (response) => {
  response.write('{"meta":{"total":600},"results":[{"id":"P250"},{"i')
  setTimeout(() => response.destroy(), 10)
}

/** Pages as they are asked for, or of another size; the first 100 where no page is asked for. */
function answerPages(records: readonly ListedRecord[], { size: ownSize }: { readonly size?: number } = {}): Answer {
  return (response, request) => {
    const { page } = request.body as { page?: { no: number; size: number } }
    const size = ownSize ?? page?.size ?? 100
    const no = page?.no ?? 0
    const meta = { total: records.length, page: { no, offset: no * size, size } }
    const results = formatRecords(records.slice(no * size, (no + 1) * size))
    response.end(`{"meta":${JSON.stringify(meta)},"results":${results}}`)
  }
}

/** Pages of a size of its own, as lists that state no total. */
function answerBarePages(records: readonly ListedRecord[], { size }: { readonly size: number }): Answer {
  return (response, request) => {
    const { no = 0 } = (request.body as { page?: { no: number } }).page ?? {}
    response.end(formatRecords(records.slice(no * size, (no + 1) * size)))
  }
}
