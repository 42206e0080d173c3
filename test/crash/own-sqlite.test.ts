import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BuiltCli } from '../cli/built-cli.ts'
import { cases } from '../depth.ts'
import { createRandom } from './moments.ts'

/*
 * The output in SQLite of docs/hooks.md, beside a column that a function computes, a schema and a CSV file, in processes that
 * are killed at random moments. Python reads the database. CATALOGUE_CRASH_SEED=7 draws other moments.
 */
const random = createRandom(`${process.env['CATALOGUE_CRASH_SEED'] ?? '1'} own output`)
const products = 1000
const kills = cases(40, 3)

let cli: BuiltCli
let folder: string

beforeAll(async () => {
  ;[cli, folder] = await Promise.all([BuiltCli.build(), mkdtemp(join(tmpdir(), 'own-'))])
  const page = await readFile(new URL('../../docs/hooks.md', import.meta.url), 'utf8')
  const [, example = ''] = /```js sqlite\.mjs\n(.*?)```/s.exec(page) ?? []
  const libsql = pathToFileURL(createRequire(import.meta.url).resolve('libsql')).href
  await writeFile(join(folder, 'sqlite.mjs'), example.replace("'libsql'", `'${libsql}'`))
  await writeFile(join(folder, 'steps.mjs'), steps)
  await writeFile(join(folder, 'products.yaml'), config)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const steps = `export const doubled = ({ publicPrice }) => publicPrice * 2
const refuse = { issues: [{ message: 'not for sale' }] }
const validate = (product) => (product.id === 'REFUSED' ? refuse : { value: product })
export const sellable = { '~standard': { version: 1, vendor: 'test', validate } }
`

const config = `name: products
source: { files: export.ndjson, contract: v4/product }
check: { schema: { use: './steps.mjs#sellable' }, version: '1' }
tables:
  products: { columns: [id, publicPrice, { column: doubled, compute: { use: './steps.mjs#doubled' }, type: integer, version: '1' }] }
  ean: { each: 'ean[]', columns: [{ column: ean, from: '$' }] }
outputs:
  - { format: csv, path: 'out/{table}.csv' }
  - { format: own, name: sqlite, open: { use: './sqlite.mjs#open' } }
rejects: { limit: 1 }
profile: false
report: false
`

/** Every product has the price and the code of its night. */
async function writeExport(night: number): Promise<void> {
  const results = [
    ...Array.from({ length: products }, (_, at) => ({ id: `P${at}`, publicPrice: night, ean: [`${night}`] })),
    { id: 'REFUSED', publicPrice: night, ean: [] },
  ]
  const total = results.length
  const lines = results.map((result, index) => `${JSON.stringify({ meta: { total, index }, result })}\n`)
  await writeFile(join(folder, 'export.ndjson'), lines.join(''))
}

/** Runs the command, killed after this many milliseconds; its exit code, null if it was. */
async function run(killAfterMs: number | null): Promise<number | null> {
  const env = { PATH: process.env['PATH'], PRODUCTS_DB: join(folder, 'products.db') }
  const child = spawn(process.execPath, [cli.path, 'run', 'products.yaml', '--quiet'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (timer !== null) clearTimeout(timer)
  return code
}

const query = `
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
one = lambda text: db.execute(text).fetchone()
print(json.dumps([
  one('SELECT count(*), min(public_price), max(public_price), min(doubled), max(doubled) FROM products'),
  one('SELECT count(*), min(CAST(ean AS INTEGER)), max(CAST(ean AS INTEGER)) FROM ean'),
  one('PRAGMA integrity_check'),
]))
`

/** The night that both tables of SQLite are of, whole; throws if they are of none. */
function readSqlite(): number {
  const said = execFileSync('python3', ['-c', query, join(folder, 'products.db')], { encoding: 'utf8' })
  const [[, night = -1]] = JSON.parse(said) as [number[]]
  expect(JSON.parse(said)).toEqual([[products, night, night, night * 2, night * 2], [products, night, night], ['ok']])
  return night
}

/** The night that the CSV file and the manifest are of. */
async function readFiles(): Promise<number> {
  const rows = (await readFile(join(folder, 'out/products.csv'), 'utf8')).trim().split('\n').slice(1)
  const nights = new Set(rows.map((row) => Number(row.split(',')[1])))
  expect([rows.length, nights.size]).toEqual([products, 1])
  return [...nights][0] ?? -1
}

test(
  'killed runs leave the tables of one night in SQLite, never behind the files, and the next run leaves its own',
  async () => {
    await writeExport(0)
    const begun = performance.now()
    expect(await run(null)).toBe(0)
    const usualMs = performance.now() - begun
    const seen = { before: 0, between: 0, after: 0 }
    for (let night = 1, killed = 0; killed < kills; night++) {
      await writeExport(night)
      // Towards the end there is more to break.
      const code = await run(usualMs * (random() < 0.3 ? random() : 0.75 + random() * 0.3))
      if (code === null) killed++
      expect([0, null]).toContain(code)
      const [inSqlite, inFiles] = [readSqlite(), await readFiles()]
      expect([night - 1, night]).toContain(inSqlite)
      expect([night - 1, inSqlite]).toContain(inFiles)
      if (code === null) seen[inFiles === night ? 'after' : inSqlite === night ? 'between' : 'before']++
      expect(await run(null)).toBe(0)
      expect([readSqlite(), await readFiles()]).toEqual([night, night])
    }
    expect(seen.before + seen.between + seen.after).toBe(kills)
  },
  kills * 60_000,
)
