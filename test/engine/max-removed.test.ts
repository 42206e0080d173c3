import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RunFolder, toStream } from './run-folder.ts'

let folder: RunFolder
const ids = Array.from({ length: 100 }, (_, at) => `M${at}`)

beforeEach(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', toStream(ids))
})
afterEach(() => folder.remove())

/** All records, and photos of the first few of them. */
function toLines(photos: number): string {
  return ids.map((id, at) => `${JSON.stringify({ id, photos: at < photos ? [{ id: at }] : [] })}\n`).join('')
}

describe('files that hold what a run reads, published over others', () => {
  test('published files are not replaced by empty ones if a condition leaves no record, and the message names the condition', async () => {
    await folder.run()
    const before = await folder.snapshot()
    const error = await folder.fail({ where: { vat: { from: 1 }, status: { not: 'active' } } })
    expect([error?.code, error?.exitCode]).toEqual(['REMOVED_TOO_MANY', 3])
    expect(error?.message).toBe(
      `${join(folder.out, '_manifest.json')}: expected at most 5 (5%) of 100 published records to be removed (maxRemoved), got 100: ` +
        '0 would be left; 100 of 100 lines were filtered, most of them (100) by where vat: {from: 1}',
    )
    expect(error?.fix).toContain('--set maxRemoved=100%')
    expect(await folder.snapshot()).toEqual(before)
  })

  test.each([
    [5, 'published'],
    [6, 'REMOVED_TOO_MANY'],
  ])('published files may lose 5 of 100 records by default: %i gone is %s', async (gone, verdict) => {
    await folder.run()
    await folder.write('input.ndjson', toStream(ids.slice(gone)))
    expect((await folder.fail())?.code ?? 'published').toBe(verdict)
  })

  test('published files that are few are not replaced by fewer, and the message says to give a count in place of a share', async () => {
    await folder.write('input.ndjson', toStream(ids.slice(0, 12)))
    await folder.run()
    await folder.write('input.ndjson', toStream(ids.slice(0, 11)))
    const error = await folder.fail()
    expect(error?.message).toContain(
      'expected at most 0 (5%) of 12 published records to be removed (maxRemoved), got 1',
    )
    expect(error?.fix).toBe(
      'Check that the source holds everything. 5% of 12 is less than one, so none may go. Where some do now and then, ' +
        'give a count in the config, `maxRemoved: 1`; for one run, `--set maxRemoved=1`.',
    )
    expect((await folder.run({ maxRemoved: 1 })).ledger.accepted).toBe(11)
  })

  test('published files of a list of codes that became shorter are kept, and the message says how to let it shrink', async () => {
    const list = await folder.write('ids.txt', ids.slice(0, 10).join('\n'))
    const sourceIds = { file: list, field: 'id' }
    await folder.run({ sourceIds })
    await folder.write('ids.txt', ids.slice(0, 7).join('\n'))
    const error = await folder.fail({ sourceIds })
    expect(error?.message).toContain(
      'expected at most 0 (5%) of 10 published records to be removed (maxRemoved), got 3: 7 would be left',
    )
    expect(error?.fix).toBe(
      `Check that ${list} still lists every code. Codes that leave the list take their records with them: where that is meant, ` +
        'allow it in the config, `maxRemoved: 100%`; for one run, `--set maxRemoved=100%`.',
    )
    expect((await folder.run({ sourceIds, maxRemoved: '100%' })).ledger.accepted).toBe(7)
  })

  test('published files may lose as many records as maxRemoved allows', async () => {
    await folder.run()
    await folder.write('input.ndjson', '')
    expect((await folder.fail({ maxRemoved: 99 }))?.code).toBe('REMOVED_TOO_MANY')
    expect((await folder.run({ maxRemoved: '100%' })).ledger.accepted).toBe(0)
    await folder.write('input.ndjson', toStream(ids))
    expect((await folder.run()).ledger.accepted).toBe(100)
  })

  test('published files are compared by records if the tables have other names now', async () => {
    await folder.run()
    await folder.write('input.ndjson', toStream(ids.slice(50)))
    const error = await folder.fail({ tables: { items: { columns: ['id'] } } })
    expect(error?.message).toContain('of 100 published records to be removed')
  })

  test.each([
    [20, 'REMOVED_TOO_MANY'],
    [19, 'published'],
  ])('published files keep a table with each that had %i rows and would have none: %s', async (rows, verdict) => {
    const tables = { products: { columns: ['id'] }, photos: { each: 'photos[]', columns: ['id'] } }
    await folder.write('input.ndjson', toLines(rows))
    await folder.run({ tables })
    await folder.write('input.ndjson', toLines(1))
    expect(await folder.fail({ tables })).toBe(undefined)
    await folder.write('input.ndjson', toLines(rows))
    await folder.run({ tables })
    await folder.write('input.ndjson', toLines(0))
    expect((await folder.fail({ tables }))?.code ?? 'published').toBe(verdict)
  })

  test('published files are not replaced by a sample, whose message says where to put it', async () => {
    await folder.run()
    const error = await folder.fail({}, { limit: 10 })
    expect([error?.code, error?.fix]).toEqual(['REMOVED_TOO_MANY', expect.stringContaining('--out DIR')])
    await folder.run({}, { limit: 10, outDir: join(folder.path, 'sample') })
  })

  test('published files are replaced if the manifest is that of another pipeline, or no manifest', async () => {
    await folder.run()
    await folder.write('input.ndjson', toStream(ids.slice(50)))
    expect(await folder.fail({ name: 'others' })).toBe(undefined)
    await folder.write('input.ndjson', toStream(ids))
    await folder.run()
    await writeFile(join(folder.out, '_manifest.json'), '{}')
    await folder.write('input.ndjson', toStream(ids.slice(50)))
    expect(await folder.fail()).toBe(undefined)
  })

  test('published files keep the rejects of the run that failed', async () => {
    await folder.run()
    await folder.write('input.ndjson', `{"id":1}x\n${toStream(ids.slice(60))}`)
    const error = await folder.fail({ rejects: { limit: 1 }, completeness: 'report' })
    expect(error?.code).toBe('REMOVED_TOO_MANY')
    expect((await folder.readOut('_rejects.ndjson')).split('\n')).toHaveLength(2)
  })

  test.each([
    ['keeps a state from now on', [{}, { incremental: {} }]],
    ['keeps no state any more', [{ incremental: {} }, {}]],
  ] as const)('published files are guarded where the pipeline %s', async (_, [before, after]) => {
    await folder.run(before)
    await folder.write('input.ndjson', toStream(ids.slice(50)))
    const error = await folder.fail(after)
    expect(error?.message).toMatch(
      /expected at most 5 \(5%\) of 100 published (records|rows of table "products") to be removed/,
    )
  })
})

