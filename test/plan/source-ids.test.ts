import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListedIdentifier } from '../../src/plan/source/source-ids-plan.ts'
import type { ServiceSourcePlan } from '../../src/plan/source/source-plan.ts'
import { cases } from '../depth.ts'
import { checkText, checkValue, like, locateProblems } from './check-text.ts'

interface Changes {
  readonly endpoint?: string
  readonly source?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

const cnk = { file: 'cnk.csv', column: 'cnk' }

/** A config that reads the list `content`, checked. */
function check(content: string | Uint8Array, sourceIds: object = cnk, { endpoint, source, ...more }: Changes = {}) {
  const config = { name: 'x', source: { endpoint: endpoint ?? 'v4/products/stream', ...source }, sourceIds, ...more }
  return checkValue(config, { readListBytes: () => Buffer.from(content) })
}

function plan(content: string | Uint8Array, sourceIds: object = cnk, changes: Changes = {}): ServiceSourcePlan {
  const checked = check(content, sourceIds, changes)
  expect(checked.problems).toEqual([])
  return checked.plan!.source as ServiceSourcePlan
}

function codes(content: string | Uint8Array, sourceIds: object = cnk, changes: Changes = {}): unknown[] {
  return plan(content, sourceIds, changes).sourceIds!.identifiers.map(({ code }) => code)
}

function hash(...args: Parameters<typeof check>): string | undefined {
  return check(...args).plan?.outputs.configHash
}

function complaints(content: string | Uint8Array, sourceIds: object = cnk, changes: Changes = {}): string[] {
  return check(content, sourceIds, changes).problems.map(({ path, message }) => `${path.join('.')} ${message}`)
}

describe('the identifiers of a CSV file', () => {
  const asText = { file: 'ids.csv', column: 'code', field: 'id' }
  const categories = { endpoint: 'v4/catalog-categories/query' }
  const cell = fc.string({ unit: fc.constantFrom('a', '7', '0', ',', ';', '\t', '"', "'", '\n', ' ', 'é', '#') })
  const code = fc.string({ unit: fc.constantFrom('a', 'B', '7', '0', ',', ';', '"', 'é', '-'), minLength: 1 })

  test('identifiers of a CSV file are read under any quoting, delimiter and line end', () => {
    const dialect = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t'),
      quoted: fc.boolean(),
      bom: fc.boolean(),
      record_delimiter: fc.constantFrom('\n', '\r\n', '\r'),
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, code, cell), { minLength: 1 }), dialect, (rows, options) => {
        // What begins or ends like something that a spreadsheet puts around codes is repaired, not kept.
        const kept = rows.filter(([, text]) => !/^=?".*"$/.test(text))
        fc.pre(kept.length > 0)
        const text = stringify([['before', 'code', 'after'], ...kept], options)
        expect(codes(text, asText, categories)).toEqual([...new Set(kept.map(([, written]) => written))])
      }),
      { numRuns: cases(100, 30) },
    )
  })

  test('identifiers get back exactly the leading zeros that they have lost', () => {
    const digits = fc.stringMatching(/^\d{7}$/)
    fc.assert(
      fc.property(fc.array(fc.tuple(digits, fc.boolean()), { minLength: 1 }), (rows) => {
        const written = rows.map(([whole, isMangled]) => (isMangled ? String(Number(whole)) : whole))
        const { sourceIds, filter } = plan(stringify([['cnk'], ...written.map((text) => [text])]))
        const asked = [...new Set(rows.map(([whole]) => whole))]
        expect(filter).toEqual({ cnk: asked })
        const { identifiers, rows: count, repeated, empty, repaired } = sourceIds!.summary
        expect(identifiers + repeated + empty).toBe(count)
        expect({ count, identifiers, empty }).toEqual({ count: rows.length, identifiers: asked.length, empty: 0 })
        expect(repaired).toBe(sourceIds!.identifiers.filter(({ code: sent, written: as }) => sent !== as).length)
      }),
      { numRuns: cases(100, 20) },
    )
  })

  test.each([
    ['spaces, also those of web pages', 'cnk\n  0012345 \n\u00A00012346\u200B\n'],
    ['an apostrophe', "cnk\n'0012345\n'12346\n"],
    ['a formula, quoted', 'cnk;x\n"=""0012345""";1\n"=""12346""";2\n'],
    ['a formula, not quoted', 'cnk;x\n="0012345";1\n="12346";2\n'],
    ['a delimiter that is declared', 'sep=|\r\nname|cnk\r\na|12345\r\nb|12346\r\n'],
    ['rows that are shorter or longer than the header, but empty there', 'a;cnk;b\n;12345\n;\n1\n;12346;;;;\n\n;;;\n'],
    ['line breaks of several kinds', 'cnk\r\n12345\n12346\r'],
    ['a header with spaces', 'name , cnk \na,12345\nb,12346\n'],
    ['the encoding of old spreadsheets', Buffer.from('libell\xe9;cnk\nth\xe9;12345\n;12346\n', 'latin1')],
    ['the code page of DOS', Buffer.from('libell\x82;cnk\nth\x82;12345\n;12346\n', 'latin1')],
    ['line breaks within names of the header', '"name\nof, product",cnk,"x;\r\ny"\n"a\n;",12345,\nb,12346,\n'],
    ['line breaks within other cells', 'cnk,text\n12345,"a\r\nb, ""c"""\n12346,x\n'],
  ])('identifiers are found in a file with %s', (_, content) => {
    expect(codes(content)).toEqual(['0012345', '0012346'])
  })

  test('identifiers carry the line of their first occurrence', () => {
    const text = 'text,cnk\r\n"a\r\n\r\nb",12345\r\n\r\nc,12346\r\nd,0012345\r\ne,\r\n'
    expect(plan(text).sourceIds).toEqual({
      summary: {
        file: 'cnk.csv',
        column: 'cnk',
        field: 'cnk',
        rows: 4,
        identifiers: 2,
        repaired: 2,
        repeated: 1,
        empty: 1,
        requests: 1,
      },
      identifiers: [
        { code: '0012345', line: 2, written: '12345' },
        { code: '0012346', line: 6, written: '12346' },
      ] satisfies ListedIdentifier[],
    })
  })

  test('identifiers are for the key named like the column, or for a configured one', () => {
    expect(plan('ean\n5412345678908\n', { file: 'f', column: 'ean' }).filter).toEqual({ ean: ['5412345678908'] })
    expect(plan('Code\n5412345678908\n', { file: 'f', column: 'Code', field: 'ean' }).filter).toEqual({
      ean: ['5412345678908'],
    })
  })

  test('identifiers are split at the delimiter of the config', () => {
    const text = 'a,b;c,d;cnk\n1,2;3;12345\n'
    expect(complaints(text)).toHaveLength(1)
    expect(codes(text, { ...cnk, delimiter: ';' })).toEqual(['0012345'])
  })
})

