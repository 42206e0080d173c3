import { describe, expect, test } from 'vitest'
import { checkText, checkValue, like } from './check-text.ts'

const source = 'source: { files: data.ndjson, contract: v4/product }'
const files = (rest: string): string => `name: x\n${source}\n${rest}`
const endpoint = (rest: string): string => `name: x\nsource:\n  endpoint: v4/products/query\n${rest}`

describe('a config without a problem', () => {
  test.each([
    ['the smallest', files('')],
    ['with an endpoint', endpoint('')],
    ['with everything', files('locales: [nl]\nwhere: { status: [active] }\ntables: { p: { columns: [id] } }')],
    ['in JSON', '{"name": "x", "source": {"files": ["a.ndjson"], "contract": "v4/brand"}}'],
    ['with numbers as text', files('rejects: { limit: "10" }\noutputs: [{ format: parquet, rowGroupRows: "1000" }]')],
    ['with limits at their ends', files('rejects: { limit: 0 }')],
    ['with a share of everything', files('rejects: { limit: 100% }')],
    ['with a market locale', files('locales: [en_AU, nl]')],
    ['with a column of another type', files('tables: { p: { columns: [{ from: name.nl, as: boolean }] } }')],
    ['with conditions in a child table', files('tables: { p: { each: "photos[]", where: { photoType: packshot } } }')],
  ])('%s', (_, text) => {
    expect(checkText(text)).toEqual([])
  })

  test('a config gives the same plan in any order of its keys', () => {
    const one = { name: 'x', source: { files: 'a', contract: 'v4/brand' }, locales: ['nl'] }
    const other = { locales: ['nl'], source: { contract: 'v4/brand', files: 'a' }, name: 'x' }
    expect(checkValue(one).plan).toEqual(checkValue(other).plan)
  })

  test('the config hash does not depend on paths, addresses or credentials', () => {
    const base = { name: 'x', source: { endpoint: 'v4/brands/query', baseUrl: 'https://a.example.com' } }
    const moved = { name: 'x', source: { endpoint: 'v4/brands/query', baseUrl: 'https://b.example.com', keyId: 'k' } }
    const hashes = [base, moved, { ...base, manifest: { path: 'm.json' } }, { ...base, locales: ['nl'] }].map(
      (config) => checkValue(config).plan?.outputs.configHash,
    )
    expect(hashes[1]).toBe(hashes[0])
    expect(hashes[2]).toBe(hashes[0])
    expect(hashes[3]).not.toBe(hashes[0])
  })
})

describe('source', () => {
  test.each([
    ['source: { contract: v4/brand }', '1:9 source: expected either files or an endpoint, got neither'],
    ['source: { files: a, endpoint: v4/brands/query }', '1:9 source: expected either files or an endpoint, got both'],
    [
      'source: { files: a }',
      '1:9 missing key "contract", expected one for files, such as contract: v4/product, got nothing',
    ],
    ['source: { files: a, contract: v4/brnd }', /^1:31 unknown contract "v4\/brnd", .*; did you mean "v4\/brand"\?$/],
    ['source: { files: a, contract: 4 }', '1:31 expected text, got number 4'],
    ['source: { files: ["-", "-"], contract: v4/brand }', '1:18 files: expected - (standard input) once, got it twice'],
    ['source: { files: [], contract: v4/brand }', '1:18 expected at least 1 entry, got an empty list'],
    ['source: { files: { a: 1 }, contract: v4/brand }', '1:18 expected text, or a list, got an object'],
    [
      'source: { files: a, contract: v4/brand, filter: { id: 1 } }',
      '1:41 source: expected filter only in a source with an endpoint, got it beside files',
    ],
    [
      'source: { endpoint: v4/brands/query, parts: true }',
      '1:38 source: expected parts only in a source with files, got it beside an endpoint',
    ],
    [
      'source: { endpoint: v4/brands/query, contract: v4/color }',
      '1:48 contract: expected v4/brand, which v4/brands/query returns, got "v4/color"',
    ],
    [
      'source: { endpoint: nowhere }',
      '1:21 unknown endpoint, expected one that "catalogue-etl endpoints" lists, got text "nowhere"',
    ],
    [
      'source: { endpoint: v4/brands/query, baseUrl: "ftp://example.com" }',
      '1:47 baseUrl: expected an address such as https://api.example.com, got "ftp://example.com"',
    ],
    [
      'source: { endpoint: v4/brands/query, baseUrl: "https://example.com/?a=1" }',
      '1:47 baseUrl: expected an address without ? and #, got "https://example.com/?a=1"',
    ],
    [
      'source: { endpoint: v4/brands/query, baseUrl: "https://me:pass@example.com" }',
      '1:47 baseUrl: expected no user and password in the address: they go into keyId and keySecret',
    ],
    ['source: { endpoint: v4/brands/query, keyId: "" }', '1:45 expected at least 1 character, got text ""'],
    ['source: 7', '1:9 expected an object, got number 7'],
  ])('%s', (text, expected) => {
    expect(checkText(`${text}\nname: x`)).toEqual([like(expected)])
  })

  test('a run needs an address and credentials, a check does not', () => {
    const text = endpoint('')
    expect(checkText(text)).toEqual([])
    expect(checkText(text, { needsService: true })).toEqual(
      ['baseUrl', 'keyId', 'keySecret'].map(
        (key) => `3:3 missing key "${key}", expected text for an endpoint, got nothing`,
      ),
    )
  })

  test.each([
    ['filter: { status: active, statuss: x }', /^4:29 unknown filter key "statuss".*did you mean "status"\?$/],
    ['filter: [status]', /^4:11 expected an object.*got a list of 1$/],
    ['filter: { conservation: cold }', /^4:27 expected one of "room", .*got text "cold"$/],
    ['sorting: { idd: ASC }', /^4:14 unknown sorting.*"idd".*did you mean "id"\?$/],
    ['sorting: { id: ASC, cnk: ASC }', '4:12 expected one sorting, got 2'],
    ['sorting: { id: asc }', '4:18 expected one of "ASC", "DESC", got text "asc"; did you mean "ASC"?'],
    ['page: { size: 99 }', '4:17 expected one of 10, 50, 100, 250, got number 99; did you mean "100"?'],
  ])('a source whose request has %s is a problem', (line, expected) => {
    expect(checkText(endpoint(`  ${line}`))).toEqual([like(expected)])
  })

  test('fields are checked against the contract that was probably meant', () => {
    const text = 'name: x\nsource: { files: a, contract: v4/prodct }\nwhere: { statsu: active }'
    expect(checkText(text)).toEqual([
      expect.stringContaining('did you mean "v4/product"?'),
      '3:10 unknown field "statsu" in path "statsu"; did you mean "status"?',
    ])
  })
})

