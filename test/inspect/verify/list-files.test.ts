import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { verifyPipeline } from '../../../src/inspect/verify/verify-pipeline.ts'
import { RunFolder } from '../../engine/run-folder.ts'

let folder: RunFolder

const products = [
  { id: 'M1', cnk: '0012345', status: 'active' },
  { id: 'M2', cnk: 4400575, status: 'active' },
  { id: 'M3', cnk: '1270525', status: 'inactive' },
  { id: 'M4', cnk: '0000007', status: 'active', ean: ['5412345678908', '00012345678905'] },
  { id: 'M5', cnk: null, status: 'active', gtin: '5400000000001' },
]

beforeEach(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', toLines(products))
})
afterEach(() => folder.remove())

function toLines(records: readonly object[]): string {
  const lines = records.map((result, index) => JSON.stringify({ meta: { index, total: records.length }, result }))
  return lines.map((line) => `${line}\n`).join('')
}

/** Publishes with a list; the ids of the rows, the report and the lines of the file of what is missing. */
async function run(list: string | Uint8Array, sourceIds: object, more: Partial<PipelineConfig> = {}, workers = 0) {
  const file = await folder.write('list.csv', list)
  const config = { sourceIds: { file, ...sourceIds }, maxRemoved: '100%', ...more }
  const report = await folder.run(config, { workers })
  const rows = (await folder.readOut('products.csv')).split('\n').slice(1, -1)
  const missing = (await folder.readOut('_missing.csv')).split('\n').slice(0, -1)
  return { report, ids: rows.map((row) => row.split(',')[0]), missing }
}

describe('a list of identifiers over files', () => {
  test.each([0, 1])(
    'a list of identifiers over files keeps its records and filters all others, with %i workers',
    async (workers) => {
      const { report, ids, missing } = await run('cnk\n12345\n4400575\n9999999\n', { column: 'cnk' }, {}, workers)
      expect(ids).toEqual(['M1', 'M2'])
      expect(report.ledger).toMatchObject({ lines: 5, accepted: 2, filtered: 3, rejected: 0 })
      expect(report.filteredBy).toEqual([
        {
          table: null,
          by: 'sourceIds',
          path: 'cnk',
          condition: expect.stringMatching(/^3 identifiers of .*list\.csv$/),
          filtered: 3,
        },
      ])
      expect(report.sourceIds).toMatchObject({ field: 'cnk', rows: 3, identifiers: 3, repaired: 1, requests: 0 })
      expect(missing).toEqual(['line,written,asked,reason', '4,9999999,9999999,not found'])
      expect(report.missingIds).toMatchObject({ path: join(folder.out, '_missing.csv'), rows: 1, notFound: 1, bad: 0 })
    },
  )

  test('a list of identifiers over files finds a bar code in any of its fields, with or without leading zeros', async () => {
    const list = 'ean\n12345678905\n5400000000001\n5412345678908\n'
    const { ids, missing } = await run(list, { column: 'ean' })
    expect(ids).toEqual(['M4', 'M5'])
    expect(missing).toHaveLength(1)
  })

  test.each([0, 1])(
    'a list of identifiers over files reports the outcome of each code, with %i workers',
    async (workers) => {
      const broken = { id: 'M6', cnk: '7654321', vat: 'x' }
      await folder.write('input.ndjson', toLines([{ ...products[0], cnk: 99 }, ...products, broken]))
      const more = { where: { status: 'active' }, rejects: { limit: 1 }, duplicates: 'last' as const }
      const list = 'cnk\n0012345\n1270525\n7654321\n9999999\n0000099\n'
      const { report, missing } = await run(list, { column: 'cnk' }, more, workers)
      expect(missing.slice(1)).toEqual([
        '3,1270525,1270525,filtered by where status: active',
        '4,7654321,7654321,rejected',
        '5,9999999,9999999,not found',
        '6,0000099,0000099,left out: another line has the id of its record',
      ])
      const { rows, found, notFound, filtered, rejected, duplicate } = report.missingIds ?? {}
      expect([rows, found, notFound, filtered, rejected, duplicate]).toEqual([4, 1, 1, 1, 1, 1])
      expect(report.ledger).toMatchObject({ rejected: 1, duplicate: 1, accepted: 1, filtered: 4 })
      expect(report.filteredBy?.map((each) => each.filtered)).toEqual([3, 1])
    },
  )

  test('a list of identifiers over files reports nothing as missing in a sample', async () => {
    const file = await folder.write('list.csv', 'cnk\n0012345\n9999999\n')
    const report = await folder.run({ sourceIds: { file, column: 'cnk' } }, { limit: 1 })
    expect(report.missingIds).toMatchObject({ rows: 0 })
  })

  test('a list of identifiers over files changes configHash by its codes, not by their spelling', async () => {
    const { report } = await run('cnk\n0012345\n', { column: 'cnk' })
    expect((await run('cnk\n12345\n', { column: 'cnk' })).report.configHash).toBe(report.configHash)
    expect((await run('cnk\n12346\n', { column: 'cnk' })).report.configHash).not.toBe(report.configHash)
  })

  test('a list of identifiers over files that matches no record does not replace what is published', async () => {
    await folder.run()
    const file = await folder.write('list.csv', 'cnk\n9999999\n')
    const error = await folder.fail({ sourceIds: { file, column: 'cnk' } })
    expect(error?.code).toBe('REMOVED_TOO_MANY')
    expect(error?.message).toMatch(
      /5 of 5 lines were filtered, most of them \(5\) by sourceIds cnk: 1 identifier of .*list\.csv$/,
    )
    expect(existsSync(join(folder.out, '_missing.csv'))).toBe(false)
  })

  test('a stateful pipeline removes records that were removed from the list of identifiers', async () => {
    const outputs = [{ format: 'csv' as const, path: 'out/{table}.csv', mode: 'merge' as const }]
    expect((await run('cnk\n0012345\n4400575\n', { column: 'cnk' }, { outputs })).ids).toEqual(['M1', 'M2'])
    const { report, ids, missing } = await run('cnk\n4400575\n5555555\n', { column: 'cnk' }, { outputs })
    expect(ids).toEqual(['M2'])
    expect(report.state?.changes).toMatchObject({ removed: 1, unchanged: 1 })
    expect(missing).toEqual(['line,written,asked,reason', '3,5555555,5555555,not found'])
    const without = await folder.run({ outputs, maxRemoved: '100%' })
    expect([without.missingIds, existsSync(join(folder.out, '_missing.csv'))]).toEqual([undefined, false])
  })
})

