import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { BuiltCli } from '../../cli/built-cli.ts'
import { someOf } from '../../depth.ts'
import { RunFolder, toStream } from '../run-folder.ts'
import { type Behaviour, Collector } from './collector.ts'

let cli: BuiltCli
let folder: RunFolder

beforeAll(async () => {
  cli = await BuiltCli.build()
})
beforeEach(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', toStream(['A', 'B']))
})
afterEach(() => folder.remove())

interface Case {
  readonly behaviour: Behaviour | 'is not there'
  /** Null if nothing is wrong. */
  readonly reason: RegExp | null
  /** How long the run waits at its end, at least. */
  readonly waitsMs: number
}

const cases: readonly Case[] = [
  { behaviour: 'answers', reason: null, waitsMs: 0 },
  { behaviour: 'never ends', reason: null, waitsMs: 0 },
  { behaviour: 'does not read', reason: /no answer/, waitsMs: 1500 },
  { behaviour: 'is silent', reason: /no answer/, waitsMs: 1500 },
  { behaviour: 'fails', reason: /answered 500/, waitsMs: 0 },
  { behaviour: 'is not there', reason: /: 127\.0\.0\.1:\d+ does not take connections \(ECONNREFUSED\)/, waitsMs: 0 },
]

test.each(someOf(cases, ...cases.slice(3)))(
  'a run ends within two seconds if its collector $behaviour, with the same outputs and exit code',
  async ({ behaviour, reason, waitsMs }) => {
    const collector = await Collector.start(behaviour === 'is not there' ? 'answers' : behaviour)
    if (behaviour === 'is not there') await collector.close()
    const env = { OPENLINEAGE_URL: collector.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const { code, stderr, endedAt } = await run(env)
    if (behaviour !== 'is not there') await collector.close()
    const tookMs = endedAt - (await stat(join(folder.out, '_manifest.json'))).mtimeMs
    expect(code).toBe(0)
    expect(tookMs).toBeGreaterThanOrEqual(waitsMs)
    expect(tookMs).toBeLessThan(8000)
    expect(await folder.readOut('products.csv')).toBe('id,status\nA,active\nB,active\n')
    const warnings = stderr.split('\n').filter((line) => line.includes('was sent'))
    const protocols = reason === null ? [] : ['OpenLineage', 'OpenTelemetry']
    expect(warnings).toEqual(
      protocols.map((name) => expect.stringContaining(`products: ${name}: nothing was sent`) as string),
    )
    for (const warning of warnings) expect(warning).toMatch(reason ?? '')
  },
)

test('a refused run keeps its exit code if its collectors can not be reached', async () => {
  const rule = { column: 'id', in: ['A'], severity: 'error' }
  const env = { OPENLINEAGE_URL: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' }
  const { code, stderr } = await run(env, { expect: [rule] })
  expect(code).toBe(3)
  expect(stderr).toContain('OTEL_EXPORTER_OTLP_ENDPOINT: expected an address such as http://localhost:4318')
})

async function run(env: Readonly<Record<string, string>>, more: object = {}) {
  const config = {
    name: 'products',
    source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' },
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv', path: join(folder.out, '{table}.csv') }],
    ...more,
  }
  const child = cli.start(['run', await folder.write('p.json', JSON.stringify(config))], { env })
  return { ...(await child.end()), endedAt: Date.now() }
}
