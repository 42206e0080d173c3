import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TraceReport } from '../../../src/inspect/trace/trace-report.ts'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  const photos = [1, 2].map((id) => ({ id, photoType: id === 1 ? 'packshot' : 'pillshot' }))
  const lines = [
    { id: 'M1', status: 'active', cnk: '0012345', photos },
    { id: 'M2', status: 'inactive' },
    { id: 'M3', status: 'active', publicPrice: 'on\u001brequest' },
    { id: 'M1', status: 'active', cnk: '0012346', photos },
  ]
  const source = await folder.write('lines.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const pipeline = {
    name: 'traced',
    source: { files: source, contract: 'v4/product' },
    duplicates: 'last',
    where: { status: ['active'] },
    tables: {
      products: { columns: ['id', 'cnk'] },
      photos: { each: 'photos[]', where: { photoType: ['packshot'] }, columns: ['id'] },
    },
  }
  config = await folder.write('traced.json', JSON.stringify(pipeline))
})
afterAll(() => folder.remove())

const shown = (text: string): string => text.replaceAll(folder.path, '')

describe('trace', () => {
  test('trace shows lines, decisions and rows, and writes nothing', async () => {
    const { exitCode, stdout } = await runInMemory(['trace', config, 'M1', 'M2', 'M3'])
    expect(exitCode).toBe(0)
    expect(shown(stdout).replaceAll(/\{"id".*/g, '{…')).toBe(`M1  2 of 4 lines, 1 file

/lines.ndjson, line 1, byte 0: duplicate: /lines.ndjson, line 4, byte 215 stays
  {…

/lines.ndjson, line 4, byte 215: accepted
  {…
  products  1 row
    id   M1
    cnk  0012346
  photos  1 row, 1 element filtered by its where

M2  1 of 4 lines, 1 file

/lines.ndjson, line 2, byte 121: filtered by where.status: [active], got text "inactive"
  {…

M3  1 of 4 lines, 1 file

/lines.ndjson, line 3, byte 153: rejected
  invalid_type  publicPrice
    expected an amount as a whole number of at most 64 bits, got text "on\\u001brequest"
  {…

This is what a run would make of the lines now. Nothing is published.
`)
    expect(await folder.listOutputs()).toEqual([])
  })

  test('trace works if the outputs are out of reach', async () => {
    const env = {
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      AWS_REGION: 'x',
    }
    const there = await runInMemory(['trace', config, 'M1', '--out', 's3://warehouse/out'], { env })
    expect(there).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("What is published can't be read: s3://"),
    })
  })

  test('trace --rows shows the rows of child tables, --raw the whole line', async () => {
    const { stdout } = await runInMemory(['trace', config, 'M1', '--rows', '--raw'])
    expect(stdout).toContain('photos  3 columns')
    expect(stdout).toContain('"photoType":"pillshot"}]}\n')
  })

  test('trace ends with 3 for an id that no record has, and shows where else it is', async () => {
    const { exitCode, stdout } = await runInMemory(['trace', config, 'M1', 'active'])
    expect(exitCode).toBe(3)
    expect(shown(stdout)).toContain(
      'active  no record has this id or code, in 4 lines, 1 file\n  /lines.ndjson, line 1, byte 0: it is status of the record M1\n',
    )
  })

  test.each(['0012345', '12345', '12-345', '="0012345"', '12345.0'])(
    'trace finds the record with the CNK that somebody wrote as %s',
    async (written) => {
      const { exitCode, stdout } = await runInMemory(['trace', config, written])
      expect(exitCode).toBe(0)
      expect(shown(stdout)).toContain(`M1, whose cnk is ${written}  `)
      const { ids } = JSON.parse((await runInMemory(['trace', config, written, '--json'])).stdout) as TraceReport
      expect(ids).toMatchObject([{ id: 'M1', code: { written, path: 'cnk' }, mentions: [] }])
    },
  )

  test('trace finds every product that has a code, and no part of a longer one', async () => {
    const products = [
      { id: 'M1', eanGtin13: ['5412345678908'] },
      { id: 'M2', eanGtin14: '05412345678908', cnk: '1234567' },
      { id: 'M3', eanGtin13: ['9541234567890'], name: { nl: '5412345678908' } },
    ]
    const many = await folder.write(
      'codes.ndjson',
      products.map((each) => JSON.stringify({ status: 'active', ...each })).join('\n'),
    )
    const { stdout } = await runInMemory(['trace', config, '5412345678908', '--from', many, '--json'])
    const { ids } = JSON.parse(stdout) as TraceReport
    expect(ids.map(({ id, code }) => [id, code?.path])).toEqual([
      ['M1', 'eanGtin13[]'],
      ['M2', 'eanGtin14'],
    ])
  })

  test('trace shows a line that can not be read where it has the id', async () => {
    const torn = await folder.write('torn.ndjson', '{"id":"M1","status":"active"}\n{"id":"M2","stat')
    const { exitCode, stdout } = await runInMemory(['trace', config, 'M2', '--from', torn])
    expect(exitCode).toBe(3)
    expect(shown(stdout)).toContain(
      "\n  /torn.ndjson, line 2, byte 30: it is in a line that can't be read (invalid_json): expected one JSON object",
    )
  })

  test('trace shows an empty text of a condition as such', async () => {
    const one = await folder.write('empty.ndjson', '{"id":"M1","status":"active"}\n')
    const { stdout } = await runInMemory(['trace', config, 'M1', '--from', one, '--set', `where.status=[null, '']`])
    expect(shown(stdout)).toContain('filtered by where.status: [null, ""], got text "active"')
  })

  test('trace of an empty id fails without naming other lines', async () => {
    const one = await folder.write('one.ndjson', '{"id":"M1","status":""}\n')
    const { exitCode, stdout } = await runInMemory(['trace', config, '', '--from', one])
    expect([exitCode, stdout]).toEqual([3, '  no record has this id or code, in 1 line, 1 file\n'])
  })

  test('trace --json has the whole report', async () => {
    const { stdout } = await runInMemory(['trace', config, 'M2', '--json'])
    const report = JSON.parse(stdout) as TraceReport
    expect(report).toMatchObject({ pipeline: 'traced', read: { files: 1, lines: 4 } })
    expect(report.ids[0]).toMatchObject({
      id: 'M2',
      more: 0,
      lines: [{ line: 2, outcome: { kind: 'filtered', path: 'status' } }],
    })
  })

  test('trace of an endpoint without landed files says how to land them', async () => {
    const url = 'baseUrl: https://catalogue.example.com, keyId: k, keySecret: s'
    const service = await folder.write('service.yaml', `name: x\nsource: { endpoint: v4/products/stream, ${url} }\n`)
    const { exitCode, stderr } = await runInMemory(['trace', service, 'M1'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('x: expected files to search, got an endpoint of the service')
    expect(stderr).toContain('--from')
  })
})