describe('the identifiers of a text file', () => {
  const text = { file: 'cnk.txt', field: 'cnk' }

  test('identifiers of a text file are its lines except blank ones and comments', () => {
    const content = '\uFEFF# of the shop\r\n0012345\r\n\r\n  \n #later\n 12346 \r"0012347"\n12345'
    expect(plan(content, text).sourceIds).toMatchObject({
      summary: { column: null, rows: 4, identifiers: 3, repaired: 2, repeated: 1, empty: 0 },
      identifiers: [
        { code: '0012345', line: 2, written: '0012345' },
        { code: '0012346', line: 6, written: ' 12346 ' },
        { code: '0012347', line: 7, written: '"0012347"' },
      ],
    })
  })

  test('identifiers of a text file are not split at commas', () => {
    const hint = '; of a CSV file, name the column with column:'
    const expected = 'a CNK code (7 digits, fewer are padded with zeros on the left) in every row'
    expect(complaints('cnk\n0012345\n', text)).toEqual([
      `sourceIds.file "cnk.txt": expected ${expected}, got "cnk" in line 1${hint}`,
    ])
    expect(complaints('0012345;x\n', text)).toEqual([
      `sourceIds.file "cnk.txt": expected ${expected}, got "0012345;x" in line 1${hint}`,
    ])
    expect(complaints('ID\nM1\n', { file: 'f', field: 'id' })).toEqual([like(/got "ID" in line 1; of a CSV file/)])
    expect(complaints('M1\nid\n', { file: 'f', field: 'id' })).toEqual([])
    expect(complaints('12345', { ...text, delimiter: ';' })).toEqual([
      'sourceIds.delimiter delimiter: expected only beside column, which says that it is CSV',
    ])
  })
})

