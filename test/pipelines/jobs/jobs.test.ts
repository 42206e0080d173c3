import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Digest } from '../../../src/inspect/digest/digest-schema.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { cases } from '../../depth.ts'
import { queryDuckDb } from '../read-outputs.ts'
import { readyPath } from '../ready-rig.ts'
import { readRecords } from '../service-records.ts'
import { makeShopList, makeTrappedProducts, toServiceLines } from './trapped-products.ts'

const skipsPython =
  process.env.CATALOGUE_REQUIRE_SPREADSHEETS !== '1' && spawnSync('python3', ['--version']).status !== 0

const nights = 3
let work: string
let sandbox: Sandbox
const pathOf = (name: string): string => join(work, name)

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'jobs-'))
  sandbox = await startSandbox({ products: cases(3000, 500), seed: 5, rateLimit: false })
})
afterAll(async () => {
  await sandbox.close()
  await rm(work, { recursive: true })
})

async function runJob(name: string, ...options: string[]): Promise<Manifest> {
  const { baseUrl, keyId, keySecret } = sandbox
  const env = { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: keyId, CATALOGUE_KEY_SECRET: keySecret }
  const call = ['run', readyPath(`${name}.yaml`), '--out', pathOf('out'), '--set', 'rejects.limit=0', '--json']
  const { exitCode, stdout } = await runInMemory([...call, ...options], { env })
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
  const { runs } = JSON.parse(stdout) as { runs: { report: Manifest }[] }
  return runs[0]!.report
}

/** Over products with traps, not those of the sandbox. */
const runOnFile = (name: string, ...options: string[]): Promise<Manifest> =>
  runJob(name, '--from', pathOf('products.ndjson'), ...options)

