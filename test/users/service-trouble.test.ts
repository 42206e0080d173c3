import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { planUsers } from '../../src/users/plan-users.ts'
import { FakeClock } from '../service/http/fake-clock.ts'
import { answerJson, answerText, reset, ServiceStub, type Answer } from '../service/read/service-stub.ts'
import { Forwarder } from './forwarder.ts'
import { listCreated, toAddresses, toCsv } from './user-files.ts'
import { UserRig } from './user-rig.ts'

let rig: UserRig

beforeEach(async () => {
  rig = await UserRig.start()
})
afterEach(() => rig[Symbol.asyncDispose]())

describe('creating users despite trouble with the service', () => {
  test('does not repeat an unanswered request if the list has the user', async () => {
    await using forwarder = await Forwarder.start(rig.sandbox.baseUrl)
    forwarder.swallow('/v4/users/create', 3)
    const report = await rig.create(await rig.folder.write('users.csv', toCsv(5)), {
      service: { ...rig.sandbox, baseUrl: forwarder.url },
    })
    expect(report).toMatchObject({ created: 5, failed: 0, stopped: null })
    expect(report.users.filter(({ note }) => note?.includes('the service lists the user'))).toHaveLength(3)
    for (const { id, user } of report.users) expect(user?.['id']).toBe(id)
    expect(await listCreated(rig.sandbox)).toEqual(toAddresses(5))
    expect(rig.creations).toHaveLength(5)
  })

  test.each(['cut', 'reset', '503', '500', '502x2', '429x3', '429x2,retry-after=none', '503x4,retry-after=2'])(
    'creates everybody once despite %s',
    async (fault) => {
      rig.sandbox.inject({ endpoint: 'v4/users/create', fault, after: 1 })
      const report = await rig.create(await rig.folder.write('users.csv', toCsv(4)))
      expect(report).toMatchObject({ created: 4, failed: 0, stopped: null })
      expect(await listCreated(rig.sandbox)).toEqual(toAddresses(4))
    },
  )

  test('lets the list decide whether a user was created if the answer is cut off', async () => {
    rig.sandbox.inject({ endpoint: 'v4/users/create', fault: 'cut=0.5' })
    const report = await rig.create(await rig.folder.write('users.csv', toCsv(2)))
    expect(report).toMatchObject({ created: 2 })
    expect(report.users.filter(({ note }) => note?.includes('the service lists the user'))).toHaveLength(1)
    expect(rig.creations).toHaveLength(2)
  })

  const login = answerText(200, '<html>Log in</html>')
  test.each<[string, Answer]>([
    ['a login page', login],
    ['an error', answerJson(200, { error: { code: 'denied' }, id: 7 })],
    ['nothing', answerText(200, '')],
    ['202', answerText(202, '')],
    ['204', (response) => response.writeHead(204).end()],
    ['another user', answerJson(200, { user: { id: 2, email: 'other@example.org' } })],
    ['a user without an id', answerJson(200, { user: { email: 'user1@example.org' } })],
    ['an id that may be of anything', answerJson(200, { id: 'a1b2', status: 'queued' })],
  ])('does not take %s in an answer for a created user', async (_, answer) => {
    const others = answerJson(200, { meta: { total: 1 }, results: [{ id: 2, email: 'other@example.org' }] })
    await using stub = await ServiceStub.start((response, request) =>
      (request.url === '/v4/users/query' ? others : answer)(response, request),
    )
    const warnings: string[] = []
    const file = await rig.folder.write('users.csv', toCsv(1))
    const service = { ...rig.sandbox, baseUrl: stub.url }
    const report = await rig.create(file, { service, onWarning: (text) => warnings.push(text) }, { retries: 1 })
    expect(report).toMatchObject({ created: 0, failed: 1 })
    expect(report.users[0]?.error).toMatchObject({ code: 'SERVICE_FAILED' })
    expect(report.users[0]?.error?.message).toContain('expected the user in the answer, got 20')
    expect(warnings[0]).toContain('looking whether the user was created')
    // The next run searches first.
    expect(await rig.folder.names()).toContain('users.csv.results.ndjson.sending')
  })

  test("leaves a user unconfirmed while users can't be listed", async () => {
    rig.sandbox.inject({ endpoint: 'v4/users/query', fault: '403' })
    await using forwarder = await Forwarder.start(rig.sandbox.baseUrl)
    const service = { ...rig.sandbox, baseUrl: forwarder.url }
    const file = await rig.folder.write('users.csv', toCsv(1))
    forwarder.swallow('/v4/users/create', 1)
    const unknown = await rig.create(file, { service })
    expect(unknown).toMatchObject({ created: 0, failed: 1 })
    expect(unknown.users[0]?.error).toMatchObject({ code: 'OUTCOME_UNKNOWN', status: null })
    expect(await rig.folder.names()).toContain('users.csv.results.ndjson.sending')
    expect((await planUsers({ file, baseUrl: forwarder.url })).map(({ action }) => action)).toEqual(['find'])
    expect(rig.creations).toHaveLength(1)
    const found = await rig.create(file, { service })
    expect(found).toMatchObject({ created: 1, failed: 0, stopped: null })
    expect(rig.creations).toHaveLength(1)
    expect(await rig.folder.names()).not.toContain('users.csv.results.ndjson.sending')
  })

  test('counts a user as created if a repeat is refused as taken, even if the list does not show the user', async () => {
    const others = answerJson(200, { meta: { total: 1 }, results: [{ id: 2, email: 'other@example.org' }] })
    const taken = { error: { status: 422, violations: [{ path: 'email', message: 'This address already exists' }] } }
    const wrong = { error: { status: 422, violations: [{ path: 'organization', message: 'does not exist' }] } }
    const reports = []
    for (const refusal of [answerJson(409, {}), answerJson(422, taken), answerJson(422, wrong)]) {
      await using stub = await ServiceStub.start(reset, others, refusal, others)
      const file = await rig.folder.write('users.csv', toCsv(1))
      reports.push(await rig.create(file, { service: { ...rig.sandbox, baseUrl: stub.url } }))
    }
    expect(reports.map(({ created, failed }) => [created, failed])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ])
    expect(reports[0]?.users[0]?.note).toContain('sent again')
  })

  test("never repeats users that can't be listed", async () => {
    rig.sandbox.inject({ endpoint: 'v4/users/query', fault: '403', times: 9 })
    rig.sandbox.inject({ endpoint: 'v4/users/create', fault: 'reset' })
    const file = await rig.folder.write('users.csv', toCsv(2))
    expect(await rig.create(file)).toMatchObject({ created: 1, failed: 1 })
    expect(await rig.create(file)).toMatchObject({ created: 0, skipped: 1, failed: 1 })
    expect(rig.creations).toHaveLength(2)
    await rm(rig.folder.at('users.csv.results.ndjson.sending'))
    expect(await rig.create(file)).toMatchObject({ created: 1, skipped: 1, failed: 0 })
  })

  test('sends other rows although an earlier run left some unconfirmed', async () => {
    rig.sandbox.inject({ endpoint: 'v4/users/query', fault: '403', times: 99 })
    const file = await rig.folder.write('users.csv', toCsv(7))
    const open = [1, 2, 3, 4].map((number) => {
      return JSON.stringify({ baseUrl: rig.sandbox.baseUrl, key: `user${number}@example.org`, isAnswered: false })
    })
    await rig.folder.write('users.csv.results.ndjson.sending', `${open.join('\n')}\n`)
    expect(await rig.create(file)).toMatchObject({ created: 3, failed: 4, unsent: 0, stopped: null })
    expect(rig.creations).toHaveLength(3)
  })

  test('ends while the service stays down, with the other rows unsent', async () => {
    rig.sandbox.inject({ endpoint: 'v4/users/create', fault: '503', times: 100 })
    const report = await rig.create(await rig.folder.write('users.csv', toCsv(12)), {}, { retries: 1 })
    expect(report.stopped).toMatchObject({ code: 'SERVICE_FAILED', exitCode: 4 })
    expect(report.failed).toBeLessThan(9)
    expect(report.unsent).toBe(12 - report.failed)
    expect(await listCreated(rig.sandbox)).toEqual([])
    // No answer proves nothing: the next run searches first.
    expect(await rig.folder.names()).toContain('users.csv.results.ndjson.sending')
  })

  test("ends if the service can't be reached", async () => {
    await rig.sandbox.close()
    const report = await rig.create(await rig.folder.write('users.csv', toCsv(9)), {}, { retries: 2 })
    expect(report.stopped).toMatchObject({ code: 'SERVICE_UNREACHABLE' })
    expect(report).toMatchObject({ created: 0, failed: 4, unsent: 5 })
    expect(await rig.folder.names()).not.toContain('users.csv.results.ndjson.sending')
  })

  test('ends if the key lacks the permission', async () => {
    await using own = await UserRig.start({ mayCreateUsers: false })
    const report = await own.create(await own.folder.write('users.csv', toCsv(20)))
    expect(report.stopped).toMatchObject({ code: 'SERVICE_UNAUTHORIZED' })
    expect(report).toMatchObject({ created: 0, failed: 4, unsent: 16 })
    expect(own.creations).toHaveLength(4)
  })

  test('does not end if the key may not create one of the users', async () => {
    rig.sandbox.inject({ endpoint: 'v4/users/create', fault: '403', after: 5 })
    const report = await rig.create(await rig.folder.write('users.csv', toCsv(9)))
    expect(report).toMatchObject({ created: 8, failed: 1, unsent: 0, stopped: null })
  })

  test('keeps to the request rate of the service', async () => {
    const clock = new FakeClock()
    await using own = await UserRig.start({ rateLimit: 100, now: () => clock.now() })
    const report = await own.create(await own.folder.write('users.csv', toCsv(130)), {}, { clock })
    expect(report).toMatchObject({ created: 130 })
    expect(own.sandbox.requests.filter(({ status }) => status === 429)).toEqual([])
    expect(clock.sleeps.some((ms) => ms > 50_000)).toBe(true)
  })
})
