import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../depth.ts'
import { planRecords, processAll } from './plan-records.ts'

const runs = cases(400)

interface Photo {
  readonly photoType: string | null
  readonly targetGroups: readonly string[] | null
  readonly locales: readonly string[] | null
  readonly displayOrder?: number | undefined
  readonly formats: { readonly large?: string | null | undefined }
}

const photo: fc.Arbitrary<Photo> = fc.record(
  {
    photoType: fc.constantFrom('packshot', 'pillshot', null),
    targetGroups: fc.option(fc.subarray(['public', 'pharmacist']), { nil: null }),
    locales: fc.option(fc.subarray(['nl', 'fr', 'de']), { nil: null }),
    displayOrder: fc.nat({ max: 2 }),
    formats: fc.record({ large: fc.constantFrom('a', 'b', 'c', '', null) }, { requiredKeys: [] }),
  },
  { requiredKeys: ['photoType', 'targetGroups', 'locales', 'formats'] },
)

/** Every candidate with all that it is compared by, sorted: nothing of how the column is read. */
function expectPhoto(photos: readonly Photo[], chain: readonly string[], others: boolean): string | null {
  const ranked = photos.flatMap(({ photoType, targetGroups, locales, displayOrder = Infinity, formats }, position) => {
    const rank = chain.findIndex((locale) => locales?.includes(locale))
    const isCandidate = photoType === 'packshot' && targetGroups?.includes('public') && formats.large
    if (!isCandidate || (rank < 0 && !others)) return []
    return [{ by: [rank < 0 ? chain.length : rank, displayOrder, position], value: formats.large }]
  })
  const [best] = ranked.toSorted((a, b) => {
    const at = a.by.findIndex((number, index) => number !== b.by[index])
    return at < 0 ? 0 : (a.by[at] ?? 0) < (b.by[at] ?? 0) ? -1 : 1
  })
  return best?.value ?? null
}

test.each([
  ['nl', 'spec', ['nl', 'fr', 'en'], true],
  ['fr', ['nl'], ['fr', 'nl'], false],
  ['nl', undefined, ['nl'], false],
] as const)(
  'the element of a list that meets where and has the path filled is chosen by locale, order and position: %s, %s',
  (locale, fallback, chain, others) => {
    const where = { photoType: 'packshot', targetGroups: 'public' }
    const options = { locale, ...(fallback && { fallback: fallback === 'spec' ? fallback : [...fallback] }) }
    const column = { column: 'image', from: 'photos[].formats.large', where, ...options }
    const plan = planRecords({ tables: { products: { columns: [column] } } })
    fc.assert(
      fc.property(fc.array(photo, { maxLength: 6 }), (photos) => {
        const [outcome] = processAll(plan, `${JSON.stringify({ id: 'M1', photos })}\n`)
        expect(outcome?.rows[0]).toEqual([[expectPhoto(photos, chain, others)]])
      }),
      { numRuns: runs },
    )
  },
)

test('elements of a list are chosen by their display order beyond 2^53 too, and those without one come last', () => {
  const column = { column: 'image', from: 'photos[].formats.large', locale: 'nl', fallback: 'spec' as const }
  const plan = planRecords({ tables: { products: { columns: [column] } } })
  const photos = [toPhoto('none', ''), toPhoto('later', '9007199254740993'), toPhoto('first', '9007199254740992')]
  const [outcome] = processAll(plan, `{"id":"M1","photos":[${photos.join(',')}]}\n`)
  expect(outcome?.rows[0]).toEqual([['first']])
})

function toPhoto(large: string, order: string): string {
  return `{"formats":{"large":"${large}"}${order && `,"displayOrder":${order}`}}`
}
