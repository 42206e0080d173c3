import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInMemory } from '../memory-terminal.ts'

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

test.each([
  [
    [],
    'Spark: expected the Python packages that pyspark needs in',
    'got no pandas and no pyarrow',
    'pip install pandas pyarrow',
  ],
  [['pandas', 'pyarrow'], '[PACKAGE_NOT_INSTALLED] pandas >= 2.2.0', '', 'python3 -m pip install pandas'],
])(
  'a run on Spark whose Python has %j beside pyspark ends with exit code 2 and the line that installs the rest',
  async (there, ...texts) => {
    const packages = join(folder, `python-${there.length}`)
    for (const name of ['pyspark', ...there]) await mkdir(join(packages, name), { recursive: true })
    for (const name of there) await writeFile(join(packages, name, '__init__.py'), '')
    await writeFile(join(packages, 'pyspark/__init__.py'), 'class SparkConf:\n  def contains(self, key): return True\n')
    const missing = '[PACKAGE_NOT_INSTALLED] pandas >= 2.2.0 must be installed; however, it was not found.'
    const session = `class Builder:\n  def getOrCreate(self): raise ImportError("${missing}")\nclass SparkSession:\n  builder = Builder()\n`
    await writeFile(join(packages, 'pyspark/sql.py'), session)
    const python = join(packages, 'python')
    // Without the packages of this machine.
    await writeFile(python, '#!/bin/sh\nexec python3 -S "$@"\n', { mode: 0o755 })
    const env = { PATH: process.env['PATH'] ?? '', PYSPARK_PYTHON: python, PYTHONPATH: packages }
    const { exitCode, stderr } = await runInMemory(['run', config, '--engine', 'spark'], { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('PEER_MISSING') })
    for (const text of texts) expect(stderr.replaceAll(/\s+/g, ' ')).toContain(text)
  },
)

test('a run on Spark without Spark installed names what is missing and how to install it', async () => {
  const { exitCode, stderr } = await runInMemory(['run', config, '--engine', 'spark'], { env: { PATH: '' } })
  expect(exitCode).toBe(2)
  expect(stderr).toContain('PEER_MISSING')
  expect(stderr).toContain('expected a Python with pyspark, or spark-submit, got no "python3" in PATH')
  expect(stderr).toContain('Try: Install it (`python3 -m pip install pyspark pandas pyarrow`)')
})
