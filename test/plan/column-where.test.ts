import { describe, expect, test } from 'vitest'
import { checkText } from './check-text.ts'

const head = 'name: x\nsource: { files: data.ndjson, contract: v4/product }\n'
const columns = (column: string) => checkText(`${head}tables: { p: { columns: [{ ${column} }] } }`)

describe('where of a column', () => {
  test.each([
    "column: packshot, from: 'photos[].formats.large', where: { photoType: packshot, targetGroups: public }, locale: nl, fallback: spec",
    "from: 'descriptions[].content', where: { type: indication }, locale: nl",
    "from: 'descriptions[].content', where: { type: [indication, use] }",
    "from: 'activeIngredients[].id', where: { id: { not: 5 } }",
    "from: 'photos[0].formats.large', where: { displayOrder: { from: 2 } }",
    "from: 'photos[].organizations', where: { id: 1 }, as: json",
    'from: id, where: {}',
  ])('a column with a correct where has no problem: %s', (column) => {
    expect(columns(column)).toEqual([])
  })

  test.each([
    "column: photo_count, count: 'photos[]'",
    "count: 'photos[].organizations[]'",
    "column: has_packshot, has: 'photos[].formats.large', where: { photoType: packshot }, locale: nl, fallback: spec",
    'has: publicPrice',
    'has: name, locale: nl',
    'has: ean',
  ])('a column that counts values, or says if there is one, has no problem: %s', (column) => {
    expect(columns(column)).toEqual([])
  })

  test.each([
    ['column: x', '3:26 expected exactly one of from, count, has and compute, got an object'],
    ['from: id, has: id', '3:26 expected exactly one of from, count, has and compute, got an object'],
    [
      'count: publicPrice',
      '3:35 count: expected a path that enters a list with [], as photos[] does, got "publicPrice"',
    ],
    ["count: 'photos[]', locale: nl", '3:55 locale: expected together with from, got it beside count'],
    ['has: publicPrice, as: text', '3:50 as: expected together with from, got it beside has'],
    [
      'has: weightWithUnit',
      '3:33 has: expected a value, or the elements of a list, got "weightWithUnit", which is an object: name a field of it, such as weightWithUnit.value',
    ],
    [
      "has: 'photos[0].id', where: { photoType: packshot }",
      '3:33 has: expected [] with where, which chooses among all elements, got "photos[0].id"',
    ],
    ['has: prise', '3:33 unknown field "prise" in path "prise"'],
  ])('a faulty column of count or has is a problem: %s', (column, problem) => {
    expect(columns(column)).toEqual([problem])
  })

  test.each([
    [
      "from: 'photos[].id', where: { photoTyp: x }",
      '3:58 unknown field "photoTyp" in path "photoTyp"; did you mean "photoType"?',
    ],
    [
      "from: 'photos[].id', where: { photoType: packshoot }",
      '3:69 where: unknown value text "packshoot"; did you mean "packshot"?',
    ],
    ["from: 'photos[].id', where: { photoType: [] }", '3:69 expected at least 1 entry, got an empty list'],
    ["from: 'photos[].id', where: { displayOrder: { from: x } }", '3:80 where: expected a whole number, got text "x"'],
    [
      "from: 'photos[].id', where: { organizations: x }",
      '3:58 where: expected some, none, null or {not: null}, or the path of a single value, got "organizations", a list of objects',
    ],
    [
      'from: id, where: { status: active }',
      '3:38 where: expected a path that enters one list of objects with [] or [0], as photos[].formats.large does, got "id", which enters none',
    ],
    [
      "from: 'photos[].organizations[].id', where: { id: 1 }",
      '3:65 where: expected a path that enters one list of objects with [] or [0], as photos[].formats.large does, got "photos[].organizations[].id", which enters 2',
    ],
    [
      "from: 'ean[]', where: { id: 1 }",
      '3:43 where: expected a path that enters one list of objects with [] or [0], as photos[].formats.large does, got "ean[]", whose elements are a text field',
    ],
    [
      "from: 'photos[].id', wher: { id: 1 }",
      '3:49 unknown key "wher", expected one of column, from, count, has, compute, type, version, locale, fallback, as, unit, timezone, where, label; did you mean "where"?',
    ],
  ])('a faulty where of a column is a problem: %s', (column, problem) => {
    expect(columns(column)).toEqual([problem])
  })
})
