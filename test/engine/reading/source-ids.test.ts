import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { fetchPipeline } from '../../../src/engine/fetch/fetch-pipeline.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { RunFolder } from '../run-folder.ts'
import { forcedWorkers } from '../../forced-workers.ts'

let sandbox: Sandbox
let folder: RunFolder
/** Id, CNK and status of every product. */
let all: Row[]

beforeAll(async () => {
  sandbox = await startSandbox({ products: 2600, rateLimit: false })
  folder = await RunFolder.create()
  all = (await run({})).rows
})
afterAll(async () => {
  await sandbox.close()
  await folder.remove()
})

type Row = readonly [id: string, cnk: string, status: string]

/** Publishes one CSV from the sandbox. */
async function run(source: Partial<PipelineConfig['source']>, more: Partial<PipelineConfig> = {}) {
  const { baseUrl, keyId, keySecret } = sandbox
  const before = sandbox.requests.length
  const report = await runPipeline(
    {
      name: 'listed',
      source: { baseUrl, keyId, keySecret, endpoint: 'v4/products/stream', ...source },
      tables: { products: { columns: ['id', 'cnk', 'status'] } },
      outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
      maxRemoved: '100%',
      ...more,
    },
    { outDir: folder.out, env: forcedWorkers },
  )
  const text = await readFile(`${folder.out}/products.csv`, 'utf8')
  const rows = text.split('\n').slice(1, -1)
  return { report, rows: rows.map((row) => row.split(',') as unknown as Row), sent: sandbox.requests.slice(before) }
}

describe('a pipeline with sourceIds', () => {
  test('a pipeline with sourceIds lists the codes whose records were excluded by where', async () => {
    const [one, other] = ['active', 'inactive'].map((status) => all.find((row) => row[2] === status)?.[0] ?? '')
    const file = await folder.write('few.csv', `id\n${one}\n${other}\nNOTTHERE1\n`)
    const { report, rows } = await run({}, { sourceIds: { file, column: 'id' }, where: { status: 'active' } })
    expect(rows.map(([id]) => id)).toEqual([one])
    expect(report.missingIds).toMatchObject({ found: 1, filtered: 1, notFound: 1, rows: 2 })
    const missing = await readFile(`${folder.out}/_missing.csv`, 'utf8')
    expect(missing.split('\n').slice(1, 3)).toEqual([
      `3,${other},${other},filtered by where status: active`,
      '4,NOTTHERE1,NOTTHERE1,not found',
    ])
  })

  test('a pipeline with sourceIds requests 2,500 ids in three requests, and names those that were not found', async () => {
    const known = all.slice(0, 2496).map(([id]) => id)
    const list = [...known.slice(0, 1500), 'NOTTHERE1', ...known.slice(1500), ' NOTTHERE2', "'NOTTHERE3", 'NOTTHERE4']
    const file = await folder.write('ids.csv', ['id;name', ...list, ...known.slice(0, 7)].join(';x\r\n'))
    const { report, rows, sent } = await run({}, { sourceIds: { file, column: 'id' } })
    expect(sent).toHaveLength(3)
    expect(rows.map(([id]) => id).toSorted()).toEqual(known.toSorted())
    expect(report.completeness).toMatchObject({ status: 'proven', total: 2496 })
    expect(report.sources[0]?.notes?.missing).toEqual([
      {
        key: 'id',
        asked: 2500,
        missing: ['NOTTHERE1', 'NOTTHERE2', 'NOTTHERE3', 'NOTTHERE4'],
        inFile: [
          { line: 1502, written: 'NOTTHERE1' },
          { line: 2499, written: ' NOTTHERE2' },
          { line: 2500, written: "'NOTTHERE3" },
          { line: 2501, written: 'NOTTHERE4' },
        ],
      },
    ])
    const counts = { rows: 2507, identifiers: 2500, repaired: 2, repeated: 7, empty: 0, requests: 3 }
    expect(report.sourceIds).toEqual({ file, column: 'id', field: 'id', ...counts })
    expect(JSON.parse(await folder.readOut('_manifest.json'))).toMatchObject({ sourceIds: report.sourceIds })
  })

  test('a pipeline with sourceIds finds codes without their leading zeros, combined with another filter', async () => {
    const active = all.filter(([, cnk, status]) => status === 'active' && cnk.startsWith('0'))
    const zeroed = [...new Set(active.map(([, cnk]) => cnk))].slice(0, 20)
    expect(zeroed.length).toBeGreaterThan(0)
    const file = await folder.write('cnk.txt', `# from the shop\n${zeroed.map(Number).join('\n')}\n9999999\n`)
    const listed = { sourceIds: { file, field: 'cnk' } }
    const { report, rows } = await run({ filter: { status: 'active' } }, listed)
    expect(new Set(rows.map(([, cnk]) => cnk))).toEqual(new Set(zeroed))
    expect(report.sourceIds).toMatchObject({ identifiers: zeroed.length + 1, repaired: zeroed.length })
    expect(report.sources[0]?.notes?.missing).toMatchObject([{ inFile: [{ line: zeroed.length + 2 }] }])
  })

  test('a pipeline with sourceIds sends nothing when an identifier is wrong', async () => {
    const file = await folder.write('wrong.csv', 'cnk;name\n0012345;a\n1,23E+6;b\n')
    const before = sandbox.requests.length
    await expect(run({}, { sourceIds: { file, column: 'cnk' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/sourceIds\.file: "\S+wrong\.csv": expected a CNK code .*"1,23E\+6" in line 3$/),
    })
    expect(sandbox.requests).toHaveLength(before)
  })

  test('fetch lands a pipeline with sourceIds with its list', async () => {
    const [[id]] = all as [Row]
    const file = await folder.write('few.txt', `# from the shop\n${id}\n NOTTHERE\n`)
    const to = `${folder.path}/landed.ndjson`
    const { baseUrl, keyId, keySecret } = sandbox
    const source = { baseUrl, keyId, keySecret, endpoint: 'v4/products/stream' }
    const landing = await fetchPipeline({ name: 'x', source, sourceIds: { file, field: 'id' } }, { to, env: {} })
    const missing = [{ key: 'id', asked: 2, missing: ['NOTTHERE'], inFile: [{ line: 3, written: ' NOTTHERE' }] }]
    expect(landing.notes.missing).toEqual(missing)
    expect(landing.request.sourceIds).toMatchObject({ file, field: 'id', identifiers: 2 })
    const report = await folder.run({ source: { files: to } })
    expect(report.sources[0]?.notes?.missing).toEqual(missing)
  })

  test('a pipeline with sourceIds reads v3 as well', async () => {
    const ids = all.slice(0, 3).map(([id]) => id)
    const file = await folder.write('ids.txt', ids.join('\r\n'))
    const { rows, sent } = await run({ endpoint: 'v3/products/export' }, { sourceIds: { file, field: 'id' } })
    expect(sent).toHaveLength(1)
    expect(rows.map(([id]) => id).toSorted()).toEqual(ids.toSorted())
  })
})
