import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examineService } from '../../src/doctor/examine-service.ts'
import { interpretationNames, interpretationOf, type InterpretationName } from '../../src/doctor/interpretations.ts'
import { startOtherService, type OtherService } from './other-service.ts'
import { isDeep } from '../depth.ts'

let service: OtherService

beforeAll(async () => {
  service = await startOtherService()
})
afterAll(() => service.close())

async function examine(difference: string) {
  // Each service gets its own key, as a key has 100 requests a minute.
  const access = {
    baseUrl: service.addressOf(difference),
    keyId: `key of ${difference}`,
    keySecret: 'secret-of-the-test',
  }
  const report = await examineService(access, { signal: new AbortController().signal })
  const listed = (wanted: string) =>
    report.interpretations.filter(({ verdict }) => verdict === wanted).map(({ name }) => name)
  return { report, differing: listed('differs'), untold: listed('untold') }
}

/** Differences of the service, with exactly the interpretations that each contradicts. */
const differences: Readonly<Record<string, readonly InterpretationName[]>> = {
  'one-based': ['pages-from-zero'],
  uncapped: ['total-capped'],
  bare: ['total-stated', 'results-name'],
  'no-total': ['total-stated'],
  'other-name': ['results-name'],
  'small-pages': ['pages-from-zero', 'page-size'],
  'pages-needed': ['everything-without-page'],
  descending: ['default-order'],
  'bare-lines': ['stream-envelope'],
  'stream-ignores-ids': ['stream-like-query', 'documented-requests'],
  'capped-stream': ['stream-counts-everything'],
  'empty-200': ['nothing-is-204'],
  'empty-is-active': ['empty-filter'],
  'and-is-or': ['filters-combine-and'],
  'codes-as-numbers': ['codes-as-text'],
  'find-by-code': ['find-by-id'],
  'plain-errors': ['error-body'],
  'two-keys': ['find-wrapped'],
  'cut-lists': ['list-whole'],
  'no-lists': ['list-form'],
  'news-get': ['news-search-post', 'error-body'],
  'sorting-required': ['optional-members'],
  'media-elsewhere': ['media-like-products'],
  'v3-page-required': ['v3-page-optional'],
  'lists-by-locale': ['lists-without-parameters'],
  'empty-finds': ['unknown-id-404'],
  'repeated-ids': ['ids-unique'],
  'name-lists': ['names-of-lists', 'records-accepted', 'types-as-documented'],
  euros: ['money-in-cents', 'records-accepted', 'types-as-documented'],
  'vat-2100': ['vat-in-percent'],
  'long-codes': ['code-lengths'],
  milliseconds: ['records-accepted', 'timestamps-in-seconds'],
  'utc-midnight': ['deletion-at-midnight'],
  'v3-integer-ids': ['v3-id-text'],
  'format-lists': ['formats-by-size'],
  'other-fields': ['fields-listed'],
  'other-values': ['values-listed'],
  'no-emails': ['users-have-email'],
}

describe('doctor against a service written in another language', () => {
  test('reports no difference for a service that follows the specification, and judges all that reading can show', async () => {
    const { report, differing, untold } = await examine('plain')
    expect(differing).toEqual([])
    const byHand = interpretationNames.filter((name) => interpretationOf(name).doctor === null)
    // A list without a total proves nothing, and 100 requests are never reached.
    expect(untold.toSorted()).toEqual([...byHand, 'budget', 'list-whole'].toSorted())
    expect(report.requests).toBeLessThanOrEqual(70)
    expect(JSON.stringify(report)).not.toContain('MARKER')
  })

  const chosen = Object.entries(differences).filter((_, at) => isDeep || at % 5 === 0)
  test.each(chosen)('reports exactly the differences of a service that is %s', async (difference, expected) => {
    const { report, differing } = await examine(difference)
    expect(differing.toSorted()).toEqual([...expected].toSorted())
    expect(JSON.stringify(report)).not.toContain('MARKER')
  })

  test('asks the other endpoints if the key may not read products', async () => {
    const { report, differing } = await examine('no-products')
    expect(differing).toEqual([])
    const refused = report.endpoints.filter(({ silence }) => silence === 'status 403: not allowed for this key')
    expect(refused.map(({ name }) => name)).toContain('v4/products/query')
    expect(report.endpoints.find(({ name }) => name === 'v4/brands/query')).toMatchObject({
      records: 10,
      silence: null,
    })
  })

  test('covers every interpretation that doctor asks about by a service that contradicts it', () => {
    const asked = interpretationNames.filter((name) => interpretationOf(name).doctor !== null)
    // A limit of requests can't be proven.
    const contradicted = new Set<string>([...Object.values(differences).flat(), 'budget'])
    expect(asked.filter((name) => !contradicted.has(name))).toEqual([])
  })
})
