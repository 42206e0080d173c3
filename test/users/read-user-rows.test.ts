import { readFile } from 'node:fs/promises'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toCsv, toCsvLine } from './user-files.ts'
import { UserRig } from './user-rig.ts'

let rig: UserRig

beforeEach(async () => {
  rig = await UserRig.start()
})
afterEach(() => rig[Symbol.asyncDispose]())

describe('wrong files of users', () => {
  test('reports every problem of a wrong file of users, and sends and writes nothing', async () => {
    const rows = [
      ...toCsv(2).split('\n'),
      toCsvLine(3).replace('software_developer', 'sofware_developer'),
      toCsvLine(1).replace('user1@', 'USER1@'),
      toCsvLine(5).replace(',7', ',seven').replace('user5@example.org', 'nobody'),
      'a,b',
    ]
    const error = await rig.refuse(await rig.folder.write('users.csv', rows.join('\n')))
    expect(error.problems).toEqual([
      {
        line: 4,
        column: 'role',
        message: expect.stringContaining('got text "sofware_developer"') as string,
        suggestion: 'software_developer',
      },
      { line: 5, column: 'email', message: 'expected an address that no other row has, got that of line 2' },
      { line: 6, column: 'email', message: 'expected an e-mail address, got a text without "@"' },
      { line: 6, column: 'subscription.type', message: 'expected a whole number, got text "seven"' },
      {
        line: 7,
        column: null,
        message: expect.stringContaining('expected 7 values as in the header, got 2') as string,
      },
    ])
    expect(error).toMatchObject({ code: 'ROWS_INVALID', exitCode: 3, outputs: 'Nothing was sent.' })
    expect(rig.sandbox.requests).toEqual([])
    expect(await rig.folder.names()).toEqual(['users.csv'])
  })

  test('accepts dates as times in CSV only, and says so', async () => {
    const csv = toCsv(1).replace(/(subscription.type.*)\n(.*)/, '$1,subscription.start\n$2,31/01/2026')
    const { problems } = await rig.refuse(await rig.folder.write('users.csv', csv))
    const expected = 'expected a date such as 2026-01-31, a date-time with zone, or unix seconds'
    expect(problems).toEqual([{ line: 2, column: 'subscription.start', message: `${expected}, got text "31/01/2026"` }])
    const body = { email: 'a@b.example', role: 'software_developer', organization: 1, profile: { name: 'A' } }
    const more = { preferences: { language: 'nl' }, subscription: { type: 1, start: '2026-01-31' } }
    const lines = await rig.folder.write('users.ndjson', JSON.stringify({ ...body, ...more }))
    const [problem] = (await rig.refuse(lines)).problems
    expect(problem?.message).toBe('expected unix seconds, got text "2026-01-31"')
  })

  test.each([
    [
      'an unknown column',
      toCsv(1).replace('role', 'rol'),
      [
        [1, 'rol', 'role'],
        [1, 'role', undefined],
      ],
    ],
    ['a column that is missing', toCsv(1).replace(/,subscription.type|,7/g, ''), [[1, 'subscription.type', undefined]]],
    [
      'a column twice',
      toCsv(1).replace('role', 'email'),
      [
        [1, 'email', undefined],
        [1, 'role', undefined],
      ],
    ],
    ['no header', toCsvLine(1), [[1, null, undefined]]],
    ['nothing', '', [[1, null, undefined]]],
    ['an open quote', `${toCsv(2)}\n"user3`, [[4, null, undefined]]],
    ['bytes that are no UTF-8', Buffer.from(toCsv(2), 'latin1'), [[2, null, undefined]]],
  ])('reports a file of users with %s', async (_, content, expected) => {
    const { problems } = await rig.refuse(await rig.folder.write('users.csv', content))
    expect(problems.map(({ line, column, suggestion }) => [line, column, suggestion])).toEqual(expected)
  })

  test('reports lines that are no JSON objects', async () => {
    const lines = ['[]', '{"email":"a@example.org"', '"text"', '{"email":"a@example.org","pasword":"x","password":12}']
    const { problems } = await rig.refuse(await rig.folder.write('users.jsonl', lines.join('\n')))
    expect(problems.slice(0, 3).map(({ message }) => message)).toEqual([
      'expected one JSON object on the line, got a list',
      'expected one JSON object on the line, got what is no JSON (character 25)',
      'expected one JSON object on the line, got a string',
    ])
    const columns = problems.slice(3).map(({ line, column, suggestion }) => [line, column, suggestion])
    expect(columns).toEqual(
      expect.arrayContaining([
        [4, 'pasword', 'password'],
        [4, 'password', undefined],
        [4, 'profile', undefined],
      ]),
    )
  })

  test.each([
    [{ file: 'users.txt' }, 'USAGE', /expected a name that ends in/],
    [{ file: 'none.csv' }, 'SOURCE_NOT_FOUND', /expected a file of users, got none/],
    [{ file: '-', format: 'csv' }, 'USAGE', /need a file for their results/],
    [{ results: 'users.csv' }, 'USAGE', /this is the file of users itself/],
    [{ results: 'other.txt' }, 'USAGE', /other\.txt:1: expected a line that "users create" wrote/],
    [{ results: 'other.ndjson' }, 'USAGE', /other\.ndjson: expected results of "users create"/],
  ] as const)('refuses a wrong file of users before anything is sent: %j', async (change, code, message) => {
    await rig.folder.write('users.csv', toCsv(1))
    await rig.folder.write('other.txt', 'a note')
    await rig.folder.write('other.ndjson', '{"id":1}\n')
    const paths = Object.entries({ file: 'users.csv', ...change }).map(([name, value]) => {
      return [name, name === 'format' || value === '-' ? value : rig.folder.at(value)]
    })
    const options = Object.fromEntries(paths) as { file: string }
    const thrown: unknown = await rig.create(options.file, options).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) as string })
    expect(rig.sandbox.requests).toEqual([])
    expect(await readFile(rig.folder.at('other.txt'), 'utf8')).toBe('a note')
  })

  test('shows no password in the problems of a file, whatever column it is in', async () => {
    const secret = 'hunter2hunter2'
    const files = {
      'swapped.csv': `email,password,role,organization,profile.name,preferences.language,subscription.type\na@example.org,software_developer,${secret},1,A,nl,7`,
      'swapped-email.csv': `email,password,role,organization,profile.name,preferences.language,subscription.type\n${secret},a@example.org,software_developer,1,A,nl,7`,
      'no-header.csv': `a@example.org,${secret},software_developer,1,A,nl,7`,
      'quote.csv': `email,password\na@example.org,${secret}"x"`,
      'open-quote.csv': `email,password\na@example.org,"${secret}`,
      'ragged.csv': `email,password\na@example.org,${secret},x,y`,
      'broken.ndjson': `{"email":"a@example.org","password":"${secret}}`,
      'bare.ndjson': `{"email":"a@example.org","password":${secret}}`,
      'list.ndjson': `{"email":"a@example.org","password":["nl"],"role":"${secret}","profile":{"${secret}":1},"${secret}":2}`,
      'number.ndjson': `{"email":"a@example.org","password":1,"organization":"${secret}"}`,
      'object.ndjson': `{"email":"a@example.org","password":{"value":"${secret}"},"passwd":"${secret}"}`,
    }
    for (const [name, content] of Object.entries(files)) {
      const error = await rig.refuse(await rig.folder.write(name, content))
      expect([name, inspect(error, { depth: 9 })]).not.toContain(secret)
      expect(JSON.stringify(error.problems)).not.toContain(secret)
      expect(inspect(error, { depth: 9 })).not.toContain(secret)
    }
  })
})