describe('an identifier', () => {
  test.each([
    ['v4/products/stream', 'id', ['M34C3D3A5E', 'b2'], ['123', '1A', 'a b']],
    ['v3/products/export', 'id', ['M34C3D3A5E', 123], ['1A', '-1', '1.5']],
    ['v4/media/stream', 'id', [7, 12], ['x', '-7', '1e3', '12.0']],
    ['v4/media/stream', 'product', ['M1'], ['1']],
    ['v4/updates/query', 'product', ['M1'], ['1']],
    ['v4/products/stream', 'eanGtin13', ['0012345678905'], ['12345678901234', '5,41E+12']],
    ['v4/products/stream', 'ean', ['5412345678908', '1'], ['123456789012345', '1234567.5']],
    ['v4/brands/query', 'id', [12], ['x']],
    ['v4/catalog-categories/query', 'id', ['A-1', '001'], []],
  ])('an identifier for %s, %s, has the form that the filter takes', (endpoint, field, right, wrong) => {
    expect(codes(right.join('\n'), { file: 'f', field }, { endpoint })).toEqual(right)
    for (const text of wrong) {
      expect(complaints(text, { file: 'f', field }, { endpoint })).toEqual([like(/^sourceIds\.file "f": expected/)])
    }
  })

  test('an identifier has the configured length if its kind allows it', () => {
    const ean = { file: 'f', field: 'ean' }
    expect(codes('541234567890\n', { ...ean, length: 13 })).toEqual(['0541234567890'])
    expect(codes('541234567890\n', { ...ean, length: '13' })).toEqual(['0541234567890'])
    expect(complaints('12345678901234\n', { ...ean, length: 13 })).toEqual([
      'sourceIds.file "f": expected an EAN code (at most 14 digits), here of at most 13 characters in every row, got "12345678901234" in line 1',
    ])
    expect(codes('7\nB07\n', { file: 'f', field: 'id', length: 3 }, { endpoint: 'v4/colors/query' })).toEqual([
      '007',
      'B07',
    ])
    expect(complaints('1', { file: 'f', field: 'cnk', length: 8 })).toEqual([
      'sourceIds.length length: expected a number of digits that a CNK code (7 digits, fewer are padded with zeros on the left) may have, got 8',
    ])
    expect(complaints('M1', { file: 'f', field: 'id', length: 3 })).toEqual([
      like(/^sourceIds\.length length: expected a number of digits that a product id/),
    ])
  })
})

describe('the list in the request', () => {
  const list = 'cnk\n1\n2\n'
  const cnks = { cnk: ['0000001', '0000002'] }
  const active = { status: 'active' }

  test.each([
    ['nothing else', undefined, cnks],
    ['an empty filter', {}, cnks],
    ['one key', active, { and: [active, cnks] }],
    ['two keys', { ...active, brand: 7 }, { and: [active, { brand: 7 }, cnks] }],
    ['and', { and: [active, { or: [cnks] }] }, { and: [active, { or: [cnks] }, cnks] }],
    ['and beside a key', { and: [active], brand: 7 }, { and: [{ and: [active] }, { brand: 7 }, cnks] }],
    ['not', { not: { cnk: '3' } }, { and: [{ not: { cnk: '0000003' } }, cnks] }],
  ])('the list of identifiers is joined with %s', (_, filter, expected) => {
    for (const endpoint of ['v4/products/stream', 'v3/products/export'])
      expect(plan(list, cnk, { endpoint, source: { filter } }).filter).toEqual(expected)
  })

  test('the list of identifiers is counted in requests of at most 1000 codes', () => {
    const many = ['cnk', ...Array.from({ length: 2500 }, (_, at) => at)].join('\n')
    expect(plan(many).sourceIds?.summary.requests).toBe(3)
    const some = { or: [{ ean: Array.from({ length: 500 }, (_, at) => at) }] }
    expect(plan(many, cnk, { source: { filter: some } }).sourceIds?.summary.requests).toBe(5)
  })

  test('the list of identifiers must fit into a request with lists that cannot be split', () => {
    const many = ['cnk', ...Array.from({ length: 1001 }, (_, at) => at)].join('\n')
    const full = { not: { ean: Array.from({ length: 1000 }, (_, at) => at) } }
    expect(complaints('cnk\n1', cnk, { source: { filter: full } })).toEqual([
      'source.filter expected at most 999 codes in all under "or" and "not" beside other codes, got 1000',
    ])
    expect(complaints(many, cnk, { source: { partition: { by: 'createdAt', windows: 2 } } })).toEqual([
      'source.partition expected at most 1000 codes beside a partition, got more',
    ])
  })

  test('the identifiers are part of the config hash, the rest of their file is not', () => {
    const first = hash('cnk\n1\n2\n')
    expect(hash('name;CNK\na;0000001\n\nb;2\n', { file: 'other.csv', column: 'CNK', field: 'cnk' })).toBe(first)
    expect(hash('cnk\n1\n3\n')).not.toBe(first)
    expect(hash('cnk\n1\n')).not.toBe(first)
    expect(hash('ean\n1\n2\n', { file: 'f', column: 'ean' })).not.toBe(
      hash('ean\n1\n2\n', { file: 'f', column: 'gtin' }),
    )
  })
})

