import { describe, expect, it } from 'vitest'
import { checkRequest } from '../../src/service/check-request.ts'
import { endpoints, type EndpointName } from '../../src/service/endpoints.ts'

type Case = [key: string, right: unknown[], wrong: unknown[]]

const id: Case[1] = [1, 0, [1, 2], '12', ['12', 3]]
const notId: Case[1] = ['x', -1, 1.5, true, [], [1, 'x'], { id: 1 }, null]
const yesNo: Case[2] = ['yes', 1, 'true', null, [true]]
const rangeRight = [
  1767225600,
  '2026-01-01',
  '2026-01-01T08:00:00Z',
  '-7d',
  '-24h',
  '-30m',
  { from: 1, until: 2 },
  { from: '-7d' },
  { until: '2026-01-01' },
  { from: '2026-01-01', until: '-1d' },
]
const rangeWrong = [
  'yesterday',
  '2026-02-30',
  1767225600000,
  -1,
  1.5,
  {},
  { form: 1 },
  { from: 2, until: 1 },
  { from: '-1d', until: '-2d' },
  [1, 2],
  true,
]
const textWrong = [5, '', true, ['a'], { a: 1 }]
const textCodeWrong = [5, '', [], ['a', 5], { a: 1 }, true]

const productsV4: Case[] = [
  ['id', ['M34C3D3A5E', ['M1', 'b2']], [1, '1A', 'a b', '', [], ['M1', 2]]],
  ['status', ['active', ['replaced', 'inactive']], ['no_selection', 'Active', 1, [], ['active', 'gone']]],
  ['ecommerce', ['yes', ['no', 'unknown']], [true, 'maybe']],
  ['organization', id, notId],
  ['publicCategory', id, notId],
  ['catalogCategories', ['A1', ['01', '02']], textCodeWrong],
  ['brand', id, notId],
  ['productFamily', id, notId],
  [
    'search',
    [
      { query: 'a', locale: 'nl' },
      { query: 'a', locale: 'en_AU', type: 'contains' },
    ],
    ['a', { query: 'a' }, { query: 'a', locale: 'Dutch' }, { query: 'a', locale: 'nl', typ: 'x' }],
  ],
  ['minimumContent', [true, false], yesNo],
  [
    'hasContent',
    [{ flag: 'name', locale: 'nl' }],
    ['name', { flag: 'name' }, { flag: 1, locale: 'nl' }, { flag: 'name', locale: 'nl', x: 1 }],
  ],
  ['ean', ['05412345678908', 5412345678908, ['1', 2]], ['x', 1.5, '123456789012345', 123456789012345, []]],
  ['gtin', ['05412345678908', 5412345678908, ['1', 2]], ['x', 1.5, '123456789012345', 123456789012345, []]],
  ['eanGtin8', ['01234567', 1234567, ['12345678']], ['123456789', 123456789, 'abcdefgh']],
  ['eanGtin12', ['012345678901', [1]], ['1234567890123', 1234567890123]],
  ['eanGtin13', ['0123456789012', [1]], ['12345678901234', 12345678901234]],
  ['eanGtin14', ['01234567890123', [1]], ['123456789012345', 123456789012345]],
  ['hsCode', ['3004', 3004, ['3004', 3005]], [true, '', -1, []]],
  ['cnk', ['0123456', 123456, ['0123456', 1234567]], ['12345678', 12345678, 'abc', -1, [], ['0123456', 'x']]],
  ['cti', ['0012-01'], textWrong],
  ['galenicShape', ['TAB', ['TAB', 'CAP']], textCodeWrong],
  ['nameCti', ['0012'], textWrong],
  ['activeIngredient', id, notId],
  ['conservation', ['room', ['refrigerator', 'fresh', 'frozen']], ['cold', 1, ['room', 'cold']]],
  ['prescription', [true, false], yesNo],
  ['writtenRequestByPatient', [true, false], yesNo],
  ['supplyProblemDuration', [...rangeRight, '+30d'], rangeWrong],
  [
    'popularity',
    [{ value: 5 }, { value: 0.5, operator: 'lte' }],
    [5, {}, { value: '5' }, { value: 5, operator: '<' }, { value: 5, op: 'lte' }],
  ],
  ['allowedSpecies', ['human', ['veterinary', 'surface_maintenance', 'phytopharmacy']], ['dog', ['human', 1]]],
  ['atcCategory', ['N02BE01', ['N02BE01', 'A01']], textCodeWrong],
  ['apbCategory', ['specialty', ['medical_device', 'material']], ['medical-device', 1]],
  ['bcfiCategory', ['0123', ['1', '2']], textCodeWrong],
  ['narcotic', ['yes', 'no', 'unknown', 'assimilated'], [true, 'maybe', ['yes']]],
  ['biocide', ['yes', 'no', 'unknown'], [true, 'assimilated', ['yes']]],
  ['attributes', id, notId],
  ['dietaryRestrictions', ['gluten_free', ['a', 'b']], textCodeWrong],
  ['colors', ['red', ['a', 'b']], textCodeWrong],
  ['notApplicableField', ['weight', ['weight', 'width']], textCodeWrong],
  ['officialDeletionAt', rangeRight, rangeWrong],
  ['createdAt', rangeRight, rangeWrong],
  ['updatedSince', rangeRight, rangeWrong],
]

