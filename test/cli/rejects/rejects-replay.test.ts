import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { BuiltCli, type ProcessEnd } from '../built-cli.ts'
import { runInFolder } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

interface Reject {
  readonly source: string
  readonly line: number
  readonly byteOffset: number
  readonly id: string | null
  raw?: string
  rawBase64?: string
}

let cli: BuiltCli
let folder: RunFolder
/** Valid lines, and the same with every hundredth broken, in several ways. */
let valid: string[]
let broken: string[]

beforeAll(async () => {
  ;[cli, folder] = await Promise.all([BuiltCli.build(), RunFolder.create()])
  const bytes = Buffer.concat([...generateLines({ contract: 'v4/product', records: 1000, seed: 7 })])
  valid = bytes.toString().trimEnd().split('\n').map(shorten)
  broken = valid.map((line, at) => (at % 30 === 20 ? breakLine(line, at) : line))
  await folder.write('in.ndjson', `${broken.join('\n')}\n`)
  await folder.write('p.yaml', toConfig('p', 'in.ndjson'))
})
beforeEach(() => rm(folder.out, { recursive: true, force: true }))
afterAll(() => folder.remove())

const run = (...args: string[]): Promise<ProcessEnd> => runInFolder(folder.path, args)
const replay = (config: string, ...args: string[]) =>
  run('rejects', 'replay', config, '--fixed', 'fixed.ndjson', ...args)

