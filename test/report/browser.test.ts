import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fewOf } from '../depth.ts'
import { renderReport } from '../../src/report/render-report.ts'
import { launchChromium, skipsChromium } from './chromium.ts'
import {
  createHostileRun,
  createLargeRun,
  createPastRuns,
  createPlainRun,
  hostile as hostileText,
} from './sample-run.ts'

const hostile = createHostileRun()
const large = createLargeRun()
const runs = createPastRuns(40)
const failure = { code: 'RULE_BROKEN', title: 'A rule', message: hostileText, fix: 'Set `severity: warn`.' }
const pages: Readonly<Record<string, string>> = {
  'hostile names': renderReport(hostile.manifest, hostile.profile, { examples: true, rejects: hostile.rejects, runs }),
  'a run that saves nothing': renderReport({ ...hostile.manifest, failure }, hostile.profile, { examples: true }),
  'a run without any problem': renderReport(createPlainRun(), null),
  'every table of v4 products': renderReport(large.manifest, large.profile, { examples: true, runs }),
}
const widths = [320, 390, 1280]

describe.skipIf(skipsChromium)('the page of a run in Chromium', () => {
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    browser = await launchChromium()
    folder = await mkdtemp(join(tmpdir(), 'report-'))
  })

  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Opens a page from its file, and logs its messages and requests. */
  async function open(
    text: string,
    options: { readonly width: number; readonly colorScheme: 'light' | 'dark'; readonly allowsScript?: boolean },
  ): Promise<{ page: Page; log: string[] }> {
    const { width, colorScheme, allowsScript = false } = options
    const path = join(folder, '_report.html')
    await writeFile(path, text)
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: allowsScript })
    const log: string[] = []
    page.on('console', (message) => log.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => log.push(`error: ${error.message}`))
    page.on('dialog', (dialog) => log.push(`dialog: ${dialog.message()}`))
    page.on('request', (request) => log.push(`request: ${new URL(request.url()).protocol}`))
    await page.goto(pathToFileURL(path).href)
    return { page, log }
  }

  it.each(Object.keys(pages))('opens from a file with one request and no message, with %s', async (name) => {
    const { page, log } = await open(pages[name]!, { width: 1280, colorScheme: 'light' })
    expect(log).toEqual(['request: file:'])
    expect(await page.locator('script, img, iframe, link[rel=stylesheet]').count()).toBe(0)
    await page.close()
  })

  it('draws a line for each trend, from the first run to this one', async () => {
    const { page } = await open(pages['hostile names']!, { width: 1280, colorScheme: 'light' })
    const lines = page.locator('#runs svg')
    const names = await lines.evaluateAll((drawn) => drawn.map((each) => each.getAttribute('aria-label')))
    expect(names).toEqual([
      'Records: 1,039, 1,000 to 1,039 in 36 runs',
      'Rows: 58, 23 to 58 in 8 runs',
      'Changes: 42, 3 to 42 in 36 runs',
      'Rejected lines: 0, 0 to 2 in 36 runs',
      'Time: 2.4 s, 2.0 s to 2.6 s in 36 runs',
    ])
    const boxes = await page.locator('#runs polyline').evaluateAll((drawn) =>
      drawn.map((each) => {
        const { width, height } = each.getBoundingClientRect()
        return width > 100 && height > 10
      }),
    )
    expect(boxes).toEqual(names.map(() => true))
    await page.close()
  })

  it.each(fewOf(widths, 320, 1280))(
    'needs no scrolling from side to side at %i pixels, folded or not',
    async (width) => {
      for (const text of Object.values(pages)) {
        const { page } = await open(text, { width, colorScheme: 'light', allowsScript: true })
        expect(await measureOverflow(page)).toBe(0)
        await unfold(page)
        expect(await measureOverflow(page)).toBe(0)
        await page.close()
      }
    },
  )

  it.each(['light', 'dark'] as const)('passes the checks of axe in %s colors', async (colorScheme) => {
    const names = ['hostile names', ...fewOf(['a run that saves nothing', 'a run without any problem'])]
    for (const name of names) {
      for (const width of fewOf(widths, 320)) {
        const { page } = await open(pages[name]!, { width, colorScheme, allowsScript: true })
        await unfold(page)
        await page.evaluate(axe.source)
        const { violations, passes } = (await page.evaluate('axe.run()')) as axe.AxeResults
        expect(violations.map(({ id, nodes }) => `${name}, ${id}: ${nodes[0]?.html}`)).toEqual([])
        expect(passes.map(({ id }) => id)).toContain('color-contrast')
        await page.close()
      }
    }
  })

  it('opens what a problem links to: a part of the page, or the file beside it', async () => {
    const { page } = await open(pages['hostile names']!, { width: 1280, colorScheme: 'light' })
    const links = await page.locator('.todo a').evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
    expect(links.length).toBeGreaterThan(5)
    for (const link of links.filter((each) => each.startsWith('#'))) {
      expect(await page.locator(`section${link}`).isVisible()).toBe(true)
    }
    await page.close()
  })

  it('unfolds its tables without a script, and on paper', async () => {
    const { page } = await open(pages['hostile names']!, { width: 1280, colorScheme: 'light' })
    const column = page.getByRole('rowheader', { name: 'price' })
    expect(await column.isVisible()).toBe(false)
    await page.locator('#tables > summary').click()
    await page.locator('.tables summary').first().click()
    expect(await column.isVisible()).toBe(true)
    await page.locator('#tables > summary').click()
    await page.emulateMedia({ media: 'print' })
    expect(await column.isVisible()).toBe(true)
    await page.close()
  })

  it('shows hostile names as text: no element is made of them', async () => {
    const { page } = await open(pages['hostile names']!, { width: 1280, colorScheme: 'light' })
    expect(await page.title()).toContain('</script><img src=x onerror=alert(1)>')
    expect(await page.locator('.pipeline').textContent()).toContain('\\u{202e}שלום')
    await page.close()
  })
})

function measureOverflow(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)').then(Number)
}

async function unfold(page: Page): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true })')
}
