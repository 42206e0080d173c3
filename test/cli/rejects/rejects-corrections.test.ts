import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'
import type { ProcessEnd } from '../built-cli.ts'
import { runInFolder } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
/** Lines as they should be, and with wrong prices, orders of photos and vats. */
let right: string[]
let wrong: string[]

const config = (file: string) => `name: p
source: { files: ${file}, contract: v4/product }
locales: [nl]
tables:
  products: { columns: [id, publicPrice, name, { column: record, from: $, as: json }] }
  photos: { each: 'photos[]', columns: [displayOrder] }
outputs: [{ format: csv, path: 'out/{pipeline}/{table}.csv' }]
`

beforeAll(async () => {
  folder = await RunFolder.create()
  const bytes = Buffer.concat([...generateLines({ contract: 'v4/product', records: 400, seed: 7 })])
  right = bytes.toString().trimEnd().split('\n')
  wrong = right.map((line, at) => {
    if (at % 40 === 3) return line.replace(/"publicPrice":\d+/, '"publicPrice":"on request"')
    if (at % 40 === 23)
      return line
        .replaceAll(/"displayOrder":\d+/g, '"displayOrder":"first"')
        .replace(/"publicPrice":\d+/, '"publicPrice":"n/a"')
    return line
  })
  await folder.write('right.ndjson', `${right.join('\n')}\n`)
  await folder.write('wrong.ndjson', `${wrong.join('\n')}\n`)
  await folder.write('right.yaml', config('right.ndjson'))
  await folder.write('p.yaml', config('wrong.ndjson'))
})
beforeEach(() =>
  Promise.all(['out', 'fix.csv', 'fix.xlsx'].map((name) => rm(folder.at(name), { recursive: true, force: true }))),
)
afterAll(() => folder.remove())

const run = (...args: string[]): Promise<ProcessEnd> => runInFolder(folder.path, args)
const reportOf = ({ stdout }: ProcessEnd): Manifest =>
  (JSON.parse(stdout) as { runs: { report: Manifest }[] }).runs[0]!.report
const readTables = () =>
  Promise.all(['products', 'photos'].map((name) => readFile(folder.at(`out/p/${name}.csv`), 'utf8')))

interface Row {
  id: string
  path: string
  value: string
  corrected: string
}

/** What somebody who knows the right values fills in. */
function fillIn(row: Row): Row {
  const line = right.find((each) => each.includes(`"id":"${row.id}"`)) ?? ''
  const { result } = JSON.parse(line) as { result: object }
  const steps = row.path.split(/[.[\]]+/).filter((step) => step !== '')
  const value = steps.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], result)
  return { ...row, corrected: String(value) }
}

async function readTable(path: string): Promise<Row[]> {
  const [, ...lines] = (await readFile(folder.at(path), 'utf8')).trimEnd().split('\n')
  return lines.map((line) => {
    const [id = '', at = '', value = '', corrected = ''] = line.split(',')
    return { id, path: at, value, corrected }
  })
}
const writeTable = (path: string, rows: readonly Row[], delimiter = ',') =>
  folder.write(
    path,
    ['id,path,value,corrected', ...rows.map((row) => Object.values(row).join(','))]
      .join('\n')
      .replaceAll(',', delimiter),
  )

