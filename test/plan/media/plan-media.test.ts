import { describe, expect, test } from 'vitest'
import { contractNames } from '../../../src/contracts/contracts.ts'
import { checkText, checkValue } from '../check-text.ts'

const userAgent = 'shop-images/1.0 (it@example.com)'

function check(media: object | undefined, { contract = 'v4/product', needsMedia = true } = {}) {
  const source = { files: 'a.ndjson', contract }
  const { problems, notes, plan } = checkValue({ name: 'images', source, ...(media && { media }) }, { needsMedia })
  return {
    problems: problems.map(({ path, message }) => [path.join('.'), message] as const),
    notes,
    plan: plan?.outputs.media,
  }
}

/** The conditions on records of the media stream. */
function whereOf(where: object) {
  const { plan } = check({ userAgent, where }, { contract: 'v4/media' })
  return plan?.where.map(({ from, shown }) => [from, shown])
}

describe('the plan of a download', () => {
  test.each([
    ['v4/product', 'photos[]'],
    ['v3/product', 'photos[]'],
    ['v4/media', '$'],
    ['v4/photo', '$'],
    ['v4/frontal', '$'],
  ])('of %s the huge images of %s are downloaded by default', (contract, from) => {
    const { plan, problems } = check({ userAgent }, { contract })
    expect(problems).toEqual([])
    expect(plan).toMatchObject({ from, formats: [{ name: 'huge' }], chain: null, concurrency: 8, maxBytes: 50_000_000 })
  })

  test('leaflets are downloaded in every locale by default', () => {
    expect(check({ userAgent }, { contract: 'v4/leaflet' }).plan).toMatchObject({
      from: '$',
      formats: null,
      chain: null,
    })
  })

  test('other contracts have nothing to download, and only the command plans media without the section', () => {
    const withMedia = /(?:^|\/)(?:product|media|photo|frontal|leaflet)$/
    const others = contractNames.filter((name) => !withMedia.test(name))
    const asked = others.map((contract) => check({ userAgent }, { contract }).problems)
    expect(asked).toEqual(
      others.map(() => [['media.from', expect.stringContaining('expected the path of a list of photos')]]),
    )
    const unasked = others.map((contract) => check(undefined, { contract, needsMedia: false }).problems)
    expect(unasked).toEqual(others.map(() => []))
  })

  test('links of the media stream are excluded unless where selects them', () => {
    expect(whereOf({})).toEqual([['type', expect.stringContaining('link')]])
    expect(whereOf({ type: 'frontal' })).toEqual([['type', expect.stringContaining('frontal')]])
  })

  test('the User-Agent comes from the section or the source, and only the command requires it', () => {
    const source = { endpoint: 'v4/products/stream', userAgent: 'source/1' }
    const options = { needsMedia: true, needsService: false }
    expect(checkValue({ name: 'a', source }, options).plan?.outputs.media?.userAgent).toBe('source/1')
    expect(checkValue({ name: 'a', source, media: { userAgent } }, options).plan?.outputs.media?.userAgent).toBe(
      userAgent,
    )
    expect(check(undefined).problems).toEqual([['media.userAgent', expect.stringContaining('the service requires')]])
    const { problems, notes } = check({}, { needsMedia: false })
    expect({ problems, notes: notes.map(({ path }) => path.join('.')) }).toEqual({
      problems: [],
      notes: ['media.userAgent'],
    })
  })
})

test('every mistake of the section is a problem at its place, all at once', () => {
  const text = `name: images
source: { files: a.ndjson, contract: v4/product }
media:
  from: 'photo[]'
  fromats: [large]
  concurrency: 0
  maxBytes: many
  maxMissing: 200%
  retries: -1
  timeouts: { total: 1 week }
  obsolete: delete
  revalidate: sometimes
  userAgent: "naïve"
`
  expect(checkText(text, { needsMedia: true })).toEqual([
    expect.stringMatching(/^4:9 unknown field "photo" .*did you mean "photos"/),
    expect.stringMatching(/^5:3 unknown key "fromats".*did you mean "formats"/),
    expect.stringMatching(/^6:16 .*a whole number from 1 to 64/),
    expect.stringMatching(/^7:13 .*a size/),
    expect.stringMatching(/^8:15 .*a share such as 1%/),
    expect.stringMatching(/^9:12 .*a whole number from 0 to 100/),
    expect.stringMatching(/^10:22 .*a duration/),
    expect.stringMatching(/^11:13 .*"?remove"?/),
    expect.stringMatching(/^12:15 expected true or false/),
    expect.stringMatching(/^13:14 .*plain characters/),
  ])
})

test.each([
  [{ formats: ['larg'] }, 'media.formats.0', 'unknown format "larg"'],
  [{ from: 'frontals[]', formats: ['largeJpeg'] }, 'media.formats.0', 'unknown format "largeJpeg"'],
  [{ from: 'leaflets[]', formats: ['large'] }, 'media.formats', 'leaflets have no sizes'],
  [{ from: 'descriptions[]' }, 'media.from', 'expected the path of a list of photos'],
  [{ from: 'photos' }, 'media.from', 'expected the path of a list of photos'],
  [{ from: 'photos[0]' }, 'media.from', 'expected the path of a list of photos'],
  [{ where: { photoTyp: 'packshot' } }, 'media.where.photoTyp', 'unknown field'],
  [{ where: { photoType: 'packshott' } }, 'media.where.photoType', 'packshott'],
  [{ locale: 'xx' }, 'media.locale', 'unknown locale'],
  [{ locale: 'nl', fallback: ['fr', 'yy'] }, 'media.fallback.1', 'unknown locale'],
  [{ fallback: 'spec' }, 'media.fallback', 'together with a locale'],
])('%j is a problem at %s', (media, path, message) => {
  expect(check({ userAgent, ...media }).problems).toEqual([[path, expect.stringContaining(message)]])
})

test('a locale needs a list to choose from', () => {
  expect(check({ userAgent, locale: 'nl' }, { contract: 'v4/photo' }).problems).toEqual([
    ['media.locale', expect.stringContaining('a list to choose from')],
  ])
})
