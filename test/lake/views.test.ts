import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { formatViews } from '../../src/describe/ddl/format-views.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'
import { runInMemory } from '../cli/memory-terminal.ts'
import { isFull } from '../depth.ts'
import { StateFolder } from '../loads/state/state-folder.ts'
import { python, skipsReaders } from './readers/other-readers.ts'

let folder: StateFolder
beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

const { CATALOGUE_LAKE_JARS = '', PYSPARK_PYTHON: spark = 'python3' } = process.env
const manifest = { path: 'out/_manifest.json' }
const outputsOf = (format: 'delta' | 'iceberg') => [{ format, path: "out/it's a lake/{table}" } as const]
/** With columns that all engines print alike. */
const views = { products: 'id, status', photos: '*' }

type Rows = Record<string, string[][]>

function runStatements(engine: 'duckdb' | 'spark', statements: string): Rows {
  const input = JSON.stringify({ statements, views })
  const program = engine === 'duckdb' ? python : spark
  const printed = execFileSync(program, [join(import.meta.dirname, 'readers/run-views.py'), engine], {
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return JSON.parse(printed.slice(printed.lastIndexOf('\n', printed.length - 2) + 1)) as Rows
}

/** The rows of the tables in a run's files, as DuckDB prints them. */
function readFiles({ files }: Manifest): Rows {
  const statements = Object.keys(views).map((name) => {
    const { path = '' } = files.find(({ table }) => table === name) ?? {}
    return `CREATE VIEW ${name} AS SELECT * FROM read_parquet('${path.replaceAll("'", "''")}')`
  })
  return runStatements('duckdb', statements.join(';\n'))
}

describe.each(['delta', 'iceberg'] as const)('views of tables of %s', (format) => {
  const engines = [
    { engine: 'duckdb', isSkipped: skipsReaders },
    { engine: 'spark', isSkipped: !isFull || skipsReaders || !CATALOGUE_LAKE_JARS.includes(`${format}-spark`) },
  ] as const

  for (const { engine, isSkipped } of engines) {
    test.skipIf(isSkipped)(
      `${engine} reads all tables of one run by the views of its manifest, also after later runs`,
      async () => {
        const outputs: PipelineConfig['outputs'] = [
          ...outputsOf(format),
          { format: 'parquet', path: 'out/{table}.parquet' },
        ]
        const first = await folder.run({ outputs, manifest })
        const rows = readFiles(first)
        folder.sandbox.advance()
        const second = await folder.run({ outputs, manifest })
        const later = readFiles(second)
        expect(later['products']).not.toEqual(rows['products'])
        expect(runStatements(engine, formatViews(first, engine))).toEqual(rows)
        expect(runStatements(engine, formatViews(second, engine))).toEqual(later)
      },
      600_000,
    )
  }
})

/** `ddl --views` of a config with these outputs. */
async function writeConfig(outputs: PipelineConfig['outputs']) {
  const config = join(folder.path, 'config.json')
  await writeFile(config, JSON.stringify(folder.config({ outputs, manifest })))
  return (...args: string[]) =>
    runInMemory(['describe', config, '--as', 'ddl', '--out', folder.path, '--views', ...args])
}

describe('ddl --views', () => {
  test('prints the views of the last run, in one transaction for DuckDB', async () => {
    const outputs = outputsOf('delta')
    const ddl = await writeConfig(outputs)
    const nothing = await ddl('--dialect', 'duckdb')
    expect(nothing.exitCode).toBe(4)
    expect(nothing.stderr).toContain('expected the manifest of a published run, got no file')
    await folder.run({ outputs, manifest })
    const lake = join(folder.path, "it''s a lake")
    const { stdout } = await ddl('--dialect', 'duckdb')
    expect(stdout.split('\n').slice(1)).toEqual([
      'BEGIN;',
      `CREATE OR REPLACE VIEW "products" AS SELECT * FROM delta_scan('${lake}/products', version => 0);`,
      `CREATE OR REPLACE VIEW "photos" AS SELECT * FROM delta_scan('${lake}/photos', version => 0);`,
      'COMMIT;',
      '',
    ])
    const other = await ddl('--dialect', 'snowflake')
    expect(other.exitCode).toBe(2)
    expect(other.stderr).toContain('--views: expected the dialect duckdb or spark, got snowflake')
  })

  test('refuses a run without tables in a lake', async () => {
    const outputs: PipelineConfig['outputs'] = [{ format: 'ndjson', path: 'out/{table}.ndjson' }]
    const ddl = await writeConfig(outputs)
    await folder.run({ outputs, manifest })
    const { exitCode, stderr } = await ddl('--dialect', 'spark')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('pipeline "products": expected a run with tables in a lake, got none')
  })
})
