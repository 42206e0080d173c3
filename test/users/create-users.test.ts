import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { planUsers } from '../../src/users/plan-users.ts'
import { answerJson, ServiceStub } from '../service/read/service-stub.ts'
import { Forwarder } from './forwarder.ts'
import { listCreated, password, toAddresses, toCsv } from './user-files.ts'
import { UserRig } from './user-rig.ts'

let rig: UserRig

beforeEach(async () => {
  rig = await UserRig.start()
})
afterEach(() => rig[Symbol.asyncDispose]())

describe('creating the users of a file', () => {
  test('writes one result line per user, with the user and without the password', async () => {
    const report = await rig.create(await rig.folder.write('users.csv', toCsv(6)))
    expect(report).toMatchObject({ rows: 6, created: 6, skipped: 0, failed: 0, unsent: 0, stopped: null })
    expect(await listCreated(rig.sandbox)).toEqual(toAddresses(6))
    const results = await rig.folder.readResults()
    expect(new Set(results.map(({ line }) => line))).toEqual(new Set([2, 3, 4, 5, 6, 7]))
    const first = results.find(({ line }) => line === 2)!
    expect(first).toMatchObject({ key: 'user1@example.org', status: 'created', baseUrl: rig.sandbox.baseUrl })
    expect(first.user).toMatchObject({ id: first.id, email: 'user1@example.org', organization: 1, isEnabled: true })
    expect(first.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(await rig.folder.names()).toEqual(['users.csv', 'users.csv.results.ndjson'])
  })

  test('sends users as written, and leaves defaults to the service', async () => {
    const body = {
      email: 'Ann@example.org',
      password: 'correct horse',
      role: 'medical_professional',
      targetGroups: ['public', 'pharmacist'],
      organization: 12,
      profile: { name: 'Ann' },
      preferences: { isPublic: false, language: 'nl' },
      subscription: { type: 7, start: 1_767_225_600 },
    }
    await rig.create(await rig.folder.write('users.ndjson', `\n${JSON.stringify(body)}\n\n`))
    const row = 'Ann@example.net, correct horse ,medical_professional,public|pharmacist,12,Ann,FALSE,nl,7,2026-01-01,'
    const header =
      'email;password;role;targetGroups[];organization;profile_name;preferences.isPublic;Preferences.Language;subscription.type;subscription.start;isEnabled'
    await rig.create(
      await rig.folder.write('users.csv', `\uFEFF${header}\r\n${row.replaceAll(',', ';')}\r\n;;;;;;;;;;\r\n`),
    )
    const sent = rig.sandbox.requests.map((request) => request.body)
    expect(sent).toEqual([body, { ...body, email: 'Ann@example.net', password: ' correct horse ' }])
  })

  test('skips users created by an earlier run, with a note if their row has changed', async () => {
    const file = await rig.folder.write('users.csv', toCsv(3))
    await rig.create(file)
    const changed = toCsv(4)
      .replace('User 2', 'Somebody else')
      .replace(password(3), 'another')
      .replace('user1@', 'USER1@')
    await rig.folder.write('users.csv', changed)
    const report = await rig.create(file)
    expect(report).toMatchObject({ rows: 4, created: 1, skipped: 3 })
    expect(report.users.map(({ status, isChanged }) => [status, isChanged])).toEqual([
      ['skipped', undefined],
      ['skipped', true],
      ['skipped', undefined],
      ['created', undefined],
    ])
    expect(report.users[0]?.id).toBe((await rig.folder.readResults()).find(({ line }) => line === 2)?.id)
    expect(rig.sandbox.requests).toHaveLength(4)
    expect(await rig.create(file)).toMatchObject({ created: 0, skipped: 4 })
    expect(rig.sandbox.requests).toHaveLength(4)
  })

  test('does not skip users that were created on another service', async () => {
    const file = await rig.folder.write('users.csv', toCsv(2))
    await rig.create(file)
    await using other = await Forwarder.start(rig.sandbox.baseUrl)
    const report = await rig.create(file, { service: { ...rig.sandbox, baseUrl: other.url } })
    expect(report).toMatchObject({ created: 0, skipped: 0, failed: 2 })
  })

  test('reports refused users as failed with the code of the service, and sends them again in the next run', async () => {
    const file = await rig.folder.write('users.csv', toCsv(3).replace('user2@example.org', 'user1@example.com'))
    const report = await rig.create(file)
    expect(report).toMatchObject({ created: 2, failed: 1, stopped: null })
    expect(report.users[1]).toMatchObject({
      line: 3,
      status: 'failed',
      error: { code: 'SERVICE_REFUSED', status: 422, serviceCode: 'validation_failed' },
    })
    expect(await rig.create(file)).toMatchObject({ created: 0, skipped: 2, failed: 1 })
  })

  test('planUsers sends no request and writes no file', async () => {
    const file = await rig.folder.write('users.csv', toCsv(2))
    await rig.create(file)
    await rig.folder.write('users.csv', toCsv(3))
    const before = [rig.sandbox.requests.length, await rig.folder.names()]
    const plan = await planUsers({ file, baseUrl: `${rig.sandbox.baseUrl}/` })
    expect(plan.map(({ line, action }) => [line, action])).toEqual([
      [2, 'skip'],
      [3, 'skip'],
      [4, 'create'],
    ])
    expect([rig.sandbox.requests.length, await rig.folder.names()]).toEqual(before)
  })
})

describe('passwords of users', () => {
  test('passwords of users never appear in files, results or warnings, whatever the service answers', async () => {
    const warnings: string[] = []
    const reports: unknown[] = []
    for (const [at, echo] of [password(1), encodeURIComponent(password(1)), password(1).toUpperCase()].entries()) {
      const file = await rig.folder.write('users.csv', toCsv(1))
      const error = { code: echo, message: `bad: ${echo}`, violations: [{ path: 'password', message: echo }, { echo }] }
      const user = {
        id: 1,
        email: 'user1@example.org',
        password: echo,
        plainPassword: echo,
        profile: { hints: [echo] },
      }
      await using stub = await ServiceStub.start(
        answerJson(429, { error }, { 'retry-after': '0' }),
        answerJson(500, { error }),
        answerJson(200, [{ id: 2, email: 'other@example.org' }]),
        answerJson(422, { error }),
        answerJson(200, [{ id: 2, email: 'other@example.org' }]),
        answerJson(200, { user }),
      )
      const options = { results: rig.folder.at(`${at}.ndjson`), service: { ...rig.sandbox, baseUrl: stub.url } }
      const onWarning = (text: string): unknown => warnings.push(text)
      const first = await rig.create(file, { ...options, onWarning })
      expect(first).toMatchObject({ failed: 1 })
      const second = await rig.create(file, { ...options, onWarning })
      expect(second).toMatchObject({ created: 1 })
      expect(second.users[0]?.user).toEqual({ id: 1, email: 'user1@example.org', profile: { hints: ['***'] } })
      reports.push(first, second)
    }
    const files = await rig.folder.readAllBut('users.csv')
    for (const text of [files, inspect(reports, { depth: 9 }), JSON.stringify(reports), warnings.join('\n')]) {
      expect(text).not.toMatch(/s3cret/i)
      expect(text).toContain('***')
    }
  })
})
