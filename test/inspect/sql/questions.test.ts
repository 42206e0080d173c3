import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { savedQuestions } from '../../../src/inspect/questions/questions.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { RunFolder } from '../../cli/run-folder.ts'
import { type Product, seedGaps, writeLines } from './seeded-gaps.ts'

type Row = Readonly<Record<string, unknown>>

let folder: RunFolder
let config: string
let expected: Readonly<Record<string, unknown>>

beforeAll(async () => {
  folder = await RunFolder.create()
  await seedGaps(folder, 300)
  config = await folder.write(
    'products.yaml',
    `name: products\nsource: { files: ${JSON.stringify(folder.at('export.ndjson'))}, contract: v4/product }\n`,
  )
  await runInMemory(['run', config, '--out', folder.out])
  const { finishedAt } = JSON.parse(await readFile(join(folder.out, 'products/_manifest.json'), 'utf8')) as {
    finishedAt: string
  }
  const script = join(import.meta.dirname, 'questions.py')
  expected = JSON.parse(
    execFileSync('python3', [script, folder.at('export.ndjson'), finishedAt], { encoding: 'utf8' }),
  ) as typeof expected
})
afterAll(() => folder.remove())

async function ask(question: string, file = config): Promise<Row[]> {
  const { exitCode, stdout, stderr } = await runInMemory([
    'sql',
    file,
    `:${question}`,
    '--as',
    'json',
    '--out',
    folder.out,
  ])
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Row[]
}

const toIds = (rows: readonly Row[]) => rows.map(({ id }) => id)
const byId = (member: string) => (rows: readonly Row[]) =>
  Object.fromEntries(rows.map((row) => [row['id'], row[member]]))

/** The answer of each question in the form of the script. */
const forms: Readonly<Record<string, (rows: readonly Row[]) => unknown>> = {
  'no-packshot-by-brand': (rows) =>
    Object.fromEntries(
      rows.map(({ brand, products, without_packshot: without, percent }) => [
        brand ?? 'None',
        [products, without, percent],
      ]),
    ),
  'no-packshot': toIds,
  'no-price': toIds,
  'no-name': byId('missing'),
  'no-description': byId('missing'),
  'no-code': toIds,
  'no-alt': (rows) =>
    rows
      .map(({ id, list, position, missing }) => `${String(id)} ${String(list)} ${String(position)} ${String(missing)}`)
      .toSorted(byText),
  'no-successor': byId('why'),
  'odd-prices': byId('why'),
  'shared-codes': (rows) =>
    Object.fromEntries(rows.map(({ scheme, code, ids }) => [`${String(scheme)} ${String(code)}`, ids])),
  status: (rows) => Object.fromEntries(rows.map(({ status, products }) => [status ?? 'None', products])),
  oldest: toIds,
  'new-this-week': (rows) => toIds(rows).map(String).toSorted(byText),
}

describe('saved questions, beside a script that reads the raw export', () => {
  test.each(Object.keys(forms))('the answer to %s is that of the script, and is not empty', async (question) => {
    const answer = forms[question]!(await ask(question))
    expect(answer).toEqual(expected[question])
    expect(Object.keys(answer as object).length).toBeGreaterThan(0)
  })

  test('every saved question is compared with the script, but for price-changes, which needs two runs', () => {
    const names = savedQuestions.map(({ name }) => name).filter((name) => name !== 'price-changes')
    expect(names.toSorted()).toEqual(Object.keys(forms).toSorted())
  })
})

