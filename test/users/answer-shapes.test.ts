import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { someOf } from '../depth.ts'
import { planUsers } from '../../src/users/plan-users.ts'
import { buildChild } from '../built-child.ts'
import { dialects } from '../sandbox/dialects.ts'
import { answerJson, answerText, ServiceStub } from '../service/read/service-stub.ts'
import { Forwarder } from './forwarder.ts'
import { toCsv } from './user-files.ts'
import { UserRig } from './user-rig.ts'

const script = await buildChild('creating-child.ts')

const addresses = (count: number): string[] => Array.from({ length: count }, (_, at) => `user${at + 1}@example.org`)

/** Addresses of users that the sandbox has created. */
function listFulfilled(rig: UserRig): string[] {
  const fulfilled = rig.creations.filter(({ status }) => status === 200 || status === 201)
  return fulfilled.map(({ body }) => (body as { readonly email: string }).email).toSorted()
}

describe.each(dialects)('users of the %s dialect', (dialect) => {
  test('creates every user, and skips them all in the next run', async () => {
    await using rig = await UserRig.start({ dialect })
    const file = await rig.folder.write('users.csv', toCsv(6))
    const warnings: string[] = []
    const report = await rig.create(file, { onWarning: (text) => warnings.push(text) })
    expect(report).toMatchObject({ rows: 6, created: 6, failed: 0, stopped: null })
    expect(warnings).toEqual([])
    for (const { id, user } of report.users) expect(user?.['id']).toBe(id)
    expect(listFulfilled(rig)).toEqual(addresses(6))
    expect(await rig.folder.names()).toEqual(['users.csv', 'users.csv.results.ndjson'])
    expect(await rig.create(file)).toMatchObject({ created: 0, skipped: 6 })
    expect(rig.creations).toHaveLength(6)
  })

  test('sends nobody twice across runs that are killed one after the other', { timeout: 60_000 }, async () => {
    await using rig = await UserRig.start({ dialect })
    await using forwarder = await Forwarder.start(rig.sandbox.baseUrl)
    const file = await rig.folder.write('users.csv', toCsv(24))
    for (const fulfilled of someOf([1, 3, 5], 3)) {
      const child = spawn(process.execPath, [script, forwarder.url, file])
      let count = 0
      forwarder.onFulfilled((path) => {
        if (path === '/v4/users/create' && ++count === fulfilled) child.kill('SIGKILL')
      })
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    }
    forwarder.onFulfilled(() => undefined)
    const service = { ...rig.sandbox, baseUrl: forwarder.url }
    const warnings: string[] = []
    const report = await rig.create(file, { service, onWarning: (text) => warnings.push(text) })
    expect(report).toMatchObject({ unsent: 0, stopped: null })
    expect(report.created + report.skipped + report.failed).toBe(24)
    expect(report.failed > 0).toBe(dialect === 'loose')
    const open = report.users.filter(({ status }) => status === 'failed')
    for (const { error } of open) expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', status: null })
    expect(warnings).toHaveLength(dialect === 'loose' ? 1 : 0)
    const planned = await planUsers({ file, baseUrl: forwarder.url })
    expect(planned.filter(({ action }) => action === 'find')).toHaveLength(open.length)
    // Whatever is known of them, nobody is sent twice.
    const sent = listFulfilled(rig)
    expect(new Set(sent).size).toBe(sent.length)
    expect(dialect === 'loose' || sent.length === 24).toBe(true)
    const before = rig.creations.length
    expect(await rig.create(file, { service })).toMatchObject({ created: 0, failed: open.length })
    expect(rig.creations).toHaveLength(before)
  })
})

describe('users without an e-mail', () => {
  test.each([
    ['in "user"', { user: { id: 7, name: 'User 1', organization: 1, meta: [] } }],
    ['in "result"', { result: { id: 7 } }],
    ['in "user" in "result"', { result: { user: { id: 7 } } }],
    ['alone', { id: 7, name: 'User 1' }],
    ['with null for it', { user: { id: 7, email: null } }],
    ['with the address in capitals', { user: { id: 7, email: 'USER1@EXAMPLE.ORG' } }],
  ])('a user answered as %s is created', async (_, answer) => {
    await using rig = await UserRig.start()
    await using stub = await ServiceStub.start(answerJson(201, answer))
    const file = await rig.folder.write('users.csv', toCsv(1))
    const report = await rig.create(file, { service: { ...rig.sandbox, baseUrl: stub.url } })
    expect(report).toMatchObject({ created: 1, failed: 0, users: [{ id: 7 }] })
  })

  test('users without an e-mail prove nothing: an unanswered row stays open, with one warning that counts them', async () => {
    await using rig = await UserRig.start()
    const listed = [1, 2, 3, 4].map((id) => ({ id, ...(id > 2 ? { email: `other${id}@example.org` } : {}) }))
    let sent = 0
    await using stub = await ServiceStub.start((response, request) => {
      if (request.url === '/v4/users/query') return answerJson(200, { results: listed })(response, request)
      sent++
      return answerText(503, '')(response, request)
    })
    const file = await rig.folder.write('users.csv', toCsv(2))
    const service = { ...rig.sandbox, baseUrl: stub.url }
    const warnings: string[] = []
    const report = await rig.create(file, { service, onWarning: (text) => warnings.push(text) })
    expect(report).toMatchObject({ created: 0, failed: 2 })
    const number = "2 of the 4 users found have no e-mail: they can't be compared"
    for (const { error } of report.users) {
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining(number) as string })
    }
    expect(warnings.filter((text) => text.startsWith(number))).toHaveLength(1)
    expect(sent).toBe(2)
    // Once every user has an address, the list decides again.
    listed.splice(0, 2, { id: 9, email: 'user1@example.org' })
    await rig.create(file, { service })
    const results = await rig.folder.readResults()
    expect(results.filter(({ status }) => status === 'created')).toMatchObject([{ key: 'user1@example.org', id: 9 }])
    expect(sent).toBeGreaterThan(2)
  })
})
