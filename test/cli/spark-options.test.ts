import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInMemory } from './memory-terminal.ts'

let folder: string
let config: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spark-options-'))
  config = join(folder, 'archive.json')
  const data = join(folder, 'data.ndjson')
  await writeFile(data, '')
  await writeFile(
    config,
    JSON.stringify({
      name: 'archive',
      source: { files: [data], contract: 'v4/product' },
      outputs: [{ format: 'csv', path: join(folder, 'out/{table}.csv') }],
    }),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  [['--master', 'spark://one:7077'], 'expected --engine spark with --master, got no engine'],
  [['--bytes', '1MB', '--plan', 'plan'], 'expected --engine spark with --bytes, got no engine'],
  [['--engine', 'spark', '--limit', '3'], 'expected --engine spark without --limit, as a plan says what is read'],
  [['--engine', 'spark', '--workers', '3'], 'expected --engine spark without --workers'],
  [['--engine', 'spark', 'another.yaml'], 'expected one config with --engine spark, got 2'],
  [['--engine', 'flink'], "argument 'flink' is invalid"],
])('options of a run on Spark that do not go together are a usage error: %j', async (args, message) => {
  const { exitCode, stderr } = await runInMemory(['run', config, ...args])
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) })
})

test('a run on Spark where it is not installed says what was looked for, and how to get it', async () => {
  const { exitCode, stderr } = await runInMemory(['run', config, '--engine', 'spark'], { env: { PATH: '' } })
  expect(exitCode).toBe(2)
  expect(stderr).toContain('PEER_MISSING')
  expect(stderr).toContain('expected a Python with pyspark, or spark-submit, got no "python3" in PATH')
  expect(stderr).toContain('Try: Install it (`python3 -m pip install pyspark pyarrow`)')
})
