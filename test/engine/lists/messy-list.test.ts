import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Manifest } from '../../../src/manifest/manifest.ts'
import { RunFolder } from '../run-folder.ts'
import { makeMessyList } from './messy-list.ts'

const skipsPython =
  process.env.CATALOGUE_REQUIRE_SPREADSHEETS !== '1' && spawnSync('python3', ['--version']).status !== 0

let folder: RunFolder

beforeAll(async () => {
  folder = await RunFolder.create()
})
afterAll(() => folder.remove())

interface Judged {
  readonly line: number
  readonly kept: readonly string[]
  readonly id: string | null
  readonly kind: string
  readonly products: readonly string[]
  readonly reason?: string
}

async function runList(): Promise<{ report: Manifest; judged: Judged[] }> {
  const { records, list } = makeMessyList(4000, 15_000)
  const total = records.length
  const lines = records.map((result, index) => JSON.stringify({ meta: { index, total }, result }))
  await folder.write('input.ndjson', lines.join('\n'))
  const plain = await folder.write('plain.ndjson', records.map((result) => JSON.stringify({ result })).join('\n'))
  // The code page of DOS: é is 0x82.
  const file = await folder.write('list.csv', Buffer.from(list.join('\r\n').replaceAll('é', '\u0082'), 'latin1'))
  const to = join(folder.path, 'judged.json')
  execFileSync('python3', [join(import.meta.dirname, 'match-list.py'), plain, file, to])
  const judged = (await readFile(to, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Judged)
  const report = await folder.run({
    sourceIds: { file, columns: { cnk: 1, ean: 2 }, keep: [3, { column: 4, as: 'decimal(12,2)' }], delimiter: ';' },
    where: { status: 'active' },
    rejects: { limit: '100%' },
    tables: { products: { columns: ['id', 'cnk', 'publicPrice'] } },
  })
  return { report, judged }
}

test.skipIf(skipsPython)(
  'each of 15,000 messy lines has its product or one reason, as a script finds them by hand',
  { timeout: 120_000 },
  async () => {
    const { report, judged } = await runList()
    const rows = parse(await folder.readOut('products.csv'), { columns: true }) as Record<string, string>[]
    const missing = parse(await folder.readOut('_missing.csv'), { columns: true }) as Record<string, string>[]
    expect(rows.map((row) => [Number(row['list_line']), row['list_3'], row['list_4'], row['id'] || null])).toEqual(
      judged.map(({ line, kept: [name = '', price = ''], id }) => [line, name, price.replace(',', '.'), id]),
    )
    const lost = judged.filter(({ id }) => id === null)
    expect(missing.map(({ line, kind, products }) => [Number(line), kind, products])).toEqual(
      lost.map(({ line, kind, products }) => [line, kind, products.join('|')]),
    )
    const replaced = lost.filter(({ reason }) => reason !== undefined)
    const reasons = new Map(missing.map(({ line, reason }) => [Number(line), reason]))
    expect(replaced.map(({ line }) => reasons.get(line))).toEqual(replaced.map(({ reason }) => reason))
    const counts = Object.fromEntries(
      [...new Set(lost.map(({ kind }) => kind))].map((kind) => [
        kind,
        lost.filter((each) => each.kind === kind).length,
      ]),
    )
    expect(report.missingIds).toMatchObject({
      lines: judged.length,
      found: judged.length - lost.length,
      rows: lost.length,
      notFound: counts['not found'],
      wrongCheckDigit: counts['wrong check digit'],
      ambiguous: counts['ambiguous'],
      replaced: counts['replaced'],
      inactive: counts['inactive'],
      rejected: counts['rejected'],
      bad: counts['no code'],
      empty: counts['empty'],
    })
    // Each trap is in the list, several times.
    const traps = [
      'not found',
      'wrong check digit',
      'ambiguous',
      'replaced',
      'inactive',
      'rejected',
      'no code',
      'empty',
    ]
    expect(traps.filter((kind) => (counts[kind] ?? 0) < 20)).toEqual([])
    const ends = ['circle', 'not there', 'no product', 'replaced by M']
    const listEnding = (end: string) => replaced.filter(({ reason = '' }) => reason.includes(end))
    expect(ends.filter((end) => listEnding(end).length < 5)).toEqual([])
  },
)
