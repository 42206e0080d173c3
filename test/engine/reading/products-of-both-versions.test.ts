import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { fetchPipeline } from '../../../src/engine/fetch/fetch-pipeline.ts'
import { previewPlan } from '../../../src/engine/run/preview-plan.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { trace } from '../../../src/inspect/trace/trace.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { cases } from '../../depth.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => void (folder = await RunFolder.create()))
afterEach(() => folder.remove())

const parquet = [{ format: 'parquet', path: 'out/{table}.parquet' }] as const
const product = { contract: 'product' } as const

async function generate(version: 'v3' | 'v4', records: number, dialect: 'documented' | 'loose' = 'documented') {
  const lines = generateLines({ contract: `${version}/product`, records, seed: 7, dialect })
  return folder.write(`${version}.ndjson`, Buffer.concat([...lines]))
}

/** The records of both exports as DuckDB reads their lines: `(version, id, r)`. */
const readRaw = (v3: string, v4: string): string =>
  [v3, v4]
    .map(
      (path, at) => `SELECT 'v${at + 3}' AS version, j->'result' AS r, j->'result'->>'id' AS id
        FROM (SELECT json AS j FROM read_ndjson_objects('${path}'))`,
    )
    .join(' UNION ALL ')

/** The elements of a list of the records: `(version, id, position, e)`. */
const readElements = (raw: string, list: string): string =>
  `SELECT version, id, i AS position, json_extract(r, '$.${list}[' || (i - 1) || ']') AS e
    FROM (${raw}), unnest(range(1, 1 + coalesce(json_array_length(r, '$.${list}'), 0)::BIGINT)) AS u(i)
    WHERE json_type(json_extract(r, '$.${list}[' || (i - 1) || ']')) = 'OBJECT'`

async function expectSameRows(found: string, wanted: string): Promise<void> {
  const [[rows]] = (await queryDuckDb(`SELECT count(*)::INTEGER FROM (${wanted})`)) as [[number]]
  expect(rows).toBeGreaterThan(100)
  const differing = [
    [found, wanted],
    [wanted, found],
  ].map(async ([a, b]) => queryDuckDb(`SELECT * FROM (${a} EXCEPT ALL ${b}) LIMIT 3`))
  expect(await Promise.all(differing)).toEqual([[], []])
}

function toLines(version: 'v3' | 'v4', records: number): Buffer {
  return Buffer.concat([...generateLines({ contract: `${version}/product`, records, seed: 7 })])
}

function doubtBetween(got: string, as: string): unknown[] {
  return [expect.stringMatching(`the product "\\w+" looks like ${got}, and its source is read as ${as}: `)]
}

test('a run warns of a file with products of both versions in any order', async () => {
  const tables = { products: { columns: ['id', 'interfaceVersion'] } }
  const warningsOf = async (lines: readonly Buffer[], source = {}) => {
    const files = await folder.write('both.ndjson', Buffer.concat(lines))
    const warnings: string[] = []
    const onWarning = (message: string) => void warnings.push(message)
    const config = { tables, completeness: 'report', maxRemoved: '100%' } as const
    await folder.run({ ...config, source: { files, ...product, ...source } }, { onWarning })
    return warnings.filter((warning) => warning.includes('does one file hold products of both?'))
  }
  const [v3, v4] = [toLines('v3', 30), toLines('v4', 30)]
  expect(await warningsOf([v3, v4])).toEqual(doubtBetween('v4', 'v3'))
  expect(await warningsOf([v4, v3])).toEqual(doubtBetween('v3', 'v4'))
  expect(await warningsOf([v4, v3], { interface: 'v3' })).toEqual(doubtBetween('v4', 'v3'))
  // Far behind the first records, in a block of its own.
  expect(await warningsOf([toLines('v3', 600), v4])).toEqual(doubtBetween('v4', 'v3'))
  expect(await warningsOf([v3])).toEqual([])
  expect(await warningsOf([v4])).toEqual([])
})

