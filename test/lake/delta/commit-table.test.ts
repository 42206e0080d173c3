import { expect, test } from 'vitest'
import { CatalogueError } from '../../../src/errors.ts'
import { tryCommit } from '../../../src/lake/delta/commit-table.ts'
import type { LakeSession } from '../../../src/lake/lake-format.ts'

const commit = { folder: 's3://lake/table', txnId: 'own', version: 1, actions: [{ commitInfo: { txnId: 'own' } }] }
const lost = new CatalogueError('OUTPUT_FAILED', 'no answer')
const denied = new CatalogueError('OUTPUT_REFUSED', 'denied')

/** A bucket that gives these answers to the attempts to write the commit. */
function answering(answers: readonly (boolean | Error)[], there: string | null = null) {
  const left = [...answers]
  const storage = {
    create: async () => {
      const answer = left.shift() ?? lost
      if (answer instanceof Error) throw answer
      return answer
    },
    async *list() {
      if (there !== null) yield { path: 's3://lake/table/_delta_log/00000000000000000001.json' }
    },
    read: async () => there && Buffer.from(there),
  }
  return { storage } as unknown as LakeSession
}

test.each([
  {
    what: 'a commit that is there after a lost answer counts',
    answers: [lost],
    there: '{"commitInfo":{"txnId":"own"}}',
  },
  {
    what: 'a commit that is there although the storage says that one was counts',
    answers: [false],
    there: '{"commitInfo":{"txnId":"own"}}',
  },
])('$what', async ({ answers, there }) => {
  expect(await tryCommit(answering(answers, there), commit)).toBe(true)
})

test('a commit of another writer comes first, whatever the answers were', async () => {
  for (const answers of [[false], [lost], [lost, denied]])
    expect(await tryCommit(answering(answers, '{"commitInfo":{"txnId":"other"}}'), commit)).toBe(false)
})

test('a commit that is denied at once has not happened', async () => {
  await expect(tryCommit(answering([denied]), commit)).rejects.toBe(denied)
})

test('a commit that is denied after a lost answer may still come', async () => {
  await expect(tryCommit(answering([lost, denied]), commit)).rejects.toMatchObject({
    code: 'TARGET_FAILED',
    message: 's3://lake/table: the commit of version 1 ended without an answer, and its outcome is unknown: denied',
  })
})

test('a commit whose version is taken, by what nobody can read, has an unknown outcome', async () => {
  await expect(tryCommit(answering([false], '{"commitInfo":'), commit)).rejects.toMatchObject({ code: 'TARGET_FAILED' })
})

test('a refused commit that is not there is tried again, as an earlier request may be under way', async () => {
  expect(await tryCommit(answering([false, true]), commit)).toBe(true)
})