describe('the conditions of a run', () => {
  const records = [
    { id: 'M1', status: 'active', vat: 6, photos: [{ displayOrder: 1 }, { displayOrder: 2 }] },
    { id: 'M2', status: 'inactive', vat: 6 },
    { id: 'M3', status: 'inactive', vat: 21 },
    { id: 'M4', status: 'active', vat: 21 },
    { id: 'M5', status: 'active', vat: 6, photos: [{ displayOrder: 1 }], packageContent: 'x' },
  ]

  test.each([0, 1])(
    'the conditions of a run are reported with how many each left out, the first one that a record fails, with %i workers',
    async (workers) => {
      await folder.write('input.ndjson', records.map((record) => `${JSON.stringify(record)}\n`).join(''))
      const report = await folder.run(
        {
          where: { status: { not: 'inactive' }, vat: [6] },
          tables: {
            products: { columns: ['id'] },
            photos: { each: 'photos[]', columns: ['displayOrder'], where: { displayOrder: { from: 2 } } },
          },
        },
        { workers },
      )
      expect(report.filteredBy).toEqual([
        { table: null, by: 'where', path: 'status', condition: '{not: inactive}', filtered: 2 },
        { table: null, by: 'where', path: 'vat', condition: '[6]', filtered: 1 },
        { table: 'photos', by: 'where', path: 'displayOrder', condition: '{from: 2}', filtered: 2 },
      ])
      expect(report.ledger.filtered).toBe(3)
      expect(report.tables[1]).toMatchObject({ rows: 1, filtered: 2 })
      const manifest = JSON.parse(await readFile(join(folder.out, '_manifest.json'), 'utf8')) as typeof report
      expect(manifest.filteredBy).toEqual(report.filteredBy)
    },
  )

  test('conditions of a run with the same meaning in another notation have the same configHash', async () => {
    const one = await folder.run({ where: { status: 'active' } })
    const other = await folder.run({ where: { status: ['active'] } })
    expect(other.configHash).toBe(one.configHash)
  })
})