describe('a run over exports of both versions', { timeout: 30_000 }, () => {
  test('has the versions, prices, kinds of photos and texts that DuckDB reads from the raw lines', async () => {
    const records = cases(400, 150)
    const [v3, v4] = [await generate('v3', records), await generate('v4', records + 10)]
    const report = await folder.runDefaultTables({ source: { ...product, files: [v3, v4] }, outputs: [...parquet] })
    expect(report.ledger).toMatchObject({ lines: 2 * records + 10, accepted: 2 * records + 10 })

    const table = (name: string): string => `read_parquet('${join(folder.out, `${name}.parquet`)}')`
    const raw = readRaw(v3, v4)
    await expectSameRows(
      `SELECT id, interface_version, documented_price_unit, public_price, pharmacist_price, manufacturer_price, cti_extended FROM ${table('products')}`,
      `SELECT id, version, CASE version WHEN 'v3' THEN 'EUR cents' ELSE 'EUR' END, (r->>'publicPrice')::BIGINT,
        (r->>'pharmacistPrice')::BIGINT, (r->>'manufacturerPrice')::BIGINT, r->>'ctiExtended' FROM (${raw})`,
    )
    await expectSameRows(
      `SELECT product_id, position, photo_type FROM ${table('product_photos')}`,
      `SELECT id, position, CASE version WHEN 'v3' THEN e->>'type' ELSE e->>'photoType' END FROM (${readElements(raw, 'photos')})`,
    )
    await expectSameRows(
      `SELECT product_id, position, link_type FROM ${table('product_links')}`,
      `SELECT id, position, CASE version WHEN 'v3' THEN e->>'type' ELSE coalesce(e->>'linkType', e->>'type') END
        FROM (${readElements(raw, 'links')})`,
    )
    await expectSameRows(
      `SELECT product_id, position, type, content_nl_html, content_nl_markdown FROM ${table('product_descriptions')}`,
      `SELECT id, position, e->>'type', CASE version WHEN 'v3' THEN e->'content'->'nl'->>'html' ELSE e->'content'->>'nl' END,
        CASE version WHEN 'v3' THEN e->'content'->'nl'->>'markdown' END FROM (${readElements(raw, 'descriptions')})`,
    )
  })

  test('gives the same bytes with any number of workers', async () => {
    const files = [await generate('v3', 300, 'loose'), await generate('v4', 300, 'loose')]
    const outputs = (['csv', 'ndjson', 'parquet'] as const).map((format) => ({ format, path: `out/{table}.${format}` }))
    const rejects = { limit: '100%' } as const
    const found = []
    for (const workers of [0, 1, 8]) {
      const tables = { products: {}, product_photos: { each: 'photos[]', columns: ['all', 'interfaceVersion'] } }
      await folder.run({ source: { ...product, files }, tables, outputs, rejects }, { workers })
      found.push(Object.entries(await folder.snapshot()).filter(([name]) => !name.startsWith('_')))
    }
    expect(found[0]?.length).toBe(6)
    expect(found[1]).toEqual(found[0])
    expect(found[2]).toEqual(found[0])
  })
})

const ownV3 = { attributes: [{ id: 1 }], photos: [{ type: 'packshot' }] }
const ownV4 = { eanGtin13: '5400000000000', photos: [{ photoType: 'productshot' }] }
const toLine = (id: string, own: object): string => `${JSON.stringify({ id, publicPrice: 820, ...own })}\n`

const stdin = () => Readable.from([Buffer.from(toLine('M1', ownV4))])

