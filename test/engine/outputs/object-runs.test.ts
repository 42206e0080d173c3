import { afterAll, beforeAll, expect, test } from 'vitest'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataPackage } from '../../../src/describe/to-data-package.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { readChanges } from '../../../src/index.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { startS3, type S3Server } from '../../storage/s3/start-s3.ts'
import { definePipeline } from '../../../src/config/define-pipeline.ts'
import { cases } from '../../depth.ts'

const own = `run-${process.pid}`

let s3: S3Server
let sandbox: Sandbox
let folder: string

beforeAll(async () => {
  s3 = await startS3()
  sandbox = await startSandbox({ products: 120, rateLimit: false, now: () => 1_800_000_000_000 })
  folder = await mkdtemp(join(tmpdir(), 'object-runs-'))
})

afterAll(async () => {
  await Promise.all([s3.close(), sandbox.close()])
  await rm(folder, { recursive: true })
})

test('after every night an incremental pipeline into a bucket holds the records of the service', async () => {
  const lastNight = cases(8, 3)
  const config = definePipeline({
    name: 'products',
    source: {
      endpoint: 'v4/products/stream',
      baseUrl: sandbox.baseUrl,
      keyId: sandbox.keyId,
      keySecret: sandbox.keySecret,
      filter: {},
      sorting: { id: 'ASC' },
    },
    incremental: { cursor: 'meta.updatedAt', overlap: '1h', fullEvery: `${lastNight - 1}d` },
    maxRemoved: '20%',
    tables: { products: { columns: ['id', 'status', 'publicPrice', 'replacement', 'meta.updatedAt'] } },
    outputs: [
      { format: 'ndjson', path: `s3://warehouse/${own}/lake/{table}.ndjson`, mode: 'merge' },
      { format: 'parquet', path: `s3://warehouse/${own}/lake/{table}.parquet`, mode: 'merge', partitionBy: ['status'] },
      { format: 'parquet', path: `s3://warehouse/${own}/changes/{table}.parquet`, mode: 'changes', touched: true },
    ],
  })
  const replayed = new Map<string, unknown>()
  let after: string | undefined
  for (let night = 0; night <= lastNight; night++) {
    if (night > 0) sandbox.advance()
    const report = await runPipeline(config, { env: s3.env, workers: 0, now: sandbox.now })
    const objects = await s3.objects()
    const paths = report.files.map(({ path }) => path.replace('s3://warehouse/', ''))
    expect(paths.filter((path) => objects[path] === undefined)).toEqual([])
    const ndjson = paths.find((path) => path.endsWith('.ndjson')) ?? ''
    expect(ndjson).toMatch(/^run-\d+\/lake\/products\.run-[0-9a-f]{12}\.ndjson$/)
    const rows = (objects[ndjson] ?? '')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>)
    for await (const change of readChanges(config, { after, env: s3.env })) {
      replayed.set(change.id, change.after)
      after = change.token
    }
    const byId = [...replayed].toSorted(([one], [other]) => (one < other ? -1 : 1))
    expect(byId.flatMap(([, row]) => row ?? [])).toEqual(rows)
    // A delta can't know what vanished.
    if (report.state?.kind !== 'full') continue
    const expected = [...sandbox.productsOn()].map((record) => [
      record['id'],
      record['status'] ?? null,
      record['publicPrice'] ?? null,
    ])
    expect(rows.map((row) => [row['id'], row['status'], row['public_price']])).toEqual(expected)
  }
  // Nothing changed meanwhile: the objects of before stay, also once those before them are removed.
  const listed: unknown[] = []
  for (let again = 0; again < 3; again++) {
    const { files, state } = await runPipeline(config, { env: s3.env, workers: 0, now: sandbox.now })
    listed.push([files, state?.records])
    const objects = await s3.objects()
    const paths = [...files, ...(state?.records ? [state.records] : [])].map(({ path }) => path)
    expect(paths.filter((path) => objects[path.replace('s3://warehouse/', '')] === undefined)).toEqual([])
  }
  expect(listed).toEqual(Array.from({ length: 3 }, () => listed[0]))
  const kept = (await s3.keys()).filter((key) => !key.includes('/changes/'))
  // Two sets of files, of tables and state; the manifest, the rejects, the history, the lease, and what goes next time.
  expect(kept.length).toBeLessThanOrEqual(2 * 8 + 5)
  expect(await s3.openUploads()).toEqual([])
})