describe('the file of missing identifiers', () => {
  test('the file of missing identifiers is removed when a later run has no list', async () => {
    await run('cnk\n9999999\n', { column: 'cnk' })
    expect((await run('cnk\n0012345\n', { column: 'cnk' })).missing).toHaveLength(1)
    const report = await folder.run()
    expect([report.missingIds, existsSync(join(folder.out, '_missing.csv'))]).toEqual([undefined, false])
  })

  test('the file of missing identifiers is one of the files that verify compares with the manifest', async () => {
    await run('cnk\n9999999\n', { column: 'cnk' })
    const source = { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' }
    const config = { name: 'products', source, outputs: [{ format: 'csv', path: 'out/{table}.csv' }] } as const
    const plan = planPipeline({ ...config, outputs: [...config.outputs] }, { outDir: folder.out, env: {} })
    const path = join(folder.out, '_missing.csv')
    expect((await verifyPipeline(plan, { env: {} })).differences).toEqual([])
    await writeFile(path, 'line,written,asked,reason\n')
    expect((await verifyPipeline(plan, { env: {} })).differences).toMatchObject([{ kind: 'changed', where: path }])
  })

  test('the file of missing identifiers is unchanged if a run fails', async () => {
    await run('cnk\n9999999\n', { column: 'cnk' })
    const before = await folder.readOut('_missing.csv')
    await folder.write('input.ndjson', 'x\n')
    const file = await folder.write('list.csv', 'cnk\n8888888\n')
    expect((await folder.fail({ sourceIds: { file, column: 'cnk' } }))?.code).toBe('TOO_MANY_REJECTS')
    expect(await folder.readOut('_missing.csv')).toBe(before)
  })
})

describe('a list from a spreadsheet', () => {
  // A byte order mark, names in a DOS code page, no header, CRLF.
  const list = Buffer.concat([
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from(
      [
        '12345;Th\x82 vert 1,5 g;12,50',
        '4400-575;Cr\x8ame;3,00',
        '1270 525;Gel;1,20',
        'null;Inconnu;0,00',
        '7;\x81l, 5";9,99'.replace('"', ''),
        '0012345;Th\x82;12,50',
        ';Sans code;1,00',
        '123456789;trop long;1,00',
        '9999999;"a; ""b""";1,00',
        '',
      ].join('\r\n'),
      'latin1',
    ),
  ])

  test('a list from a spreadsheet is read without a header, with spaces and dashes in its codes, and its bad entries are reported', async () => {
    const { report, ids, missing } = await run(list, { column: 1, field: 'cnk', badIdentifiers: 'report' })
    expect(ids).toEqual(['M1', 'M2', 'M3', 'M4'])
    expect(report.sourceIds).toMatchObject({
      column: 1,
      rows: 9,
      identifiers: 5,
      repaired: 4,
      repeated: 1,
      empty: 1,
      bad: 2,
    })
    const expected = 'bad identifier: expected a CNK code (7 digits, fewer are padded with zeros on the left)'
    expect(missing).toEqual([
      'line,written,asked,reason',
      `4,null,,"${expected}"`,
      `8,123456789,,"${expected}"`,
      '9,9999999,9999999,not found',
    ])
    expect(report.missingIds).toMatchObject({ rows: 3, notFound: 1, bad: 2 })
  })

  test('bad entries in a list from a spreadsheet end the run before anything is read, unless they are to be reported', async () => {
    const file = await folder.write('list.csv', list)
    const error = await folder.fail({ sourceIds: { file, column: 1, field: 'cnk' } })
    expect(error?.code).toBe('CONFIG_INVALID')
    expect(error?.message).toContain('got "null" in line 4, "123456789" in line 8')
  })
})