describe('rejects replay', () => {
  test('corrected lines replace rejected ones, with the same outputs as from a corrected source', async () => {
    expect((await run('run', 'p.yaml')).code).toBe(3)
    await fix('p', (reject) => ({ ...reject, raw: valid[reject.line - 1] }))
    const end = await replay('p.yaml', '--json', '--workers', '2', '--metrics', 'm.prom')
    expect(end.code).toBe(0)
    const report = reportOf(end)
    expect(report.replayed).toEqual({ path: 'fixed.ndjson', lines: 33 })
    expect(report.ledger).toMatchObject({ lines: 1000, accepted: 1000, rejected: 0 })
    expect(report.completeness.status).toBe('proven')
    expect(report.notes).toContain('33 lines of fixed.ndjson took the place of those rejected before')
    expect(await readFile(folder.at('m.prom'), 'utf8')).toContain('published_replayed_lines{pipeline="p"} 33')
    const replayed = await readTables('p')
    await folder.write('corrected.ndjson', `${valid.join('\n')}\n`)
    await run('run', 'p.yaml', '--from', 'corrected.ndjson')
    expect(replayed).toEqual(await readTables('p'))
  })

  test('DuckDB reads the mended rows back, and every other row as it was', async () => {
    await run('run', 'p.yaml', '--set', 'rejects.limit=100%')
    const before = folder.at('before.csv')
    await folder.write('before.csv', await readFile(folder.at('out/p/products.csv')))
    await fix('p', (reject) => ({ ...reject, raw: valid[reject.line - 1] }))
    expect((await replay('p.yaml')).code).toBe(0)
    const after = folder.at('out/p/products.csv')
    const sides = `read_csv('${after}', all_varchar = true) AS a LEFT JOIN read_csv('${before}', all_varchar = true) AS b USING (id)`
    const counts = await queryDuckDb(
      `SELECT count(*)::INT, count(*) FILTER (b.id IS NULL)::INT,
        count(*) FILTER (b.id IS NOT NULL AND a.cnk IS NOT DISTINCT FROM b.cnk)::INT FROM ${sides}`,
    )
    expect(counts).toEqual([[1000, 33, 967]])
  })

  test('lines missing from the corrections, or unchanged in them, stay rejected at their old places', async () => {
    await run('run', 'p.yaml')
    const before = await readRejects('p')
    const fixed = before.map((reject, at) => (at % 3 === 0 ? { ...reject, raw: valid[reject.line - 1] } : reject))
    await writeFixed(fixed.filter((_, at) => at % 3 !== 1).toReversed())
    const end = await replay('p.yaml', '--json', '--set', 'rejects.limit=100%')
    expect(reportOf(end).ledger).toMatchObject({ lines: 1000, accepted: 978, rejected: 22 })
    expect(await readRejects('p')).toEqual(before.filter((_, at) => at % 3 !== 0))
  })

  test('a corrected line that is still wrong is rejected again, and its file can be corrected further', async () => {
    await run('run', 'p.yaml')
    await fix('p', (reject) => ({ ...reject, raw: reject.line === 21 ? '{"id":"still wrong' : valid[reject.line - 1] }))
    const first = await replay('p.yaml', '--json')
    expect(reportOf(first).ledger).toMatchObject({ accepted: 999, rejected: 1 })
    const [again] = await readRejects('p')
    expect(again).toMatchObject({ line: 21, raw: '{"id":"still wrong' })
    const fixed = (await readFile(folder.at('fixed.ndjson'), 'utf8')).split('\n')
    await writeFixed([...fixed.slice(1, -1).map((line) => JSON.parse(line) as Reject), { ...again!, raw: valid[20] }])
    expect(reportOf(await replay('p.yaml', '--json')).ledger).toMatchObject({ accepted: 1000, rejected: 0 })
  })

  test('corrections of the remaining rejects of a replay add to its own, even if that replay published nothing', async () => {
    await run('run', 'p.yaml')
    for (const limit of ['5%', '1%']) {
      await run('run', 'p.yaml')
      await fix('p', (reject) => (isOdd(reject) ? { ...reject, raw: valid[reject.line - 1] } : reject))
      expect((await replay('p.yaml', '--set', `rejects.limit=${limit}`)).code).toBe(limit === '5%' ? 0 : 3)
      const left = await readRejects('p')
      expect(left).toHaveLength(16)
      await writeFixed(left.map((reject) => ({ ...reject, raw: valid[reject.line - 1] })))
      const { ledger, replayed } = reportOf(await replay('p.yaml', '--json'))
      expect(ledger).toMatchObject({ accepted: 1000, rejected: 0 })
      expect(replayed).toEqual({ path: 'out/p/_corrections.ndjson, fixed.ndjson', lines: 33 })
    }
    await run('run', 'p.yaml', '--set', 'rejects.limit=5%')
    expect(await readRejects('p')).toHaveLength(33)
    await fix('p', (reject) => (isOdd(reject) ? { ...reject, raw: valid[reject.line - 1] } : reject))
    expect(reportOf(await replay('p.yaml', '--json', '--set', 'rejects.limit=5%')).ledger.rejected).toBe(16)
  })

  test('rejects replay takes several files of corrections, and refuses corrections that contradict each other', async () => {
    await run('run', 'p.yaml')
    const rejects = await readRejects('p')
    const corrected = rejects.map((reject) => ({ ...reject, raw: valid[reject.line - 1] }))
    await writeFixed(corrected.slice(0, 20))
    await writeOthers([...rejects.slice(0, 5), ...corrected.slice(15)])
    const both = reportOf(await replay('p.yaml', '--fixed', 'others.ndjson', '--json'))
    expect(both.ledger).toMatchObject({ accepted: 1000, rejected: 0 })
    await writeOthers([{ ...corrected[3], raw: valid[0] }])
    const end = await replay('p.yaml', '--fixed', 'others.ndjson')
    expect(end.code).toBe(3)
    expect(end.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'line 1: expected one correction of in.ndjson, line 111, got another one than fixed.ndjson, line 4',
    )
  })

  test('the same input and corrections give the same run id and bytes, with any number of workers', async () => {
    await run('run', 'p.yaml')
    await fix('p', (reject) => ({ ...reject, raw: valid[reject.line - 1] }))
    const ids = new Set<string>()
    const outputs = []
    for (const workers of ['0', '2']) {
      ids.add(reportOf(await replay('p.yaml', '--json', '--workers', workers)).runId)
      outputs.push(await readTables('p'))
    }
    expect(ids.size).toBe(1)
    expect(outputs[1]).toEqual(outputs[0])
    await folder.write('corrected.ndjson', `${valid.join('\n')}\n`)
    const plain = await run('run', 'p.yaml', '--from', 'corrected.ndjson', '--json')
    expect(ids).not.toContain(reportOf(plain).runId)
  })

  test('lines of gz files, with CRLF and without an end, of no UTF-8, too long, and of several parts are replaced', async () => {
    const [a, b] = [valid.slice(0, 500), valid.slice(500)]
    const first = Buffer.from(`\ufeff${['{oops', ...a.slice(1)].join('\r\n')}\r\n`)
    const second = Buffer.concat([
      Buffer.from(`${b.slice(0, 300).join('\n')}\n`),
      Buffer.from('"\xff', 'latin1'),
      Buffer.from(`\n${['x'.repeat(3e6), ...b.slice(302, -1), b.at(-1)!.slice(0, -40)].join('\n')}`),
    ])
    await folder.write('a.ndjson.gz', gzipSync(first))
    await folder.write('b.ndjson', second)
    const options = '\nduplicates: reject\n'
    await folder.write(
      'parts.yaml',
      toConfig('parts', '[a.ndjson.gz, b.ndjson], parts: true, maxLineBytes: 1048576', options),
    )
    expect((await run('run', 'parts.yaml')).code).not.toBe(0)
    const all: Record<string, readonly string[]> = { 'a.ndjson.gz': a, 'b.ndjson': b }
    await fix('parts', ({ rawBase64: _bytes, ...reject }) => {
      const { rawTruncated: _truncated, rawBytes: _count, ...rest } = { rawTruncated: true, rawBytes: 0, ...reject }
      return { ...rest, raw: all[reject.source]![reject.line - 1] }
    })
    const end = await replay('parts.yaml', '--json')
    expect(reportOf(end).replayed?.lines).toBe(4)
    expect(reportOf(end).ledger).toMatchObject({ lines: 1000, accepted: 1000 })
    expect(reportOf(end).completeness.status).toBe('proven')
  })

  test('rejects replay reports all problems of the corrected lines at once, and publishes nothing', async () => {
    await run('run', 'p.yaml')
    const rejects = await readRejects('p')
    const fixed = (at: number, members: object) => ({ ...rejects[at]!, raw: valid[rejects[at]!.line - 1], ...members })
    await writeFixed([
      fixed(0, {}),
      fixed(0, {}),
      fixed(1, { raw: '{"id":\n1}' }),
      fixed(2, { rawTruncated: true, rawBytes: 9 }),
      fixed(3, { raw: ' ' }),
      { ...fixed(4, {}), raw: undefined, rawBase64: 'AAAA' },
      fixed(5, { sha256: undefined }),
      fixed(6, { line: 'x' }),
    ])
    const end = await replay('p.yaml', '--log', 'text')
    expect(end.code).toBe(3)
    for (const line of [2, 3, 4, 5, 6, 7, 8]) expect(end.stderr).toMatch(new RegExp(`^ {2,4}line ${line}: `, 'm'))
    expect(end.stderr).toContain('7 problems')
    expect(end.stderr).toContain('Nothing was saved')
    expect(await folder.listOutputs()).toEqual(['p/_rejects.ndjson', 'p/_report.failed.html'])
  })

  test('rejects replay refuses a line of another source, a line that has gone, and a line that has changed', async () => {
    await run('run', 'p.yaml', '--set', 'rejects.limit=100%')
    const before = await folder.readOutputs()
    await fix('p', (reject) => ({ ...reject, raw: valid[reject.line - 1], source: 'other.ndjson' }))
    const other = await replay('p.yaml', '--log', 'text')
    expect(other.code).toBe(3)
    expect(other.stderr).toContain('line 1: expected a line of in.ndjson, got other.ndjson, line 21')
    await folder.write('in.ndjson', `{"id":"new"}\n${broken.join('\n')}\n`)
    await fix('p', (reject) => ({ ...reject, raw: valid[reject.line - 1] }))
    const moved = await replay('p.yaml', '--log', 'text')
    await folder.write('in.ndjson', `${broken.slice(0, 15).join('\n')}\n`)
    const cut = await replay('p.yaml', '--log', 'text')
    await folder.write('in.ndjson', `${broken.slice(0, -20).join('\n')}\n{}\n`)
    await writeFixed((await readRejects('p')).slice(-1).map((reject) => ({ ...reject, raw: valid[reject.line - 1] })))
    const late = await replay('p.yaml', '--log', 'text')
    await folder.write('in.ndjson', `${broken.join('\n')}\n`)
    expect([moved.code, cut.code, late.code]).toEqual([4, 4, 4])
    expect(moved.stderr).toContain('in.ndjson, line 21: expected the line that was rejected there, got another one')
    expect(cut.stderr).toContain('in.ndjson, line 21: expected the line that was rejected there, got 15 lines')
    expect(await folder.readOutputs()).toEqual(before)
  })

  test('a replay that is killed leaves the earlier outputs and rejects, and can be repeated', async () => {
    await run('run', 'p.yaml', '--set', 'rejects.limit=100%')
    const before = await folder.readOutputs()
    await fix('p', (reject) => ({ ...reject, raw: valid[reject.line - 1] }))
    const killed = cli.start(['rejects', 'replay', 'p.yaml', '--fixed', 'fixed.ndjson'], { cwd: folder.path })
    while (!(await folder.listOutputs()).some(isStaged)) await sleep(1)
    killed.kill('SIGKILL')
    expect((await killed.ended).signal).toBe('SIGKILL')
    const left = Object.entries(await folder.readOutputs())
    expect(Object.fromEntries(left.filter(([name]) => name in before))).toEqual(before)
    expect(left.some(([name]) => isStaged(name))).toBe(true)
    expect((await replay('p.yaml')).code).toBe(0)
    expect((await folder.listOutputs()).filter(isStaged)).toEqual([])
    expect(await readRejects('p')).toEqual([])
  })

  test('rejects replay refuses unchanged lines, and standard input', async () => {
    await run('run', 'p.yaml')
    await fix('p', (reject) => reject)
    const same = await replay('p.yaml', '--log', 'text')
    expect(same.code).toBe(3)
    expect(same.stderr).toContain('fixed.ndjson: expected lines whose raw was changed, got none')
    await fix('p', (reject) => ({ ...reject, raw: valid[reject.line - 1] }))
    const stdin = await replay('p.yaml', '--log', 'text', '--from', '-')
    expect(stdin.code).toBe(2)
    expect(stdin.stderr).toContain('expected files, which still hold the rejected lines, got <stdin>')
  })
})

