import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInMemory, type CliResult } from '../memory-terminal.ts'
import { parseOpenMetrics } from '../log/open-metrics.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string
let result: CliResult

beforeAll(async () => {
  folder = await RunFolder.create()
  const lines = [
    ...Array.from({ length: 3 }, (_, at) => product(at, '"photos":[{},{"displayOrder":{}}]')),
    '{"id":"cut',
    '{"id":"P7","deleted":"maybe","cnk":{"a":1}}',
    ...Array.from({ length: 5 }, (_, at) => product(10 + at, '"cnk":"1234567"')),
  ]
  await folder.write('products.ndjson', `${lines.join('\n')}\n`)
  const source = `source: { files: ${JSON.stringify(folder.at('products.ndjson'))}, contract: v4/product }`
  config = await folder.write('p.yaml', `name: p\n${source}\nrejects: { limit: 100% }\n`)
  result = await runInMemory(['run', config, '--out', folder.out, '--metrics', folder.at('m.prom'), '--json'])
})
afterAll(() => folder.remove())

const expected = [
  {
    code: 'invalid_type',
    path: 'photos[].displayOrder',
    count: 3,
    expected: 'expected a whole number of at most 64 bits',
  },
  { code: 'invalid_json', path: '', count: 1, expected: 'expected one JSON object on the line' },
  { code: 'invalid_type', path: 'cnk', count: 1, expected: 'expected a code (text or a whole number)' },
  { code: 'invalid_type', path: 'deleted', count: 1, expected: 'expected true or false' },
]

test('the manifest counts rejected lines by code and path', async () => {
  const manifest = JSON.parse(await readFile(`${folder.out}/p/_manifest.json`, 'utf8')) as {
    rejects: { reasons: { code: string; path: string; count: number }[] }
  }
  const byPath = manifest.rejects.reasons.toSorted((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
  expect(byPath).toEqual(expected)
})

test('the terminal shows the three most frequent reasons, a line each, and the command that shows more', () => {
  const said = result.stderr.replaceAll(/\n +/g, ' ')
  expect(said).toMatch(/ ! 5 of \d+ lines are rejected, each with its reason in /)
  expect(said).toContain(' 3 × invalid_type photos[].displayOrder: expected a whole number of at most 64 bits ')
  expect(said).toContain(` 1 more; examples: catalogue-etl rejects show ${config}`)
})

test('the metrics count rejected lines by code and path', async () => {
  const samples = parseOpenMetrics(await readFile(folder.at('m.prom'), 'utf8'))
  const own = samples.filter(({ name }) => name === 'catalogue_etl_published_rejects')
  expect(own.map(({ labels, value }) => [labels['code'], labels['path'], value])).toContainEqual([
    'invalid_type',
    'photos[].displayOrder',
    3,
  ])
  expect(own).toHaveLength(4)
})

function product(id: number, member: string): string {
  return `{"id":"P${id}",${member}}`
}
