import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyDocumentSchema } from '../../../src/cli/log/document-schemas.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import type { Verification } from '../../../src/inspect/verify/verification.ts'
import { verifyPipeline, type VerifyOptions } from '../../../src/inspect/verify/verify-pipeline.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { cases, someOf } from '../../depth.ts'
import { skipsMariadb, startMariadb } from '../../loads/databases/mariadb-server.ts'
import { skipsPostgres, startPostgres } from '../../loads/databases/postgres-server.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'
import { startS3 } from '../../storage/s3/start-s3.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

const manifest = { path: 'out/_manifest.json' }
const everyMode: Outputs = [
  { format: 'ndjson', path: 'out/{table}.ndjson' },
  { format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history', rowsPerFile: 40 },
  { format: 'csv', path: 'out/new/{table}.csv', mode: 'append' },
  { format: 'parquet', path: 'out/parts/{table}.parquet', partitionBy: ['status'] },
]

describe('verify finds files as they were published', () => {
  test('verify finds files as they were published after every night with outputs of every mode, and counts what it reads', async () => {
    for (let night = 0; night < 3; night++) {
      const { files } = await folder.run({ outputs: everyMode, manifest })
      const found = await verify({ outputs: everyMode, manifest })
      expect(found).toMatchObject({ ok: true, differences: [], databases: [] })
      // The state has its records, and tables that no Parquet output holds in full.
      expect(found.files).toBeGreaterThan(files.length)
      folder.sandbox.advance()
    }
  })

  test('verify finds files as they were published after a reset of the state, and after a run that was killed before', async () => {
    await folder.run({ outputs: everyMode, manifest })
    await writeFile(join(folder.path, '_state/.records.parquet.999999999-a.staging'), 'x')
    expect((await verify({ outputs: everyMode, manifest })).ok).toBe(true)
    const text = JSON.parse(await readFile(folder.manifestPath, 'utf8')) as object
    await writeFile(folder.manifestPath, JSON.stringify({ ...text, state: null }))
    expect((await verify({ outputs: everyMode, manifest })).ok).toBe(true)
  })
})

test('verify finds files as they were published after a run that a broken rule refused', async () => {
  const published = { outputs: everyMode, manifest, expect: [{ column: 'status', in: ['none'] }] }
  await folder.run(published)
  folder.sandbox.advance()
  const refused = { ...published, expect: [{ column: 'id', matches: '^none$', severity: 'error' as const }] }
  await expect(folder.run(refused)).rejects.toMatchObject({ code: 'RULE_BROKEN' })
  expect(await verify(published)).toMatchObject({ ok: true, differences: [] })
})

test('verify names missing, changed and unexpected files, by size and by sha256', async () => {
  const { files } = await folder.run({ outputs: everyMode, manifest })
  const paths = (part: string) => files.filter(({ path }) => path.includes(part)).map(({ path }) => path)
  const [merged = ''] = paths('products.ndjson')
  const [version = ''] = paths('history/products')
  const [added = ''] = paths('run_date=')
  await writeFile(merged, `${await readFile(merged, 'utf8')}\n`)
  const bytes = await readFile(version)
  bytes[50] = (bytes[50] ?? 0) ^ 1
  await writeFile(version, bytes)
  await rm(added)
  const strange = join(folder.path, 'parts/status=strange/products.parquet')
  await mkdir(dirname(strange))
  await copyFile(version, strange)
  await writeFile(join(folder.path, 'history/products-00099.parquet'), 'x')
  await writeFile(join(folder.path, '_state/old.parquet'), 'x')
  const { ok, differences } = await verify({ outputs: everyMode, manifest })
  expect(ok).toBe(false)
  const found = differences.map(({ kind, where }) => `${kind} ${where}`).toSorted()
  expect(found).toEqual(
    [
      `changed ${merged}`,
      `changed ${version}`,
      `missing ${added}`,
      `unexpected ${join(folder.path, '_state/old.parquet')}`,
      `unexpected ${join(folder.path, 'history/products-00099.parquet')}`,
      `unexpected ${strange}`,
    ].toSorted(),
  )
  expect(differences.find(({ where }) => where === merged)).toMatchObject({
    expected: expect.stringMatching(/^\d+ bytes$/),
  })
  expect(differences.find(({ where }) => where === version)?.got).toMatch(/^sha256 [0-9a-f]{64}$/)
})

describe('while runs publish', () => {
  const outputs: Outputs = [
    { format: 'ndjson', path: 'out/{table}.ndjson' },
    { format: 'csv', path: 'out/{table}.csv' },
  ]

  test('verify raises no false alarm while runs publish, however often outputs are replaced meanwhile', async () => {
    const { path } = folder
    await writeInput(path, 0)
    const config = snapshot(path, outputs)
    await runPipeline(config, { outDir: path, env: {}, workers: 0 })
    const rounds = { left: cases(15, 4) }
    const publishing = (async () => {
      for (; rounds.left > 0; rounds.left--) {
        await writeInput(path, rounds.left)
        await runPipeline(config, { outDir: path, env: {}, workers: 0 })
      }
    })()
    const found: Verification[] = []
    while (rounds.left > 0) found.push(await verifyConfig(config))
    await publishing
    expect(found.length).toBeGreaterThan(1)
    expect(found.flatMap(({ differences }) => differences)).toEqual([])
    expect(new Set(found.map(({ runId }) => runId)).size).toBeGreaterThan(1)
  })

  test('verify waits for a publication in progress, and reports one that never ends', async () => {
    await writeInput(folder.path, 0)
    const config = snapshot(folder.path, outputs)
    await runPipeline(config, { outDir: folder.path, env: {}, workers: 0 })
    const file = join(folder.path, 'products.csv')
    const [before, journal] = [await readFile(file), join(folder.path, '._manifest.json.journal')]
    await writeFile(journal, '{}')
    await writeFile(file, 'half published')
    const unended = await verifyConfig(config, { publicationWaitMs: 0 })
    expect(unended.differences.map(({ kind }) => kind)).toEqual(['unfinished', 'changed'])
    const waiting = verifyConfig(config)
    await sleep(300)
    await writeFile(file, before)
    await rm(journal)
    expect((await waiting).ok).toBe(true)
  })
})

test('verify compares the objects of a bucket, and accepts those of the previous publication', async () => {
  const s3 = await startS3()
  const lake = `verified-${process.pid}`
  try {
    const config = folder.config({
      outputs: [
        { format: 'ndjson', path: `s3://warehouse/${lake}/{table}.ndjson` },
        { format: 'parquet', path: `s3://warehouse/${lake}/history/{table}.parquet`, mode: 'history' },
      ],
    })
    const check = () => verifyPipeline(planPipeline(config, { env: s3.env }), { env: s3.env })
    let file = ''
    for (let night = 0; night < 3; night++) {
      const { files } = await runPipeline(config, { env: s3.env, workers: 0, now: folder.sandbox.now })
      file = files[0]?.path ?? ''
      expect(await check()).toMatchObject({ ok: true, differences: [] })
      folder.sandbox.advance()
    }
    const { DeleteObjectCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
    const client = new S3Client({
      endpoint: s3.env['AWS_ENDPOINT_URL'] ?? '',
      region: 'us-east-1',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      forcePathStyle: true,
    })
    const [Bucket, Key] = ['warehouse', file.replace('s3://warehouse/', '')]
    await client.send(new DeleteObjectCommand({ Bucket, Key }))
    const other = `${lake}/history/products.run-0123456789ab.parquet`
    await client.send(new PutObjectCommand({ Bucket, Key: other, Body: 'x' }))
    client.destroy()
    expect((await check()).differences.map(({ kind, where }) => [kind, where])).toEqual([
      ['missing', file],
      ['unexpected', `s3://warehouse/${other}`],
    ])
  } finally {
    await s3.close()
  }
})

const formats = (['duckdb', 'postgres', 'mariadb'] as const).filter(
  (format) => !{ duckdb: false, postgres: skipsPostgres, mariadb: skipsMariadb }[format],
)
const servers = { duckdb: () => null, postgres: startPostgres, mariadb: startMariadb }

describe.each(formats)('verify of tables in %s', (format) => {
  test.each(someOf(['merge', 'history'] as const, format === 'duckdb' ? 'merge' : 'history'))(
    'verify of tables of mode %s counts rows and compares records with the state',
    async (mode) => {
      const server = await servers[format]()
      try {
        const outputs: Outputs = [
          server === null
            ? { format: 'duckdb', path: 'out/warehouse.duckdb', mode }
            : typeof server.url === 'string'
              ? { format: 'mariadb', url: server.url, mode }
              : { format: 'postgres', url: server.url.text, schema: 'main', mode },
        ]
        const query = (sql: string) =>
          server === null
            ? queryDuckdb(sql)
            : server.query(sql.replace('main.', format === 'mariadb' ? `${server.database}.` : 'main.'))
        const changes = { outputs, manifest }
        for (let night = 0; night < 2; night++) {
          const { databases } = await folder.run(changes)
          const found = await verify(changes)
          expect(found).toMatchObject({ ok: true, differences: [] })
          expect(found.databases[0]?.tables.map(({ name }) => name)).toEqual(
            databases?.[0]?.tables.map(({ name }) => name),
          )
          folder.sandbox.advance()
        }
        const [[gone] = []] = (await query('SELECT id FROM main.products ORDER BY id LIMIT 1')) as string[][]
        await query(`DELETE FROM main.products WHERE id = '${gone}'`)
        const [columns, values] = mode === 'history' ? [', valid_from', ', now()'] : ['', '']
        await query(`INSERT INTO main.photos (product_id, position${columns}) VALUES ('foreign', 1${values})`)
        const { ok, differences } = await verify(changes)
        expect(ok).toBe(false)
        const found = differences.map(({ kind, where, expected, got }) => {
          return `${kind} ${where.slice(where.indexOf('table'))}: ${expected}, ${got}`
        })
        expect(found).toEqual([
          expect.stringMatching(/^changed table "products": \d+ rows, \d+ rows$/),
          expect.stringMatching(new RegExp(`^missing table "products": .* of each record, none of "${gone}"$`)),
          expect.stringMatching(/^changed table "photos": \d+ rows, \d+ rows$/),
          'unexpected table "photos": rows of records that the pipeline has loaded, rows of "foreign"',
        ])
        await query('DROP TABLE main.photos')
        expect((await verify(changes)).differences.at(-1)).toMatchObject({ kind: 'missing', got: 'no table' })
      } finally {
        await server?.stop()
      }
    },
  )
})

describe('the command verify', () => {
  test('the command verify prints how many tables of one database were compared, and no row for files without any', async () => {
    await writeInput(folder.path, 0)
    const config = join(folder.path, 'loaded.yaml')
    const source = `source: { files: ${JSON.stringify(join(folder.path, 'input.ndjson'))}, contract: v4/product }`
    const outputs = `outputs: [{ format: duckdb, path: ${JSON.stringify(join(folder.path, 'w.duckdb'))} }]`
    const tables = 'tables: { products: { columns: [id] } }'
    await writeFile(config, `name: loaded\n${source}\n${tables}\n${outputs}\nprofile: false\n`)
    expect((await run('run', config, '--workers', '0')).exitCode).toBe(0)
    const { stdout } = await run('verify', config)
    expect(stdout).toMatch(/\n {2}published .*\n {2}tables {4}1 compared in 1 database\n {2}manifest /)
  })

  test('the command verify ends with 0, with 4 for differences or nothing published, and with 2 for a config with problems', async () => {
    await writeInput(folder.path, 0)
    const config = join(folder.path, 'products.yaml')
    const source = `source: { files: ${JSON.stringify(join(folder.path, 'input.ndjson'))}, contract: v4/product }`
    await writeFile(config, `name: products\n${source}\noutputs: [{ format: csv, path: "out/{table}.csv" }]\n`)
    const none = await run('verify', config)
    expect([none.exitCode, none.stdout]).toEqual([
      4,
      expect.stringMatching(/missing .*_manifest\.json: expected the manifest/),
    ])
    await run('run', config, '--workers', '0')
    const good = await run('verify', config)
    expect(good.exitCode).toBe(0)
    expect(good.stdout).toMatch(
      /^products {2}everything is as it was published\n {2}published .*\n {2}files {5}\d+ compared, .* as published\n/,
    )
    await rm(join(folder.path, 'products.csv'))
    const bad = await run('verify', config, '--json')
    expect(bad.exitCode).toBe(4)
    const document = verifyDocumentSchema.parse(JSON.parse(bad.stdout))
    expect(document).toMatchObject({
      ok: false,
      differences: [{ kind: 'missing', where: join(folder.path, 'products.csv') }],
    })
    const wrong = await run('verify', config, '--set', 'name=', '--json')
    expect(wrong.exitCode).toBe(2)
    expect(verifyDocumentSchema.parse(JSON.parse(wrong.stdout))).toMatchObject({ error: { code: 'CONFIG_INVALID' } })
  })
})

function run(...args: string[]) {
  return runInMemory([...args, '--out', folder.path], { env: {} })
}

function verify(changes: Parameters<StateFolder['config']>[0]): Promise<Verification> {
  return verifyConfig(folder.config(changes))
}

function verifyConfig(config: PipelineConfig, options: VerifyOptions = {}): Promise<Verification> {
  return verifyPipeline(planPipeline(config, { outDir: folder.path, env: {} }), { env: {}, ...options })
}

function snapshot(path: string, outputs: Outputs): PipelineConfig {
  const source = { files: join(path, 'input.ndjson'), contract: 'v4/product' }
  return { name: 'plain', source, tables: { products: { columns: ['id', 'status'] } }, outputs, manifest }
}

async function writeInput(path: string, round: number): Promise<void> {
  const ids = Array.from({ length: 500 }, (_, at) => `P${at}-${round}`)
  const lines = ids.map((id) => `${JSON.stringify({ id, status: 'active' })}\n`)
  await writeFile(join(path, 'input.ndjson'), lines.join(''))
}

async function queryDuckdb(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(join(folder.path, 'warehouse.duckdb'), { threads: '1' })
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRows()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
