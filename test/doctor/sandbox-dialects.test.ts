import { describe, expect, test } from 'vitest'
import { examineService } from '../../src/doctor/examine-service.ts'
import { interpretationNames, interpretationOf } from '../../src/doctor/interpretations.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { dialects } from '../sandbox/dialects.ts'

/** Interpretations that the loose dialect contradicts. */
const looseDiffers = [
  'error-body',
  'fields-listed',
  'results-name',
  'types-as-documented',
  'users-have-email',
  'values-listed',
]

describe.each(dialects)('doctor against the %s sandbox', (dialect) => {
  test(`reports what the ${dialect} dialect contradicts, and nothing else`, async () => {
    const sandbox = await startSandbox({ products: 200, dialect })
    const report = await examineService(sandbox, { signal: new AbortController().signal })
    const named = (wanted: string) =>
      report.interpretations.filter(({ verdict }) => verdict === wanted).map(({ name }) => name)
    // Half a percent of records breaks the contract on purpose; whether any is among those read is left to chance.
    const differing = named('differs').filter((name) => name !== 'records-accepted')
    expect(differing.toSorted()).toEqual(dialect === 'documented' ? [] : looseDiffers)
    const tooFew = ['total-capped', 'stream-counts-everything', 'budget', 'deletion-at-midnight']
    const byHand = interpretationNames.filter((name) => interpretationOf(name).doctor === null)
    const known = new Set<string>([...byHand, ...tooFew])
    expect(named('untold').filter((name) => !known.has(name))).toEqual([])
    await sandbox.close()
  })

  test('sends fewer than 100 requests, all of which the sandbox answers and none of which writes', async () => {
    const sandbox = await startSandbox({ products: 60, dialect, keyId: `key-${dialect}` })
    await examineService(sandbox, { signal: new AbortController().signal })
    const { requests } = sandbox
    expect(requests.length).toBeLessThan(100)
    expect(requests.every(({ url }) => !/\/(?:create|update|delete|upload|publish|unpublish|revoke)$/.test(url))).toBe(
      true,
    )
    const refused = requests.filter(({ status }) => status !== 200 && status !== 204)
    expect(refused.map(({ url, status }) => `${url} ${status}`)).toEqual([
      expect.stringMatching(/products\/find\S* 404$/),
    ])
    await sandbox.close()
  })
})
