import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestSchema } from '../../../src/inspect/digest/digest-schema.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { openInLibreOffice, skipsLibreOffice } from '../../formats/libre-office.ts'
import { launchChromium, skipsChromium } from '../../report/chromium.ts'

let folder: string
let config: string

const oak = [{ id: 7, name: { nl: 'Eik & <b>' } }]
const elm = [{ id: 8, name: { fr: 'Orme' } }]

function product(id: string, rest: object = {}) {
  return {
    id,
    status: 'active',
    cnk: `000${id.slice(1)}`.padStart(7, '0'),
    name: { nl: `naam ${id}` },
    publicPrice: 820,
    ...rest,
  }
}

const replaced = (by: string | null) => ({ status: 'replaced', replacement: by, cnk: null, name: null })

/** Three nights. In the second much changes that the third takes back. */
const nights = [
  [
    product('M01', { brands: oak }),
    product('M02', { brands: oak }),
    product('M03', { brands: elm }),
    ...['M04', 'M05', 'M06', 'M07', 'M08', 'M09'].map((id) => product(id)),
    product('M10', { publicPrice: 0 }),
    product('M11', { status: 'inactive' }),
  ],
  [
    product('M01', { brands: oak, publicPrice: 900 }),
    product('M02', { brands: oak, publicPrice: 700 }),
    product('M03', { brands: elm, ...replaced('M04') }),
    product('M05', { status: 'inactive' }),
    ...['M04', 'M07', 'M08', 'M09', 'M10', 'M11'].map((id) => product(id)),
  ],
  [
    product('M01', { brands: oak, publicPrice: 990 }),
    product('M02', { brands: oak }),
    product('M03', { brands: elm, ...replaced('M04') }),
    product('M04', replaced('M12')),
    product('M05'),
    product('M07', replaced('M08')),
    product('M08', replaced('M07')),
    product('M09', replaced('M99')),
    product('M10', { publicPrice: 1250 }),
    product('M11'),
    product('M12', { brands: elm, publicPrice: 500 }),
  ],
]

/** What a digest of the first night until the third says. M02 and M05 are as they were. */
const expected = [
  ['Eik & <b>', 'up', 'M01', '0000001', '8.20 → 9.90: 1.70, 20.73'],
  ['Orme', 'new', 'M12', '0000012', ''],
  ['Orme', 'replaced', 'M03', '0000003', 'replaced by M12 0000012 naam M12'],
  [null, 'priced', 'M10', '0000010', '0.00 → 12.50: null, null'],
  [null, 'back', 'M11', '0000011', ''],
  [null, 'gone', 'M06', '0000006', ''],
  [null, 'replaced', 'M04', '0000004', 'replaced by M12 0000012 naam M12'],
  [null, 'replaced', 'M07', '0000007', 'replaced in a circle: M07 → M08 → M07 null null'],
  [null, 'replaced', 'M08', '0000008', 'replaced in a circle: M07 → M08 → M07 null null'],
  [null, 'replaced', 'M09', '0000009', 'replaced by M99, which is not there null null'],
]

const columns = `
      - id
      - cnk
      - status
      - replacement
      - { column: name, from: name, locale: nl, fallback: spec }
      - { column: brand, from: 'brands[0].name', locale: nl, fallback: spec }
      - { column: price, from: publicPrice, as: 'decimal(12,2)', unit: cents }`

function toConfig(name: string, outputs: string): string {
  return `name: ${name}
source: { files: ${join(folder, 'night.ndjson')}, contract: v4/product }
maxRemoved: 100%
tables:
  products:
    columns:${columns}
outputs:
${outputs}`
}

async function run(file: string, night: number): Promise<void> {
  await writeFile(
    join(folder, 'night.ndjson'),
    (nights[night] ?? []).map((each) => `${JSON.stringify(each)}\n`).join(''),
  )
  const { exitCode, stderr } = await runInMemory(['run', file, '--out', folder])
  expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, ''])
}

function digest(...argv: readonly string[]) {
  return runInMemory(['digest', ...argv, '--out', folder])
}