describe('the version of a file', () => {
  test('is determined per file, even for consecutive small files of both versions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ isV3: fc.boolean(), lines: fc.nat({ max: 3 }), isGzip: fc.boolean(), isEnded: fc.boolean() }),
          {
            minLength: 1,
            maxLength: 8,
          },
        ),
        async (all) => {
          const files = await Promise.all(
            all.map(({ isV3, lines, isGzip, isEnded }, at) => {
              const text = Array.from({ length: lines }, (_, line) =>
                toLine(`${at}-${line}`, isV3 ? ownV3 : ownV4),
              ).join('')
              const bytes = Buffer.from(isEnded ? text : text.slice(0, -1))
              return folder.write(`${at}.ndjson${isGzip ? '.gz' : ''}`, isGzip ? gzipSync(bytes) : bytes)
            }),
          )
          const tables = {
            products: { columns: ['id', 'interfaceVersion', 'documentedPriceUnit'] },
            photos: { each: 'photos[]', columns: ['photoType', 'interfaceVersion'] },
          }
          await folder.run({ source: { ...product, files }, tables, completeness: 'report', maxRemoved: '100%' })
          const expected = all.flatMap(({ isV3, lines }, at) =>
            Array.from({ length: lines }, (_, line) => ({ id: `${at}-${line}`, isV3 })),
          )
          const products = expected.map(({ id, isV3 }) => `${id},${isV3 ? 'v3,EUR cents' : 'v4,EUR'}\n`)
          const photos = expected.map(({ id, isV3 }) => `${id},1,${isV3 ? 'packshot,v3' : 'productshot,v4'}\n`)
          expect(await folder.readOut('products.csv')).toBe(
            `id,interface_version,documented_price_unit\n${products.join('')}`,
          )
          expect(await folder.readOut('photos.csv')).toBe(
            `product_id,position,photo_type,interface_version\n${photos.join('')}`,
          )
        },
      ),
      { numRuns: cases(60, 8) },
    )
  })

  test('is that of source.interface if the fields leave it open', async () => {
    const files = await folder.write('open.ndjson', toLine('M1', {}))
    const tables = { products: { columns: ['id', 'interfaceVersion'] } }
    await folder.run({ source: { ...product, files, interface: 'v3' }, tables })
    expect(await folder.readOut('products.csv')).toBe('id,interface_version\nM1,v3\n')
  })

  test('ends the run before anything is written if it is unknown', async () => {
    const [first, open] = [
      await folder.write('v4.ndjson', toLine('M1', ownV4)),
      await folder.write('open.ndjson', toLine('M1', {})),
    ]
    const source = { ...product, files: [first, open] }
    const error = await folder.fail({ source, tables: { products: { columns: ['id', 'documentedPriceUnit'] } } })
    expect(error?.code).toBe('CONFIG_INVALID')
    expect(error?.message).toBe(
      `products: ${open}: expected fields of products of one version of the interface, v3 or v4, got only those that both have in its record`,
    )
    expect(error?.fix).toContain('source.interface: v4')
    expect(await folder.snapshot()).toEqual({})
    // No column is from it.
    await folder.run({ source })
    expect(await folder.readOut('products.csv')).toBe('id,status\nM1,\nM1,\n')
  })

  test('has to be configured for standard input, which is then read once', async () => {
    const tables = { products: { columns: ['id', 'interfaceVersion'] } }
    const error = await folder.fail({ source: { ...product, files: '-' }, tables }, { stdin: stdin() })
    expect(error?.message).toContain('missing key "interface", expected v3 or v4 for products from standard input')
    for (const duplicates of ['keep', 'last'] as const) {
      await folder.run({ source: { ...product, files: '-', interface: 'v4' }, tables, duplicates }, { stdin: stdin() })
      expect(await folder.readOut('products.csv')).toBe('id,interface_version\nM1,v4\n')
    }
  })

  test('does not matter for a file without records', async () => {
    const files = [await folder.write('a.ndjson', ''), await folder.write('b.ndjson', toLine('M1', ownV3))]
    await folder.run({ source: { ...product, files }, tables: { products: { columns: ['interfaceVersion'] } } })
    expect(await folder.readOut('products.csv')).toBe('interface_version\nv3\n')
  })

  test('is shown by preview and trace', async () => {
    const files = [
      await folder.write('a.ndjson', toLine('M1', ownV3)),
      await folder.write('b.ndjson', toLine('M2', ownV4)),
    ]
    const plan = planPipeline(
      {
        name: 'products',
        source: { ...product, files },
        tables: { products: { columns: ['id', 'interfaceVersion'] } },
        outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
      },
      { outDir: folder.out },
    )
    const { signal } = new AbortController()
    const context = { env: forcedWorkers, signal, stdin: Readable.from([]) }
    const { tables } = await previewPlan(plan, { ...context, rows: 5 })
    expect(tables[0]?.rows).toEqual([
      { id: 'M1', interface_version: 'v3' },
      { id: 'M2', interface_version: 'v4' },
    ])
    const traced = await trace(plan, ['M2', 'M1'], context)
    expect(JSON.stringify(traced)).toContain('"interface_version":"v4"')
    expect(JSON.stringify(traced)).toContain('"interface_version":"v3"')
  })
})

