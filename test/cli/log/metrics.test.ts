import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { families, type Sample } from '../../../src/cli/log/metrics.ts'
import { formatMetrics, parseMetrics } from '../../../src/cli/log/metrics-file.ts'
import { runInMemory } from '../memory-terminal.ts'
import { parseOpenMetrics, type ParsedSample } from './open-metrics.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string
let metrics: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('brands.ndjson', 'v4/brand', 50)
  config = await folder.config('brands', 'brands.ndjson')
  await mkdir(folder.at('metrics'))
  metrics = folder.at('metrics/catalogue.prom')
})
beforeEach(async () => {
  await rm(folder.out, { recursive: true, force: true })
  await rm(metrics, { force: true })
})
afterAll(() => folder.remove())

const run = (...args: string[]) => runInMemory(['run', '--out', folder.out, '--metrics', metrics, ...args])
const read = async () => parseOpenMetrics(await readFile(metrics, 'utf8'))

function valueOf(samples: readonly ParsedSample[], name: string, labels: Record<string, string> = {}): number | null {
  const found = samples.filter(
    (sample) =>
      sample.name === `catalogue_etl_${name}` &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  expect(found.length).toBeLessThanOrEqual(1)
  return found[0]?.value ?? null
}

const rulesByResult = async () =>
  Object.fromEntries(
    (await read())
      .filter(({ name }) => name === 'catalogue_etl_published_rules')
      .map(({ labels, value }) => [labels['result'], value]),
  )

const publishedOf = (samples: ParsedSample[]) => samples.filter(({ name }) => name.includes('_published_'))

describe('--metrics', () => {
  test('a metrics file has the numbers of a run that published', async () => {
    const before = Date.now() / 1000
    expect((await run(config)).exitCode).toBe(0)
    const samples = await read()
    const brands = { pipeline: 'brands' }
    expect(valueOf(samples, 'run_success', brands)).toBe(1)
    expect(valueOf(samples, 'run_exit_code', brands)).toBe(0)
    expect(valueOf(samples, 'published_lines', { ...brands, outcome: 'accepted' })).toBe(50)
    expect(valueOf(samples, 'published_lines', { ...brands, outcome: 'rejected' })).toBe(0)
    expect(valueOf(samples, 'published_rows', { ...brands, table: 'brands' })).toBe(50)
    expect(valueOf(samples, 'published_complete', brands)).toBe(1)
    const { size } = await stat(`${folder.out}/brands/brands.csv`)
    expect(valueOf(samples, 'published_bytes', { ...brands, table: 'brands', format: 'csv' })).toBe(size)
    expect(valueOf(samples, 'published_read_bytes', brands)).toBe((await stat(folder.at('brands.ndjson'))).size)
    const finished = valueOf(samples, 'published_timestamp_seconds', brands)!
    expect(finished).toBeGreaterThanOrEqual(before - 1)
    expect(finished).toBeLessThan(Date.now() / 1000 + 1)
    expect(valueOf(samples, 'run_timestamp_seconds', brands)).toBe(finished)
  })

  test('a metrics file has the rules of a config by result, and keeps them when a run fails for one', async () => {
    const rules = 'expect=[{ rows: { from: 51 } }, { column: id, unique: true }, { column: id, filled: 100% }]'
    expect((await run(config, '--set', rules)).exitCode).toBe(0)
    const expected = { kept: 2, broken: 1, unjudged: 0 }
    expect(await rulesByResult()).toEqual(expected)
    const strict = rules.replace('51 } }', '51 }, severity: error }')
    expect((await run(config, '--set', strict)).exitCode).toBe(3)
    expect(await rulesByResult()).toEqual(expected)
  })

  test('a metrics file keeps the numbers of the last published run if a run fails', async () => {
    await run(config)
    const before = await read()
    expect((await run(config, '--set', 'source.files=nowhere')).exitCode).toBe(4)
    const after = await read()
    expect(valueOf(after, 'run_success')).toBe(0)
    expect(valueOf(after, 'run_exit_code')).toBe(4)
    expect(valueOf(after, 'run_timestamp_seconds')).toBeGreaterThan(valueOf(before, 'run_timestamp_seconds')!)
    expect(publishedOf(after)).toEqual(publishedOf(before))
    expect(publishedOf(after).length).toBeGreaterThan(5)
  })

  test('a metrics file has the changes of a pipeline that keeps a state', async () => {
    const outputs = ['--set', 'outputs=[{ format: parquet, mode: merge }]']
    for (const expected of [
      [50, 0],
      [0, 50],
    ]) {
      expect((await run(config, ...outputs)).exitCode).toBe(0)
      const samples = await read()
      const found = ['new', 'unchanged'].map((change) => valueOf(samples, 'published_changes', { change }))
      expect(found).toEqual(expected)
      expect(valueOf(samples, 'published_full_timestamp_seconds')).toBeGreaterThan(1e9)
    }
  })

  test('a metrics file has only the failure of a first run that fails', async () => {
    await run(config, '--set', 'source.files=nowhere')
    const samples = await read()
    expect(valueOf(samples, 'run_exit_code')).toBe(4)
    expect(samples.filter(({ name }) => name.includes('published'))).toEqual([])
  })

  test('a metrics file has a failure of every pipeline when a config has problems', async () => {
    const other = await folder.config('other', 'brands.ndjson')
    await run(config, other)
    const wrong = await folder.config('wrong', 'brands.ndjson', 'nmae: 1\n')
    expect((await run(config, wrong)).exitCode).toBe(2)
    const samples = await read()
    for (const pipeline of ['brands', 'other']) {
      expect(valueOf(samples, 'run_success', { pipeline })).toBe(0)
      expect(valueOf(samples, 'run_exit_code', { pipeline })).toBe(2)
      expect(valueOf(samples, 'published_timestamp_seconds', { pipeline })).not.toBeNull()
    }
  })

  test('--metrics leaves one file, readable by collectors of other users, and survives a damaged one', async () => {
    await writeFile(metrics, 'nonsense{\n# EOF\ncatalogue_etl_published_rows{pipeline="brands",table="old"} x\n')
    await run(config)
    expect(await readdir(folder.at('metrics'))).toEqual(['catalogue.prom'])
    expect((await stat(metrics)).mode & 0o444).toBe(0o444)
    expect((await read()).some(({ labels }) => labels['table'] === 'old')).toBe(false)
  })

  test('a metrics file in a folder that does not exist is refused before anything is read', async () => {
    const { exitCode, stderr } = await run(config, '--metrics', folder.at('nowhere/x.prom'))
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`expected a file in a folder that exists, got no folder "${folder.at('nowhere')}"`)
    expect(await folder.listOutputs()).toEqual([])
    expect((await run(config, '--metrics', folder.at('metrics'))).stderr).toContain('got a folder')
  })

  test('a metrics file that cannot be written does not change the exit code', async () => {
    await mkdir(`${metrics}.lock-free`)
    const blocked = folder.at('metrics/.catalogue.prom.lock')
    await mkdir(blocked)
    const { exitCode, stderr } = await run(config)
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^--metrics: .*catalogue\.prom/m)
    await rm(blocked, { recursive: true })
    await rm(`${metrics}.lock-free`, { recursive: true })
  })
})

test('formatted metrics with any labels and numbers are parsed to the same', () => {
  const names = families.map(({ name }) => name)
  const sample = fc.record({
    name: fc.constantFrom(...names),
    labels: fc.record({ pipeline: fc.string({ unit: 'grapheme' }), table: fc.string() }),
    value: fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  })
  const unique = fc.uniqueArray(sample, { selector: ({ name, labels }) => JSON.stringify([name, labels]) })
  const byName = (samples: readonly Sample[]) => names.flatMap((name) => samples.filter((each) => each.name === name))
  fc.assert(
    fc.property(unique, (samples) => {
      // -0 is written as 0.
      const plain = samples.map(({ name, labels, value }) => ({ name, labels, value: value + 0 }))
      expect(parseMetrics(formatMetrics(plain))).toEqual(byName(plain))
    }),
  )
})
