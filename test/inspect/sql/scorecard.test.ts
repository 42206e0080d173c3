import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scorecard } from '../../../src/inspect/scorecard/scorecard.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { RunFolder } from '../../cli/run-folder.ts'
import { openInLibreOffice, skipsLibreOffice } from '../../formats/libre-office.ts'
import { launchChromium, skipsChromium } from '../../report/chromium.ts'
import { seedGaps } from './seeded-gaps.ts'

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await seedGaps(folder, 300)
  const source = `source: { files: ${JSON.stringify(folder.at('export.ndjson'))}, contract: v4/product }`
  config = await folder.write('products.yaml', `name: products\n${source}\noutputs: [{ format: parquet }]\n`)
  await runInMemory(['run', config, '--out', folder.out])
})
afterAll(() => folder.remove())

const scorecard = (...args: readonly string[]) => runInMemory(['scorecard', config, '--out', folder.out, ...args])

async function count(...args: readonly string[]): Promise<Scorecard> {
  const { exitCode, stdout } = await scorecard('--json', ...args)
  expect(exitCode).toBe(0)
  return JSON.parse(stdout) as Scorecard
}

describe('scorecard', () => {
  test.each(['brand', 'organization'])('every count by %s is that of a script over the raw export', async (by) => {
    const script = join(import.meta.dirname, 'scorecard.py')
    const expected = JSON.parse(
      execFileSync('python3', [script, folder.at('export.ndjson'), by], { encoding: 'utf8' }),
    ) as { groups: Record<string, Record<string, number>>; worst: unknown }
    const card = await count('--by', by)
    const groups = card.groups.map(({ name, products, filled }) => [
      name ?? 'None',
      { products, ...Object.fromEntries(card.cells.map(({ topic, label }, at) => [`${topic} ${label}`, filled[at]])) },
    ])
    expect(Object.fromEntries(groups)).toEqual(expected.groups)
    expect(card.worst.map(({ id, missing }) => [id, missing.length])).toEqual(expected.worst)
    expect(card.cells).toHaveLength(28)
    expect(card.isActiveOnly).toBe(true)
  })

  test('one brand has only its own products, and an unknown one is answered with the nearest', async () => {
    const all = await count()
    const brand = all.groups.find(({ name }) => name !== null)?.name ?? ''
    const card = await count('--brand', brand, '--most', '3')
    expect(card.groups).toEqual(all.groups.filter(({ name }) => name === brand))
    expect(new Set(card.worst.map(({ group }) => group))).toEqual(new Set([brand]))
    const { exitCode, stderr } = await scorecard('--brand', `${brand}x`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`did you mean "${brand}"?`)
    const { stderr: nameless } = await scorecard('--brand', '')
    expect(nameless).toContain('got ""\n')
  })

  test('a page never replaces that of the run, and the terminal says how many groups it leaves out', async () => {
    const page = `${folder.out}/products/_report.html`
    const kept = await readFile(page, 'utf8')
    const { exitCode, stderr } = await scorecard('--to', page)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`--to ${page}: expected another file than`)])
    expect(await readFile(page, 'utf8')).toBe(kept)
    const { groups } = await count('--by', 'cnk')
    const { stdout } = await scorecard('--by', 'cnk')
    expect(stdout).toContain(`the largest 20 of ${groups.length} groups, `)
  })

  test('--all counts products of every status', async () => {
    const products = (await count('--all')).groups.reduce((sum, group) => sum + group.products, 0)
    expect(products).toBe(300)
  })

  test.skipIf(skipsLibreOffice)(
    'the workbook has the shares and the worst products, with the zeros of their codes',
    async () => {
      expect((await scorecard('--to', folder.at('card'))).stderr).toContain('scorecard.xlsx')
      const card = await count()
      const sheets = await openInLibreOffice(folder.at('card/scorecard.xlsx'), { locale: 'nl-BE' })
      expect([...sheets.keys()]).toEqual(['summary', 'worst products'])
      const [, first] = sheets.get('summary') ?? []
      expect(first?.[1]).toEqual({ type: 'number', value: String(card.groups[0]?.products) })
      const codes = sheets
        .get('worst products')
        ?.slice(1)
        .map((row) => [row[1]?.type, row[1]?.value])
      expect(codes).toEqual(card.worst.map(({ cnk }) => (cnk === null ? ['empty', ''] : ['text', cnk])))
    },
  )

  test.skipIf(skipsChromium).each([
    [320, 'light'],
    [1280, 'dark'],
  ] as const)(
    'the page passes axe without a script, and fits into %i pixels in %s colors',
    async (width, colorScheme) => {
      await scorecard('--by', 'status', '--all', '--most', '10', '--to', folder.at('page.html'))
      expect((await readFile(folder.at('page.html'))).length).toBeLessThan(200_000)
      const browser = await launchChromium()
      try {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true })
        await page.goto(pathToFileURL(folder.at('page.html')).href)
        expect(await page.locator('script').count()).toBe(0)
        expect(await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')).toBe(0)
        await page.evaluate(axe.source)
        const { violations, passes } = (await page.evaluate('axe.run()')) as axe.AxeResults
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
        expect(passes.map(({ id }) => id)).toContain('color-contrast')
      } finally {
        await browser.close()
      }
    },
  )
})