const productsV3: Case[] = [
  ['id', ['M34C3D3A5E', 123, ['M1', 2]], ['1A', true, []]],
  ['cnk', ['0123456', 123456], ['12345678', 'abc']],
  ['status', ['active', ['replaced', 'inactive']], ['gone']],
  ['ecommerce', ['yes', 'no', 'unknown'], [true, ['yes']]],
  ['apbCategory', ['A', ['A', 'B']], textCodeWrong],
  ['conservation', ['room', ['fresh']], ['cold']],
  ['publicCategory', id, notId],
  ['bcfiCategory', ['1', ['1']], textCodeWrong],
  ['productFamily', id, notId],
  ['brand', id, notId],
  ['organization', id, notId],
  ['prescription', [true], yesNo],
  ['writtenRequestByPatient', [true], yesNo],
  ['minimumContent', [true], yesNo],
  ['createdAt', rangeRight, rangeWrong],
  ['updatedSince', rangeRight, rangeWrong],
  ['cti', ['0012'], textWrong],
  ['ean', ['0541', 541, ['1']], ['x']],
  ['gtin', ['0541', 541, ['1']], ['x']],
  ['activeIngredient', id, notId],
  ['search', [{ query: 'a', locale: 'nl' }], ['a', { query: 'a', locale: 'nl', type: 'contains' }]],
]

const updates: Case[] = [
  ['id', [1], [[1], 'x']],
  ['organization', id, notId],
  ['newsType', ['product', ['organization', 'public_category', 'brand']], ['media']],
  ['createdAt', rangeRight, rangeWrong],
  ['updatedSince', rangeRight, rangeWrong],
  ['locale', ['nl', ['fr', 'en_AU']], ['NL', 'en-AU', 5]],
  ['product', ['M1', ['M1', 'M2']], [1]],
  ['publicCategory', id, notId],
  ['brand', id, notId],
  ['targetGroup', ['public', ['pharmacist']], [1]],
]

const corrections: Case[] = [
  ['product', ['M1'], [['M1'], 1]],
  ['status', ['open', 'in_progress', 'handled'], ['solved', ['open']]],
  ['organization', [1], [[1], 'x']],
  ['search', ['text'], [{ query: 'text', locale: 'nl' }]],
  ['locale', ['nl', ['nl', 'fr']], ['dutch']],
  ['type', ['price', 4], [true, ['price']]],
  ['createdBy', [4, 'U4'], [true]],
  ['createdAt', rangeRight, rangeWrong],
]

const activeIngredients: Case[] = [
  ['id', id, notId],
  ['search', [{ query: 'a', locale: 'nl' }], ['a', { query: '', locale: 'nl' }]],
]

const media: Case[] = [
  ['id', id, notId],
  ['published', [true], yesNo],
  ['organization', id, notId],
  ['targetGroup', ['public', ['pharmacist']], [1]],
  ['type', ['photo', ['frontal', 'link']], ['video']],
  ['photoType', ['packshot', ['pillshot']], ['selfie']],
  ['linkType', ['video', ['video']], [1]],
  ['visibleSides', ['front', ['front', 'back']], [1]],
  ['createdAt', rangeRight, rangeWrong],
  ['updatedSince', rangeRight, rangeWrong],
  ['product', ['M1', ['M1', 'M2']], [1]],
  ['available', [true, 1767225600, { from: '-1d' }], ['now', { form: 1 }]],
  ['locale', ['nl'], ['NL']],
]

const tables: [EndpointName, Case[]][] = [
  ['v4/products/query', productsV4],
  ['v4/products/stream', productsV4],
  ['v3/products/search', productsV3],
  ['v3/products/export', productsV3],
  ['v4/updates/query', updates],
  ['v4/corrections/query', corrections],
  ['v4/active-ingredients/query', activeIngredients],
  ['v4/media/query', media],
  ['v4/media/stream', media],
]

describe.each(tables)('the filters of %s', (endpoint, cases) => {
  it('are those of the specification, no more and no fewer', () => {
    expect(Object.keys(endpoints[endpoint].filters).toSorted()).toEqual(cases.map(([key]) => key).toSorted())
  })

  it.each(cases)('accept %s with right values', (key, right) => {
    expect(right.flatMap((value) => checkRequest(endpoint, { filter: { [key]: value } }))).toEqual([])
  })

  it.each(cases)('refuse %s with wrong values, at their place', (key, _right, wrong) => {
    const found = wrong.map((value) => ({ value, problems: checkRequest(endpoint, { filter: { [key]: value } }) }))
    expect(found.filter(({ problems }) => problems.length === 0)).toEqual([])
    for (const { path, message } of found.flatMap(({ problems }) => problems)) {
      expect(path.slice(0, 2)).toEqual(['filter', key])
      expect(message).toMatch(/expected/)
    }
  })
})
