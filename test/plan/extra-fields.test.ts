import { describe, expect, test } from 'vitest'
import { checkText, checkValue } from './check-text.ts'

const config = (extra: string, rest = ''): string =>
  `name: x\nsource: { files: data.ndjson, contract: v4/product }\ncontract:\n  extra:\n${extra}\n${rest}`

describe('contract.extra', () => {
  test('every problem of the fields beyond the contract is listed at once, each at its place', () => {
    const extra = [
      '    artgId: txt',
      '    weight: integer',
      '    status.x: text',
      '    photos.credits: text',
      '    meta[].x: text',
      '    brands[].name.title: text',
      "    'a b': text",
      '    name_nl: text',
      '    photos[].position: integer',
      '    photos[].credits.name: text',
      '    photos[].credits: json',
      '    result: text',
      '    ean[].x: text',
      '    photo_organizations[].id: integer',
      '    pzn: code',
      '    PZN: code',
      '    __proto__.x: text',
      '    cip13: [code]',
    ]
    const there = 'that is there already'
    const form =
      'expected names of letters, digits and _ joined by points, [] after a list, as in photos[].credits.name'
    const types = 'expected one of text, code, integer, float, boolean, timestamp, localized, json'
    expect(checkText(config(extra.join('\n'), 'where: { artgId: x, pzn: 5, artgld: y }'))).toEqual([
      `5:13 ${types}, got text "txt"; did you mean "text"?`,
      `6:5 path "weight": expected a field beyond v4/product, got an integer field ${there}`,
      '7:5 path "status.x": expected an object before ".x", got a text field',
      '8:5 path "photos.credits": expected [] after the list photos, got ".credits"',
      '9:5 path "meta[].x": expected a list before [], got an object',
      '10:5 path "brands[].name.title": expected an object before ".title", got a localized field',
      `11:5 path "a b": ${form}`,
      '12:5 path "name_nl": column "name_nl" of table "products" would come from "name.nl" and "name_nl"',
      '13:5 path "photos[].position": column "position" of table "product_photos" would come from "position" and "position"',
      `15:5 path "photos[].credits": expected a field beyond v4/product, got an object ${there}`,
      '16:5 path "result": expected a field of a record, got "result", a key of its envelope',
      '17:5 path "ean[].x": expected an object before ".x", got a code field',
      '18:5 path "photo_organizations[].id": the child table of "photo_organizations[]" has the name of another one',
      '20:5 path "PZN": column "pzn" of table "products" would come from "pzn" and "PZN"',
      `21:5 path "__proto__.x": ${form}`,
      `22:12 ${types}, got a list of 1; did you mean "code"?`,
      '23:26 where: expected the code in quotes, as leading zeros are lost without, got number 5',
      '23:29 unknown field "artgld" in path "artgld"; did you mean "artgId"?',
    ])
  })

  test('a column of an added field may be renamed if its name is taken', () => {
    const extra = '    name_nl: text'
    expect(checkText(config(extra, tables('[id, name, { column: plain, from: name_nl }]')))).toEqual([])
    expect(checkText(config(extra, tables('[id, name, name_nl]')))).toEqual([
      expect.stringContaining('column "name_nl" from "name_nl" collides with the column of that name from "name.nl"'),
    ])
  })

  test("an added field of type json can't be tested or converted", () => {
    expect(checkText(config('    gs1: json', `where: { gs1: x }\n${tables('[{ from: gs1, as: text }]')}`))).toEqual([
      '6:10 where: expected the path of a single value, got "gs1", a json field',
      expect.stringContaining('"gs1" is json, which can\'t become text'),
    ])
  })

  test('an added timestamp may be the cursor of incremental runs', () => {
    const text = `name: x
source: { endpoint: v4/products/stream }
contract: { extra: { meta.touchedAt: timestamp } }
incremental: { cursor: meta.touchedAt }`
    expect(checkText(text)).toEqual([])
  })

  test('the added fields are columns of the default tables, typed, and make child tables', () => {
    const extra = {
      artgId: 'text',
      pzn: 'code',
      'names[]': 'text',
      'meta.touchedAt': 'timestamp',
      slogan: 'localized',
      gs1: 'json',
      'photos[].credits.name': 'text',
      'productFamilies[].id': 'integer',
    }
    const { plan } = checkValue({ ...base, locales: ['nl', 'fr'], contract: { extra } })
    const columns = plan?.records.tables.flatMap(({ name: table, columns: own }) =>
      own.map(({ name, type, list }) => `${table}.${name} ${type.kind}${list ? ' list' : ''}`),
    )
    expect(columns).toEqual(
      expect.arrayContaining([
        'products.artg_id text',
        'products.pzn text',
        'products.names text list',
        'products.meta_touched_at timestamp',
        'products.slogan_nl text',
        'products.slogan_fr text',
        'products.gs1 json',
        'product_photos.credits_name text',
        'product_product_families.product_id text',
        'product_product_families.position integer',
        'product_product_families.id integer',
      ]),
    )
    expect(plan?.records.extra).toEqual(extra)
    expect(plan?.records.drift).not.toHaveProperty('extra')
  })

  test('the config hash depends on added fields, and is unchanged without them', () => {
    expect(hashOf({})).toBe(hashOf())
    expect(new Set([hashOf(), hashOf({ pzn: 'code' }), hashOf({ pzn: 'text' })]).size).toBe(3)
  })
})

const base = { name: 'x', source: { files: 'data.ndjson', contract: 'v4/product' } }

const tables = (columns: string): string => `tables: { products: { columns: ${columns} } }`

function hashOf(extra?: Readonly<Record<string, string>>): string | undefined {
  return checkValue({ ...base, tables: { products: { columns: ['id'] } }, contract: { extra } }).plan?.outputs
    .configHash
}