describe('a list that cannot be used', () => {
  const wanted = 'a CNK code (7 digits, fewer are padded with zeros on the left) in every row'

  test.each([
    ['has one column, and wrong identifiers', `cnk\n1,23E+6\n0012345\n`, `expected ${wanted}, got "1,23E+6" in line 2`],
    [
      'has wrong identifiers',
      `a;cnk\n;"1,23E+6"\n;12345678\n;1234567.5\n`,
      `expected ${wanted}, got "1,23E+6" in line 2, "12345678" in line 3, "1234567.5" in line 4`,
    ],
    ['has long ones', `a;cnk\n;${'9'.repeat(50)}`, `expected ${wanted}, got "${'9'.repeat(40)}…" in line 2`],
    [
      'has a shifted row',
      'name,cnk\nAspirin, 500,12345\n',
      'expected no row with more cells than the header (2), got 3 in line 2',
    ],
    ['has a header only', 'cnk\n\n', 'expected at least one identifier, got no row'],
    ['has empty rows only', 'a;cnk\n1;\n2; \n', 'expected at least one identifier, got empty rows only'],
    ['is empty', '', 'line 1: expected a header line, got nothing'],
    ['is no CSV', 'cnk;a\n12345;"x\n12346;y\n', 'line 2: expected a quote that closes one opened in this row'],
    ['is UTF-16', Buffer.from('\uFEFFcnk\n1', 'utf16le'), 'expected UTF-8 text, got UTF-16: save it as CSV UTF-8'],
    [
      'is UTF-16 without a mark',
      Buffer.from('cnk\n1', 'utf16le'),
      'expected text, got binary data or UTF-16: save it as CSV UTF-8',
    ],
    ['is a workbook that is cut', Buffer.from('PK\x03\x04'), 'expected a whole workbook, got one that is cut'],
    [
      'is a workbook of an old Excel, or has a password',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
      'expected an .xlsx workbook without a password, got an old .xls or one with a password: save it as .xlsx without one',
    ],
    ['is gzip', Buffer.from([0x1f, 0x8b, 8]), 'expected text, got gzip: unpack it first'],
  ])('a list cannot be used if it %s', (_, content, message) => {
    expect(complaints(content)).toEqual([`sourceIds.file "cnk.csv": ${message}`])
  })

  test('the problem of a list names ten of its wrong identifiers', () => {
    const [message] = complaints(`cnk\n${'x\n'.repeat(25)}`)
    expect(message?.match(/in line/g)).toHaveLength(10)
    expect(message).toMatch(/"x" in line 11, and 15 more$/)
  })
})

const readListBytes = () => Buffer.from('name;CNK;CNK2;EAN;EAN\nx;1;1;1;1\n')