test('a run into a bucket replaces the objects that the manifest lists', async () => {
  await writeFile(join(folder, 'in.ndjson'), line('M1') + line('M2'))
  const config = definePipeline({
    name: 'plain',
    source: { files: [join(folder, 'in.ndjson')], contract: 'v4/product' },
    completeness: 'report',
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv', path: `s3://warehouse/${own}/{pipeline}/{table}.csv` }],
  })
  const keys = async () => (await s3.keys()).filter((key) => key.startsWith(`${own}/plain/`))
  for (let night = 1; night <= 3; night++) {
    const report = await runPipeline(config, { env: s3.env, workers: 0 })
    expect(report.files[0]?.path).toMatch(/^s3:\/\/warehouse\/run-\d+\/plain\/products\.run-\w+\.csv$/)
    expect((await keys()).filter((key) => key.endsWith('.csv'))).toHaveLength(Math.min(night, 2))
  }
  expect((await keys()).filter((key) => !key.endsWith('.csv'))).toEqual([
    `${own}/plain/._manifest.json.lease`,
    `${own}/plain/._manifest.json.superseded`,
    `${own}/plain/_manifest.json`,
    `${own}/plain/_profile.json`,
    `${own}/plain/_rejects.ndjson`,
    `${own}/plain/_report.html`,
    `${own}/plain/_runs.ndjson`,
  ])
  const before = await keys()
  s3.faults.push({ method: 'PUT', where: 'products.run', how: 'forbidden' })
  await expect(runPipeline(config, { env: s3.env, workers: 0 })).rejects.toMatchObject({
    code: 'OUTPUT_REFUSED',
    exitCode: 2,
  })
  expect(await keys()).toEqual(before)
  const history = (await s3.objects())[`${own}/plain/_runs.ndjson`]?.split('\n').slice(0, -1) ?? []
  expect(history.map((text) => (JSON.parse(text) as { outcome: string }).outcome)).toEqual([
    'published',
    'published',
    'published',
    'OUTPUT_REFUSED',
  ])
  await expect(runPipeline(config, { env: { ...s3.env, AWS_ACCESS_KEY_ID: 'x' }, workers: 0 })).rejects.toMatchObject({
    code: 'OUTPUT_REFUSED',
  })
  expect(await s3.openUploads()).toEqual([])
})

test('a run into a bucket encrypts all objects, stores tables in the configured class, and sets content types', async () => {
  await writeFile(join(folder, 'in.ndjson'), line('M1'))
  const config = definePipeline({
    name: 'kept',
    source: { files: [join(folder, 'in.ndjson')], contract: 'v4/product' },
    completeness: 'report',
    tables: { products: { columns: ['id'] } },
    outputs: [{ format: 'csv', path: `s3://warehouse/${own}/kept/{table}.csv` }],
    s3: { kmsKey: 'arn:aws:kms:eu-west-1:1:key/2', storageClass: 'STANDARD_IA' },
  })
  const from = s3.requests.length
  for (let night = 0; night < 2; night++) await runPipeline(config, { env: s3.env, workers: 0 })
  const written = s3.requests.slice(from).flatMap((request, at) => {
    const [, name] =
      /^(?:PUT [^?]*\/|POST .*\/(?=[^?]*\?uploads))([^/?]+)(?:\?x-id.*|\?uploads.*)?$/.exec(request) ?? []
    if (name === undefined) return []
    const {
      [`${amz}server-side-encryption`]: how,
      [`${amz}storage-class`]: kind,
      ...others
    } = s3.headers[from + at] ?? {}
    expect([how, others[`${amz}server-side-encryption-aws-kms-key-id`]]).toEqual(['aws:kms', config.s3?.kmsKey])
    return [[name.replace(/run-\w+/, 'run'), kind, others['content-type']]]
  })
  expect(new Map(written.map(([name, ...kept]) => [name, kept]))).toEqual(
    new Map([
      ['products.run.csv', ['STANDARD_IA', 'text/csv; charset=utf-8']],
      ['_rejects.ndjson', [undefined, 'application/x-ndjson']],
      ['_profile.json', [undefined, 'application/json']],
      ['_report.html', [undefined, 'text/html; charset=utf-8']],
      ['_runs.ndjson', [undefined, 'application/x-ndjson']],
      ['_manifest.json', [undefined, 'application/json']],
      ['._manifest.json.lease', [undefined, 'application/octet-stream']],
      ['._manifest.json.journal', [undefined, 'application/octet-stream']],
      ['._manifest.json.superseded', [undefined, 'application/octet-stream']],
    ]),
  )
})