/** What a script makes of the same lines, without any code of the project. */
function doByHand(job: string, ...files: readonly string[]): unknown {
  const script = join(import.meta.dirname, 'by-hand.py')
  return JSON.parse(
    execFileSync('python3', [script, job, ...files.map(pathOf)], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  )
}

function readCells(path: string, delimiter = ','): Promise<string[][]> {
  return readFile(path, 'utf8').then((text) => parse(text, { bom: true, delimiter }))
}

test('each job of a consumer fits in 25 lines of config', async () => {
  const files = ['price-list', 'images', 'mirror', 'join-by-cnk', 'price-mail', 'web-shop'].map(
    (name) => `${name}.yaml`,
  )
  for (const file of files) {
    const lines = (await readFile(readyPath(file), 'utf8')).trimEnd().split('\n')
    const written = lines.filter((line) => !/^\s*#/.test(line))
    expect([file, written.length <= 25]).toEqual([file, true])
  }
})

describe.skipIf(skipsPython)('jobs over products with traps', () => {
  beforeAll(async () => {
    const products = makeTrappedProducts(cases(3000, 300))
    await writeFile(pathOf('products.ndjson'), toServiceLines(products))
    await writeFile(pathOf('list.csv'), makeShopList(products))
    const codes = products.map(
      ({ cnk }, at) => `${at};${at % 2 === 0 ? cnk : `${String(cnk).slice(0, -3)}-${String(cnk).slice(-3)}`}`,
    )
    await writeFile(pathOf('register.csv'), ['number;CNK', ...codes, 'x;9999999', ''].join('\n'))
  })

  test('price-list gives each line of the list its product with a price, or the one reason why it has none', async () => {
    const { rows, missing } = doByHand('price_list', 'products.ndjson', 'list.csv') as {
      rows: string[][]
      missing: [string, string, string | null][]
    }
    const report = await runOnFile('price-list', '--set', `sourceIds.file=${pathOf('list.csv')}`)
    const [header, ...cells] = await readCells(report.files.find(({ format }) => format === 'csv')!.path)
    expect(header).toEqual(['list_line', 'list_result', 'list_stock', 'id', 'cnk', 'name', 'brand', 'price_eur'])
    expect(cells.map(([line, , ...others]) => [line, ...others])).toEqual(rows)
    const [, ...given] = await readCells(pathOf('out/price-list/_missing.csv'))
    expect(given.map(([line, , , reason, kind]) => [line, kind, toEnd(reason!)])).toEqual(missing)
    const kinds = new Set(missing.map(([, kind]) => kind))
    const traps = ['ambiguous', 'empty', 'inactive', 'no code', 'not found', 'replaced', 'wrong check digit']
    expect([...kinds]).toEqual(expect.arrayContaining(traps))
    const ends = missing.map(([, , end]) => end)
    expect(ends).toEqual(expect.arrayContaining(['circle', 'dead end', expect.stringMatching(/^M/)]))
  })

  test('images gives each active product the packshot that suits its language best, and counts them', async () => {
    const report = await runOnFile('images')
    const [, ...cells] = await readCells(report.files.find(({ format }) => format === 'csv')!.path)
    expect(cells).toEqual(doByHand('images', 'products.ndjson'))
  })

  test('web-shop writes prices with a comma, and no text that a spreadsheet would run', async () => {
    const report = await runOnFile('web-shop')
    const cells = await readCells(report.files[0]!.path, ';')
    expect(cells).toEqual(doByHand('web_shop', 'products.ndjson'))
    expect(cells.flat()).toEqual(expect.arrayContaining(["'=1+2", "'@a;b", '0,07', '1234,56']))
  })

  test('join-by-cnk joins a register with codes in any form, and no line to the first of several products', async () => {
    const report = await runOnFile('join-by-cnk')
    const pathOfTable = (name: string) =>
      `'${report.files.find((file) => file.table === name && file.format === 'parquet')!.path}'`
    const joined = await queryDuckDb(
      `SELECT DISTINCT r.number, c.chosen, coalesce(CAST(p.price_eur AS VARCHAR), '')
      FROM read_csv('${pathOf('register.csv')}', delim = ';', header = true, all_varchar = true) AS r
      LEFT JOIN ${pathOfTable('codes')} AS c ON c.scheme = 'cnk' AND c.canonical = lpad(replace(r.CNK, '-', ''), 7, '0')
      LEFT JOIN ${pathOfTable('products')} AS p ON p.id = c.chosen`,
    )
    const expected = doByHand('join', 'products.ndjson', 'register.csv') as string[][]
    expect(joined.map((row) => row.join(' ')).toSorted()).toEqual(expected.map((row) => row.join(' ')).toSorted())
    expect(expected.filter(([, chosen]) => chosen === 'ambiguous').length).toBeGreaterThan(3)
  })
})

/** Where the reason says that replacements end; null if it speaks of no product, or of several. */
function toEnd(reason: string): string | null {
  if (!reason.startsWith('replaced')) return null
  if (reason.includes('circle')) return 'circle'
  return /no product is named|not there/.test(reason) ? 'dead end' : reason.replace('replaced by ', '')
}

describe.skipIf(skipsPython)('jobs over three nights of the sandbox', () => {
  const files = Array.from({ length: nights + 1 }, (_, night) => `night-${night}.ndjson`)
  const mirrors: Manifest[] = []
  const mails: Manifest[] = []

  beforeAll(async () => {
    for (const [night, file] of files.entries()) {
      if (night > 0) sandbox.advance()
      const records = await readRecords(sandbox, 'v4/products/stream')
      await writeFile(pathOf(file), toServiceLines(records))
      mirrors.push(await runJob('mirror'))
      mails.push(await runJob('price-mail'))
    }
  })

  test('mirror keeps the last state of every product, marks those that are gone, and lists what each night changed', async () => {
    const { rows, changes } = doByHand('mirror', ...files) as { rows: unknown[][]; changes: string[][][] }
    const { files: published } = mirrors.at(-1)!
    const merged = published.find(({ run }) => run === undefined)!.path
    const nightly = published.flatMap(({ path, run }) => (run === undefined ? [] : [path]))
    expect(
      await queryDuckDb(
        `SELECT id, status, CAST(public_price AS INT), _removed_at IS NOT NULL FROM '${merged}' ORDER BY id`,
      ),
    ).toEqual(rows)
    const listed = await Promise.all(
      nightly.map((path) => queryDuckDb(`SELECT _change, id FROM '${path}' ORDER BY ALL`)),
    )
    expect(listed).toEqual(changes)
    const kinds = new Set(changes.slice(1).flatMap((night) => night.map(([kind]) => kind)))
    expect(kinds).toEqual(new Set(['changed', 'new', 'removed']))
  })

  test('the digest of price-mail has each change of a price, each new product and each that is gone, once', async () => {
    const since = mails[0]!.files[0]!.run!
    const { stdout } = await runInMemory(
      ['digest', readyPath('price-mail.yaml'), '--out', pathOf('out'), '--since', since, '--as', 'json'],
      { env: { CATALOGUE_URL: sandbox.baseUrl } },
    )
    const { entries } = JSON.parse(stdout) as Digest
    const found = entries.map(({ kind, id, price, successor }) => [
      kind,
      id,
      ...(price === null ? [] : [price.old ?? '', price.new ?? '']),
      ...(kind === 'replaced' ? [successor?.id ?? (successor?.kind === 'cycle' ? 'circle' : 'dead end')] : []),
    ])
    const expected = doByHand('mail', files[0]!, files.at(-1)!) as string[][]
    expect(found.map((entry) => entry.join(' ')).toSorted()).toEqual(
      expected.map((entry) => entry.join(' ')).toSorted(),
    )
    expect(new Set(expected.map(([kind]) => kind)).size).toBeGreaterThan(3)
  })
})