describe('sourceIds', () => {
  const before = 'name: x\nsource: { endpoint: v4/products/stream }\n'

  test.each([
    [
      '{ file: a, column: cnk }',
      '3:31 column: expected a column of the header ("name", "CNK", "CNK2", "EAN", "EAN"), got "cnk"; did you mean "CNK"?',
    ],
    ['{ file: a, column: EAN, field: ean }', '3:31 column: expected "EAN" once in the header, got it 2 times'],
    [
      '{ file: a, column: CNK, field: cnkk }',
      '3:43 field: expected an identifier key of v4/products/stream (id, ean, gtin, eanGtin8, eanGtin12, eanGtin13, eanGtin14, cnk), got "cnkk"; did you mean "cnk"?',
    ],
    ['{ file: a, column: CNK, field: brand }', like(/^3:43 field: expected an identifier key .*, got "brand"$/)],
    [
      '{ file: a, column: CNK }',
      like(/^3:12 missing key "field", expected an identifier key .*, got nothing; did you mean "cnk"\?$/),
    ],
    [
      '{ file: a, colum: CNK, field: cnk }',
      '3:23 unknown key "colum", expected one of file, sheet, column, field, columns, keep, order, length, delimiter, badIdentifiers; did you mean "column"?',
    ],
    ['{ file: a, column: 0 }', '3:31 expected text, or a whole number from 1 to 10000, got number 0'],
    ['{ column: cnk }', '3:12 missing key "file", expected text, got nothing'],
    ['cnk.csv', '3:12 expected an object, got text "cnk.csv"'],
    [
      '{ file: a, column: CNK, field: cnk, length: 0 }',
      like(/^3:56 expected a whole number from 1 to 100, got number 0$/),
    ],
    [
      '{ file: a, column: CNK, field: cnk, delimiter: "||" }',
      '3:59 expected one character, no quote and no line break, got text "||"',
    ],
    [
      '{ file: "${NOT_SET}", column: CNK, field: cnk }',
      '3:20 environment variable NOT_SET: expected a value, got nothing (it is not set)',
    ],
  ])('%s', (text, expected) => {
    expect(checkText(`${before}sourceIds: ${text}`, { readListBytes })).toEqual([expected])
  })

  test.each([
    [
      '{ files: a.ndjson, contract: v4/photo }',
      'sourceIds: expected a contract whose records are asked for by identifiers, got v4/photo',
    ],
    [
      '{ files: a.ndjson, contract: v4/media }',
      'field: expected an identifier key of v4/media (id, product), got "cnk"',
    ],
    [
      '{ endpoint: v4/products/find, filter: { id: M1 } }',
      'sourceIds: expected an endpoint whose filter takes lists of identifiers, got v4/products/find',
    ],
    [
      '{ endpoint: v4/products/stream, filter: { cnk: "1" } }',
      'expected "cnk" either here or in source.filter, got both',
    ],
    [
      '{ endpoint: v4/products/stream, filter: { and: [{ and: [{ cnk: "1" }] }] } }',
      'expected "cnk" either here or in source.filter, got both',
    ],
  ])('sourceIds is a problem beside source: %s', (source, message) => {
    const text = `name: x\nsource: ${source}\nsourceIds: { file: a, column: CNK, field: cnk }`
    expect(locateProblems(text, { readListBytes })).toMatchObject([{ line: 3, message }])
  })

  test('sourceIds of a deprecated filter give a note', () => {
    const source = { baseUrl: 'https://api.example.com', keyId: 'some-key', keySecret: 'some-secret' }
    const { notes } = check('gtin\n1\n', { file: 'f', column: 'gtin' }, { source })
    expect(notes).toEqual([{ path: ['sourceIds', 'column'], message: '"gtin" is deprecated: use eanGtin14' }])
  })

  test('sourceIds are checked with everything else, against the endpoint that was meant', () => {
    const text = `name: my products!
source: { endpoint: v4/product/stream, filter: { statsu: active } }
sourceIds: { file: a, column: CNK, field: cnk, length: 9 }
locales: [xq]
tables: { p: { columns: [idd] } }
`
    expect(checkText(text, { readListBytes })).toEqual([
      like(/^1:7 expected letters/),
      like(/^2:21 unknown endpoint/),
      like(/^2:50 unknown filter key "statsu"/),
      like(/^3:56 length: expected a number of digits/),
      like(/^4:11 unknown locale/),
      like(/^5:26 unknown field "idd"/),
    ])
  })
})

function complaint(file: string): string[] {
  return checkText(`name: x\nsource: { endpoint: v4/products/stream }\nsourceIds: { file: ${file}, field: cnk }`)
}

describe('the file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ids-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('the file of identifiers is read from the disk', async () => {
    const file = join(folder, 'cnk.txt')
    await writeFile(file, '0012345\n')
    expect(complaint(file)).toEqual([])
  })

  test('the file of identifiers is not read if a variable in its path is not set', () => {
    expect(complaint('"${NOT_SET}/a.csv"')).toEqual([like(/^3:20 environment variable NOT_SET: expected a value/)])
  })

  test('the file of identifiers must exist, be a file, and not be too large', async () => {
    const large = join(folder, 'large.txt')
    await writeFile(large, '')
    await truncate(large, 65 * 2 ** 20)
    await mkdir(join(folder, 'sub'))
    const where = 'relative paths start at the working directory'
    expect(complaint('no/where.csv')).toEqual([`3:20 "no/where.csv": expected a file, got nothing there (${where})`])
    expect(complaint(large)).toEqual([like(/: expected a list of at most 64 MiB, got 65 MiB$/)])
    expect(complaint(join(folder, 'sub'))).toEqual([like(/: expected a file, got a folder, a pipe or a device$/)])
  })
})