test('of a product in both files is that of the last file with duplicates: last', async () => {
  const files = [
    await folder.write('a.ndjson', toLine('M1', ownV3)),
    await folder.write('b.ndjson', toLine('M1', ownV4)),
  ]
  const tables = { products: { columns: ['id', 'interfaceVersion'] } }
  await folder.run({ source: { ...product, files }, tables, duplicates: 'last' })
  expect(await folder.readOut('products.csv')).toBe('id,interface_version\nM1,v4\n')
})

test('a product delivered in another version is a change only if columns show the version', async () => {
  const outputs = (['merge', 'history'] as const).map((mode) => ({
    format: 'csv' as const,
    mode,
    path: `out/${mode}/{table}.csv`,
  }))
  const runBoth = async (columns: string[]) => {
    const reports = []
    for (const own of [ownV3, ownV4]) {
      const files = await folder.write('a.ndjson', toLine('M1', {}) + toLine('M2', own))
      reports.push(await folder.run({ source: { ...product, files }, tables: { products: { columns } }, outputs }))
    }
    return reports.map(({ state }) => state?.changes)
  }
  expect(await runBoth(['id', 'publicPrice'])).toMatchObject([{ new: 2 }, { changed: 1, unchanged: 1 }])
  await rm(folder.out, { recursive: true })
  expect(await runBoth(['id', 'interfaceVersion'])).toMatchObject([{ new: 2 }, { changed: 2, unchanged: 0 }])
  expect(await folder.readOut('merge/products.csv')).toBe('id,interface_version\nM1,v4\nM2,v4\n')
  expect((await folder.readOut('history/products.csv')).match(/^M1,v3,\S+Z,\S+Z,false$/m)).not.toBeNull()
})

test('a column of the version is text, can be renamed or excluded, and exists only for the contract product', async () => {
  const files = await folder.write('a.ndjson', toLine('M1', ownV3))
  const tables = { products: { columns: ['id', { column: 'from_version', from: 'interfaceVersion', as: 'text' }] } }
  await folder.run({ source: { ...product, files }, tables })
  expect(await folder.readOut('products.csv')).toBe('id,from_version\nM1,v3\n')
  await folder.run({ source: { ...product, files }, tables: { products: { exclude: ['interfaceVersion'] } } })
  const header = (await folder.readOut('products.csv')).split('\n')[0]?.split(',')
  expect(header).toContain('documented_price_unit')
  expect(header).not.toContain('interface_version')
  const asNumber = { products: { columns: [{ from: 'interfaceVersion', as: 'integer' }] } }
  const refused = await folder.fail({ source: { ...product, files }, tables: asNumber })
  expect(refused?.message).toContain('"interfaceVersion" is a value of the source: it can only be text')
  const asCondition = await folder.fail({ source: { ...product, files }, where: { interfaceVersion: 'v4' } })
  expect(asCondition?.message).toContain('expected a field of records, got "interfaceVersion", a value of their source')
  const inV4 = await folder.fail({ source: { files }, tables: { products: { columns: ['interfaceVersion'] } } })
  expect(inV4?.message).toContain('unknown field "interfaceVersion"')
  const misplaced = await folder.fail({ source: { files, interface: 'v4' } })
  expect(misplaced?.message).toContain('expected interface only in a source with contract: product')
})

