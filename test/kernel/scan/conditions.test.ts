import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Conditions } from '../../../src/config/schemas/pipeline-schema.ts'
import { cases } from '../../depth.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { planRecords, processAll } from '../../records/plan-records.ts'
import { compareScan } from './compare-scan.ts'

type Json = fc.JsonValue | undefined

const locales = fc.constantFrom('nl', 'fr')
const organization = fc.oneof(
  fc.record({ id: fc.constantFrom(1, 2, null) }, { requiredKeys: [] }),
  fc.constantFrom(1, 2, null),
)
const photo = fc.option(
  fc.record(
    {
      id: fc.constantFrom(7, 8, null),
      photoType: fc.constantFrom('packshot', 'productshot', null),
      locales: fc.option(fc.array(fc.option(locales), { maxLength: 3 })),
      displayOrder: fc.constantFrom(1, 2, null),
      organizations: fc.option(fc.array(organization, { maxLength: 3 })),
    },
    { requiredKeys: [] },
  ),
  { freq: 8 },
)
const record = fc.record(
  {
    status: fc.constantFrom('active', 'inactive', null),
    photos: fc.option(fc.array(photo, { maxLength: 4 })),
    // Around the day on which clocks are set back in Brussels.
    meta: fc.record({ createdAt: fc.option(fc.integer({ min: 1_761_200_000, max: 1_761_700_000 })) }),
    atcCategory: fc.option(fc.array(fc.constantFrom('A01', 'N02', null), { maxLength: 3 })),
  },
  { requiredKeys: [] },
)

function toLines(records: readonly Json[]): string {
  return records.map((each, at) => `${JSON.stringify({ id: `P${at}`, ...(each as object) })}\n`).join('')
}

const values = (...all: (string | number)[]) => {
  const value = fc.constantFrom(...all, null)
  return fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 }), fc.record({ not: value }))
}
const someOrNone = (where: fc.Arbitrary<Conditions>) =>
  fc.oneof(fc.record({ some: where }), fc.record({ none: where }), fc.record({ some: where, none: where }))
