import type { EndpointName } from '../../../src/service/endpoints/endpoints.ts'

/*
 * The filter tables of the specification: each key with values that a config may have, and values that it may not.
 */

/** When the configs are checked; relative date-times count from it. */
export const now = new Date('2026-03-01T12:00:00Z')

/** A value that is sent in another form than it is written in; all others are sent as they are. */
export class Converted {
  readonly written: unknown
  readonly sent: unknown

  constructor(written: unknown, sent: unknown) {
    this.written = written
    this.sent = sent
  }
}

export type FilterCase = [key: string, right: unknown[], wrong: unknown[]]

const as = (written: unknown, sent: unknown): Converted => new Converted(written, sent)

const id: FilterCase[1] = [1, 0, [1, 2], as('12', 12), as(['12', 3], [12, 3])]
const notId: FilterCase[1] = ['x', -1, 1.5, true, [], [1, 'x'], { id: 1 }, null]
const yesNo: FilterCase[2] = ['yes', 1, 'true', null, [true]]
const rangeRight = [
  1767225600,
  as('1767225600', 1767225600),
  as('2026-01-01', 1767225600),
  as('2026-01-01T08:00:00Z', 1767254400),
  as('2026-01-01T08:00:00+02:00', 1767247200),
  as('-7d', 1771761600),
  as('-24h', 1772280000),
  as('-30m', 1772364600),
  as('+1h', 1772370000),
  { from: 1, until: 2 },
  { from: 5, until: 5 },
  as({ from: '-7d' }, { from: 1771761600 }),
  as({ until: '2026-01-01' }, { until: 1767311999 }),
  as({ from: '2026-01-01', until: '-1d' }, { from: 1767225600, until: 1772280000 }),
  as({ from: '-24h', until: '2027-01-01' }, { from: 1772280000, until: 1798847999 }),
]
const rangeWrong = [
  'yesterday',
  '01/02/2026',
  '20260101',
  '2026-02-30',
  '2026-01-01T25:00',
  1767225600000,
  '1767225600000',
  -1,
  1.5,
  {},
  { form: 1 },
  { from: 2, until: 1 },
  { from: '-1d', until: '-2d' },
  { from: '-24h', until: '2026-01-01' },
  { from: '2026-03-02', until: '-1h' },
  { from: '2026-01-01T00:00:00-05:00', until: '2026-01-01T04:00:00Z' },
  { from: 'x', until: 1 },
  [1, 2],
  true,
]
const textWrong = [5, '', true, ['a'], { a: 1 }]
const textCodeWrong = [5, '', [], ['a', 5], { a: 1 }, true]

const productsV4: FilterCase[] = [
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
  [
    'ean',
    ['05412345678908', as(5412345678908, '5412345678908'), as(['1', 2], ['1', '2'])],
    ['x', 1.5, '123456789012345', 123456789012345, []],
  ],
  [
    'gtin',
    ['05412345678908', as(5412345678908, '5412345678908'), as(['1', 2], ['1', '2'])],
    ['x', 1.5, '123456789012345', 123456789012345, []],
  ],
  [
    'eanGtin8',
    ['01234567', as(1234567, '01234567'), as(['12345678', '1'], ['12345678', '00000001'])],
    ['123456789', 123456789, 'abcdefgh'],
  ],
  ['eanGtin12', ['012345678901', as([1], ['000000000001'])], ['1234567890123', 1234567890123]],
  ['eanGtin13', ['0123456789012', as([1], ['0000000000001'])], ['12345678901234', 12345678901234]],
  ['eanGtin14', ['01234567890123', as([1], ['00000000000001'])], ['123456789012345', 123456789012345]],
  ['hsCode', ['3004', 3004, ['3004', 3005]], [true, '', -1, []]],
  [
    'cnk',
    ['0123456', as(123456, '0123456'), as('12345', '0012345'), as(['0123456', 1234567], ['0123456', '1234567'])],
    ['12345678', 12345678, 'abc', -1, [], ['0123456', 'x']],
  ],
  ['cti', ['0012-01'], textWrong],
  ['galenicShape', ['TAB', ['TAB', 'CAP']], textCodeWrong],
  ['nameCti', ['0012'], textWrong],
  ['activeIngredient', id, notId],
  ['conservation', ['room', ['refrigerator', 'fresh', 'frozen']], ['cold', 1, ['room', 'cold']]],
  ['prescription', [true, false], yesNo],
  ['writtenRequestByPatient', [true, false], yesNo],
  ['supplyProblemDuration', [...rangeRight, as('+30d', 1774958400)], rangeWrong],
  [
    'popularity',
    [
      { value: 5 },
      { value: 0.5, operator: 'lte' },
      as({ value: '-5.5', operator: 'neq' }, { value: -5.5, operator: 'neq' }),
    ],
    [5, {}, { value: 'five' }, { value: '' }, { value: 5, operator: '<' }, { value: 5, op: 'lte' }],
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

const productsV3: FilterCase[] = [
  ['id', ['M34C3D3A5E', 123, ['M1', 2]], ['1A', true, []]],
  ['cnk', ['0123456', as(123456, '0123456')], ['12345678', 'abc']],
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
  ['ean', ['0541', as(541, '541'), ['1']], ['x']],
  ['gtin', ['0541', as(541, '541'), ['1']], ['x']],
  ['activeIngredient', id, notId],
  ['search', [{ query: 'a', locale: 'nl' }], ['a', { query: 'a', locale: 'nl', type: 'contains' }]],
]

const updates: FilterCase[] = [
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

const corrections: FilterCase[] = [
  ['product', ['M1'], [['M1'], 1]],
  ['status', ['open', 'in_progress', 'handled'], ['solved', ['open']]],
  ['organization', [1], [[1], 'x']],
  ['search', ['text'], [{ query: 'text', locale: 'nl' }]],
  ['locale', ['nl', ['nl', 'fr']], ['dutch']],
  ['type', ['price', 4], [true, ['price']]],
  ['createdBy', [4, 'U4'], [true]],
  ['createdAt', rangeRight, rangeWrong],
]

const activeIngredients: FilterCase[] = [
  ['id', id, notId],
  ['search', [{ query: 'a', locale: 'nl' }], ['a', { query: '', locale: 'nl' }]],
]

const media: FilterCase[] = [
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
  ['touchedAt', rangeRight, rangeWrong],
  ['available', [true, 1767225600, as({ from: '-1d' }, { from: 1772280000 })], ['now', { form: 1 }]],
  ['locale', ['nl'], ['NL']],
]

export const filterTables: [EndpointName, FilterCase[]][] = [
  ['v4/products/stream', productsV4],
  ['v3/products/export', productsV3],
  ['v4/updates/query', updates],
  ['v4/corrections/query', corrections],
  ['v4/active-ingredients/query', activeIngredients],
  ['v4/media/stream', media],
]