describe('tables, columns and conditions', () => {
  test.each([
    ['tables: {}', '3:9 expected at least one table, got an object'],
    ['tables: { p: { each: photos } }', '3:22 each: expected the path of a list that ends in [], got "photos"'],
    ['tables: { p: { each: "name[]" } }', '3:22 path "name[]": expected a list before [], got a localized field'],
    ['tables: { p: { each: "photoss[]" , where: { zzz: 1 } } }', /^3:22 unknown field "photoss".*$/],
    ['tables: { p: { columns: [] } }', '3:25 expected at least 1 entry, got an empty list'],
    ['tables: { p: { columns: [id, ID] } }', /^3:30 unknown field "ID" in path "ID"; did you mean "id"\?$/],
    [
      'tables: { p: { columns: [id, { column: ID, from: cnk }] } }',
      '3:30 column "ID" from "cnk" collides with the column of that name from "id": give one of them another name with column:',
    ],
    [
      'tables: { p: { each: "photos[]", columns: [{ column: position, from: displayOrder }] } }',
      /^3:44 column "position" from "displayOrder" collides/,
    ],
    ['tables: { p: {}, P: {} }', '3:18 table "P" collides with table "p"'],
    [
      'tables: { p: { columns: [{ from: prescription, as: date }] } }',
      '3:52 "prescription" is boolean, which can\'t become date',
    ],
    ['tables: { p: { columns: [{ from: id, unit: cents }] } }', /^3:44 unit: expected together with as: decimal/],
    [
      'tables: { p: { columns: [{ from: name, fallback: [fr] }] } }',
      '3:50 fallback: expected together with a locale to begin with',
    ],
    [
      'tables: { p: { columns: [{ from: name, locale: nl, fallback: [] }] } }',
      /^3:62 expected .*1 entry.*got an empty list$/,
    ],
    ['where: { prescription: "true" }', '3:24 where: expected true or false, got text "true"'],
    ['where: { publicPrice: 1.5 }', '3:23 where: expected a whole number, got number 1.5'],
    ['where: { status: { not: actve } }', '3:25 where: unknown value text "actve"; did you mean "active"?'],
    ['where: { publicPrice: {} }', '3:23 where: expected from, until or both, got neither'],
    [
      'where: { publicPrice: { not: { from: 1, until: 2 } } }',
      '3:30 expected text, or a number, or true or false, or null, or a list, got an object',
    ],
    ['where: { publicPrice: { not: 5, from: 3 } }', '3:33 expected from alone, got it beside not'],
    ['where: { cnk: { matches: x } }', '3:17 unknown key "matches", expected one of not, from, until, some, none'],
    ['where: { publicPrice: { from: 9, until: 1 } }', '3:41 where: expected from before until, got from 9 until 1'],
    [
      'where: { photos: x }',
      /^3:10 where: expected some, none, null or \{not: null\}, or the path of a single value, got "photos", a list of objects$/,
    ],
    ['where: []', '3:8 expected an object, got an empty list'],
  ])('%s', (text, expected) => {
    expect(checkText(files(text))).toEqual([like(expected)])
  })

  test('locales that give columns of the same name are a problem', () => {
    expect(checkText(files('locales: [en_AU, en-au]'))).toEqual(['3:18 locale "en-au": expected once, got it twice'])
  })
})