const { conditions } = fc.letrec<{ conditions: Conditions; ofPhoto: Conditions }>((tie) => {
  const organizationId = values(1, 2)
  const any = (name: 'conditions' | 'ofPhoto') =>
    fc.array(
      tie(name).filter((each) => Object.keys(each as object).length > 0),
      { minLength: 1, maxLength: 2 },
    )
  return {
    ofPhoto: fc.record(
      {
        photoType: values('packshot', 'productshot'),
        locales: values('nl', 'fr'),
        displayOrder: fc.oneof(values(1, 2), fc.constant({ from: 2 })),
        'organizations[].id': organizationId,
        organizations: fc.oneof(someOrNone(fc.record({ id: organizationId }, { requiredKeys: [] })), fc.constant(null)),
        any: any('ofPhoto'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    conditions: fc.record(
      {
        status: values('active', 'inactive'),
        'photos[].id': values(7, 8),
        'photos[].locales[]': values('nl', 'fr'),
        'photos[].organizations[].id': organizationId,
        'photos[0].displayOrder': values(1, 2),
        atcCategory: values('A01', 'N02'),
        'photos[].organizations': fc.oneof(someOrNone(fc.record({ id: organizationId })), fc.constant({ not: null })),
        photos: fc.oneof(someOrNone(tie('ofPhoto')), fc.constantFrom(null, { not: null })),
        any: any('conditions'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }
})

describe('conditions on records and on elements of their lists', () => {
  test('the fast path and the reference path find the same records and elements for any conditions, without fallback lines', () => {
    fc.assert(
      fc.property(conditions, fc.array(record, { minLength: 1, maxLength: 40 }), (where, records) => {
        const ofPhotos = where['photos'] as { readonly some?: Conditions } | null | undefined
        const plan = planRecords({
          where,
          tables: {
            products: { columns: ['id'] },
            photos: { each: 'photos[]', columns: ['id', 'locales'], where: ofPhotos?.some ?? {} },
          },
        })
        expect(compareScan(plan)(toLines(records))).toEqual({ lines: records.length, fallbackLines: 0 })
      }),
      { numRuns: cases(200, 12) },
    )
  })

  test('a chosen element of a list without a value meets null on both paths', () => {
    const elements = fc.array(photo, { maxLength: 4 })
    const columns = [null, { not: null }, [null, 'nl'], { not: 'nl' }].map((condition, at) => {
      return {
        column: `c${at}`,
        from: 'photos[].id',
        locale: 'nl',
        fallback: 'spec' as const,
        where: { locales: condition },
      }
    })
    const compare = compareScan(planRecords({ tables: { products: { columns } } }))
    fc.assert(
      fc.property(fc.array(elements, { minLength: 1, maxLength: 6 }), (photos) => {
        expect(compare(toLines(photos.map((each) => ({ photos: each })))).fallbackLines).toBe(0)
      }),
      { numRuns: cases(80, 20) },
    )
  })

  test('DuckDB finds the same records for null, not, some, none, any and days', async () => {
    const records = fc.sample(record, { numRuns: 600, seed: 25 })
    const folder = await mkdtemp(join(tmpdir(), 'conditions-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'conditions.ndjson')
    await writeFile(file, toLines(records))
    const types =
      "{id: 'VARCHAR', status: 'VARCHAR', atcCategory: 'VARCHAR[]', meta: 'STRUCT(createdAt BIGINT)', photos: 'STRUCT(id INTEGER, photoType VARCHAR, locales VARCHAR[], displayOrder INTEGER, organizations JSON[])[]'}"
    const products = `read_json('${file}', format = 'newline_delimited', columns = ${types})`
    const answers = questions.map(([sql]) => `coalesce(${sql}, false)`)
    const rows = await queryDuckDb(`SELECT id, ${answers.join(', ')} FROM ${products}`)
    const wanted = questions.map(([, where], at) => ({
      where,
      ids: rows.filter((row) => row[at + 1] === true).map(([id]) => String(id)),
    }))
    const found = questions.map(([, where]) => ({ where, ids: listIds(where, toLines(records)) }))
    expect(found).toEqual(wanted)
    expect(wanted.filter(({ ids }) => ids.length < 20 || ids.length > 580)).toEqual([])
  })
})

const photos = (filter: string) => `len(list_filter(coalesce(photos, []), p -> p IS NOT NULL AND ${filter})) > 0`
const createdOn = "timezone('Europe/Brussels', to_timestamp(meta.createdAt))::DATE"
const dutch = "list_contains(p.locales, 'nl')"
const packshot = "p.photoType = 'packshot'"

/** Conditions and the same conditions in SQL. */
const questions: readonly (readonly [sql: string, where: Conditions])[] = [
  [`NOT ${photos('p.id IS NOT NULL')}`, { 'photos[].id': null }],
  [photos('p.id IS NOT NULL'), { 'photos[].id': { not: null } }],
  [`NOT ${photos('true')}`, { photos: null }],
  [photos('true'), { photos: { not: null } }],
  ['len(list_filter(coalesce(atcCategory, []), c -> c IS NOT NULL)) = 0', { atcCategory: null }],
  [`NOT ${photos('len(list_filter(p.locales, l -> l IS NOT NULL)) > 0')}`, { 'photos[].locales[]': null }],
  [
    `${createdOn} BETWEEN '2025-10-25' AND '2025-10-26'`,
    { 'meta.createdAt': { from: '2025-10-25', until: '2025-10-26' } },
  ],
  [`${createdOn} = '2025-10-26'`, { 'meta.createdAt': '2025-10-26' }],
  [`${createdOn} IS DISTINCT FROM '2025-10-26'`, { 'meta.createdAt': { not: '2025-10-26' } }],
  [
    `meta.createdAt <= epoch('2025-10-26 00:00:00'::TIMESTAMP)`,
    { 'meta.createdAt': { until: '2025-10-26T00:00:00Z' } },
  ],
  ["coalesce(status, '') <> 'active'", { status: { not: 'active' } }],
  [photos(`${packshot} AND ${dutch}`), { photos: { some: { photoType: 'packshot', locales: 'nl' } } }],
  [`NOT ${photos(`${packshot} AND ${dutch}`)}`, { photos: { none: { photoType: 'packshot', locales: 'nl' } } }],
  [`${photos(packshot)} AND ${photos(dutch)}`, { 'photos[].photoType': 'packshot', 'photos[].locales[]': 'nl' }],
  [
    `status = 'active' AND (${photos(packshot)} OR list_contains(atcCategory, 'N02'))`,
    { status: 'active', any: [{ 'photos[].photoType': 'packshot' }, { atcCategory: 'N02' }] },
  ],
  [
    photos(`(${packshot} OR p.displayOrder >= 2)`),
    { photos: { some: { any: [{ photoType: 'packshot' }, { displayOrder: { from: 2 } }] } } },
  ],
]

function listIds(where: Conditions, input: string): string[] {
  const plan = planRecords({ where, timezone: 'Europe/Brussels', tables: { products: { columns: ['id'] } } })
  return processAll(plan, input)
    .flatMap(({ rows }) => rows[0] ?? [])
    .map(([id]) => String(id))
}