describe('price-changes', () => {
  test.each(['parquet', 'csv'])(
    'finds each change between two runs in a history of %s, the largest first',
    async (format) => {
      const name = `history-${format}`
      const file = await folder.write(
        `${name}.yaml`,
        `name: ${name}
source: { files: ${JSON.stringify(folder.at(`${name}.ndjson`))}, contract: v4/product }
tables: { products: { columns: [id, cnk, publicPrice] } }
outputs: [{ format: ${format}, mode: history }]
`,
      )
      const before = await seedGaps(folder, 60, `${name}.ndjson`)
      await runInMemory(['run', file, '--out', folder.out])
      const after = before.map((product, at) =>
        at % 7 === 0
          ? { ...product, publicPrice: (product.publicPrice ?? 0) + 100 * (at + 1), meta: touched(product) }
          : product,
      )
      await writeLines(folder, `${name}.ndjson`, after)
      expect((await runInMemory(['run', file, '--out', folder.out])).exitCode).toBe(0)
      const changed = before.flatMap(({ id, publicPrice: old }, at) => {
        const next = after[at]?.publicPrice
        return isPrice(old) && isPrice(next) && old !== next ? [{ id, old, new: next }] : []
      })
      const answer = await ask('price-changes', file)
      expect(answer.map(({ id, old, new: next }) => ({ id, old, new: next })).toSorted(byIdText)).toEqual(
        changed.toSorted(byIdText),
      )
      expect(changed.length).toBeGreaterThan(3)
      const sizes = answer.map(({ difference }) => Math.abs(Number(difference)))
      expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
      const all = await runInMemory([
        'sql',
        file,
        'select count(*) c, count(*) filter (where is_current) n from products',
        '--as',
        'csv',
        '--out',
        folder.out,
      ])
      expect(all.stdout).toBe(`c,n\n${60 + after.filter((each, at) => each !== before[at]).length},60\n`)
    },
  )

  test('says what to add if there are no older prices', async () => {
    const { exitCode, stderr } = await runInMemory(['sql', config, ':price-changes', '--out', folder.out])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'price-changes: expected the older prices of an output with `mode: history` or `mode: changes`',
    )
  })
})

describe('questions about few columns', () => {
  test('a question names the column that is missing, and packshots are found in a column with a condition', async () => {
    const file = await folder.write(
      'few.yaml',
      `name: few
source: { files: ${JSON.stringify(folder.at('export.ndjson'))}, contract: v4/product }
tables:
  products:
    columns:
      - id
      - status
      - { column: brand, from: 'brands[0].name', locale: nl, fallback: [fr, en] }
      - { column: image, from: 'photos[].formats.large', where: { photoType: packshot }, locale: nl, fallback: spec }
`,
    )
    await runInMemory(['run', file, '--out', folder.out])
    const { exitCode, stderr } = await runInMemory(['sql', file, ':no-price', '--out', folder.out])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('no-price: expected a column made from publicPrice, got none in table "products"')
    const answer = await ask('no-packshot-by-brand', file)
    const direct = await runInMemory([
      'sql',
      file,
      "select count(*) n from products where status = 'active' and image is null",
      '--as',
      'csv',
      '--out',
      folder.out,
    ])
    const total = answer.reduce((sum, row) => sum + Number(row['without_packshot']), 0)
    expect(`n\n${total}\n`).toBe(direct.stdout)
    expect(total).toBeGreaterThan(0)
  })

  test('a question of the config has its name, and comes before a saved one', async () => {
    const file = await folder.write(
      'own.yaml',
      `name: products
source: { files: ${JSON.stringify(folder.at('export.ndjson'))}, contract: v4/product }
questions:
  expensive: select id from products where public_price > 8000 order by id limit 1
  status: select 42 as answer
`,
    )
    expect(await ask('expensive', file)).toHaveLength(1)
    expect(await ask('status', file)).toEqual([{ answer: 42 }])
    const { stdout } = await runInMemory(['sql', file, '--out', folder.out])
    expect(stdout).toMatch(/\n {2}:expensive +of the config\n {2}:status +of the config\n {2}:no-packshot-by-brand/)
    const shown = await runInMemory(['sql', file, '--question', 'expensive', '--show', '--out', folder.out])
    expect(shown.stdout).toBe('select id from products where public_price > 8000 order by id limit 1\n')
  })
})

function touched({ meta }: Product) {
  return { ...meta, updatedAt: 1_790_000_000 }
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1
}

function byIdText(one: { readonly id?: unknown }, other: { readonly id?: unknown }): number {
  return String(one.id) < String(other.id) ? -1 : 1
}

function isPrice(price: unknown): boolean {
  return typeof price === 'number' && price > 0
}
