import { rm } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProcessEnd } from '../built-cli.ts'
import { runInFolder, runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  const lines = [
    ...Array.from({ length: 5 }, (_, at) =>
      toLine(at, { cnk: '1234567', photos: [{}, { displayOrder: 'x'.repeat(at) }] }),
    ),
    '{"id":"cut',
    '{"id":"P7","deleted":"=maybe","cnk":{"東京":"\u0085"}}',
    ...Array.from({ length: 4 }, (_, at) => toLine(10 + at, { cnk: '1234567' })),
  ]
  await folder.write('in.ndjson', `${lines.join('\n')}\n`)
  config = await folder.write('p.yaml', 'name: p\nsource: { files: in.ndjson, contract: v4/product }\n')
  await run('run', config)
})
afterAll(() => folder.remove())

const run = (...args: string[]): Promise<ProcessEnd> => runInFolder(folder.path, args)

test('rejects of a failed run are shown by reason, the most frequent first, with the wrong value marked', async () => {
  const end = await run('rejects', 'show', config)
  expect(end).toMatchObject({ code: 0, stderr: '' })
  const lines = end.stdout.split('\n')
  expect(lines[0]).toBe('p  7 lines rejected')
  expect(lines[1]).toMatch(/^ {2}by a run that published nothing \(\d{4}-.* UTC\)$/)
  expect(lines.slice(2, 13)).toEqual([
    '  out/p/_rejects.ndjson',
    '',
    'invalid_type  photos[].displayOrder  5 lines',
    '  expected a whole number of at most 64 bits',
    '  in.ndjson:1  P0  got text ""',
    '    {"id":"P0","cnk":"1234567","photos":[{},{"displayOrder":""}]}',
    '                                                            ^^',
    '  in.ndjson:2  P1  got text "x"',
    '    {"id":"P1","cnk":"1234567","photos":[{},{"displayOrder":"x"}]}',
    '                                                            ^^^',
    '  in.ndjson:3  P2  got text "xx"',
  ])
  expect(end.stdout).toContain('    {"id":"cut\n        ^\n'.replace('        ^', '              ^'))
  expect(end.stdout).not.toContain('\u001b')
  expect(end.stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
})

test('rejects are shown as JSON, with the text around the wrong value', async () => {
  const { stdout } = await run('rejects', 'show', config, '--json')
  const shown = JSON.parse(stdout) as { count: number; groups: { code: string; examples: unknown[] }[] }
  expect(shown).toMatchObject({ pipeline: 'p', count: 7, shown: 7, isPublished: false })
  expect(shown.groups[0]).toMatchObject({ code: 'invalid_type', path: 'photos[].displayOrder', count: 5 })
  expect(shown.groups[0]?.examples).toHaveLength(3)
  expect(shown.groups[0]?.examples[1]).toMatchObject({
    source: 'in.ndjson',
    line: 2,
    id: 'P1',
    path: 'photos[1].displayOrder',
    excerpt: { before: '{"id":"P1","cnk":"1234567","photos":[{},{"displayOrder":', value: '"x"', after: '}]}' },
  })
})

test('every reject is a line of CSV for each of its reasons, and none is a formula', async () => {
  const { stdout } = await run('rejects', 'show', config, '--csv')
  const rows = parse(stdout, { columns: true }) as Record<string, string>[]
  expect(rows.map(({ line }) => Number(line))).toEqual([1, 2, 3, 4, 5, 6, 7, 7])
  expect(rows[1]).toMatchObject({ source: 'in.ndjson', id: 'P1', code: 'invalid_type', path: 'photos[1].displayOrder' })
  expect(rows.find(({ path }) => path === 'deleted')?.['value']).toBe("'=maybe")
})

test('rejects are filtered by code and path', async () => {
  const byPath = await run('rejects', 'show', config, '--path', 'photos[7].displayOrder', '--csv')
  expect(byPath.stdout.trim().split('\n')).toHaveLength(6)
  const byCode = await run('rejects', 'show', config, '--code', 'invalid_json')
  expect(byCode.stdout).toContain('7 lines rejected, 1 of them shown')
})

test('excerpts are as wide as the terminal', async () => {
  const argv = ['rejects', 'show', config, '--out', folder.out]
  const { stdout } = await runInMemory(argv, { columns: 40 })
  const lines = stdout.split('\n').slice(2)
  expect(lines.filter((line) => line.length > 40)).toEqual([])
  expect(lines.filter((line) => /^ {4}….*"displayOrder":""\}\]\}$/.test(line))).toHaveLength(1)
})

test('without a rejects file it says so', async () => {
  const other = await folder.write('other.yaml', 'name: other\nsource: { files: in.ndjson, contract: v4/product }\n')
  const end = await run('rejects', 'show', other)
  expect(end.code).toBe(4)
  expect(end.stderr).toContain('out/other/_rejects.ndjson: expected the rejects file of a run, got no file')
})

test('rejects show names a run that published despite rejects, and shows an empty list without rejects', async () => {
  await run('run', config, '--set', 'rejects.limit=100%')
  expect((await run('rejects', 'show', config)).stdout).toContain('7 lines rejected\n  by the published run (')
  await folder.write('good.ndjson', '{"id":"A"}\n')
  await run('run', config, '--set', 'maxRemoved=100%', '--from', 'good.ndjson')
  expect((await run('rejects', 'show', config)).stdout).toMatch(/^p {2}0 lines rejected\n {2}by the published run/)
  await rm(folder.out, { recursive: true })
})

function toLine(id: number, members: object): string {
  return JSON.stringify({ id: `P${id}`, ...members })
}
