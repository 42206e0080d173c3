import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RunFolder, toStream } from '../run-folder.ts'

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

async function runWarned(changes: Parameters<RunFolder['run']>[0]) {
  const warnings: string[] = []
  const report = await folder.run(changes, { onWarning: (message) => warnings.push(message) })
  return { report, warnings }
}

describe('snapshots published over earlier files', () => {
  test('published files are not replaced by empty ones if a condition leaves no record, and the message names the condition', async () => {
    await folder.run()
    const before = await folder.snapshot()
    const error = await folder.fail({ where: { vat: { from: 1 }, status: { not: 'active' } } })
    expect([error?.code, error?.exitCode]).toEqual(['REMOVED_TOO_MANY', 3])
    expect(error?.message).toBe(
      `${join(folder.out, '_manifest.json')}: expected at most 5 (5%) of 100 published records to be removed (maxRemoved), got 100: ` +
        '0 would be left; 100 of 100 lines were filtered, most of them (100) by where vat: {from: 1}',
    )
    expect(error?.fix).toBe(
      'Correct the config: `where` of the config changed since the last run, and nothing is left. If that is meant, ' +
        '`--set maxRemoved=100%` allows it for one run.',
    )
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

  test('a small published table is not replaced by a smaller one, and the message suggests a count instead of a share', async () => {
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

  test('published files may lose as many records as maxRemoved allows', async () => {
    await folder.run()
    await folder.write('input.ndjson', '')
    expect((await folder.fail({ maxRemoved: 99 }))?.code).toBe('REMOVED_TOO_MANY')
    expect((await folder.run({ maxRemoved: '100%' })).ledger.accepted).toBe(0)
    await folder.write('input.ndjson', toStream(ids))
    expect((await folder.run()).ledger.accepted).toBe(100)
  })

  test('published files are compared by records if the tables were renamed', async () => {
    await folder.run()
    await folder.write('input.ndjson', toStream(ids.slice(50)))
    const error = await folder.fail({ tables: { items: { columns: ['id'] } } })
    expect(error?.message).toContain('of 100 published records to be removed')
  })

  test.each([
    [20, 'REMOVED_TOO_MANY'],
    [19, 'published'],
  ])('a published table with each that had %i rows and would have none is kept: %s', async (rows, verdict) => {
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

  test('published files are replaced if the manifest belongs to another pipeline or is none', async () => {
    await folder.run()
    await folder.write('input.ndjson', toStream(ids.slice(50)))
    expect(await folder.fail({ name: 'others' })).toBe(undefined)
    await folder.write('input.ndjson', toStream(ids))
    await folder.run()
    await writeFile(join(folder.out, '_manifest.json'), '{}')
    await folder.write('input.ndjson', toStream(ids.slice(50)))
    expect(await folder.fail()).toBe(undefined)
  })

  test('rejects of a run refused for removals are kept', async () => {
    await folder.run()
    await folder.write('input.ndjson', `{"id":1}x\n${toStream(ids.slice(60))}`)
    const error = await folder.fail({ rejects: { limit: 1 }, completeness: 'report' })
    expect(error?.code).toBe('REMOVED_TOO_MANY')
    expect((await folder.readOut('_rejects.ndjson')).split('\n')).toHaveLength(2)
  })

  test.each([
    ['keeps a state from now on', [{}, { incremental: {} }]],
    ['keeps no state any more', [{ incremental: {} }, {}]],
  ] as const)('published files are protected if the pipeline %s', async (_, [before, after]) => {
    await folder.run(before)
    await folder.write('input.ndjson', toStream(ids.slice(50)))
    const error = await folder.fail(after)
    expect(error?.message).toMatch(
      /expected at most 5 \(5%\) of 100 published (records|rows of table "products") to be removed/,
    )
  })
})

describe('published records that an edit of the config takes away', () => {
  const lines = ids.map((id, at) => `${JSON.stringify({ id, status: at < 30 ? 'active' : 'inactive' })}\n`).join('')
  const where = { status: 'active' }

  beforeEach(() => folder.write('input.ndjson', lines))

  test('records excluded by a new condition are removed with a warning about their number and the key', async () => {
    await folder.run()
    const { report, warnings } = await runWarned({ where })
    expect(report.ledger.accepted).toBe(30)
    expect(warnings).toEqual([
      '70 of 100 published records are removed: more than maxRemoved allows, but `where` of the config changed since the last run',
    ])
    expect(report.editLosses).toEqual([{ of: 'records', removed: 70, before: 100, changed: ['where'] }])
    expect(await folder.readOut('_report.html')).toContain(warnings[0])
    expect(await runWarned({ where })).toMatchObject({ warnings: [] })
  })

  test('records that disappear with an unchanged config are a loss, even if its keys are reordered', async () => {
    await folder.run({ where: { status: 'active', deleted: { not: true } } })
    await folder.write('input.ndjson', toStream(ids.slice(0, 10)))
    const error = await folder.fail({ where: { deleted: { not: true }, status: 'active' } })
    expect(error?.message).toContain(
      'expected at most 1 (5%) of 30 published records to be removed (maxRemoved), got 20',
    )
  })

  test('records removed from the list of codes go with a warning, and an unchanged list allows no loss', async () => {
    const list = await folder.write('ids.txt', ids.slice(0, 10).join('\n'))
    const sourceIds = { file: list, field: 'id' }
    await folder.run({ sourceIds })
    await folder.write('ids.txt', ids.slice(0, 7).join('\n'))
    const { report } = await runWarned({ sourceIds })
    expect(report.editLosses).toEqual([{ of: 'records', removed: 3, before: 10, changed: ['sourceIds'] }])
    await folder.write('input.ndjson', toStream(ids.slice(0, 5)))
    expect((await folder.fail({ sourceIds }))?.code).toBe('REMOVED_TOO_MANY')
  })

  test.each([
    ['another file', 'half.ndjson', 'published'],
    ['the file of another day', 'input-2026-11-24.ndjson', 'REMOVED_TOO_MANY'],
  ])('published records that %s does not have: %s is %s', async (_, name, verdict) => {
    const first = await folder.write('input-2026-11-23.ndjson', lines)
    await folder.run({ source: { files: first } })
    const files = await folder.write(name, toStream(ids.slice(0, 50)))
    expect((await folder.fail({ source: { files } }))?.code ?? 'published').toBe(verdict)
  })

  test('a sample does not replace published records after an edit, or if the manifest has no selection', async () => {
    await folder.run()
    expect((await folder.fail({ where }, { limit: 40 }))?.fix).toContain('--out DIR')
    const path = join(folder.out, '_manifest.json')
    const { selection, ...older } = JSON.parse(await readFile(path, 'utf8')) as { selection: unknown }
    expect(selection).toEqual({ 'source.files': expect.stringMatching(/^[0-9a-f]{16}$/) as string })
    await writeFile(path, JSON.stringify(older))
    expect((await folder.fail({ where }))?.code).toBe('REMOVED_TOO_MANY')
  })

  test('rows of a table with each are removed together with their records', async () => {
    const tables = { products: { columns: ['id'] }, photos: { each: 'photos[]', columns: ['id'] } }
    const records = ids.map((id, at) => ({
      id,
      status: at < 30 ? 'active' : 'inactive',
      photos: at < 30 ? [] : [{ id: at }],
    }))
    await folder.write('input.ndjson', records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    await folder.run({ tables })
    const { report } = await runWarned({ tables, where })
    expect(report.editLosses?.map(({ of, before }) => [of, before])).toEqual([
      ['records', 100],
      ['rows of table "photos"', 70],
    ])
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
    'a run reports how many records each condition excluded, counting the first failing one, with %i workers',
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

  test('conditions in another notation with the same meaning keep the configHash', async () => {
    const one = await folder.run({ where: { status: 'active' } })
    const other = await folder.run({ where: { status: ['active'] } })
    expect(other.configHash).toBe(one.configHash)
  })
})