describe('files', () => {
  test.each([
    ['outputs: []', '3:10 expected at least 1 entry, got an empty list'],
    [
      'outputs: [{ format: csv, path: "out/{tabel}.csv" }]',
      /^3:32 unknown placeholder \{tabel\}, .*did you mean "\{table\}"\?$/,
    ],
    [
      'outputs: [{ format: csv, path: out/a.csv }]',
      '3:32 the csv output of table "product_galenic_shapes" and the csv output of table "products" would both be "out/a.csv": use {table} in the path',
    ],
    [
      'tables: { p: {} }\noutputs: [{ format: csv, path: out/a }, { format: ndjson, path: ./out/b/../a }]',
      '4:65 the ndjson output of table "p" and the csv output of table "p" would both be "./out/b/../a": give one of them another path',
    ],
    [
      'tables: { p: {} }\noutputs: [{ format: csv, path: out/a }, { format: csv, path: out/a/b.csv }]',
      '4:62 the csv output of table "p" would be in the folder "out/a", which is the csv output of table "p"',
    ],
    [
      'tables: { p: {} }\noutputs: [{ format: csv, path: out/a/b }]\nmanifest: { path: out/a }',
      '5:19 the manifest would be "out/a", which is the folder of the csv output of table "p"',
    ],
    [
      'tables: { p: {} }\noutputs: [{ format: csv, path: out/ }]',
      '4:32 expected the path of a file, got "out/", a folder',
    ],
    ['rejects: { path: out/r.gz }', /^3:18 expected a name without \.gz/],
    ['rejects: { path: "out/{table}.ndjson" }', '3:18 unknown placeholder {table}, expected {pipeline}'],
    ['rejects: { limit: -1 }', '3:19 expected a count such as 10 or a share such as 1%, got number -1'],
    ['rejects: { limit: 1.5 }', '3:19 expected a count such as 10 or a share such as 1%, got number 1.5'],
    ['rejects: { limit: 101% }', '3:19 expected a count such as 10 or a share such as 1%, got text "101%"'],
    ['rejects: { limit: few }', '3:19 expected a count such as 10 or a share such as 1%, got text "few"'],
    [
      'rejects: { path: out/m }\nmanifest: { path: out/m }',
      '4:19 the manifest and the rejects file would both be "out/m": give one of them another path',
    ],
    ['outputs: [{ format: csv, tables: [prodcts] }]', /^3:35 unknown table "prodcts", .*did you mean "products"\?$/],
    ['outputs: [{ format: csv, delimiter: "" }]', '3:37 expected exactly 1 character, got text ""'],
    [
      'outputs: [{ format: csv, decimalSeparator: "," }]',
      '3:44 decimalSeparator and delimiter: expected another delimiter, such as ";", or quoteAll: true, got "," for both',
    ],
    [
      'outputs: [{ format: csv, delimiter: ;, listSeparator: ",", decimalSeparator: "," }]',
      '3:78 decimalSeparator and listSeparator: expected different characters, got "," for both',
    ],
    ['outputs: [{ format: csv, delimiter: ;, decimalSeparator: ";" }]', '3:58 expected one of ".", ",", got text ";"'],
    ['outputs: [{ format: csv, compression: zstd }]', /^3:26 unknown key "compression", expected one of format, path/],
    [
      'outputs: [{ path: a }]',
      '3:11 missing key "format", expected one of parquet, csv, ndjson, xlsx, postgres, mariadb, duckdb, delta, iceberg, own, got nothing',
    ],
  ])('%s', (text, expected) => {
    expect(checkText(files(text))).toEqual([like(expected)])
  })
})

describe('one mistake gives one problem', () => {
  test('a misspelt key is not also reported as missing', () => {
    expect(checkText('nmae: x\nsource: { files: a, contract: v4/brand }')).toEqual([
      expect.stringMatching(/^1:1 unknown key "nmae".*did you mean "name"\?$/),
    ])
  })

  test('a credential of the wrong type is not also reported as missing', () => {
    expect(
      checkText(`${endpoint('  keySecret: 12')}\n  keyId: k\n  baseUrl: https://example.com`, { needsService: true }),
    ).toEqual(['4:14 expected text, got a number that is not shown'])
  })
})

describe('data that is not a config', () => {
  test.each([
    ['', 'nothing'],
    ['# only a comment', 'nothing'],
    ['~', 'nothing'],
    ['- name: x', 'a list'],
    ['name', 'a string'],
    ['7', 'a number'],
  ])('%j', (text, got) => {
    expect(checkText(text)).toEqual([`1:1 expected a pipeline config, an object with name and source, got ${got}`])
  })

  test.each([
    [null, 'nothing'],
    [undefined, 'nothing'],
    [() => ({}), 'a function'],
    [Symbol('x'), 'a symbol'],
  ])('%s', (value, got) => {
    expect(checkValue(value).problems.map(({ message }) => message)).toEqual([
      `expected a pipeline config, an object with name and source, got ${got}`,
    ])
  })
})