test('corrected lines keep the version of their file', async () => {
  const broken = '{"id":null,"publicPrice":1}\n'
  const files = [
    await folder.write('a.ndjson', toLine('M1', ownV3) + broken),
    await folder.write('b.ndjson', toLine('M2', ownV4) + broken),
  ]
  const tables = { products: { columns: ['id', 'interfaceVersion'] } }
  const changes = { source: { ...product, files }, tables, rejects: { limit: '100%' } } as const
  await folder.run(changes)
  const rejects = (await folder.readOut('_rejects.ndjson')).split('\n').slice(0, -1)
  const corrected = rejects.map((line, at) => line.replace('{\\"id\\":null', `{\\"id\\":\\"N${at + 1}\\"`))
  const fixed = await folder.write('fixed.ndjson', corrected.map((line) => `${line}\n`).join(''))
  await folder.run(changes, { fixed })
  expect(await folder.readOut('products.csv')).toBe('id,interface_version\nM1,v3\nN1,v3\nM2,v4\nN2,v4\n')
})

const countVersions = async () => {
  const rows = (await folder.readOut('products.csv')).split('\n').slice(1, -1)
  return Object.fromEntries(
    ['v3', 'v4'].map((version) => [version, rows.filter((row) => row.endsWith(`,${version}`)).length]),
  )
}

describe('products of both versions from the service', () => {
  let sandbox: Sandbox

  beforeAll(async () => void (sandbox = await startSandbox({ products: 60, rateLimit: false })))
  afterAll(() => sandbox.close())

  const tables = { products: { columns: ['id', 'interfaceVersion'] } }
  const toConfig = (endpoint: string, more: Partial<PipelineConfig> = {}): PipelineConfig => {
    const { baseUrl, keyId, keySecret } = sandbox
    return { name: 'products', source: { endpoint, baseUrl, keyId, keySecret, ...product }, tables, ...more }
  }
  const outputs = [{ format: 'csv', path: 'out/{table}.csv' }] as const

  async function land(endpoint: string, name: string): Promise<string> {
    const to = join(folder.path, name)
    await fetchPipeline(toConfig(endpoint), { to, env: {} })
    return to
  }

  test('have the version of their endpoint, also in landed files', async () => {
    const { ledger } = await runPipeline(toConfig('v3/products/export', { outputs: [...outputs] }), {
      outDir: folder.out,
    })
    expect(await countVersions()).toEqual({ v3: ledger.accepted, v4: 0 })
    const files = [await land('v3/products/export', 'v3.ndjson.gz'), await land('v4/products/stream', 'v4.ndjson.gz')]
    const report = await folder.run({ source: { ...product, files }, tables })
    expect(await countVersions()).toEqual({ v3: ledger.accepted, v4: report.ledger.accepted - ledger.accepted })
    expect(report.completeness.status).toBe('proven')
    // What was landed for both is still of its own version.
    await folder.run({
      source: { files: files[1]!, contract: 'v4/product' },
      tables: { products: { columns: ['id'] } },
      maxRemoved: '100%',
    })
    const refused = await folder.fail({ source: { ...product, files, interface: 'v4' }, tables })
    expect(refused?.message).toContain(
      'expected products of v4, as source.interface says, got those of v3/products/export',
    )
  })

  test('keep the version of an endpoint that states its own', async () => {
    const refusals = await Promise.all(
      [
        toConfig('v4/brands/query'),
        {
          ...toConfig('v4/products/stream'),
          source: { ...toConfig('v4/products/stream').source, interface: 'v3' as const },
        },
      ].map(async (config) => runPipeline(config, { outDir: folder.out }).catch((error: unknown) => String(error))),
    )
    expect(refusals[0]).toContain('expected v4/brand, which v4/brands/query returns, got "product"')
    expect(refusals[1]).toContain('expected interface only in a source with files, got it beside an endpoint')
  })

  test('are merged into earlier outputs with their version', async () => {
    const merged = { outputs: [{ format: 'csv', mode: 'merge', path: 'out/{table}.csv' }], incremental: {} } as const
    const config = toConfig('v4/products/stream', { ...merged, outputs: [...merged.outputs] })
    const first = await runPipeline(config, { outDir: folder.out })
    const before = await folder.readOut('products.csv')
    await runPipeline(config, { outDir: folder.out })
    expect(await folder.readOut('products.csv')).toBe(before)
    expect(await countVersions()).toEqual({ v3: 0, v4: first.ledger.accepted })
  })
})