const amz = 'x-amz-'

test('the data package in a bucket is beside the manifest and lists the objects', async () => {
  await writeFile(join(folder, 'packaged.ndjson'), line('M1') + line('M2'))
  const config = definePipeline({
    name: 'packaged',
    source: { files: [join(folder, 'packaged.ndjson')], contract: 'v4/product' },
    completeness: 'report',
    dataPackage: true,
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv', path: `s3://warehouse/${own}/{pipeline}/lake/{table}.csv` }],
    manifest: { path: `s3://warehouse/${own}/{pipeline}/_manifest.json` },
  })
  for (let night = 1; night <= 2; night++) {
    const report = await runPipeline(config, { env: s3.env, workers: 0 })
    const { resources } = JSON.parse((await s3.objects())[`${own}/packaged/datapackage.json`] ?? '') as DataPackage
    const [file] = report.files
    expect(resources.map(({ path, rows, hash }) => ({ path, rows, hash }))).toEqual([
      { path: file?.path.replace(`s3://warehouse/${own}/packaged/`, ''), rows: 2, hash: `sha256:${file?.sha256}` },
    ])
    expect(report.dataPackage?.path).toBe(`s3://warehouse/${own}/packaged/datapackage.json`)
  }
})

function line(id: string): string {
  return `${JSON.stringify({ id, status: 'active' })}\n`
}

test('objects are kept if a list matches no record, and the file of missing identifiers is removed with the list', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `M${at}`)
  const files = join(folder, 'listed.ndjson')
  await writeFile(files, ids.map((id) => `${JSON.stringify({ id, cnk: id.slice(1) })}\n`).join(''))
  const list = join(folder, 'listed.csv')
  const run = (codes: readonly string[] | null, maxRemoved: string) => {
    const sourceIds = codes === null ? undefined : { file: list, column: 1, field: 'cnk' }
    const config = definePipeline({
      name: 'listed',
      source: { files, contract: 'v4/product' },
      ...(sourceIds && { sourceIds }),
      maxRemoved,
      tables: { products: { columns: ['id'] } },
      outputs: [{ format: 'csv', path: `s3://warehouse/${own}/listed/{table}.csv` }],
    })
    return writeFile(list, `${(codes ?? []).join('\n')}\n`).then(() => runPipeline(config, { env: s3.env, workers: 0 }))
  }
  await run(null, '5%')
  const [history, lease] = [`${own}/listed/_runs.ndjson`, `${own}/listed/._manifest.json.lease`]
  const { [lease]: _, ...before } = await s3.objects()
  await expect(run(['99'], '5%')).rejects.toMatchObject({ code: 'REMOVED_TOO_MANY' })
  const { [`${own}/listed/_report.failed.html`]: page, [history]: runs, [lease]: __, ...after } = await s3.objects()
  expect(page).toContain('nothing was saved')
  expect(runs).toMatch(/"outcome":"REMOVED_TOO_MANY"[^\n]*\n$/)
  expect({ ...after, [history]: before[history] }).toEqual(before)
  const { missingIds } = await run(['7', '99'], '100%')
  expect(missingIds?.path).toBe(`s3://warehouse/${own}/listed/_missing.csv`)
  expect((await s3.objects())[`${own}/listed/_missing.csv`]).toBe('line,written,asked,reason\n2,99,0000099,not found\n')
  await run(null, '5%')
  await run(null, '5%')
  expect((await s3.keys()).filter((key) => key.startsWith(`${own}/listed/_missing`))).toEqual([])
})
