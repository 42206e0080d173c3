import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInMemory, type CliOptions } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let old: string
let next: string
const product = (id: string, publicPrice: number, name: string) => ({
  id,
  status: 'active',
  publicPrice,
  name: { nl: name },
})
const toLines = (records: readonly object[]) =>
  records.map((result, index) => `${JSON.stringify({ meta: { total: records.length, index }, result })}\n`).join('')

beforeAll(async () => {
  folder = await RunFolder.create()
  const long = 'Zalf voor de droge huid van gevoelige mensen, '
  const before = [
    product('M1', 820, 'a'),
    product('M2', 5, `${long}50 ml`),
    product('M3', 7, 'c'),
    product('M4', 8, 'd'),
  ]
  const after = [
    product('M1', 790, 'a'),
    product('M2', 6, `${long}100 ml`),
    product('M4', 8, 'd'),
    product('N1', 1, 'n'),
  ]
  old = await folder.write('old.ndjson', toLines(before))
  next = await folder.write('new.ndjson', toLines(after))
})
afterAll(() => folder.remove())

const cli = (args: readonly string[], options: CliOptions = {}) => runInMemory(['diff', ...args], options)

describe('diff', () => {
  test('diff refuses files whose lines have no id', async () => {
    const table = await folder.write('table.csv', 'id,price\nM1,820\n')
    const other = await folder.write('other.csv', 'id,price\nM1,790\n')
    const { exitCode, stderr } = await cli([table, other])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('expected records with an id, got none in 2 lines')])
    expect((await cli([old, other])).exitCode).toBe(2)
  })

  test('diff shows the counts, and each field with an example, on 80 columns', async () => {
    const { exitCode, stdout, stderr } = await cli([old, next], { columns: 80, isTTY: true })
    expect(exitCode).toBe(0)
    // oxlint-disable-next-line no-control-regex -- colors of the terminal
    const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n')
    expect(lines.slice(-5)).toEqual([
      '  left out  meta.embedUrl, meta.publicPageUrl, meta.updatedAt',
      'products  1 new, 1 removed, 2 changed, 1 unchanged',
      '  publicPrice  2  M1  820 → 790',
      '  name.nl      1  M2  …mensen, 50 ml → …mensen, 100 ml',
      '',
    ])
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stderr).not.toContain('Error')
  })

  test('diff ends with 0 whatever differs, and with 3 for --exit-code', async () => {
    expect((await cli([old, next])).exitCode).toBe(0)
    expect((await cli([old, next, '--exit-code'])).exitCode).toBe(3)
    expect((await cli([old, old, '--exit-code'])).exitCode).toBe(0)
    expect((await cli([old, next, '--exit-code', '--only', 'seoName'])).exitCode).toBe(3)
  })

  test('diff of equal exports says so, and of one with itself', async () => {
    const { stdout, stderr } = await cli([old, old])
    expect(stdout).toContain('\nproducts  0 new, 0 removed, 0 changed, 4 unchanged\nno difference\n')
    expect(stderr).toBe(`${old}: compared with itself\n`)
  })

  test('diff --to writes every difference, and --json the counts', async () => {
    const to = folder.at('deep/changes.csv')
    const { stdout } = await cli([old, next, '--to', to, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      equal: false,
      contract: 'v4/product',
      tables: [{ name: 'products', key: ['id'], new: 1, removed: 1, changed: 2, unchanged: 1 }],
      to: { path: to, rows: 5 },
    })
    const rows = (await readFile(to, 'utf8')).split('\n')
    expect(rows.slice(0, 2)).toEqual(['id,field,element,old,new', 'M1,publicPrice,,820,790'])
    expect(rows.filter((row) => row.includes(',$,')).map((row) => row.slice(0, 5))).toEqual(['M3,$,', 'N1,$,'])
  })

  test('diff names the problem of either side', async () => {
    const broken = await folder.write(
      'broken.ndjson',
      `${toLines([product('M1', 820, 'a')])}${toLines([product('M1', 820, 'a')])}{"id":\n`,
    )
    const { stdout } = await cli([old, broken])
    expect(stdout).toContain(
      `new       ${broken}  3 lines\n            1 line with an id that comes again: the last one counts\n`,
    )
    expect(stdout).toContain('1 line against the contract: compared where they have an id\n')
    expect(stdout).toContain('1 line without an id: not compared\n')
    expect(stdout).toContain('the source is not complete: ')
  })

  test('diff of a file that is not there ends with 4, as JSON too', async () => {
    const { exitCode, stdout, stderr } = await cli([old, folder.at('gone.ndjson'), '--json'])
    expect(exitCode).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'SOURCE_NOT_FOUND' } })
    expect(stderr).toContain('expected a file, got nothing there')
  })

  test('a comparison that is interrupted ends with 130', async () => {
    const { exitCode } = await cli([old, next], { signal: AbortSignal.abort(new Error('stop')) })
    expect(exitCode).toBe(130)
  })
})