async function readDigest(...argv: readonly string[]) {
  const { stdout, stderr } = await digest(...argv, '--as', 'json')
  if (stdout === '') throw new Error(stderr)
  const read = digestSchema.parse(JSON.parse(stdout))
  const entries = read.entries.map(({ brand, kind, id, code, price, successor }) => {
    const change = price === null ? '' : `${price.old} → ${price.new}: ${price.amount}, ${price.percent}`
    return [
      brand,
      kind,
      id,
      code,
      successor === null ? change : `${successor.text} ${successor.code} ${successor.name}`,
    ]
  })
  return { ...read, entries }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'digest-'))
  config = join(folder, 'kept.yaml')
  const outputs = `  - { format: parquet, path: 'out/kept/{table}.parquet' }
  - { format: parquet, path: 'out/kept/changes/{table}.parquet', mode: changes }
  - { format: duckdb, path: 'out/kept/history.duckdb', schema: main, mode: history }`
  await writeFile(config, toConfig('kept', outputs))
  for (const night of nights.keys()) {
    await run(config, night)
    if (night === 0) await cp(join(folder, 'kept'), join(folder, 'first'), { recursive: true })
  }
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a digest', () => {
  test.each([
    ['9998-01-01', 'got 9998-01-01T00:00:00.000Z, which is yet to come'],
    ['99999999999d', 'got one before 1970'],
  ])('a digest since %s, which is no time in the past, is refused', async (since, got) => {
    const { exitCode, stderr } = await digest(config, '--since', since)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`expected a time in the past, ${got}`)])
  })

  test('a digest has the form that its file says, and replaces no file of the run', async () => {
    const to = join(folder, 'by-name.html')
    await digest(config, '--since', '7d', '--to', to)
    expect(await readFile(to, 'utf8')).toMatch(/^<!doctype html>/)
    const { stderr: other } = await digest(config, '--since', '7d', '--as', 'xlsx', '--to', to)
    expect(other).toContain(`--as xlsx: expected a file that ends in .xlsx, got --to ${to}`)
    const manifest = join(folder, 'kept/_manifest.json')
    const { exitCode, stderr } = await digest(config, '--since', '7d', '--to', manifest)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`--to ${manifest}: expected another file than`)])
  })

  test('folds kept changes: the first state and the last one count, and last known codes are kept', async () => {
    const { runs } = await readRuns()
    const { entries, counts, basis, units, notes } = await readDigest(config, '--since', runs[0] ?? '')
    expect(entries).toEqual(expected)
    expect(counts).toEqual({
      up: 1,
      down: 0,
      priced: 1,
      unpriced: 0,
      new: 1,
      back: 1,
      gone: 1,
      withdrawn: 0,
      replaced: 5,
    })
    expect([basis, units, notes]).toEqual(['changes', 'currency', []])
    const { entries: ofLastNight } = await readDigest(config, '--since', runs[1] ?? '')
    expect(ofLastNight.map(([, kind, id]) => [kind, id])).toEqual([
      ['up', 'M01'],
      ['up', 'M02'],
      ['new', 'M12'],
      ['up', 'M10'],
      ['back', 'M05'],
      ...['M04', 'M07', 'M08', 'M09'].map((id) => ['replaced', id]),
    ])
  })

  test('begins with the first kept run if the span is longer, and says so', async () => {
    const { entries, notes } = await readDigest(config, '--since', '7d')
    expect(entries).toEqual(expected)
    expect(notes).toEqual([
      expect.stringMatching(/^The kept changes begin with the run of .* UTC, and so does this digest\.$/),
    ])
  })

  test('compares with the folder of a copied run', async () => {
    const { entries, basis } = await readDigest(config, '--since', join(folder, 'first'))
    expect([basis, entries]).toEqual(['runs', expected])
  })

  test('reads a history as it was at a time', async () => {
    const past = join(folder, 'past.yaml')
    await writeFile(past, toConfig('past', `  - { format: parquet, path: 'out/past/{table}.parquet', mode: history }`))
    await run(past, 0)
    const since = new Date().toISOString()
    for (const night of [1, 2]) await run(past, night)
    const { entries, basis } = await readDigest(past, '--since', since)
    expect([basis, entries]).toEqual(['history', expected])
  })

  test('of a pipeline that keeps nothing says which line to add', async () => {
    const bare = join(folder, 'bare.yaml')
    await writeFile(bare, toConfig('bare', `  - { format: parquet, path: 'out/bare/{table}.parquet' }`))
    await run(bare, 0)
    const { exitCode, stderr } = await digest(bare, '--since', '7d')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('mode: changes }` under `outputs:`')])
    const { stderr: unclear } = await digest(bare, '--since', 'tuesday')
    expect(unclear).toContain('--since tuesday: expected a span, a time, a run or the folder of one')
    const { stderr: noDay } = await digest(bare, '--since', '2026-02-30')
    expect(noDay).toContain('--since 2026-02-30: expected a span, a time')
  })

  test('in Markdown and HTML has every entry, and names as text', async () => {
    const since = (await readRuns()).runs[0] ?? ''
    const { stdout: markdown } = await digest(config, '--since', since)
    expect(markdown).toContain(
      '# kept: 1 price up, 1 now with a price, 1 new, 1 active again, 1 withdrawn, 5 replaced.',
    )
    expect(markdown).toContain(String.raw`## Eik & \<b>`)
    expect(markdown).toContain('| 0000001 | naam M01 | 8.20 → 9.90 (+1.70, +20.73 %) |')
    const { stdout: page } = await digest(config, '--since', since, '--as', 'html')
    expect(page).toContain('Eik &amp; &lt;b&gt;')
    // Each of the seven tables has a header.
    expect(page.match(/<tr>/g)).toHaveLength(expected.length + 7)
    expect(page).not.toMatch(/<script|<link|<img|https?:|url\(/)
    const { stdout: cut } = await digest(config, '--since', since, '--most', '3')
    expect(cut).toContain('… and 7 more.')
  })

  test('says its notes once: in the text at a terminal, and elsewhere in the log too', async () => {
    const argv = ['digest', config, '--since', '7d', '--out', folder]
    const note = 'The kept changes begin with'
    const shown = await runInMemory(argv, { isTTY: true })
    expect([shown.stdout, shown.stderr].map((text) => text.includes(note))).toEqual([true, false])
    const piped = await runInMemory(argv)
    expect([piped.stdout, piped.stderr].map((text) => text.includes(note))).toEqual([true, true])
  })

  test.skipIf(skipsLibreOffice)(
    'as a workbook opens in LibreOffice with Belgian settings, with codes as text and prices as numbers',
    { timeout: 60_000 },
    async () => {
      const to = join(folder, 'digest.xlsx')
      const { exitCode } = await digest(config, '--since', '7d', '--as', 'xlsx', '--to', to)
      expect(exitCode).toBe(0)
      const sheets = await openInLibreOffice(to, { locale: 'nl-BE' })
      expect([...sheets].map(([name, rows]) => [name, rows.length - 1])).toEqual([
        ['prices', 2],
        ['new', 2],
        ['withdrawn', 1],
        ['replaced', 5],
      ])
      expect(sheets.get('prices')?.[1]?.map(({ type, value }) => [type, value])).toEqual([
        ...['Eik & <b>', 'M01', '0000001', 'naam M01', 'Price up', 'price'].map((value) => ['text', value]),
        ...['8.2', '9.9', '1.7', '20.73'].map((value) => ['number', value]),
      ])
    },
  )

  test.skipIf(skipsChromium)(
    'in HTML passes the checks of axe, and needs no scrolling from side to side',
    { timeout: 60_000 },
    async () => {
      const to = join(folder, 'digest.html')
      await digest(config, '--since', '7d', '--as', 'html', '--to', to)
      const browser = await launchChromium()
      try {
        for (const width of [320, 1280]) {
          const page = await browser.newPage({ viewport: { width, height: 900 } })
          const requests: string[] = []
          page.on('request', (request) => requests.push(request.url()))
          await page.goto(pathToFileURL(to).href)
          expect(requests).toHaveLength(1)
          await page.evaluate(axe.source)
          const { violations, passes } = (await page.evaluate('axe.run()')) as axe.AxeResults
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
          expect(passes.map(({ id }) => id)).toContain('color-contrast')
          expect(await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')).toBe(0)
        }
      } finally {
        await browser.close()
      }
    },
  )
})

/** The names of the runs with kept changes, the oldest first. */
async function readRuns(): Promise<{ runs: string[] }> {
  const lines = (await readFile(join(folder, 'kept/_runs.ndjson'), 'utf8')).trim().split('\n')
  return { runs: lines.map((line) => (JSON.parse(line) as { changesRun: string }).changesRun) }
}