/** True for the tables of an unfinished run. */
function isStaged(name: string): boolean {
  return name.includes('/.products.csv.')
}

/** Reduces a record to the fields of the tables, a tenth of its size. */
function shorten(line: string): string {
  const { result, ...envelope } = JSON.parse(line) as { result: Record<string, unknown> }
  const { id, cnk, name, deleted, publicPrice, photos } = result
  return JSON.stringify({ ...envelope, result: { id, cnk, name, publicPrice, photos, deleted } })
}

/** Truncates the line, or gives it a wrong id or a wrong value. */
function breakLine(line: string, at: number): string {
  const way = Math.floor(at / 30) % 3
  if (way === 0) return line.slice(0, line.length / 2)
  if (way === 1) return line.replace(/"id":"[^"]*"/, '"id":["$&]')
  return line.replace(/\}\}$/, ',"deleted":"perhaps"}}')
}

function toConfig(name: string, files: string, rest = ''): string {
  return `name: ${name}\nsource: { files: ${files}, contract: v4/product }\ntables: { products: { columns: [id, cnk, name, deleted, publicPrice] }, photos: { each: 'photos[]', columns: all } }\noutputs: [{ format: csv, path: "out/{pipeline}/{table}.csv" }, { format: parquet, path: "out/{pipeline}/{table}.parquet" }]\n${rest}`
}

async function readRejects(pipeline: string): Promise<Reject[]> {
  const text = await readFile(folder.at(`out/${pipeline}/_rejects.ndjson`), 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Reject]))
}

async function fix(pipeline: string, change: (reject: Reject) => object): Promise<void> {
  await writeFixed((await readRejects(pipeline)).map(change))
}

async function writeFixed(rejects: readonly object[]): Promise<void> {
  await folder.write('fixed.ndjson', rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''))
}

function reportOf({ stdout }: ProcessEnd): Manifest {
  const [first] = (JSON.parse(stdout) as { runs: { report: Manifest }[] }).runs
  return first!.report
}

async function readTables(pipeline: string): Promise<Record<string, string>> {
  const outputs = Object.entries(await folder.readOutputs())
  const own = outputs.filter(([name]) => name.startsWith(`${pipeline}/`) && name.endsWith('.csv'))
  expect(own.length).toBeGreaterThan(1)
  return Object.fromEntries(own)
}

/** True for half of the rejects. */
function isOdd({ line }: Reject): boolean {
  return line % 60 === 21
}

function writeOthers(lines: readonly object[]): Promise<string> {
  return folder.write('others.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