describe('a table of corrections', () => {
  test('filled in after rejects show --to, gives the outputs of a source that was right, with any number of threads', async () => {
    await run('run', 'right.yaml')
    const expected = await readTables()
    expect((await run('run', 'p.yaml')).code).toBe(3)
    const shown = await run('rejects', 'show', 'p.yaml', '--to', 'fix.csv')
    expect(shown.stdout).toMatch(/^\d+ wrong values in fix\.csv\n/)
    const rows = await readTable('fix.csv')
    expect(new Set(rows.map(({ value }) => value))).toEqual(new Set(['on request', 'n/a', 'first']))
    await writeTable('fix.csv', rows.map(fillIn), ';')
    for (const workers of ['0', '2']) {
      const end = await run('rejects', 'replay', 'p.yaml', '--fixed', 'fix.csv', '--json', '--workers', workers)
      expect(reportOf(end)).toMatchObject({
        ledger: { lines: 400, accepted: 400, rejected: 0 },
        completeness: { status: 'proven' },
        corrected: { path: 'fix.csv', rows: rows.length, used: rows.length, lines: rows.length, unused: [] },
      })
      expect(await readTables()).toEqual(expected)
    }
  })

  test('in the config corrects every run, until the source is right, which the run says', async () => {
    await run('run', 'p.yaml')
    await run('rejects', 'show', 'p.yaml', '--to', 'fix.csv')
    await writeTable('fix.csv', (await readTable('fix.csv')).map(fillIn))
    const keep = ['--set', 'rejects.corrections=fix.csv']
    const first = reportOf(await run('run', 'p.yaml', ...keep, '--json'))
    const { rows = 0 } = first.corrected ?? {}
    expect(first.ledger.rejected).toBe(0)
    expect((await run('run', 'p.yaml', ...keep)).stderr).toContain(`${rows} wrong values corrected by fix.csv`)
    const later = await run('run', 'p.yaml', ...keep, '--from', 'right.ndjson')
    expect(later.stderr.replaceAll(/\s+/g, ' ')).toContain(`${rows} of ${rows} corrections in fix.csv did nothing `)
    expect(later.stderr).toContain('more in the manifest')
    expect(later.stderr).toMatch(/publicPrice of M\w+: the source is right by now, or has no such line/)
    const sample = await run('run', 'p.yaml', ...keep, '--limit', '2')
    expect(sample.stderr).not.toContain('did nothing')
  })

  test('leaves rejected, and as it was delivered, what it does not correct', async () => {
    await run('run', 'p.yaml')
    const before = await readFile(folder.at('out/p/_rejects.ndjson'), 'utf8')
    await run('rejects', 'show', 'p.yaml', '--to', 'fix.csv')
    const rows = await readTable('fix.csv')
    const [first] = rows
    // Of records with several wrong values only one is corrected.
    const partly = rows.filter(({ value }) => value === 'n/a').map(fillIn)
    await writeTable('fix.csv', [...partly, { ...fillIn(first!), value: 'another' }])
    const end = await run('rejects', 'replay', 'p.yaml', '--fixed', 'fix.csv', '--json')
    expect(end.code).toBe(3)
    expect(await readFile(folder.at('out/p/_rejects.ndjson'), 'utf8')).toBe(before)
  })

  test('says of each correction that saves no line why, in the error and in the manifest, with any number of threads', async () => {
    await run('run', 'p.yaml')
    await run('rejects', 'show', 'p.yaml', '--to', 'fix.csv')
    const rows = (await readTable('fix.csv')).filter(({ value }) => value === 'on request')
    const [first, second, ...others] = rows as [Row, Row, ...Row[]]
    await writeTable('fix.csv', [
      { ...first, corrected: 'soon' },
      { ...second, value: 'sold out', corrected: '820' },
      ...others.map(fillIn),
    ])
    const failed = await run('rejects', 'replay', 'p.yaml', '--fixed', 'fix.csv')
    expect([failed.code, failed.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringContaining(
        `; corrections that save no line: publicPrice of ${first.id}: the corrected value is wrong too: expected an amount`,
      ),
    ])
    for (const workers of ['0', '2']) {
      const args = ['--fixed', 'fix.csv', '--set', 'rejects.limit=100%', '--workers', workers]
      const { corrected } = reportOf(await run('rejects', 'replay', 'p.yaml', ...args, '--json'))
      expect(corrected?.unused).toEqual([
        {
          id: first.id,
          path: 'publicPrice',
          reason: expect.stringMatching(/^the corrected value is wrong too: expected/),
        },
        { id: second.id, path: 'publicPrice', reason: 'the source delivers another value' },
      ])
      const { stderr } = await run('rejects', 'replay', 'p.yaml', ...args)
      expect(stderr).toContain(`publicPrice of ${second.id}: the source delivers another value`)
    }
  })

  test('is not written over another file: one with corrections in it, or an output of the run', async () => {
    await run('run', 'p.yaml', '--set', 'rejects.limit=100%')
    await writeTable('fix.csv', [{ id: 'A', path: 'vat', value: 'x', corrected: '6' }])
    for (const path of ['fix.csv', 'out/p/products.csv']) {
      const before = await readFile(folder.at(path), 'utf8')
      const { code, stderr } = await run('rejects', 'show', 'p.yaml', '--to', path)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--to ${path}: expected no file yet, got one`)])
      expect(await readFile(folder.at(path), 'utf8')).toBe(before)
    }
  })

  test('without a corrected value in a row leaves that row out; wrong tables are refused with the place', async () => {
    await writeTable('open.csv', [{ id: 'A', path: 'publicPrice', value: 'x', corrected: '' }])
    expect((await run('check', 'p.yaml', '--set', 'rejects.corrections=open.csv')).code).toBe(0)
    const twice = { id: 'A', path: 'publicPrice', value: 'x', corrected: '1' }
    await writeTable('twice.csv', [twice, { ...twice, corrected: '2' }])
    await writeTable('placeless.csv', [{ ...twice, path: '' }])
    await writeTable('misspelt.csv', [twice, { ...twice, path: 'photos[0].displayOrdr' }])
    await folder.write('other.csv', 'id,path,value\nA,vat,1\n')
    for (const [path, message] of [
      [
        'twice.csv',
        /rejects\.corrections.*"twice\.csv": expected one corrected value of publicPrice of "A", got one in line 2 and another in line 3/,
      ],
      ['placeless.csv', /expected the id of a record and the path of a field .*, got none in line 2/],
      [
        'misspelt.csv',
        /expected paths of fields, as rejects have them, got in line 3 an unknown field "displayOrdr" in path .*; did you mean "displayOrder"\?/,
      ],
      ['other.csv', /expected a column of the header .*, got "corrected"/],
      ['nothing.csv', /expected a file, got nothing there/],
    ] as const) {
      const { code, stderr } = await run('check', 'p.yaml', '--set', `rejects.corrections=${path}`)
      expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringMatching(message)])
    }
    await writeTable('a: twice.csv', [twice, { ...twice, corrected: '2' }])
    const named = await run('rejects', 'replay', 'p.yaml', '--fixed', 'a: twice.csv')
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('p.yaml, --fixed: rejects.corrections')])
    const unfilled = await run('run', 'right.yaml', '--set', 'rejects.corrections=open.csv')
    expect(unfilled.stderr + unfilled.stdout).toContain('no row of open.csv has a corrected value')
    const both = await run('rejects', 'replay', 'p.yaml', '--fixed', 'twice.csv', '--fixed', 'fixed.ndjson')
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('expected one table of corrections alone')])
  })

  test.skipIf(process.env['CATALOGUE_REQUIRE_SPREADSHEETS'] !== '1')(
    'is a workbook that openpyxl fills in, and codes and paths stay text in it',
    async () => {
      await run('run', 'right.yaml')
      const expected = await readTables()
      await run('run', 'p.yaml')
      await run('rejects', 'show', 'p.yaml', '--to', 'fix.xlsx')
      const answers = Object.fromEntries(
        (await readFile(folder.at('out/p/_rejects.ndjson'), 'utf8'))
          .trimEnd()
          .split('\n')
          .flatMap((line) => {
            const { id, issues } = JSON.parse(line) as { id: string; issues: { path: string }[] }
            return issues.map(({ path }) => [
              `${id} ${path}`,
              Number(fillIn({ id, path, value: '', corrected: '' }).corrected),
            ])
          }),
      )
      execFileSync('python3', [join(import.meta.dirname, 'fill-in.py'), folder.at('fix.xlsx'), JSON.stringify(answers)])
      const end = await run('rejects', 'replay', 'p.yaml', '--fixed', 'fix.xlsx', '--json')
      expect(reportOf(end).ledger).toMatchObject({ accepted: 400, rejected: 0 })
      expect(await readTables()).toEqual(expected)
    },
  )
})
