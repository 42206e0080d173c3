import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import type { Conditions } from '../../src/config/schemas/pipeline-schema.ts'
import { contracts } from '../../src/contracts/contracts.ts'
import { describeConditions } from '../../src/plan/conditions/describe-conditions.ts'
import { toRoot } from '../../src/plan/records/plan-tables.ts'
import { planRecords } from '../records/plan-records.ts'
import { checkText } from './check-text.ts'

const timezone = 'Europe/Brussels'
const inWords = (where: Conditions) =>
  describeConditions(planRecords({ where, timezone }).where, toRoot(contracts['v4/product']), timezone)

describe('plan describes conditions in words', () => {
  test.each<[Conditions, string[]]>([
    [
      { 'photos[].photoType': 'packshot', 'photos[].locales': 'nl' },
      ['a photo with photoType packshot and a photo with locales nl, not necessarily the same one'],
    ],
    [
      { photos: { some: { photoType: 'packshot', locales: 'nl' } } },
      ['a photo with photoType packshot and locales nl'],
    ],
    [
      { photos: { some: { organizations: { none: { id: 5 } } }, none: { displayOrder: { from: 3 } } } },
      ['a photo with no organization with id 5', 'no photo with displayOrder from 3'],
    ],
    [{ 'photos[].id': null, photos: { not: null } }, ['no photo with a value of id', 'a photo']],
    [{ 'photos[].id': { not: [7, 8] } }, ['no photo with id 7 or 8']],
    [{ atcCategory: { not: 'N02' } }, ['atcCategory without N02']],
    [{ status: { not: 'active' }, replacement: null }, ['status not active', 'no value of replacement']],
    [
      { 'meta.createdAt': { from: '2025-06-01', until: '2025-06-10' } },
      ['meta.createdAt from 2025-06-01 until the end of 2025-06-10 in Europe/Brussels'],
    ],
    [{ 'meta.createdAt': { not: '2025-10-26' } }, ['meta.createdAt not 2025-10-26 in Europe/Brussels']],
    [
      { 'meta.createdAt': { from: '2025-06-10T08:00:00Z', until: 1e14 } },
      ['meta.createdAt from 2025-06-10T08:00:00Z until 100000000000000'],
    ],
    [{ publicPrice: { from: 0, until: 86_399 } }, ['publicPrice from 0 until 86399']],
    [
      { any: [{ status: 'active', prescription: true }, { 'brands[].id': { not: null } }] },
      ['status active and prescription true, or a brand with a value of id'],
    ],
    [{ cnk: '4400-575' }, ['cnk 4400575']],
  ])('%j', (where, words) => {
    expect(inWords(where)).toEqual(words)
  })
})

describe('the page on conditions', () => {
  test('has only valid conditions in its example', () => {
    const page = readFileSync(new URL('../../docs/conditions.md', import.meta.url), 'utf8')
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
    expect(Object.keys((parse(example) as { where: object }).where)).toHaveLength(10)
    expect(checkText(`name: x\nsource: { files: data.ndjson, contract: v4/product }\n${example}`)).toEqual([])
  })
})

describe('a condition that makes no sense', () => {
  test.each([
    [
      '{ status: { some: { id: 1 } } }',
      '3:10 where: expected a list of objects for some and none, got "status", a text field',
    ],
    [
      '{ photos: { some: { photoTyp: x } } }',
      '3:28 unknown field "photoTyp" in path "photoTyp"; did you mean "photoType"?',
    ],
    ['{ any: [] }', '3:15 expected at least 1 entry, got an empty list'],
    ['{ any: [{}] }', '3:16 any: expected at least one condition, got none'],
    ['{ any: active }', '3:15 expected a list, got text "active"'],
    ['{ any: [{ statu: x }] }', '3:18 unknown field "statu" in path "statu"; did you mean "status"?'],
    ['{ photos: { some: { photoType: packshot }, from: 1 } }', '3:20 expected some alone, got it beside from'],
    [
      '{ photos: packshot }',
      '3:10 where: expected some, none, null or {not: null}, or the path of a single value, got "photos", a list of objects',
    ],
  ])('%s is refused at its place', (where, problem) => {
    expect(checkText(`name: x\nsource: { files: data.ndjson, contract: v4/product }\nwhere: ${where}`)).toEqual([
      problem,
    ])
  })
})
